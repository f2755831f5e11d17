"""Prints promotion_table.h from what PyTorch says. Redirect it into that file."""

import itertools

import torch

DTYPES = {
    "kBool": torch.bool,
    "kUInt8": torch.uint8,
    "kInt8": torch.int8,
    "kInt16": torch.int16,
    "kInt32": torch.int32,
    "kInt64": torch.int64,
    "kUInt16": torch.uint16,
    "kUInt32": torch.uint32,
    "kUInt64": torch.uint64,
    "kFloat16": torch.float16,
    "kBFloat16": torch.bfloat16,
    "kFloat32": torch.float32,
    "kFloat64": torch.float64,
    "kComplex64": torch.complex64,
    "kComplex128": torch.complex128,
    "kFloat8_e4m3fn": torch.float8_e4m3fn,
    "kFloat8_e5m2": torch.float8_e5m2,
    "kComplex32": torch.complex32,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
NUMBERS = {"kBool": True, "kInt64": 1, "kFloat64": 1.0, "kComplex128": 1j}


def operands():
    for name, dtype in DTYPES.items():
        yield "kDimensioned", name, torch.ones(1, dtype=dtype)
        yield "kZeroDim", name, torch.ones((), dtype=dtype)
    for name, number in NUMBERS.items():
        yield "kNumber", name, number


VERSION = torch.__version__.split("+")[0]
print(f"// Made by make_promotion_table.py with PyTorch {VERSION}; do not edit.")
print("// long file: a recorded table.")
print("// {default dtype, first operand, its dtype, second operand, its dtype, result}")
print("constexpr PromotionRow kPromotionTable[] = {")
for default in (torch.float32, torch.float64):
    torch.set_default_dtype(default)
    for (place, name, a), (other_place, other_name, b) in itertools.product(operands(), repeat=2):
        try:
            promoted = torch.result_type(a, b)
            if promoted not in NAMES:  # bcomplex32: no dtype of ours
                continue
            result = NAMES[promoted]
        except RuntimeError:  # PyTorch does not promote these
            result = "kRefused"
        print(f"    {{{NAMES[default]}, {place}, {name}, {other_place}, {other_name}, {result}}},")
print("};")

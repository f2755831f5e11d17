"""Pointwise CPU kernels: one file per scalar function, compiled once per instruction-set level."""

from __future__ import annotations

from codegen.model import DTYPES, Kind, Op, Type
from codegen.output import Outputs
from codegen.problem import RecordError


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    kernels: dict[str, list[Op]] = {}
    for op in ops:
        if op.kind is Kind.POINTWISE:
            kernels.setdefault(op.kernel.function, []).append(op)
    for kernel, users in kernels.items():
        out.add(f"kernels/cpu/{kernel}.cpp", kernel_file(kernel, users))


def kernel_file(kernel: str, users: list[Op]) -> str:
    op = users[0]
    for other in users[1:]:
        if (len(other.tensors), attribute_count(other)) != (len(op.tensors), attribute_count(op)):
            raise RecordError(
                other.place,
                other.name,
                "kernel",
                f"'{op.name}' uses the scalar function '{kernel}' with other arguments",
            )
    dtypes = sorted({d for user in users for d in user.kernel_dtypes}, key=list(DTYPES).index)
    operands = ["a", "b", "c"][: len(op.tensors)]
    loop = {1: "unary_loop", 2: "binary_loop"}[len(op.tensors)]
    attributes = [f"attribute<T>(attributes, {i})" for i in range(attribute_count(op))]
    lines = "".join(f"  const T attribute_{i} = {a};\n" for i, a in enumerate(attributes))
    call = ", ".join(operands + [f"attribute_{i}" for i in range(len(attributes))])
    capture = "=" if attributes else ""
    functions = "\n".join(
        f"void {kernel}_{DTYPES[d].suffix}(char* const* data, const int64_t* strides, int64_t n,\n"
        f"    const void* attributes) {{\n"
        f"  run<{DTYPES[d].cpp}>(data, strides, n, attributes);\n}}"
        for d in dtypes
    )
    return f"""
// Loops of the pointwise kernel '{kernel}'. Generated from {op.place}; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/{kernel}.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {{
namespace {{

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {{
{lines}  {loop}<T>(data, strides, n, [{capture}]({", ".join(f"T {o}" for o in operands)}) {{
    return scalar::{kernel}({call});
  }});
}}

}}  // namespace

{functions}

}}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
"""


def attribute_count(op: Op) -> int:
    return sum(a.type is Type.SCALAR for a in op.arguments)

"""The typed, immutable model of operator records. Emitters read this and nothing else."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class Type(enum.Enum):
    """Types of arguments, with their C++ parameter type and how a node stores them."""

    TENSOR = ("Tensor", "const TensorBase&", None)
    OPERAND = ("Tensor|Scalar", "const Operand&", None)
    SCALAR = ("Scalar", "const Scalar&", "Scalar")
    INT = ("int", "int64_t", "int64_t")
    BOOL = ("bool", "bool", "bool")
    INTS = ("int[]", "Dims", "DimVector")
    OPTIONAL_INTS = ("int[]?", "const OptionalDims&", "SavedDims")
    DTYPE = ("dtype", "DType", "DType")
    OPTIONAL_DTYPE = ("dtype?", "std::optional<DType>", "std::optional<DType>")
    DEVICE = ("device", "Device", "Device")
    GENERATOR = ("Generator?", "Generator*", None)
    OPTIONS = ("Options", "const TensorOptions&", None)

    def __init__(self, spelling: str, cpp: str, stored: str | None):
        self.spelling = spelling
        self.cpp = cpp
        self.stored = stored

    @property
    def is_tensor(self) -> bool:
        return self in (Type.TENSOR, Type.OPERAND)


@dataclass(frozen=True)
class Argument:
    name: str
    type: Type
    default: str | None = None  # as written: 1, None, False
    keyword_only: bool = False
    variadic: bool = False  # sizes may be given one by one, as in randn(2, 3)

    @property
    def cpp_default(self) -> str | None:
        if self.type is Type.OPTIONS:
            return "{}"
        if self.default is None:
            return None
        if self.default == "None":
            return "nullptr" if self.type is Type.GENERATOR else "{}"
        return {"True": "true", "False": "false"}.get(self.default, self.default)


@dataclass(frozen=True)
class Place:
    """Where a record stands: for messages and for tags in generated code."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Call:
    """A kernel or shape function and the names of the arguments it takes."""

    function: str
    arguments: tuple[str, ...] = ()


class Kind(enum.Enum):
    POINTWISE = "pointwise"
    STRUCTURED = "structured"
    VIEW = "view"
    COMPOSITE = "composite"
    TRANSFER = "transfer"


@dataclass(frozen=True)
class Gradient:
    argument: str
    formula: object  # formula.Expression


@dataclass(frozen=True)
class Op:
    name: str
    place: Place
    arguments: tuple[Argument, ...]
    kind: Kind
    forms: frozenset[str]
    operator: str | None
    reflected: str | None  # the operator that `number ∘ tensor` calls, with the two swapped
    compute: Call
    meta: Call | None
    kernel: Call | None
    levels: bool
    native: bool  # kernels exist for every dtype itself, not only for those it is computed in
    dtypes: tuple[str, ...]
    amp: str
    batch: str
    gradients: tuple[Gradient, ...]
    jvp: str | None
    doc: str
    samples: str | None
    numpy: str | None  # for pointwise operators: the value, as a NumPy expression of the arguments
    bad: tuple[str, ...] = field(default=())

    @property
    def tensors(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if a.type.is_tensor)

    @property
    def attributes(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if not a.type.is_tensor)

    @property
    def inplace(self) -> bool:
        return "inplace" in self.forms

    @property
    def differentiable(self) -> bool:
        return bool(self.gradients)

    def argument(self, name: str) -> Argument | None:
        return next((a for a in self.arguments if a.name == name), None)

    @property
    def signature(self) -> str:
        """As device plug-ins spell it."""
        return f"{self.name}({','.join(a.type.spelling for a in self.arguments)})->Tensor"

    def kernel_dtype(self, dtype: str) -> str:
        return dtype if self.native else DTYPES[dtype].computed_in

    @property
    def kernel_dtypes(self) -> list[str]:
        """The dtypes that CPU kernels are compiled for."""
        return sorted({self.kernel_dtype(d) for d in self.dtypes}, key=list(DTYPES).index)

    @property
    def node_name(self) -> str:
        return "".join(part.capitalize() for part in self.name.split("_"))


@dataclass(frozen=True)
class ElementType:
    """A dtype: the suffix of its kernels, its C++ type, and what CPU kernels compute it in."""

    suffix: str
    cpp: str
    computed_in: str


# In the order of eagre::DType; `computed_in` is eagre::cpu_compute_dtype.
DTYPES = {
    "bool": ElementType("bool", "bool", "bool"),
    "uint8": ElementType("u8", "uint8_t", "int32"),
    "int8": ElementType("i8", "int8_t", "int32"),
    "int16": ElementType("i16", "int16_t", "int32"),
    "int32": ElementType("i32", "int32_t", "int32"),
    "int64": ElementType("i64", "int64_t", "int64"),
    "uint16": ElementType("u16", "uint16_t", "int32"),
    "uint32": ElementType("u32", "uint32_t", "int64"),
    "uint64": ElementType("u64", "uint64_t", "int64"),
    "float16": ElementType("f16", "Half", "float32"),
    "bfloat16": ElementType("bf16", "BFloat16", "float32"),
    "float32": ElementType("f32", "float", "float32"),
    "float64": ElementType("f64", "double", "float64"),
}
# What records may write for several dtypes.
DTYPE_GROUPS = {
    "integers": ("uint8", "int8", "int16", "int32", "int64"),
    "unsigned": ("uint16", "uint32", "uint64"),
    "floats": ("float16", "bfloat16", "float32", "float64"),
}
LEVELS = ("baseline", "avx2", "avx512")

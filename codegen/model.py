"""The typed, immutable model of operator records. Emitters read this and nothing else."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class Type(enum.Enum):
    """Types of arguments, with their C++ parameter type and how a node stores them."""

    TENSOR = ("Tensor", "const TensorBase&", None)
    OPTIONAL_TENSOR = ("Tensor?", "const TensorBase&", None)
    MASK = ("Mask", "const TensorBase&", None)
    TENSORS = ("Tensor[]", "TensorList", None)
    OPTIONAL_TENSORS = ("Tensor?[]", "TensorList", None)
    OPERAND = ("Tensor|Scalar", "const Operand&", None)
    OPTIONAL_OPERAND = ("Tensor|Scalar?", "const OptionalOperand&", None)
    SCALAR = ("Scalar", "const Scalar&", "Scalar")
    INT = ("int", "int64_t", "int64_t")
    OPTIONAL_INT = ("int?", "std::optional<int64_t>", "std::optional<int64_t>")
    FLOAT = ("float", "double", "double")
    OPTIONAL_FLOAT = ("float?", "std::optional<double>", "std::optional<double>")
    BOOL = ("bool", "bool", "bool")
    OPTIONAL_BOOL = ("bool?", "std::optional<bool>", "std::optional<bool>")
    FALSE = ("False", "std::false_type", None)  # an overload for when it is not set
    INTS = ("int[]", "Dims", "DimVector")
    OPTIONAL_INTS = ("int[]?", "const OptionalDims&", "SavedDims")
    SIZES = ("int?[]", "const OptionalDims&", "SavedDims")  # None: kSizeOfInput, or one for all
    SHAPES = ("int[][]", "const ShapeList&", "ShapeList")
    STRING = ("str", "std::string_view", "std::string")
    OPTIONAL_STRING = ("str?", "std::optional<std::string_view>", "std::optional<std::string>")
    DTYPE = ("dtype", "DType", "DType")
    OPTIONAL_DTYPE = ("dtype?", "std::optional<DType>", "std::optional<DType>")
    DEVICE = ("device", "Device", "Device")
    MEMORY_FORMAT = ("memory_format", "MemoryFormat", "MemoryFormat")
    GENERATOR = ("Generator?", "Generator*", None)
    OPTIONS = ("Options", "const TensorOptions&", None)

    def __init__(self, spelling: str, cpp: str, stored: str | None):
        self.spelling = spelling
        self.cpp = cpp
        self.stored = stored

    @property
    def is_tensor(self) -> bool:
        return self.is_single_tensor or self.is_list or self.is_operand

    @property
    def is_single_tensor(self) -> bool:
        return self in (Type.TENSOR, Type.OPTIONAL_TENSOR, Type.MASK)

    @property
    def is_list(self) -> bool:
        return self in (Type.TENSORS, Type.OPTIONAL_TENSORS)

    @property
    def is_operand(self) -> bool:
        return self in (Type.OPERAND, Type.OPTIONAL_OPERAND)

    @property
    def may_be_missing(self) -> bool:
        return self.spelling.endswith("?")


class Meaning(enum.Enum):
    """What an argument stands for, where batches must know: its type says how it is passed."""

    DIM = "dim"  # a dimension of the input
    DIMS = "dims"
    NEW_DIM = "new dim"  # a dimension of the result, which has more of them
    SHAPE = "shape"  # sizes
    STARTS = "starts"  # for every dimension, where a slice of it begins
    STEPS = "steps"  # and how far apart its elements are
    SPATIAL = "spatial"  # a number for each spatial dimension; one alone holds for all
    INDEX = "index"  # for every element of the result a place in the input


# The types of signatures that say it.
MEANINGS = {
    "Dim": (Type.INT, Meaning.DIM),
    "Dim?": (Type.OPTIONAL_INT, Meaning.DIM),
    "NewDim": (Type.INT, Meaning.NEW_DIM),
    "Dims": (Type.INTS, Meaning.DIMS),
    "Dims?": (Type.OPTIONAL_INTS, Meaning.DIMS),
    "Shape": (Type.INTS, Meaning.SHAPE),
    "Spatial": (Type.INTS, Meaning.SPATIAL),
    "Starts": (Type.INTS, Meaning.STARTS),
    "Steps": (Type.INTS, Meaning.STEPS),
    "Index": (Type.TENSOR, Meaning.INDEX),
}


@dataclass(frozen=True)
class Argument:
    name: str
    type: Type
    default: str | None = None  # as written: 1, None, False, 'none'
    keyword_only: bool = False
    variadic: bool = False  # a list that may be given one by one, as in randn(2, 3)
    meaning: Meaning | None = None

    @property
    def cpp_default(self) -> str | None:
        if self.type in (Type.OPTIONS, Type.FALSE):
            return "{}"
        if self.default is None:
            return None
        if self.default == "None":
            return "nullptr" if self.type is Type.GENERATOR else "{}"
        if self.type in (Type.STRING, Type.OPTIONAL_STRING):
            return '"' + self.default.strip("'\"") + '"'
        if self.type is Type.MEMORY_FORMAT:
            return f"MemoryFormat::k{self.default.capitalize()}"
        if self.type is Type.INTS:
            return "{" + self.default.strip("[]") + "}"
        return {"True": "true", "False": "false"}.get(self.default, self.default)


@dataclass(frozen=True)
class Output:
    """What an operator gives back: one of these, or several with names."""

    name: str
    is_list: bool = False
    has_name: bool = True  # of several: in Python, too
    is_bool: bool = False  # a bool, not a tensor


@dataclass(frozen=True)
class Place:
    """Where a record stands: for messages and for tags in generated code."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class PythonSource:
    """Functions written in Python in front of an operator: their module, and which there are."""

    module: str  # of the package: _einsum
    forms: frozenset[str]  # function, method


# The parameter of a function in a namespace that chooses the form that writes.
INPLACE = "inplace"


@dataclass(frozen=True)
class PythonName:
    """Another name of an operator in Python: special.expit, or abs_ for a function of that name."""

    namespace: str  # empty for `eagre` itself
    name: str
    # Where they are not those of the operator: their order, and INPLACE.
    parameters: tuple[str, ...] = ()

    @property
    def in_place(self) -> bool:
        return self.name.endswith("_")

    @property
    def attribute(self) -> str:
        """What the compiled module calls a function of a namespace."""
        return "_" + str(self).replace(".", "_")

    def __str__(self) -> str:
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


@dataclass(frozen=True)
class Call:
    """A kernel, a rule or a shape function and the names of the arguments it takes."""

    function: str
    arguments: tuple[str, ...] = ()


class Layout(enum.Enum):
    """How tensors and results of kernels lie in memory."""

    ANY_STRIDED = "any_strided"  # tensors as they come, results row-major
    CONTIGUOUS = "contiguous"  # all row-major
    CHANNELS_LAST = "channels_last"  # all row-major, or all with channels last
    READS_LAST = "reads_last"  # each tensor as one of these, results row-major
    WRITES_LAST = "writes_last"  # tensors as they come, results as one of these


class Kind(enum.Enum):
    POINTWISE = "pointwise"  # every element from those at the same place
    STRUCTURED = "structured"  # results of their own shape, from a kernel
    UPDATE = "update"  # a kernel that changes its first argument, or a copy of it
    VIEW = "view"
    COMPOSITE = "composite"
    TRANSFER = "transfer"


@dataclass(frozen=True)
class Gradient:
    argument: str
    formula: object  # formula.Expression


def _camel_case(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


@dataclass(frozen=True)
class Template:
    """Of kernels that the generator instantiates: where it stands, and how it is called for T."""

    header: str
    call: str
    # Where the operations stand that it runs over elements, for any device; a record names one.
    operations: str | None = None


def _family(word: str, header: str) -> Template:
    """Loops over an operation: the word is the name of the function too."""
    operations = f"eagre/kernels/scalar/{word}_ops.h"
    return Template(header, f"{word}<scalar::{{camel}}, T>", operations)


# By the word in front of the kernel's name, which is that of a function or of an operation.
TEMPLATES = {
    "typed": Template("eagre/kernels/cpu/typed/{name}.h", "typed::{name}<T>"),
    "reduce": _family("reduce", "eagre/kernels/cpu/isa/reduce.h"),
    "scan": _family("scan", "eagre/kernels/cpu/isa/scan.h"),
    "generate": _family("generate", "eagre/kernels/cpu/generate.h"),
    "random": _family("random", "eagre/kernels/cpu/random.h"),
    "scatter": _family("scatter", "eagre/kernels/cpu/scatter.h"),
}


@dataclass(frozen=True)
class Op:
    name: str
    public: str  # the user's name for it: several operators may share one
    aliases: tuple[str, ...]  # other names for the same in Python
    place: Place
    about: str  # what the operators of the file have in common: its first sentence
    arguments: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    kind: Kind
    forms: frozenset[str]
    python_source: PythonSource | None
    python: tuple[PythonName, ...]  # more names in Python, or, if `renamed`, all of its functions
    renamed: bool
    # Orders of arguments, all by position, that Python still takes with a warning.
    deprecated: tuple[tuple[str, ...], ...]
    # More orders of arguments, beginning with the first, that C++ takes them in, as libtorch does;
    # what is left out has its default.
    cpp_orders: tuple[tuple[str, ...], ...]
    own_method: bool  # C++ has a method of its own under its name
    implicit_dim: bool  # Python: without `dim` a rule of old chooses one, with a warning
    operator: str | None
    reflected: str | None  # the operator that `number ∘ tensor` calls, with the two swapped
    compute: tuple[Call, ...]  # the rules for the kernel's dtype; the first that applies
    number_input: bool  # Python functions take a number for the first tensor, too
    wide_numbers: bool  # pointwise: numbers are not rounded to a half's precision first
    whole_numbers: bool  # and integers take the whole part of a fraction
    no_bools: str  # what to say of a bool tensor, where PyTorch has words of its own
    results: tuple[str, ...]  # the dtype of every output: compute, real, stats, bool, …
    inputs: dict  # structured: what dtype tensors are handed over in, where it is not `compute`
    meta: Call | None
    shape_of: str | None  # structured: the tensor whose sizes the result has
    shortcut: Call | None  # structured: makes the results of small tensors at once
    kernel: Call | None
    header: str | None  # the file of a pointwise kernel's scalar function, if not the family's
    template: str | None  # a key of TEMPLATES: the generator instantiates the kernel of it
    layout: Layout
    # counts the dimensions behind the channels, or says whether channels are last
    format_argument: str | None
    # same_dtype: as the first input; exact: as the result, in place too; chooses_dtype: its own
    # stands for `dtype`; any_shape: of as many elements is filled in order; no_overlap: with the
    # memory of inputs, in updates too; expanded: an update whose target may be so; converted: of
    # any dtype; keep: only the shape changes
    out_rules: frozenset[str]
    per_isa: bool
    by_size: bool  # kernels exist for every element size: they only move elements
    native: tuple[str, ...]  # dtypes with kernels of their own; others are computed as wider ones
    dtypes: tuple[str, ...]
    amp: str
    batch: str
    node: str | None  # what users see of its node, where that is not the public name
    saved_names: dict  # argument → its name in the node's _saved_*, where that is not PyTorch's
    gradients: tuple[Gradient, ...]
    fused: object | None  # formula.Apply: gives all of them at once, where nobody differentiates it
    jvp: str | None
    jvp_formulas: tuple[Gradient, ...]
    conjugates: bool  # formulas are of the conjugates of what was saved, where it is complex
    doc: str
    samples: str | None
    numpy: str | None  # for pointwise operators: the value, as a NumPy expression of the arguments
    bad: tuple[str, ...] = field(default=())
    call: str | None = None  # how tests call it, where it has no public name
    on_devices: bool = True  # results are the same on every device
    dynamic_shape: bool = False  # shapes of results follow from values, not from shapes

    @property
    def family(self) -> str:
        """The file of the record, which names the generated files it is part of."""
        return self.place.file.rpartition("/")[2].removesuffix(".yaml")

    @property
    def scalar_header(self) -> str:
        """Where the scalar function of a pointwise kernel stands."""
        return f"eagre/kernels/scalar/{self.header or self.family}.h"

    @property
    def template_header(self) -> str:
        return TEMPLATES[self.template].header.format(name=self.kernel.function)

    @property
    def template_call(self) -> str:
        """The instantiation for the dtype T."""
        name = self.kernel.function
        return TEMPLATES[self.template].call.format(name=name, camel=self.kernel_class)

    @property
    def kernel_class(self) -> str:
        """The operation that a template folds with, where its kernel names one."""
        return _camel_case(self.kernel.function)

    @property
    def tensors(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if a.type.is_tensor)

    @property
    def traced(self) -> tuple[Argument, ...]:
        """The tensor arguments that gradients flow to: the edges of the node, in order."""
        with_formula = {g.argument for g in self.gradients}
        return tuple(a for a in self.tensors if a.name in with_formula)

    @property
    def scalars(self) -> tuple[Argument, ...]:
        """The numbers every element's computation takes."""
        return tuple(a for a in self.arguments if a.type is Type.SCALAR)

    @property
    def inplace(self) -> bool:
        return "inplace" in self.forms

    @property
    def out(self) -> bool:
        return "out" in self.forms

    @property
    def differentiable(self) -> bool:
        return bool(self.gradients)

    @property
    def returns_list(self) -> bool:
        return self.outputs[0].is_list

    @property
    def hidden(self) -> bool:
        """Users call it by other names only, or a function in front of it."""
        return self.python_source is not None or self.renamed

    @property
    def in_place_names(self) -> tuple[PythonName, ...]:
        """Functions that are the method which writes."""
        return tuple(name for name in self.python if name.in_place and not name.parameters)

    @property
    def python_name(self) -> str:
        if self.renamed:
            return self.python[0].attribute
        return f"_{self.public}" if self.hidden else self.public

    @property
    def spoken(self) -> str:
        """What messages call it: a function of `nn.functional` by its name there."""
        if self.renamed and self.python[0].namespace == "nn.functional":
            return self.python[0].name
        return self.public

    @property
    def has_named_results(self) -> bool:
        return self.returns_many and self.outputs[0].has_name

    @property
    def returns_bool(self) -> bool:
        return self.outputs[0].is_bool

    @property
    def returns_many(self) -> bool:
        return len(self.outputs) > 1

    def argument(self, name: str) -> Argument | None:
        return next((a for a in self.arguments if a.name == name), None)

    @property
    def signature(self) -> str:
        """What kernels of device plug-ins are matched by: results, and the arguments that a kernel
        gets, which are not always those of the operator."""
        one = "Tensor[]" if self.returns_list else "bool" if self.returns_bool else "Tensor"
        result = f"({','.join(['Tensor'] * len(self.outputs))})" if self.returns_many else one
        taken = self.arguments
        if self.kernel and self.kind is not Kind.POINTWISE:
            taken = tuple(self.argument(name) for name in self.kernel.arguments)
        return f"{self.name}({','.join(a.type.spelling for a in taken)})->{result}"

    def kernel_dtype(self, dtype: str) -> str:
        if self.by_size:
            return SIZE_DTYPES[DTYPES[dtype].size]
        return dtype if dtype in self.native else DTYPES[dtype].computed_in

    @property
    def kernel_dtypes(self) -> list[str]:
        """The dtypes that CPU kernels are compiled for."""
        return sorted({self.kernel_dtype(d) for d in self.dtypes}, key=list(DTYPES).index)

    @property
    def node_name(self) -> str:
        return _camel_case(self.name)

    @property
    def node_label(self) -> str:
        """Begins the name that a node shows: the overloads of an operator share it."""
        return self.node or _camel_case(self.public)


@dataclass(frozen=True)
class ElementType:
    """A dtype: the suffix of its kernels, its C++ type, and what CPU kernels compute it in."""

    suffix: str
    cpp: str
    computed_in: str
    size: int


# In the order of eagre::DType; `computed_in` is eagre::cpu_compute_dtype. The compiler compares
# this table and the groups below with the library's (kernel_table.dtype_checks).
DTYPES = {
    "bool": ElementType("bool", "bool", "bool", 1),
    "uint8": ElementType("u8", "uint8_t", "int32", 1),
    "int8": ElementType("i8", "int8_t", "int32", 1),
    "int16": ElementType("i16", "int16_t", "int32", 2),
    "int32": ElementType("i32", "int32_t", "int32", 4),
    "int64": ElementType("i64", "int64_t", "int64", 8),
    "uint16": ElementType("u16", "uint16_t", "int32", 2),
    "uint32": ElementType("u32", "uint32_t", "int64", 4),
    "uint64": ElementType("u64", "uint64_t", "int64", 8),
    "float16": ElementType("f16", "Half", "float32", 2),
    "bfloat16": ElementType("bf16", "BFloat16", "float32", 2),
    "float32": ElementType("f32", "float", "float32", 4),
    "float64": ElementType("f64", "double", "float64", 8),
    "complex64": ElementType("c64", "Complex<float>", "complex64", 8),
    "complex128": ElementType("c128", "Complex<double>", "complex128", 16),
    "float8_e4m3fn": ElementType("f8_e4m3fn", "Float8_e4m3fn", "float32", 1),
    "float8_e5m2": ElementType("f8_e5m2", "Float8_e5m2", "float32", 1),
    "complex32": ElementType("c32", "Complex<Half>", "complex64", 4),
}
# As in DType::kUInt8.
DTYPE_CASE = {
    name: {"bfloat16": "BFloat16"}.get(name, name.capitalize().replace("Uint", "UInt"))
    for name in DTYPES
}
# Kernels that only move elements are compiled once per size, for these.
SIZE_DTYPES = {1: "uint8", 2: "int16", 4: "int32", 8: "int64", 16: "complex128"}
_FLOAT8 = ("float8_e4m3fn", "float8_e5m2")
# What records may write for several dtypes; larger groups before those they hold. `all` is for what
# moves elements, or asks of each what float8 can answer; `arithmetic` for what computes.
DTYPE_GROUPS = {
    "all": tuple(DTYPES),
    "arithmetic": tuple(d for d in DTYPES if d not in _FLOAT8),
    "integers": ("uint8", "int8", "int16", "int32", "int64"),
    "unsigned": ("uint16", "uint32", "uint64"),
    "floats": ("float16", "bfloat16", "float32", "float64"),
    "complex": ("complex64", "complex128", "complex32"),
    "float8": _FLOAT8,
}


def in_groups(dtypes: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Dtypes by the groups that they fill, and those that are left over."""
    left = set(dtypes)
    groups = []
    for group, members in DTYPE_GROUPS.items():
        if left >= set(members):
            groups.append(group)
            left -= set(members)
    return groups, [d for d in DTYPES if d in left]


ISAS = ("baseline", "avx2", "avx512")

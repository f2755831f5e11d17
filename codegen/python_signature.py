"""Signatures as the Python border binds them."""

from __future__ import annotations

from codegen.cpp import designated
from codegen.model import Argument, Meaning, Op, Type

# Other names of arguments: NumPy's, and Paddle's.
ALIASES = {
    "input": "x a x1",
    "other": "y x2",
    "dim": "axis",
    "keepdim": "keepdims",
    "from": "from_",
    "split_size": "split_size_or_sections",
    "split_sizes": "split_size_or_sections",
}
OPTIONS = ("dtype", "device", "requires_grad", "layout", "pin_memory")

# What an argument may be: see ParameterKind in python/src/call/arguments.h.
KINDS = {
    Type.TENSOR: "kTensor",
    Type.MASK: "kTensor",
    Type.OPTIONAL_TENSOR: "kTensor",
    Type.TENSORS: "kTensors",
    Type.OPTIONAL_TENSORS: "kTensors",
    Type.OPERAND: "kOperand",
    Type.OPTIONAL_OPERAND: "kOperand",
    Type.SCALAR: "kNumber",
    Type.FLOAT: "kNumber",
    Type.OPTIONAL_FLOAT: "kNumber",
    Type.INT: "kInteger",
    Type.OPTIONAL_INT: "kInteger",
    Type.BOOL: "kBool",
    Type.OPTIONAL_BOOL: "kBool",
    Type.FALSE: "kFalse",
    Type.INTS: "kIntegers",
    Type.OPTIONAL_INTS: "kIntegerOrIntegers",
    Type.STRING: "kText",
    Type.OPTIONAL_STRING: "kText",
    Type.DTYPE: "kDType",
    Type.OPTIONAL_DTYPE: "kDType",
}


def forms(op: Op) -> list[str]:
    """Of function, method, inplace: those that this operator has in Python."""
    if "internal" in op.forms:
        return []
    found = [form for form in ("function", "method") if form in op.forms]
    return [*found, "inplace"] if op.inplace else found


def kind_of(op: Op, argument: Argument) -> str | None:
    if op.number_input and argument is op.arguments[0]:
        return "kTensorOrNumber"
    if argument.meaning is Meaning.SPATIAL:
        return "kIntegerOrIntegers"
    return KINDS.get(argument.type)


def flat(op: Op) -> list[tuple[str, bool, bool, str]]:
    """Name, required, keyword-only, kind of every parameter, options as their keywords."""
    out = []
    for argument in op.arguments:
        if argument.type is Type.OPTIONS:
            kinds = ("kDType", "kAny", "kBool", "kAny", "kBool")
            out += [(name, False, True, kind) for name, kind in zip(OPTIONS, kinds, strict=True)]
            continue
        kind = kind_of(op, argument) or "kAny"
        out.append((argument.name, argument.default is None, argument.keyword_only, kind))
    return out


# The constants of op_entry.h for the keywords that options are.
_OPTION_ROWS = "kDTypeOption, kDeviceOption, kRequiresGradOption, kLayoutOption, kPinMemoryOption"


def parameter_row(op: Op, argument: Argument) -> str:
    if argument.type is Type.OPTIONS:
        return _OPTION_ROWS
    none = argument.type.may_be_missing or argument.default == "None"
    alias, kind = ALIASES.get(argument.name), kind_of(op, argument)
    fields = {
        "name": f'"{argument.name}"',
        "aliases": alias and f'"{alias}"',
        "required": "false" if argument.default is not None else None,
        "kind": kind and f"ParameterKind::{kind}",
        "may_be_none": "true" if none else None,
    }
    return designated(fields)


def parameter_table(rows: list[str]) -> str:
    return "constexpr Parameter kParameters[] = {\n" + "".join(f"    {r},\n" for r in rows) + "};"


def parameter_rows(op: Op) -> str:
    rows = [parameter_row(op, argument) for argument in op.arguments]
    return parameter_table(rows + ["kOutParameter"] * op.out)


def variadic_index(op: Op, form: str) -> int:
    """The list that may be given one by one: where the record says so, and in methods
    that take nothing else."""
    for i, argument in enumerate(op.arguments):
        only = form == "method" and len(op.arguments) == 2 and argument.type is Type.INTS
        if argument.variadic or only:
            return i
    return -1


def positional_range(op: Op, form: str) -> tuple[int, int | None]:
    """The least and the greatest number of arguments of a call that names none; None: no bound."""
    rows = flat(op)[0 if form == "function" else 1 :]
    if any(required and keyword_only for _, required, keyword_only, _ in rows):
        return 1, 0  # no such call
    least = sum(required for _, required, _, _ in rows)
    if variadic_index(op, form) >= 0:
        return least, None
    return least, sum(not keyword_only for _, _, keyword_only, _ in rows)


# A function that writes into its first argument, as a method does into its own tensor.
WRITTEN = "written"


def signature_constant(op: Op, form: str) -> str:
    name = op.spoken + ("_" if form in ("inplace", WRITTEN) else "")
    rows = flat(op)
    positional = sum(not keyword_only for _, _, keyword_only, _ in rows)
    # Methods have no out=.
    count = len(rows) + (1 if op.out and form == "function" else 0)
    variadic = variadic_index(op, "inplace" if form == WRITTEN else form)
    exposed = op.python_name if op.hidden else None
    if form == WRITTEN:
        first = min(op.in_place_names, key=lambda name: name.namespace != "")
        exposed = first.attribute if first.namespace else first.name
    fields = {
        "op": f'"{name}"',
        "parameters": f"{{kParameters, {count}}}",
        "positional": str(positional),
        "variadic": str(variadic) if variadic >= 0 else None,
        "exposed": f'"{exposed}"' if exposed else None,
        "deprecated": f'"{"|".join(" ".join(order) for order in op.deprecated)}"'
        if op.deprecated
        else None,
        "implicit_dim": "true" if op.implicit_dim else None,
    }
    return f"constexpr Signature {constant(form)}{designated(fields)};"


def constant(form: str) -> str:
    return f"k{form.capitalize()}"

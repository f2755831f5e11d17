"""Small pieces of C++ that several emitters write."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.model import Argument, Kind, Op, Type

_HEADERS = {
    Type.TENSORS: "core/tensor_list.h",
    Type.OPTIONAL_TENSORS: "core/tensor_list.h",
    Type.OPERAND: "core/operand.h",
    Type.OPTIONAL_OPERAND: "core/operand.h",
    Type.SCALAR: "core/scalar.h",
    Type.SHAPES: "core/tensor_list.h",
    Type.MEMORY_FORMAT: "core/memory_format.h",
    Type.OPTIONS: "core/options.h",
    Type.GENERATOR: "core/generator.h",
}
# Where the helpers are that generated files are made of.
HEADERS = {
    "recording": ("eagre/autograd/tape/recording.h",),
    "conjugate": ("eagre/autograd/tape/conjugate.h",),
    "accumulate": ("eagre/autograd/tape/autograd_meta.h",),
    "rules": (
        "eagre/autograd/transforms/vmap.h",
        "eagre/autograd/transforms/forward_mode.h",
        "eagre/ops/batch_rules.h",
    ),
    "output": ("eagre/dispatch/output.h",),
    "meta": ("eagre/dispatch/meta/meta.h",),
    "pointwise": ("eagre/dispatch/pointwise.h",),
    "structured": ("eagre/dispatch/structured.h",),
    "shortcut": ("eagre/dispatch/shortcuts.h",),
    "transfer": ("eagre/dispatch/transfer.h",),
    "python": ('"call/op_entry.h"',),
    "python_table": ('"call/method.h"', '"call/results.h"', '"tensor/parts.h"'),
}
_STANDARD = {
    Type.STRING: "string_view",
    Type.OPTIONAL_STRING: "string_view",
    Type.FALSE: "type_traits",
}


def parameters(
    arguments: tuple[Argument, ...], defaults: bool = False, types: dict | None = None
) -> list[str]:
    """`types` replaces the C++ types of some arguments."""
    out = []
    for argument, default in zip(arguments, cpp_defaults(arguments), strict=True):
        text = f"{(types or {}).get(argument.type, argument.type.cpp)} {argument.name}"
        if defaults and default is not None:
            text += f" = {default}"
        out.append(text)
    return out


def cpp_defaults(arguments: Sequence[Argument]) -> list[str | None]:
    """C++ has none before an argument that must be given, as that of an overload may be."""
    last = max((i for i, a in enumerate(arguments) if a.cpp_default is None), default=-1)
    return [a.cpp_default if i > last else None for i, a in enumerate(arguments)]


def names(arguments: tuple[Argument, ...]) -> list[str]:
    return [a.name for a in arguments]


def public_call(op: Op, call: str) -> str:
    """A call in the name of the user: errors of the operators in a composite name it as well."""
    if op.kind is not Kind.COMPOSITE:
        return call
    only_inplace = not op.forms & {"function", "method"}
    return f'within("{op.spoken}{"_" * only_inplace}", [&] {{ return {call}; }})'


def result_type(op: Op) -> str:
    if op.returns_bool:
        return "bool"
    if op.returns_list:
        return "TensorVector"
    return f"std::array<TensorBase, {len(op.outputs)}>" if op.returns_many else "TensorBase"


def out_parameters(op: Op, tensor: str = "const TensorBase&") -> list[str]:
    """The tensors that an out= form writes to."""
    return [f"{tensor} {name}" for name in out_names(op)]


def out_names(op: Op) -> list[str]:
    return [f"out_{o.name}" for o in op.outputs] if op.returns_many else ["out"]


def includes_for(op: Op) -> list[str]:
    """Headers of the types in the signature."""
    ours = {"core/tensor_base.h"}
    standard = {"optional"}
    if op.returns_list:
        ours.add("core/tensor_list.h")
    if op.returns_many:
        standard.add("array")
    for argument in op.arguments:
        ours.update(filter(None, [_HEADERS.get(argument.type)]))
        standard.update(filter(None, [_STANDARD.get(argument.type)]))
    return [
        *(f"#include <{header}>" for header in sorted(standard)),
        "",
        *(f"#include <eagre/{header}>" for header in sorted(ours)),
    ]


def banner(op: Op, what: str) -> str:
    return f"// {what} Generated from {op.place}; do not edit."


def default_arguments(op: Op) -> str:
    """What a call of a binary operator passes for the arguments after its two operands."""
    return "".join(f", {a.cpp_default}" for a in op.arguments[2:])


def designated(fields: dict[str, str | None], column: int | None = None) -> str:
    """Fields that are empty are left to their defaults. A line for each, where the column is given
    that they begin in."""
    between = ", " if column is None else ",\n" + " " * column
    return f"{{{between.join(f'.{name} = {value}' for name, value in fields.items() if value)}}}"

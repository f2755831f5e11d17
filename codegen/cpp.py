"""Small pieces of C++ that several emitters write."""

from __future__ import annotations

from codegen.model import Argument, Op, Type


def parameters(arguments: tuple[Argument, ...], defaults: bool = False) -> list[str]:
    out = []
    for argument in arguments:
        text = f"{argument.type.cpp} {argument.name}"
        if defaults and argument.cpp_default is not None:
            text += f" = {argument.cpp_default}"
        out.append(text)
    return out


def names(arguments: tuple[Argument, ...]) -> list[str]:
    return [a.name for a in arguments]


def includes_for(op: Op) -> list[str]:
    """Headers of the types in the signature."""
    headers = {"eagre/core/tensor_base.h"}
    for argument in op.arguments:
        match argument.type:
            case Type.OPERAND:
                headers.add("eagre/core/operand.h")
            case Type.SCALAR:
                headers.add("eagre/core/scalar.h")
            case Type.OPTIONS:
                headers.add("eagre/core/options.h")
            case Type.GENERATOR:
                headers.add("eagre/core/generator.h")
    return [f"#include <{header}>" for header in sorted(headers)]


def banner(op: Op, what: str) -> str:
    return f"// {what} Generated from {op.place}; do not edit."


def default_arguments(op: Op) -> str:
    """What a call of a binary operator passes for the arguments after its two operands."""
    return "".join(f", {a.cpp_default}" for a in op.arguments[2:])

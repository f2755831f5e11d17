"""The public C++ surface: class Tensor with its operator methods, free functions and operators."""

from __future__ import annotations

from codegen.cpp import default_arguments, names
from codegen.model import Argument, Op, Type
from codegen.output import Outputs, indent

_PUBLIC = {Type.TENSOR: "const Tensor&"}
_SITE = "CallSite at = std::source_location::current()"


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    methods = [op for op in ops if "method" in op.forms]
    functions = [op for op in ops if "function" in op.forms]
    operators = [op for op in ops if op.operator]
    reflected = {op.reflected for op in operators if op.reflected}
    used = sorted({op.name for op in [*methods, *functions, *operators]} | reflected)
    out.add("include/eagre/api/tensor.h", tensor_header(methods))
    out.add(
        "include/eagre/api/functions.h", functions_header(ops, methods, functions, operators, used)
    )


def public_parameters(arguments: tuple[Argument, ...], defaults: bool) -> list[str]:
    out = []
    for a in arguments:
        text = f"{_PUBLIC.get(a.type, a.type.cpp)} {a.name}"
        if defaults and a.cpp_default is not None:
            text += f" = {a.cpp_default}"
        out.append(text)
    return out


def doc_comment(op: Op) -> str:
    first = op.doc.split("\n\n")[0].replace("\n", " ")
    return f"// {first} ({op.place})"


def declaration(op: Op) -> str:
    rest = op.arguments[1:]
    arguments = ", ".join([*public_parameters(rest, True), _SITE])
    lines = [doc_comment(op), f"Tensor {op.name}({arguments}) const;"]
    if op.inplace:
        lines.append(f"const Tensor& {op.name}_({arguments}) const;")
    return "\n".join(lines)


def tensor_header(methods: list[Op]) -> str:
    body = indent("\n".join(declaration(op) for op in methods))
    return f"""
// The tensor of the public API. Generated from ops/*.yaml; do not edit.
#pragma once

#include <optional>

#include <eagre/api/tensor_handle.h>
#include <eagre/base/call_site.h>
#include <eagre/core/operand.h>

namespace eagre {{

// A handle: copies share the tensor. What is not an operator is in TensorHandle.
class Tensor : public TensorHandle {{
 public:
  Tensor() = default;
  Tensor(TensorBase base) : TensorHandle(std::move(base)) {{}}  // NOLINT: the same handle

{body}
}};

}}  // namespace eagre
"""


def functions_header(ops, methods, functions, operators, used) -> str:
    includes = "\n".join(f"#include <eagre/autograd/ops/{name}.h>" for name in used)
    parts = [method_definition(op) for op in methods]
    parts += [function_definition(op) for op in functions]
    by_name = {op.name: op for op in ops}
    parts += [operator_definitions(op, by_name) for op in operators]
    return f"""
// Operators as functions, and the methods' definitions. Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/api/located_operand.h>
#include <eagre/api/tensor.h>
{includes}

namespace eagre {{

{chr(10).join(parts)}

}}  // namespace eagre
"""


def method_definition(op: Op) -> str:
    rest = op.arguments[1:]
    arguments = ", ".join([*public_parameters(rest, False), "CallSite at"])
    call = ", ".join(["*this", *names(rest), "at"])
    text = (
        f"inline Tensor Tensor::{op.name}({arguments}) const {{ return ops::{op.name}({call}); }}"
    )
    if op.inplace:
        text += (
            f"\ninline const Tensor& Tensor::{op.name}_({arguments}) const {{\n"
            f"  ops::{op.name}_({call});\n  return *this;\n}}"
        )
    return text


def function_definition(op: Op) -> str:
    arguments = ", ".join([*public_parameters(op.arguments, True), _SITE])
    call = ", ".join([*names(op.arguments), "at"])
    body = f"{{ return ops::{op.name}({call}); }}"
    text = f"{doc_comment(op)}\ninline Tensor {op.name}({arguments}) {body}"
    # randn(size, options) without naming a generator.
    if (
        op.arguments[-1].type is Type.OPTIONS
        and len(op.arguments) > 2
        and op.arguments[-2].type is Type.GENERATOR
    ):
        kept = (*op.arguments[:-2], op.arguments[-1])
        short = ", ".join([*(p.replace(" = {}", "") for p in public_parameters(kept, True)), _SITE])
        given = ", ".join([*names(op.arguments[:-2]), "nullptr", op.arguments[-1].name, "at"])
        text += f"\ninline Tensor {op.name}({short}) {{ return ops::{op.name}({given}); }}"
    return text


def operator_definitions(op: Op, ops: dict[str, Op]) -> str:
    symbol = op.operator
    if symbol == "@":  # C++ has no such operator: matmul() is the function
        return ""
    if len(op.tensors) == 1:
        return (
            f"inline Tensor operator{symbol}(const LocatedOperand& a) {{\n"
            f"  return ops::{op.name}(a.tensor(), a.site());\n}}"
        )
    defaults = default_arguments(op)
    lines = [
        f"inline Tensor operator{symbol}(const Tensor& a, const LocatedOperand& b) {{\n"
        f"  return ops::{op.name}(a, b{defaults}, b.site());\n}}",
        "template <class Number>\n  requires std::is_arithmetic_v<Number>\n"
        f"Tensor operator{symbol}(Number a, const LocatedOperand& b) {{\n"
        f"  return ops::{op.reflected}(b.tensor(), a{default_arguments(ops[op.reflected])}, "
        "b.site());\n}",
    ]
    if op.inplace:
        lines.append(
            f"inline Tensor& operator{symbol}=(Tensor& a, const LocatedOperand& b) {{\n"
            f"  ops::{op.name}_(a, b{defaults}, b.site());\n  return a;\n}}"
        )
    return "\n".join(lines)

"""The public C++ surface: class Tensor with its operator methods, free functions and operators."""

from __future__ import annotations

from codegen.cpp import (
    default_arguments,
    names,
    out_names,
    out_parameters,
    parameters,
    public_call,
)
from codegen.model import Argument, Op, Type
from codegen.output import Outputs, indent

_PUBLIC = {
    Type.TENSOR: "const Tensor&",
    Type.OPTIONAL_TENSOR: "const Tensor&",
    Type.MASK: "const Tensor&",
}
_SITE = "CallSite at = std::source_location::current()"
# What C++ has no operator for.
_PYTHON_ONLY = {"@", "//", "**", "abs"}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    public = [op for op in ops if "internal" not in op.forms]
    methods = [op for op in public if ("method" in op.forms or op.inplace) and not op.own_method]
    functions = [op for op in public if "function" in op.forms or op.out]
    operators = [op for op in ops if op.operator]
    reflected = {op.reflected for op in operators if op.reflected}
    used = sorted({op.name for op in [*methods, *functions, *operators]} | reflected)
    out.add("include/eagre/api/tensor.h", tensor_header(methods))
    out.add(
        "include/eagre/api/functions.h", functions_header(ops, methods, functions, operators, used)
    )


def public_parameters(arguments: tuple[Argument, ...], defaults: bool) -> list[str]:
    return parameters(arguments, defaults, _PUBLIC)


def result(op: Op) -> str:
    if op.returns_bool:
        return "bool"
    if op.returns_list:
        return "std::vector<Tensor>"
    if op.returns_many:
        return f"std::tuple<{', '.join(['Tensor'] * len(op.outputs))}>"
    return "Tensor"


def converted(op: Op, call: str) -> str:
    """What the operator gives, as the user gets it."""
    if op.returns_list:
        return f"detail::to_tensors({call})"
    return f"detail::to_tuple({call})" if op.returns_many else call


def doc_comment(op: Op) -> str:
    first = op.doc.split("\n\n")[0].replace("\n", " ")
    return f"// {first} ({op.place})"


def declaration(op: Op) -> str:
    rest = op.arguments[1:]
    arguments = ", ".join([*public_parameters(rest, True), _SITE])
    lines = [doc_comment(op)]
    if "method" in op.forms:
        lines.append(f"{result(op)} {op.public}({arguments}) const;")
    if op.inplace:
        lines.append(f"const Tensor& {op.public}_({arguments}) const;")
    return "\n".join(lines)


def tensor_header(methods: list[Op]) -> str:
    body = indent("\n".join(declaration(op) for op in methods))
    return f"""
// The tensor of the public API. Generated from ops/*.yaml; do not edit.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <eagre/api/tensor_handle.h>
#include <eagre/base/call_site.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_list.h>

namespace eagre {{

class Generator;

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
    includes = "\n".join(f"#include <eagre/ops/{name}.h>" for name in used)
    parts = [method_definition(op) for op in methods]
    parts += [function_definition(op) for op in functions]
    by_name = {op.name: op for op in ops}
    parts += [operator_definitions(op, by_name) for op in operators]
    return f"""
// Operators as functions, and the methods' definitions. Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/api/located_operand.h>
#include <eagre/api/results.h>
#include <eagre/api/tensor.h>
{includes}
#include <eagre/base/within.h>

namespace eagre {{

{chr(10).join(filter(None, parts))}

}}  // namespace eagre
"""


def method_definition(op: Op) -> str:
    rest = op.arguments[1:]
    arguments = ", ".join([*public_parameters(rest, False), "CallSite at"])
    call = ", ".join(["*this", *names(rest), "at"])
    lines = []
    if "method" in op.forms:
        lines.append(
            f"inline {result(op)} Tensor::{op.public}({arguments}) const {{\n"
            f"  return {converted(op, public_call(op, f'ops::{op.name}({call})'))};\n}}"
        )
    if op.inplace:
        lines.append(
            f"inline const Tensor& Tensor::{op.public}_({arguments}) const {{\n"
            f"  {public_call(op, f'ops::{op.name}_({call})')};\n  return *this;\n}}"
        )
    return "\n".join(lines)


def function_definition(op: Op) -> str:
    lines = [doc_comment(op)]
    call = ", ".join([*names(op.arguments), "at"])
    if "function" in op.forms:
        arguments = ", ".join([*public_parameters(op.arguments, True), _SITE])
        body = f"{{\n  return {converted(op, public_call(op, f'ops::{op.name}({call})'))};\n}}"
        lines += [f"inline {result(op)} {op.public}({arguments}) {body}", *shorter_form(op)]
    if op.out:
        lines.append(out_definition(op))
    return "\n".join(lines)


def shorter_form(op: Op) -> list[str]:
    """randn(size, options) without naming a generator, zeros_like(x, options) without a format."""
    if not op.arguments or op.arguments[-1].type is not Type.OPTIONS:
        return []
    *rest, last = op.arguments
    left_out = []
    while rest and rest[-1].type in (Type.GENERATOR, Type.MEMORY_FORMAT):
        left_out.insert(0, rest.pop().cpp_default)
    if not left_out:
        return []
    kept = (*rest, last)
    short = ", ".join([*(p.replace(" = {}", "") for p in public_parameters(kept, True)), _SITE])
    given = ", ".join([*names(rest), *left_out, last.name, "at"])
    made = public_call(op, f"ops::{op.name}({given})")
    return [f"inline Tensor {op.public}({short}) {{ return {made}; }}"]


def out_definition(op: Op) -> str:
    """As libtorch has it: the tensors that are written come first."""
    outs = out_parameters(op, "const Tensor&")
    arguments = ", ".join([*outs, *public_parameters(op.arguments, True), _SITE])
    call = ", ".join([*names(op.arguments), *out_names(op), "at"])
    returned = f"{{{', '.join(out_names(op))}}}" if op.returns_many else "out"
    return (
        f"inline {result(op)} {op.public}_out({arguments}) {{\n"
        f"  {public_call(op, f'ops::{op.name}_out({call})')};\n  return {returned};\n}}"
    )


def operator_definitions(op: Op, ops: dict[str, Op]) -> str:
    symbol = op.operator
    if symbol in _PYTHON_ONLY:
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
    ]
    if op.reflected is not None:
        lines.append(
            "template <Number T>\n"
            f"Tensor operator{symbol}(T a, const LocatedOperand& b) {{\n"
            f"  return ops::{op.reflected}(b.tensor(), a{default_arguments(ops[op.reflected])}, "
            "b.site());\n}"
        )
    if op.inplace and symbol not in ("==", "!=", "<", "<=", ">", ">="):
        lines.append(
            f"inline Tensor& operator{symbol}=(Tensor& a, const LocatedOperand& b) {{\n"
            f"  ops::{op.name}_(a, b{defaults}, b.site());\n  return a;\n}}"
        )
    return "\n".join(lines)

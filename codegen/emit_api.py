"""The public C++ surface: class Tensor with its operator methods, free functions and operators."""

from __future__ import annotations

from codegen.cpp import default_arguments, out_names, out_parameters, public_call
from codegen.cpp_forms import Form, forms
from codegen.model import Op
from codegen.output import Outputs, indent

_SITE = "CallSite at = std::source_location::current()"
# Namespaces whose functions libtorch has under one name, such as at::special_expit.
_JOINED = {"special", "linalg"}
# What C++ has no operator for.
_PYTHON_ONLY = {"@", "//", "**", "abs"}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    public = [op for op in ops if "internal" not in op.forms]
    methods = [op for op in public if ("method" in op.forms or op.inplace) and not op.own_method]
    functions = [op for op in public if "function" in op.forms or op.out]
    operators = [op for op in ops if op.operator]
    reflected = {op.reflected for op in operators if op.reflected}
    used = sorted({op.name for op in [*methods, *functions, *operators]} | reflected)
    overloads: dict[str, list[Op]] = {}
    for op in public:
        overloads.setdefault(op.public, []).append(op)
    out.add("include/eagre/api/tensor.h", tensor_header(methods, overloads))
    out.add(
        "include/eagre/api/functions.h",
        functions_header(ops, methods, functions, operators, used, overloads),
    )


def names_of(op: Op) -> tuple[str, ...]:
    return (op.public, *op.aliases)


def function_names(op: Op) -> tuple[str, ...]:
    """Also those of namespaces, as libtorch joins them: special_expit."""
    joined = {
        f"{name.namespace}_{name.name}"
        for name in op.python
        if name.namespace in _JOINED and not name.in_place and not name.parameters
    }
    return (*names_of(op), *sorted(joined - {op.public}))


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


def declaration(op: Op, overloads: dict) -> str:
    lines = [doc_comment(op)]
    for form in forms(op, op.arguments[1:], overloads[op.public]):
        arguments = ", ".join([*form.declared(), _SITE])
        for name in names_of(op):
            if "method" in op.forms:
                lines.append(f"{result(op)} {name}({arguments}) const;")
            if op.inplace:
                lines.append(f"Tensor& {name}_({arguments}) const;")
    return "\n".join(lines)


def tensor_header(methods: list[Op], overloads: dict) -> str:
    body = indent("\n".join(declaration(op, overloads) for op in methods))
    return f"""
// The tensor of the public API. Generated from ops/*.yaml; do not edit.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <eagre/api/generator_ref.h>
#include <eagre/api/tensor_handle.h>
#include <eagre/base/call_site.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_list.h>

namespace eagre {{

class LocatedOperand;

// A handle: copies share the tensor. What is not an operator is in TensorHandle.
class Tensor : public TensorHandle {{
 public:
  Tensor() = default;
  Tensor(TensorBase base) : TensorHandle(std::move(base)) {{}}  // NOLINT: the same handle
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  ~Tensor() = default;
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;
  // t[0] = 5, t.select(1, 0) = other: nobody could see another tensor in the place of a temporary,
  // so its elements are written.
  Tensor operator=(const LocatedOperand& value) &&;  // NOLINT: libtorch's assignment

{body}
}};

}}  // namespace eagre
"""


def functions_header(ops, methods, functions, operators, used, overloads) -> str:
    includes = "\n".join(f"#include <eagre/ops/{name}.h>" for name in used)
    parts = [method_definition(op, overloads) for op in methods]
    parts += [function_definition(op, overloads) for op in functions]
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

inline Tensor Tensor::operator=(const LocatedOperand& value) && {{
  assign(value, value.site());
  return *this;
}}

{chr(10).join(filter(None, parts))}

}}  // namespace eagre
"""


def method_definition(op: Op, overloads: dict) -> str:
    rest = op.arguments[1:]
    lines = []
    for form in forms(op, rest, overloads[op.public]):
        arguments = ", ".join([*form.types, "CallSite at"])
        call = ", ".join(["*this", *form.passed(rest), "at"])
        for name in names_of(op):
            if "method" in op.forms:
                lines.append(
                    f"inline {result(op)} Tensor::{name}({arguments}) const {{\n"
                    f"  return {converted(op, public_call(op, f'ops::{op.name}({call})'))};\n}}"
                )
            if op.inplace:
                lines.append(
                    f"inline Tensor& Tensor::{name}_({arguments}) const {{\n"
                    f"  {public_call(op, f'ops::{op.name}_({call})')};\n  return self();\n}}"
                )
    return "\n".join(lines)


def function_definition(op: Op, overloads: dict) -> str:
    lines = [doc_comment(op)]
    found = forms(op, op.arguments, overloads[op.public])
    for form in found if "function" in op.forms else ():
        arguments = ", ".join([*form.declared(), _SITE])
        call = ", ".join([*form.passed(op.arguments), "at"])
        body = f"{{\n  return {converted(op, public_call(op, f'ops::{op.name}({call})'))};\n}}"
        lines += [f"inline {result(op)} {name}({arguments}) {body}" for name in function_names(op)]
    if op.out:
        lines += out_definitions(op, found[0])
    return "\n".join(lines)


def out_definitions(op: Op, form: Form) -> list[str]:
    """As libtorch has it: the tensors that are written come first."""
    outs = out_parameters(op, "const Tensor&")
    arguments = ", ".join([*outs, *form.declared(), _SITE])
    call = ", ".join([*form.passed(op.arguments), *out_names(op), "at"])
    returned = f"{{{', '.join(out_names(op))}}}" if op.returns_many else "out"
    return [
        f"inline {result(op)} {name}_out({arguments}) {{\n"
        f"  {public_call(op, f'ops::{op.name}_out({call})')};\n  return {returned};\n}}"
        for name in function_names(op)
    ]


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
        # Of a temporary, such as t[0], what it shows.
        lines.append(
            f"inline Tensor operator{symbol}=(Tensor&& a, const LocatedOperand& b) {{\n"
            f"  ops::{op.name}_(a, b{defaults}, b.site());\n  return std::move(a);\n}}"
        )
    return "\n".join(lines)

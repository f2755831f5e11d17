"""The public C++ surface: class Tensor with its operator methods, free functions and operators."""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.cpp import default_arguments, out_names, out_parameters, public_call
from codegen.cpp_forms import Form, forms
from codegen.model import Kind, Op
from codegen.output import Outputs, indent

_SITE = "CallSite at = std::source_location::current()"
# Namespaces whose functions libtorch has under one name, such as at::special_expit.
_JOINED = {"special", "linalg"}
# 2 < x is x > 2. Not == and !=: the compiler turns these around by itself, wants a bool of what it
# turned, and finds a form of its own ambiguous beside that.
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
# What C++ has no operator for.
_PYTHON_ONLY = {"@", "//", "**", "abs"}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    public = [op for op in ops if "internal" not in op.forms]
    methods = [op for op in public if ("method" in op.forms or op.inplace) and not op.own_method]
    functions = [op for op in public if "function" in op.forms or op.out]
    operators = [op for op in ops if op.operator]
    overloads: dict[str, list[Op]] = {}
    for op in public:
        overloads.setdefault(op.public, []).append(op)
    inline, compiled = Definitions(), Definitions()
    for op in methods:
        define_method(op, overloads, inline, compiled)
    for op in functions:
        define_function(op, overloads, inline, compiled)
    by_name = {op.name: op for op in ops}
    for op in operators:
        inline.used |= {op.name} | ({op.reflected} if op.reflected else set())
        inline.parts.append(operator_definitions(op, by_name))
    out.add("include/eagre/api/tensor.h", tensor_header(methods, overloads))
    out.add("include/eagre/api/functions.h", functions_header(inline))
    out.add("api/composites.cpp", composites_source(compiled))


@dataclass
class Definitions:
    """Text of a file, and the operators that it calls."""

    parts: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    @property
    def includes(self) -> str:
        return "\n".join(f"#include <eagre/ops/{name}.h>" for name in sorted(self.used))

    @property
    def body(self) -> str:
        return "\n".join(filter(None, self.parts))


def is_compiled(op: Op, form: Form) -> bool:
    """Composites are called often enough by few, and cost all who include them: their bodies are
    in the library, unless they are templates."""
    return op.kind is Kind.COMPOSITE and not any(" auto " in text for text in form.types)


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
        export = "EAGRE_API " * is_compiled(op, form)
        for name in names_of(op):
            if "method" in op.forms:
                lines.append(f"{export}{result(op)} {name}({arguments}) const;")
            if op.inplace:
                lines.append(f"{export}Tensor& {name}_({arguments}) const;")
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
#include <eagre/core/text.h>

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


def functions_header(inline: Definitions) -> str:
    return f"""
// Operators as functions, and the methods' definitions. Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/api/located_operand.h>
#include <eagre/api/results.h>
#include <eagre/api/tensor.h>
{inline.includes}
#include <eagre/base/within.h>

namespace eagre {{

inline Tensor Tensor::operator=(const LocatedOperand& value) && {{
  assign(value, value.site());
  return *this;
}}

{inline.body}

}}  // namespace eagre
"""


def composites_source(compiled: Definitions) -> str:
    return f"""
// The public functions and methods of composites. Generated from ops/*.yaml; do not edit.
#include <eagre/api/functions.h>

#include <eagre/api/results.h>
#include <eagre/api/tensor.h>
{compiled.includes}
#include <eagre/base/within.h>

namespace eagre {{

{compiled.body}

}}  // namespace eagre
"""


def define_method(op: Op, overloads: dict, inline: Definitions, compiled: Definitions) -> None:
    rest = op.arguments[1:]
    for form in forms(op, rest, overloads[op.public]):
        target = compiled if is_compiled(op, form) else inline
        target.used.add(op.name)
        keyword = "" if target is compiled else "inline "
        arguments = ", ".join([*form.types, "CallSite at"])
        call = ", ".join(["*this", *form.passed(rest), "at"])
        for name in names_of(op):
            if "method" in op.forms:
                target.parts.append(
                    f"{keyword}{result(op)} Tensor::{name}({arguments}) const {{\n"
                    f"  return {converted(op, public_call(op, f'ops::{op.name}({call})'))};\n}}"
                )
            if op.inplace:
                target.parts.append(
                    f"{keyword}Tensor& Tensor::{name}_({arguments}) const {{\n"
                    f"  {public_call(op, f'ops::{op.name}_({call})')};\n  return self();\n}}"
                )


def define_function(op: Op, overloads: dict, inline: Definitions, compiled: Definitions) -> None:
    inline.parts.append(doc_comment(op))
    found = forms(op, op.arguments, overloads[op.public])
    for form in found if "function" in op.forms else ():
        call = ", ".join([*form.passed(op.arguments), "at"])
        body = f"  return {converted(op, public_call(op, f'ops::{op.name}({call})'))};"
        for name in function_names(op):
            define(op, form, name, form, body, inline, compiled)
    if op.out:
        define_out(op, found[0], inline, compiled)


def define(op: Op, form: Form, name: str, shown: Form, body: str, inline, compiled) -> None:
    """A function with the parameters of `shown`."""
    declared = f"{result(op)} {name}({', '.join([*shown.declared(), _SITE])})"
    if not is_compiled(op, form):
        inline.used.add(op.name)
        inline.parts.append(f"inline {declared} {{\n{body}\n}}")
        return
    compiled.used.add(op.name)
    inline.parts.append(f"EAGRE_API {declared};")
    arguments = ", ".join([*shown.types, "CallSite at"])
    compiled.parts.append(f"{result(op)} {name}({arguments}) {{\n{body}\n}}")


def define_out(op: Op, form: Form, inline: Definitions, compiled: Definitions) -> None:
    """As libtorch has it: the tensors that are written come first."""
    outs = tuple(out_parameters(op, "const Tensor&"))
    shown = Form((*outs, *form.types), (None,) * len(outs) + form.defaults, form.values)
    call = ", ".join([*form.passed(op.arguments), *out_names(op), "at"])
    returned = f"{{{', '.join(out_names(op))}}}" if op.returns_many else "out"
    body = f"  {public_call(op, f'ops::{op.name}_out({call})')};\n  return {returned};"
    for name in function_names(op):
        define(op, form, f"{name}_out", shown, body, inline, compiled)


def operator_definitions(op: Op, ops: dict[str, Op]) -> str:
    symbol = op.operator
    if symbol in _PYTHON_ONLY:
        return ""
    if len(op.tensors) == 1:
        return (
            f"inline Tensor operator{symbol}(const LocatedTensor& a) {{\n"
            f"  return ops::{op.name}(a.tensor(), a.site());\n}}"
        )
    defaults = default_arguments(op)
    lines = [
        f"inline Tensor operator{symbol}(const Tensor& a, const LocatedOperand& b) {{\n"
        f"  return ops::{op.name}(a, b{defaults}, b.site());\n}}",
    ]
    if symbol in _MIRRORED:
        mirrored = next(o.name for o in ops.values() if o.operator == _MIRRORED[symbol])
        lines.append(
            "template <NumberOrScalar T>\n"
            f"Tensor operator{symbol}(const T& a, const LocatedTensor& b) {{\n"
            f"  return ops::{mirrored}(b.tensor(), a, b.site());\n}}"
        )
    if op.reflected is not None:
        lines.append(
            "template <NumberOrScalar T>\n"
            f"Tensor operator{symbol}(const T& a, const LocatedTensor& b) {{\n"
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

"""Python bindings: per operator a file of thin functions over python/src, and one table of them."""

from __future__ import annotations

import json

from codegen.cpp import banner, default_arguments
from codegen.model import Argument, Op, Type
from codegen.output import Outputs

# Second names of arguments: NumPy's, and Paddle's.
ALIASES = {"input": "x", "other": "y", "dim": "axis", "keepdim": "keepdims"}
OPTIONS = ("dtype", "device", "requires_grad")
# Python operator: its slot, and that of its in-place form.
SLOTS = {
    "+": ("nb_add", "nb_inplace_add"),
    "-": ("nb_subtract", "nb_inplace_subtract"),
    "*": ("nb_multiply", "nb_inplace_multiply"),
    "/": ("nb_true_divide", "nb_inplace_true_divide"),
    "@": ("nb_matrix_multiply", "nb_inplace_matrix_multiply"),
}
UNARY_SLOTS = {"-": "nb_negative"}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    by_name = {op.name: op for op in ops}
    public = [op for op in ops if op.forms & {"function", "method"}]
    for op in public:
        out.add(f"python/{op.name}.cpp", op_file(op, by_name))
    out.add("python/table.cpp", table_file(public))


# ---- one operator ----


def op_file(op: Op, ops: dict[str, Op]) -> str:
    parts = [parameters(op)]
    parts += ["\n".join(signature_constant(op, form) for form in forms(op))]
    parts += [body(op)]
    if op.inplace:
        parts.append(inplace_body(op))
    inner = "\n\n".join(parts)
    used = sorted({op.name, op.reflected or op.name})
    includes = "\n".join(f"#include <eagre/autograd/ops/{name}.h>" for name in used)
    functions = "\n\n".join([*(function(op, form) for form in forms(op)), *slot_functions(op, ops)])
    return f"""
{banner(op, f"{op.name}: the Python border.")}
{includes}

#include "op_call.h"

namespace eagre::python {{
namespace {{

{inner}

}}  // namespace

{functions}

}}  // namespace eagre::python
"""


def forms(op: Op) -> list[str]:
    """Of function, method, inplace: those that this operator has."""
    found = [form for form in ("function", "method") if form in op.forms]
    return [*found, "inplace"] if op.inplace else found


def flat(op: Op) -> list[tuple[str, bool, bool]]:
    """Name, required, keyword-only of every parameter, with options as their three keywords."""
    out = []
    for argument in op.arguments:
        if argument.type is Type.OPTIONS:
            out += [(name, False, True) for name in OPTIONS]
        else:
            out.append((argument.name, argument.default is None, argument.keyword_only))
    return out


def parameters(op: Op) -> str:
    rows = []
    for name, required, _ in flat(op):
        alias = f'"{ALIASES[name]}"' if name in ALIASES else "nullptr"
        rows.append(f'    {{"{name}", {alias}, {str(required).lower()}}},')
    return "constexpr Parameter kParameters[] = {\n" + "\n".join(rows) + "\n};"


def variadic_index(op: Op, form: str) -> int:
    """The size list that may be given as single numbers: where the record says so, and in methods
    that take nothing else."""
    for i, argument in enumerate(op.arguments):
        only = form == "method" and len(op.arguments) == 2 and argument.type is Type.INTS
        if argument.variadic or only:
            return i
    return -1


def signature_constant(op: Op, form: str) -> str:
    name = op.name + ("_" if form == "inplace" else "")
    positional = sum(not keyword_only for _, _, keyword_only in flat(op))
    return (
        f'constexpr Signature {constant(form)}{{"{name}", kParameters, {positional}, '
        f"{variadic_index(op, form)}}};"
    )


def constant(form: str) -> str:
    return f"k{form.capitalize()}"


def conversion(op: Op, argument: Argument, index: int) -> str:
    """The declaration of one converted argument."""
    name, default = argument.name, argument.cpp_default
    match argument.type:
        case Type.TENSOR:
            return f"const TensorBase& {name} = a.tensor({index});"
        case Type.OPERAND:
            return f"const Operand {name} = a.operand({index});"
        case Type.SCALAR:
            more = "" if default is None else f", {default}"
            return f"const Scalar {name} = a.scalar({index}{more});"
        case Type.INT:
            return f"const int64_t {name} = a.integer({index});"
        case Type.BOOL:
            return f"const bool {name} = a.boolean({index}, {default or 'false'});"
        case Type.INTS:
            return f"const DimVector {name} = a.ints({index});"
        case Type.OPTIONAL_INTS:
            return f"const IntsArgument {name} = a.optional_ints({index});"
        case Type.DTYPE:
            return f"const DType {name} = a.dtype({index});"
        case Type.OPTIONAL_DTYPE:
            return f"const std::optional<DType> {name} = a.optional_dtype({index});"
        case Type.GENERATOR:
            return f"Generator* {name} = a.generator({index});"
        case Type.OPTIONS:
            return f"const TensorOptions {name} = a.options({index});"
    raise AssertionError(f"{op.place}: {op.name}: no conversion for {argument.type.spelling}")


def conversions(op: Op) -> str:
    lines, index = [], 0
    for argument in op.arguments:
        lines.append("  " + conversion(op, argument, index))
        index += len(OPTIONS) if argument.type is Type.OPTIONS else 1
    return "\n".join(lines)


def counted(op: Op) -> str:
    """What the decision about the GIL counts: tensors, or the sizes of the tensor to be made."""
    names = [a.name for a in op.tensors] or [
        f"Dims({a.name})" for a in op.arguments if a.type is Type.INTS
    ]
    return ", ".join(names)


def body(op: Op) -> str:
    call = ", ".join([*(a.name for a in op.arguments), "at"])
    return f"""PyObject* run(const Arguments& a) {{
{conversions(op)}
  return call_op([&](CallSite at) {{ return ops::{op.name}({call}); }}, {counted(op)});
}}"""


def inplace_body(op: Op) -> str:
    call = ", ".join([*(a.name for a in op.arguments), "at"])
    return f"""PyObject* run_inplace(const Arguments& a) {{
{conversions(op)}
  return call_inplace_op(
      a[0], [&](CallSite at) {{ ops::{op.name}_({call}); }}, {counted(op)});
}}"""


def function(op: Op, form: str) -> str:
    first = "nullptr" if form == "function" else "self"
    unnamed = "" if form == "function" else " self"
    run = "run_inplace" if form == "inplace" else "run"
    head = f"PyObject* {op.name}_{form}(PyObject*{unnamed}, PyObject* const* args"
    return f"""{head}, Py_ssize_t count, PyObject* names) {{
  return guarded([&] {{ return {run}(Arguments({constant(form)}, {first}, args, count, names)); }});
}}"""


def slot_functions(op: Op, ops: dict[str, Op]) -> list[str]:
    if op.operator is None:
        return []
    if len(op.tensors) == 1:
        return [
            f"""PyObject* {op.name}_slot(PyObject* self) {{
  return guarded([&] {{
    const TensorBase& x = tensor_of(self);
    return call_op([&](CallSite at) {{ return ops::{op.name}(x, at); }}, x);
  }});
}}"""
        ]
    defaults = default_arguments(op)
    takes_numbers = op.arguments[1].type is Type.OPERAND
    right = "Operand" if takes_numbers else "TensorBase"
    lambda_head = f"[](const TensorBase& x, const {right}& y, CallSite at)"
    helper, reflected = "tensor_slot", ""
    if takes_numbers:
        helper = "operand_slot"
        rest = default_arguments(ops[op.reflected])
        reflected = f", {lambda_head} {{\n    return ops::{op.reflected}(x, y{rest}, at);\n  }}"
    out = [
        f"""PyObject* {op.name}_slot(PyObject* a, PyObject* b) {{
  return {helper}(a, b, {lambda_head} {{
    return ops::{op.name}(x, y{defaults}, at);
  }}{reflected});
}}"""
    ]
    if op.inplace:
        out.append(
            f"""PyObject* {op.name}_inplace_slot(PyObject* a, PyObject* b) {{
  return inplace_slot(a, b, {lambda_head} {{
    ops::{op.name}_(x, y{defaults}, at);
  }});
}}"""
        )
    return out


# ---- the table ----


def table_file(ops: list[Op]) -> str:
    declarations, functions, methods, slots = [], [], [], []
    for op in ops:
        for form in forms(op):
            declarations.append(f"FastFunction {op.name}_{form};")
            entry = (
                f'    method("{op.name}{"_" if form == "inplace" else ""}", '
                f"{op.name}_{form}, {doc_text(op, form)}),"
            )
            (functions if form == "function" else methods).append(entry)
        if op.operator is None:
            continue
        if len(op.tensors) == 1:
            declarations.append(f"UnaryFunction {op.name}_slot;")
            slots.append(f"  slots.{UNARY_SLOTS[op.operator]} = {op.name}_slot;")
            continue
        plain, inplace = SLOTS[op.operator]
        declarations.append(f"BinaryFunction {op.name}_slot;")
        slots.append(f"  slots.{plain} = {op.name}_slot;")
        if op.inplace:
            declarations.append(f"BinaryFunction {op.name}_inplace_slot;")
            slots.append(f"  slots.{inplace} = {op.name}_inplace_slot;")
    newline = "\n"
    return f"""
// The Python functions, methods and operators. Generated from ops/*.yaml; do not edit.
#include "method.h"
#include "tensor_type.h"

namespace eagre::python {{

using FastFunction = PyObject*(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using BinaryFunction = PyObject*(PyObject*, PyObject*);
using UnaryFunction = PyObject*(PyObject*);

{newline.join(declarations)}

const PyMethodDef kGeneratedFunctions[] = {{
{newline.join(functions)}
    {{}}}};

const PyMethodDef kGeneratedMethods[] = {{
{newline.join(methods)}
    {{}}}};

void fill_operators(PyNumberMethods& slots) {{
{newline.join(slots)}
}}

}}  // namespace eagre::python
"""


def doc_text(op: Op, form: str) -> str:
    """As inspect.signature() and help() read it."""
    name = op.name + ("_" if form == "inplace" else "")
    arguments = [] if form == "function" else ["$self"]
    star = False
    skip = 0 if form == "function" else 1
    shown = [(n, r, k) for n, r, k in flat(op)][skip:]
    spread = variadic_index(op, form) - skip
    defaults = {a.name: a.default for a in op.arguments}
    for i, (parameter, required, keyword_only) in enumerate(shown):
        if i == spread:
            arguments.append(f"*{parameter}")
            star = True
            continue
        if keyword_only and not star:
            arguments.append("*")
            star = True
        if parameter == "requires_grad":
            arguments.append("requires_grad=False")
        else:
            arguments.append(parameter if required else f"{parameter}={defaults.get(parameter)}")
    text = "The same, written into this tensor." if form == "inplace" else op.doc.strip()
    return json.dumps(f"{name}({', '.join(arguments)})\n--\n\n{text}", ensure_ascii=True)

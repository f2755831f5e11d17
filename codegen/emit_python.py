"""Python bindings: per public name a file of thin functions over python/src, and one table of them.
Operators that share a name are overloads; the first whose signature fits the call runs."""

from __future__ import annotations

from codegen.cpp import HEADERS, default_arguments
from codegen.model import Op, Type
from codegen.namespace_functions import function_row, namespace_function
from codegen.output import Outputs, Source, in_namespace, indent
from codegen.python_call import conversions, form_calls, places
from codegen.python_doc import doc_text
from codegen.python_signature import (
    WRITTEN,
    constant,
    flat,
    forms,
    parameter_rows,
    positional_range,
    signature_constant,
)

# Python operator: its slot, and that of its in-place form.
SLOTS = {
    "+": ("nb_add", "nb_inplace_add"),
    "-": ("nb_subtract", "nb_inplace_subtract"),
    "*": ("nb_multiply", "nb_inplace_multiply"),
    "/": ("nb_true_divide", "nb_inplace_true_divide"),
    "//": ("nb_floor_divide", "nb_inplace_floor_divide"),
    "%": ("nb_remainder", "nb_inplace_remainder"),
    "**": ("nb_power", "nb_inplace_power"),
    "@": ("nb_matrix_multiply", "nb_inplace_matrix_multiply"),
    "&": ("nb_and", "nb_inplace_and"),
    "|": ("nb_or", "nb_inplace_or"),
    "^": ("nb_xor", "nb_inplace_xor"),
    "<<": ("nb_lshift", "nb_inplace_lshift"),
    ">>": ("nb_rshift", "nb_inplace_rshift"),
}
# What __torch_function__ is told of an operator, as in PyTorch: the method of its left side, which
# is that of the record unless it stands here, and of its right one, as Python calls it.
PLAIN_NAMES = {
    "//": "__floordiv__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "==": "__eq__",
}
REFLECTED_NAMES = {
    "-": "__rsub__",
    "/": "__rtruediv__",
    "//": "__rfloordiv__",
    "%": "__rmod__",
    "**": "__rpow__",
    "@": "__rmatmul__",
    "<<": "__rlshift__",
    ">>": "__rrshift__",
}
UNARY_SLOTS = {"-": "nb_negative", "~": "nb_invert", "abs": "nb_absolute"}
COMPARISONS = {"<": "LT", "<=": "LE", "==": "EQ", "!=": "NE", ">": "GT", ">=": "GE"}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    by_name = {op.name: op for op in ops}
    groups: dict[str, list[Op]] = {}
    for op in ops:
        if forms(op):
            groups.setdefault(op.public, []).append(op)
    sources = [group_source(overloads, by_name) for overloads in groups.values()]
    what = "The Python border of operators."
    files = out.add_sources("python", what, "eagre::python", sources, rows_of_file)
    out.add("python/table.cpp", table_file(groups, files))


# ---- one public name ----


def group_source(overloads: list[Op], ops: dict[str, Op]) -> Source:
    spelled = [(op, name) for op in overloads for name in op.python if name.parameters]
    own = [namespace_function(op, name) for op, name in spelled]
    inner = "\n\n".join([*(op_namespace(op) for op in overloads), *own, *sole_tables(overloads)])
    used = sorted({name for op in overloads for name in (op.name, op.reflected or op.name)})
    slots = [text for op in overloads for text in slot_functions(op, ops)]
    body = "\n\n".join([in_namespace("", inner), *slots])
    includes = (*(f"eagre/ops/{name}.h" for name in used), *HEADERS["python"])
    places = ", ".join(str(op.place) for op in overloads)
    rows = tuple(row for form in group_forms(overloads) for row in method_rows(overloads, form))
    rows += tuple(function_row(op, name) for op, name in spelled)
    rows += tuple(in_place_functions(overloads))
    return Source(overloads[0].family, places, includes, body, rows=rows)


def rows_of_file(name: str, sources: list[Source]) -> str:
    """The method tables of a file, which table.cpp lists."""
    tables = []
    for kind in ("functions", "methods"):
        rows = [f"    {text}," for source in sources for what, text in source.rows if what == kind]
        table = f"{name}_{kind}[]"
        tables.append("\n".join([f"extern const PyMethodDef {table} = {{", *rows, "    {}};"]))
    return "\n\n".join(tables)


def group_forms(overloads: list[Op]) -> list[str]:
    found = {form for op in overloads for form in forms(op)}
    return [form for form in ("function", "method", "inplace") if form in found]


def op_namespace(op: Op) -> str:
    constants = [parameter_rows(op), *(signature_constant(op, form) for form in forms(op))]
    if op.in_place_names:
        constants.append(signature_constant(op, WRITTEN))
    if op.has_named_results:
        fields = ", ".join(f'"{o.name}"' for o in op.outputs)
        constants.append(f"constexpr const char* kFields[] = {{{fields}}};")
    return in_namespace(f"{op.name}_op", "\n".join(constants) + f"\n\n{body(op)}")


def body(op: Op) -> str:
    """The function that converts the arguments and runs the operator; a template if there are
    several forms."""
    calls = form_calls(op)
    lines = []
    if "kOut" in calls and "kNew" in calls:
        lines.append(
            f"if (kForm == Form::kNew && a.has({len(flat(op))})) return run<Form::kOut>(a);"
        )
    if op.number_input:
        # The second argument decides what becomes of a number.
        run = "run" if len(calls) == 1 else "run<kForm>"
        lines.append(f"if (!is_tensor(a[0])) [[unlikely]] return with_number<{run}>(a, 0, 1);")
    lines += conversions(op, places(op))
    if len(calls) == 1:
        lines += next(iter(calls.values()))
        return f"PyObject* run(const Arguments& a) {{\n{indent(chr(10).join(lines))}\n}}"
    for i, (form, called) in enumerate(calls.items()):
        if i == len(calls) - 1:
            lines += ["} else {", *(f"  {line}" for line in called), "}"]
            continue
        start = "if" if i == 0 else "} else if"
        lines += [f"{start} constexpr (kForm == Form::{form}) {{", *(f"  {c}" for c in called)]
    return f"""template <Form kForm>
PyObject* run(const Arguments& a) {{
{indent(chr(10).join(lines))}
}}"""


def method_rows(overloads: list[Op], form: str) -> list[tuple[str, str]]:
    """The table, and the rows that a form has in it: one for each of its names."""
    usable = [op for op in overloads if form in forms(op)]
    kind = "function" if form == "function" else "method"
    slot = number_first(usable) if form == "function" else []
    if len(usable) == 1:
        made = f"op_{kind}<{', '.join([*bound(usable[0], form), *slot])}>"
    else:
        listed = [f"Overload<{', '.join(bound(op, form))}>" for op in usable]
        made = f"op_{kind}s<{', '.join([sole_table(overloads, form), *slot, *listed])}>"
    suffix = "_" if form == "inplace" else ""
    return [
        (f"{kind}s", f'{made}("{name}{suffix}", {doc_text(usable, form)})')
        for name in table_names(overloads[0])
    ]


def in_place_functions(overloads: list[Op]) -> list[tuple[str, str]]:
    """The rows of functions that write: `eagre.relu_(x)` and those of namespaces."""
    usable = [op for op in overloads if "inplace" in forms(op)]
    names = sorted({name for op in overloads for name in op.in_place_names}, key=str)
    if len(usable) == 1:
        made = f"op_function<{', '.join(bound(usable[0], WRITTEN))}>"
    else:
        listed = [f"Overload<{', '.join(bound(op, WRITTEN))}>" for op in usable]
        made = f"op_functions<{', '.join([sole_table(overloads, WRITTEN), *listed])}>"
    return [
        ("functions", f'{made}("{name}", {doc_text(usable, WRITTEN, name.name)})') for name in names
    ]


def table_names(op: Op) -> tuple[str, ...]:
    """A function of a namespace stands in the table by its full name: see module.cpp."""
    return (str(op.python[0]) if op.renamed else op.python_name, *op.aliases)


def bound(op: Op, form: str) -> list[str]:
    """The signature and the function of one operator."""
    run = f"{op.name}_op::run"
    if len(form_calls(op)) > 1:
        run += f"<Form::{'kNew' if form in ('function', 'method') else 'kInplace'}>"
    named = form if form != WRITTEN or op.in_place_names else "inplace"
    return [f"{op.name}_op::{constant(named)}", run]


def sole_table(overloads: list[Op], form: str) -> str:
    return f"{overloads[0].public}_{form}_soles"


def sole_tables(overloads: list[Op]) -> list[str]:
    lines = []
    for form in group_forms(overloads):
        usable = [op for op in overloads if form in forms(op)]
        if len(usable) > 1:
            table = f"{sole_table(overloads, form)}[] = {{{soles(usable, form)}}}"
            lines.append(f"constexpr int8_t {table};")
    written = [op for op in overloads if "inplace" in forms(op)]
    if len(written) > 1 and any(op.in_place_names for op in overloads):
        # One argument more than methods have.
        table = f"{sole_table(overloads, WRITTEN)}[] = {{-1, {soles(written, 'inplace')}}}"
        lines.append(f"constexpr int8_t {table};")
    return ["\n".join(lines)] if lines else []


def number_first(overloads: list[Op]) -> list[str]:
    """add(2, x) is 2 + x: the slot that does it."""
    for op in overloads:
        operands = op.operator in SLOTS and op.operator != "**" and len(op.tensors) == 2
        if operands and op.arguments[1].type is Type.OPERAND:
            return [f"{op.name}_slot"]
    return []


def soles(overloads: list[Op], form: str) -> str:
    """By the number of arguments without names: the only overload that takes so many, or -1."""
    ranges = [positional_range(op, form) for op in overloads]
    bounded = [high for _, high in ranges if high is not None]
    rows = []
    for count in range(max(bounded, default=-1) + 1):
        fitting = [
            i
            for i, (low, high) in enumerate(ranges)
            if low <= count and (high is None or count <= high)
        ]
        rows.append(fitting[0] if len(fitting) == 1 else -1)
    return ", ".join(map(str, rows or [-1]))


def slot_functions(op: Op, ops: dict[str, Op]) -> list[str]:
    if op.operator is None:
        return []
    if len(op.tensors) == 1:
        return [
            f"""PyObject* {op.name}_slot(PyObject* self) {{
  if (takes_over(self) || modes_take_over()) [[unlikely]]
    return override_method("{unary_name(op)}", self, nullptr, 0, nullptr);
  return guarded([&] {{
    const TensorBase& x = tensor_of(self);
    return run_and_wrap([&](CallSite at) {{ return ops::{op.name}(x, at); }}, x);
  }});
}}"""
        ]
    defaults = default_arguments(op)
    takes_numbers = op.arguments[1].type is Type.OPERAND
    right = "Operand" if takes_numbers else "TensorBase"
    lambda_head = f"[](const TensorBase& x, const {right}& y, CallSite at)"
    plain = f"{lambda_head} {{ return ops::{op.name}(x, y{defaults}, at); }}"
    plain_name = PLAIN_NAMES.get(op.operator, op.public)
    sides = f'{{"{plain_name}", "{REFLECTED_NAMES.get(op.operator, op.public)}"}}'
    helper, reflected = f"tensor_slot({sides}, ", ""
    if takes_numbers:
        helper = f'operand_slot("{op.public}", {sides}, '
        other = ops[op.reflected or op.name]
        rest = default_arguments(other)
        reflected = f", {lambda_head} {{ return ops::{other.name}(x, y{rest}, at); }}"
    power, modulus = "", ""
    if op.operator == "**":
        power, modulus = ", PyObject* modulus", "  if (modulus != Py_None) return no_modulus();\n"
    out = [
        f"""PyObject* {op.name}_slot(PyObject* a, PyObject* b{power}) {{
{modulus}  return {helper}a, b, {plain}{reflected});
}}"""
    ]
    if op.inplace and op.operator not in COMPARISONS:
        written = f"{lambda_head} {{ ops::{op.name}_(x, y{defaults}, at); }}"
        out.append(
            f"""PyObject* {op.name}_inplace_slot(PyObject* a, PyObject* b{power}) {{
{modulus}  return inplace_slot("{op.public}_", a, b, {written});
}}"""
        )
    return out


def unary_name(op: Op) -> str:
    return "__invert__" if op.operator == "~" else op.public


# ---- the table ----


def table_file(groups: dict[str, list[Op]], files: list[str]) -> str:
    declarations, slots, comparisons = [], [], []
    results = {}  # a name has one type, whichever of its overloads returns several
    for public, overloads in groups.items():
        for op in overloads:
            if op.returns_many:
                results.setdefault(public, " ".join(o.name for o in op.outputs))
            add_slots(op, declarations, slots, comparisons)
    lists = "\n\n".join(method_lists(kind, files) for kind in ("functions", "methods"))
    newline = "\n"
    return f"""
// The Python functions, methods and operators. Generated from ops/*.yaml; do not edit.
{newline.join(f"#include {header}" for header in HEADERS["python_table"])}

namespace eagre::python {{

using TernaryFunction = PyObject*(PyObject*, PyObject*, PyObject*);
using BinaryFunction = PyObject*(PyObject*, PyObject*);
using UnaryFunction = PyObject*(PyObject*);

{newline.join(declarations)}

{lists}

const NamedResults kGeneratedResults[] = {{
{newline.join(f'    {{"{name}", "{fields}"}},' for name, fields in results.items())}
    {{}}}};

void fill_operators(PyNumberMethods& slots) {{
{newline.join(slots)}
}}

PyObject* compare_tensors([[maybe_unused]] PyObject* self, [[maybe_unused]] PyObject* other,
                          int comparison) {{
  switch (comparison) {{
{newline.join(comparisons)}
    default: Py_RETURN_NOTIMPLEMENTED;
  }}
}}

}}  // namespace eagre::python
"""


def method_lists(kind: str, files: list[str]) -> str:
    declared = ", ".join(f"{name}_{kind}[]" for name in files)
    listed = ", ".join(f"{name}_{kind}" for name in files)
    return f"""extern const PyMethodDef {declared};
Span<const PyMethodDef* const> generated_{kind}() {{
  static const PyMethodDef* const all[] = {{{listed}}};
  return all;
}}"""


def add_slots(op: Op, declarations: list, slots: list, comparisons: list) -> None:
    if op.operator is None:
        return
    if op.operator in COMPARISONS:
        declarations.append(f"BinaryFunction {op.name}_slot;")
        comparisons.append(
            f"    case Py_{COMPARISONS[op.operator]}: return {op.name}_slot(self, other);"
        )
        return
    if len(op.tensors) == 1:
        declarations.append(f"UnaryFunction {op.name}_slot;")
        slots.append(f"  slots.{UNARY_SLOTS[op.operator]} = {op.name}_slot;")
        return
    plain, inplace = SLOTS[op.operator]
    kind = "TernaryFunction" if op.operator == "**" else "BinaryFunction"
    declarations.append(f"{kind} {op.name}_slot;")
    slots.append(f"  slots.{plain} = {op.name}_slot;")
    if op.inplace:
        declarations.append(f"{kind} {op.name}_inplace_slot;")
        slots.append(f"  slots.{inplace} = {op.name}_inplace_slot;")

"""Functions of Python's namespaces whose parameters are not those of the operator: in another
order, or with one more, `inplace`, which chooses the form that writes."""

from __future__ import annotations

import json

from codegen.cpp import designated
from codegen.model import INPLACE, Op, PythonName
from codegen.output import in_namespace, indent
from codegen.python_call import conversions, form_calls
from codegen.python_signature import parameter_row, parameter_table

_INPLACE_DOC = " With `inplace`, the tensor itself, changed."


def namespace_function(op: Op, name: PythonName) -> str:
    """Its signature, and the function that converts the arguments and runs the operator."""
    rows = [
        "kInplaceParameter" if p == INPLACE else parameter_row(op, op.argument(p))
        for p in name.parameters
    ]
    fields = {
        "op": f'"{name.name}"',
        "parameters": "kParameters",
        "positional": str(positional(op, name)),
        "exposed": f'"{name.attribute}"',
    }
    signature = f"constexpr Signature kFunction{designated(fields)};"
    run = f"PyObject* run(const Arguments& a) {{\n{indent(chr(10).join(body(op, name)))}\n}}"
    text = "\n".join([parameter_table(rows), signature, "", run])
    return in_namespace(space(name), text)


def space(name: PythonName) -> str:
    return f"{name.attribute.removeprefix('_')}_function"


def positional(op: Op, name: PythonName) -> int:
    return sum(p == INPLACE or not op.argument(p).keyword_only for p in name.parameters)


def body(op: Op, name: PythonName) -> list[str]:
    places = {parameter: i for i, parameter in enumerate(name.parameters)}
    calls = form_calls(op, places[op.arguments[0].name])
    lines = conversions(op, places)
    if INPLACE in places:
        lines.append(f"if (a.boolean({places[INPLACE]}, false)) {calls['kInplace'][0]}")
    return lines + calls["kNew"]


def function_row(op: Op, name: PythonName) -> tuple[str, str]:
    """The table, and its row; there it stands by its full name: see module.cpp."""
    made = f"op_function<{space(name)}::kFunction, {space(name)}::run>"
    return "functions", f'{made}("{name}", {doc_text(op, name)})'


def doc_text(op: Op, name: PythonName) -> str:
    parts = []
    for parameter in name.parameters:
        argument = op.argument(parameter)
        default = "False" if argument is None else argument.default
        if argument is not None and argument.keyword_only and "*" not in parts:
            parts.append("*")
        parts.append(parameter if default is None else f"{parameter}={default}")
    text, _, _ = op.doc.strip().partition("\n\n>>>")
    text += _INPLACE_DOC if INPLACE in name.parameters else ""
    return json.dumps(f"{name.name}({', '.join(parts)})\n--\n\n{text}", ensure_ascii=True)

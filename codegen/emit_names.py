"""Python modules with the names that records give operators in namespaces, and tables of those that
the package looks up when they are first used."""

from __future__ import annotations

from codegen.model import Op, PythonName
from codegen.output import Outputs
from codegen.python_names import namespaces, written_in_python

_NOTE = "Generated from the op records; do not edit."


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    out.add("python/eagre/_operator_names.py", tables(ops))
    for space, named in namespaces(ops).items():
        folder, _, module = space.replace(".", "/").rpartition("/")
        path = f"{folder}/_{module}_names.py" if folder else f"_{module}_names.py"
        out.add(f"python/eagre/{path}", names_module(space, named))


def tables(ops: tuple[Op, ...]) -> str:
    """What python/eagre/__init__.py adds to the tables of _lazy_names.py, in their form."""
    parts = [f'"""Names of operators that are found when first used. {_NOTE}"""']
    for table, form in (("FUNCTIONS", "function"), ("METHODS", "method")):
        rows = [
            f'    "{name}": ("eagre.{module}", "{name}"),\n'
            for name, module in written_in_python(ops, form).items()
        ]
        parts.append(f"{table} = {{\n{''.join(rows)}}}")
    return "\n".join(parts)


def names_module(space: str, named: list[tuple[Op, PythonName]]) -> str:
    head = f'"""What the operators are called in eagre.{space}. {_NOTE}"""\n'
    lines = list(dict.fromkeys(imported(op, name) for op, name in named))
    listed = "".join(f'    "{name.name}",\n' for _, name in named)
    return "\n".join([head, *lines, "", f"__all__ = [\n{listed}]"])


def imported(op: Op, name: PythonName) -> str:
    if name.parameters or name.in_place:
        return f"from eagre._C import {name.attribute} as {name.name}"
    if op.python_source:  # the package makes it overridable
        return f"from eagre import {op.public} as {name.name}"
    return f"from eagre._C import {op.python_name} as {name.name}"

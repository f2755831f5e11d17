"""Where Python users find operators besides `eagre.<name>` and `Tensor.<name>`: the names that the
field `python` of records lists, and functions written in Python in front of an operator."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.model import Op, PythonName


def written_in_python(ops: Sequence[Op], form: str) -> dict[str, str]:
    """What is written in Python, as a function or method: name → module of `eagre`."""
    found = {
        op.public: op.python_source.module
        for op in ops
        if op.python_source and form in op.python_source.forms
    }
    return dict(sorted(found.items()))


def namespaces(ops: Sequence[Op]) -> dict[str, list[tuple[Op, PythonName]]]:
    """special → its operators and their names there, in the order of these."""
    found: dict[str, dict[str, tuple[Op, PythonName]]] = {}
    for op in ops:
        for name in op.python:
            if name.namespace:
                found.setdefault(name.namespace, {})[name.name] = (op, name)
    return {space: [named[n] for n in sorted(named)] for space, named in sorted(found.items())}

"""Reads what records say about names in Python: the fields `python` and `python_source`."""

from __future__ import annotations

import re

from codegen.model import INPLACE, Op, PythonName, PythonSource
from codegen.problem import RecordError

_NAME = re.compile(r"^([a-z]\w*\.)*[a-z]\w*$")


def read_python_source(record, forms: frozenset[str]) -> PythonSource | None:
    """`{_unique: [function, method]}`: the module, and what it has in front of the operator."""
    given = record.fields.get("python_source")
    if given is None:
        return None
    if not forms <= {"function", "out"}:
        record.fail("python_source", "is for operators that have no form but function and out")
    module, has = next(iter(given.items()), ("", ()))
    if len(given) != 1 or not isinstance(has, list) or not set(has) <= {"function", "method"}:
        record.fail("python_source", f"expected a module and 'function' or 'method', got '{given}'")
    return PythonSource(module, frozenset(has))


def read_names(record, forms: frozenset[str]) -> tuple[PythonName, ...]:
    given = record.fields.get("python", [])
    if isinstance(given, dict):
        if list(given) != ["only"] or not isinstance(given["only"], list):
            record.fail("python", f"expected a list of names, or one under 'only', got '{given}'")
        if not forms <= {"function", "out"}:
            record.fail("python", "'only' is for operators that have no form but function and out")
        given = given["only"]
    return tuple(_read_name(record, name, forms) for name in given)


def _read_name(record, given: str | dict, forms: frozenset[str]) -> PythonName:
    """`special.expit`, `abs_`, or `nn.functional.relu: [input, inplace]`."""
    text, parameters = next(iter(given.items())) if isinstance(given, dict) else (given, [])
    if not isinstance(text, str) or not _NAME.match(text):
        record.fail("python", f"expected a name such as 'special.expit', got '{given}'")
    namespace, _, name = text.rpartition(".")
    found = PythonName(namespace, name, tuple(parameters))
    if found.in_place and "inplace" not in forms:
        record.fail("python", f"'{text}' would write in place, which the operator cannot")
    if not found.in_place and "function" not in forms:
        record.fail("python", f"'{text}' would be a function, which the operator is not")
    own = {record.fields.get("name", record.name), *record.fields.get("aliases", ())}
    if not namespace and not (found.in_place and name.removesuffix("_") in own):
        record.fail("python", f"'{text}' is neither in a namespace nor a method: see 'aliases'")
    if parameters:
        _check_parameters(record, text, parameters, forms)
    return found


def _check_parameters(record, text: str, parameters: list[str], forms: frozenset[str]) -> None:
    if INPLACE in parameters and "inplace" not in forms:
        record.fail("python", f"'{text}' has '{INPLACE}', but the operator cannot write in place")
    own = [name for name in parameters if name != INPLACE]
    if sorted(own) != sorted(a.name for a in record.arguments()):
        record.fail("python", f"'{text}': expected all arguments, in their order there")


def check_names(ops: tuple[Op, ...]) -> None:
    """No two operators have one name, unless they are overloads."""
    owners: dict[str, Op] = {}
    for op in ops:
        for name in op.python:
            other = owners.setdefault(str(name), op)
            if other.public != op.public:
                problem = f"'{name}' is {other.name} already, at {other.place}"
                raise RecordError(op.place, op.name, "python", problem)

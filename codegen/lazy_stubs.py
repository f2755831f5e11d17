"""Stubs of the names that the Python package imports when they are first used.

They are written in Python, so their signatures are read from the source.
"""

from __future__ import annotations

import ast
import runpy
from functools import cache
from pathlib import Path

from codegen.model import Op
from codegen.python_names import written_in_python

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "eagre"


@cache
def names() -> dict:
    return runpy.run_path(str(PACKAGE / "_lazy_names.py"))


@cache
def definitions(module: str) -> dict[str, ast.stmt]:
    """What the source of eagre.<module> defines at its top."""
    path = PACKAGE.joinpath(*module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found: dict[str, ast.stmt] = {}
    for item in ast.parse(file.read_text()).body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            found[item.name] = item
        elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            found[item.targets[0].id] = item
    return found


def wrapped(ops: tuple[Op, ...], form: str) -> dict[str, tuple[str, str]]:
    return {
        name: (f"eagre.{module}", name) for name, module in written_in_python(ops, form).items()
    }


def method_stubs(ops: tuple[Op, ...]) -> str:
    """The methods of Tensor, for the body of its class."""
    lines = []
    methods = names()["METHODS"] | wrapped(ops, "method")
    for name, (module, attribute) in sorted(methods.items()):
        item = definitions(module).get(attribute)
        if isinstance(item, ast.Assign) and "property" in ast.unparse(item) or _is_property(item):
            lines += ["    @property", f"    def {name}(self) -> Any: ..."]
        else:
            lines.append(f"    def {name}({_parameters(item)}) -> Any: ...")
    return "".join(f"{line}\n" for line in lines)


def _is_property(item: ast.stmt | None) -> bool:
    # is_cuda = _on("cuda")
    return isinstance(item, ast.Assign) and ast.unparse(item.value).startswith(("_on", "_never"))


def _parameters(item: ast.stmt | None) -> str:
    if not isinstance(item, ast.FunctionDef):
        return "self, *args: Any, **kwargs: Any"
    arguments = item.args
    plain = arguments.args
    required = len(plain) - len(arguments.defaults)
    parts = ["self"]
    for i, argument in enumerate(plain[1:], 1):
        parts.append(f"{argument.arg}: Any" + (" = ..." if i >= required else ""))
    if arguments.vararg is not None:
        parts.append(f"*{arguments.vararg.arg}: Any")
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += [f"{argument.arg}: Any = ..." for argument in arguments.kwonlyargs]
    if arguments.kwarg is not None:
        parts.append(f"**{arguments.kwarg.arg}: Any")
    return ", ".join(parts)


def function_stub(ops: tuple[Op, ...]) -> str:
    """A module from which type checkers take the names of the package."""
    lines = ["# What `eagre` imports when it is first used.", "from typing import Any", ""]
    unknown = []
    functions = names()["FUNCTIONS"] | wrapped(ops, "function")
    for name, (module, attribute) in sorted(functions.items()):
        if attribute in definitions(module):
            lines.append(f"from {module} import {attribute} as {name}")
        else:
            unknown.append(f"{name}: Any")
    for module in sorted(names()["MODULES"]):
        lines.append(f"from eagre import {module} as {module}")
    unknown += [f"{name}: Any" for name in sorted(names()["OF_METHODS"])]
    return "\n".join([*lines, "", *unknown]) + "\n"

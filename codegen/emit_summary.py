"""The page docs/operators.md: every operator with its calls and the first sentence about it. It is
checked in, so that it can be read without building."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from codegen.emit_docs import call_lines
from codegen.model import Op
from codegen.python_names import namespaces
from codegen.python_signature import forms

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "eagre"


def summary(ops: list[Op]) -> str:
    """A table for each family, then what each namespace of Python has."""
    families: dict[str, list[Op]] = {}
    for op in ops:
        if forms(op):
            families.setdefault(op.family.partition("_")[0], []).append(op)
    contents = ", ".join(f"[{family}](#{family})" for family in families)
    chapters = "\n\n".join(chapter(family, members) for family, members in families.items())
    return f"""# Operators

Every operator, with the calls that Python takes. Made from the records in `ops/`, by
`python -m codegen.check_summary --update`. `./dev docs` makes the long reference, with examples and
dtypes, in `build/release/gen/docs/operators.md`.

Most functions of `eagre` are methods of `Tensor` too, with the tensor first; a name that ends in
`_` writes into its tensor, and is there where the last column has it. In C++ the same names are in
namespace `eagre`, with the arguments in the same order.

Families: {contents}. [Namespaces of Python](#namespaces).

{chapters}

## Namespaces

Functions that Python has in a module, under PyTorch's name, besides `eagre` or only there.

{namespace_table(ops)}
"""


def chapter(family: str, members: list[Op]) -> str:
    rows = "\n".join(dict.fromkeys(row(op) for op in members))
    return f"## {family}\n\n| call | | in place |\n|---|---|---|\n{rows}"


def row(op: Op) -> str:
    call = call_lines(op)[0].replace("|", "\\|")
    inplace = f"`{op.public}_`" if op.inplace and not call.startswith("Tensor.") else ""
    others = ", ".join(f"`{alias}`" for alias in op.aliases)
    meaning = first_sentence(op.doc) + (f" Also {others}." if others else "")
    return f"| `{call}` | {meaning} | {inplace} |"


def first_sentence(doc: str) -> str:
    """Up to the first full stop that ends a sentence, without examples."""
    text = " ".join(doc.partition(">>>")[0].partition("\n\n")[0].split()).replace("|", "\\|")
    end = re.search(r"[.:](?= [A-Z`]|$)", text)
    return text[: end.start()] + "." if end else text


def namespace_table(ops: list[Op]) -> str:
    lines = ["| namespace | functions |", "|---|---|"]
    for space, named in namespaces([op for op in ops if forms(op)]).items():
        names = {name.name for _, name in named} | written_in_python(space)
        shown = ", ".join(f"`{name}`" for name in sorted(names))
        lines.append(f"| `eagre.{space}` | {shown} |")
    return "\n".join(lines)


def written_in_python(space: str) -> set[str]:
    """Functions that the module of a namespace defines itself, or shows of a private module."""
    source = (PACKAGE / (space.replace(".", "/") + ".py")).read_text()
    body = ast.parse(source).body
    found = {item.name for item in body if isinstance(item, ast.FunctionDef)}
    for item in body:
        if isinstance(item, ast.ImportFrom) and item.module.startswith("eagre._"):
            found |= {name.name for name in item.names if name.asname is None}
    return {name for name in found if not name.startswith("_")}

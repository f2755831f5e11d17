"""Docstrings as inspect.signature() and help() read them."""

from __future__ import annotations

import json

from codegen.model import Op
from codegen.python_signature import WRITTEN, flat, variadic_index


def doc_text(overloads: list[Op], form: str, name: str | None = None) -> str:
    """A C string. Overloads have a line each, and no signature for inspect."""
    texts = [described(op, form, name) for op in overloads]
    if len(overloads) == 1:
        head, text = texts[0]
        return json.dumps(f"{head}\n--\n\n{text}", ensure_ascii=True)
    entries = [
        f"{head.replace('$self, ', '').replace('$self', '')}\n{text}" for head, text in texts
    ]
    parts = "\n\n".join(entries)
    return json.dumps(parts, ensure_ascii=True)


def described(op: Op, form: str, given: str | None) -> tuple[str, str]:
    own = op.python[0].name if op.renamed else op.public
    name = given or own + ("_" if form == "inplace" else "")
    text = op.doc.strip()
    if form == WRITTEN and op.forms & {"function", "method"}:
        meaning = text.partition("\n\n>>>")[0]
        first = op.arguments[0].name
        text = f"`{op.public}()`, written into `{first}` itself.\n\n{meaning}"
    elif form == "inplace" and op.forms & {"function", "method"}:
        # The examples show the form that makes a new tensor.
        meaning = text.partition("\n\n>>>")[0]
        text = (
            f"`{op.public}()`, written into this tensor: `input` is the tensor itself.\n\n{meaning}"
        )
    return f"{name}({', '.join(documented_arguments(op, form))})", text


def documented_arguments(op: Op, form: str) -> list[str]:
    arguments = [] if form in ("function", WRITTEN) else ["$self"]
    skip = len(arguments)
    spread = variadic_index(op, form) - skip
    defaults = {a.name: a.default for a in op.arguments} | {
        "requires_grad": "False",
        "pin_memory": "False",
    }
    star = False
    for i, (name, required, keyword_only, _) in enumerate(flat(op)[skip:]):
        if i == spread:
            arguments.append(f"*{name}")
            star = True
            continue
        if keyword_only and not star:
            arguments.append("*")
            star = True
        arguments.append(name if required else f"{name}={defaults.get(name)}")
    if op.out and form == "function":
        arguments += ["out=None"] if star else ["*", "out=None"]
    return arguments

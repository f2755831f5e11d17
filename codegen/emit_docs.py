"""The reference page of the operators, and the records as JSON for the tests."""

from __future__ import annotations

import json

from codegen.model import Op
from codegen.output import Outputs


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    public = [op for op in ops if "internal" not in op.forms]
    pages = "\n\n".join(section(op) for op in sorted(public, key=lambda op: op.name))
    out.add("docs/operators.md", f"# Operators\n\n{pages}")
    out.add("ops.json", json.dumps([as_json(op) for op in ops], indent=1))


def section(op: Op) -> str:
    doc, _, example = op.doc.partition(">>>")
    example = f"\n```python\n>>>{example.rstrip()}\n```\n" if example else ""
    arguments = ", ".join(
        a.name if a.default is None else f"{a.name}={a.default}" for a in op.arguments
    )
    facts = [
        f"forms: {', '.join(sorted(op.forms))}" + (f", `{op.operator}`" if op.operator else ""),
        f"kernel signature: `{op.signature}`",
        f"record: `{op.place}`",
    ]
    return f"## {op.name}\n\n`{op.name}({arguments})`\n\n{doc.strip()}\n{example}\n" + "\n".join(
        f"- {fact}" for fact in facts
    )


def as_json(op: Op) -> dict:
    return {
        "op": op.name,
        "kind": op.kind.value,
        "forms": sorted(op.forms),
        "operator": op.operator,
        "dtypes": op.dtypes,
        "samples": op.samples,
        "numpy": op.numpy,
        "arguments": [a.name for a in op.tensors],
        "parameters": [[a.name, a.type.spelling, a.default] for a in op.arguments],
        "compute": op.compute[0].function if op.compute else None,
        "result": op.results[0],
        "name": op.public,
        "bad": op.bad,
        "differentiable": op.differentiable,
        "doc": op.doc,
        "signature": op.signature,
        "place": str(op.place),
    }

"""The reference page of the operators, and the records as JSON for the tests."""

from __future__ import annotations

import json

from codegen.model import DTYPE_GROUPS, DTYPES, Kind, Op, in_groups
from codegen.output import Outputs
from codegen.python_doc import documented_arguments
from codegen.python_names import namespaces
from codegen.python_signature import forms

_RESULT_NAMES = {
    "bool": "bool",
    "bool_or_uint8": "bool, of uint8 uint8",
    "int32": "int32",
    "int64": "int64",
    "stats": "float32 of halves",
    "real": "the real dtype of a complex one",
}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    out.add("docs/operators.md", page([op for op in ops if forms(op)]))
    out.add("ops.json", json.dumps([as_json(op) for op in ops], indent=1))


def page(ops: list[Op]) -> str:
    """A chapter for each family with its topics, a section for each public name."""
    sections: dict[str, list[Op]] = {}
    for op in ops:
        sections.setdefault(op.public, []).append(op)
    families: dict[str, list[list[Op]]] = {}
    for overloads in sections.values():
        families.setdefault(overloads[0].family.partition("_")[0], []).append(overloads)
    contents = "\n".join(
        f"- [{family}](#{family}): {', '.join(f'`{title(o)}`' for o in members)}"
        for family, members in families.items()
    )
    chapters = "\n\n".join(chapter(family, members) for family, members in families.items())
    head = f"""# Operators

{len(sections)} operators, generated from the records in `ops/`. In Python they are functions of
`eagre` and methods of `Tensor`; in C++ the same names are in namespace `eagre`, with the arguments
in the same order. A name that ends in `_` writes into its tensor; `out=` writes into a tensor that
is given. Of dtypes, `arithmetic` are all but `float8`, and `unsigned` those of more than a byte."""
    return f"{head}\n\n{contents}\n\n{namespace_list(ops)}\n\n{chapters}"


def namespace_list(ops: list[Op]) -> str:
    """What each namespace of Python has, with the operator where its name is another."""
    lines = []
    for space, named in namespaces(ops).items():
        shown = [
            f"`{name.name}`" + (f" (`{op.public}`)" if name.name.rstrip("_") != op.public else "")
            for op, name in named
        ]
        lines.append(f"- `eagre.{space}`: {', '.join(shown)}")
    return "In Python, some have a name in a namespace as well:\n\n" + "\n".join(lines)


def title(overloads: list[Op]) -> str:
    only_inplace = all(forms(op) == ["inplace"] for op in overloads)
    return overloads[0].public + "_" * only_inplace


def chapter(family: str, members: list[list[Op]]) -> str:
    """The files of records of a family say one after the other what they hold."""
    abouts = dict.fromkeys(overloads[0].about for overloads in members)
    sections = "\n\n".join(section(overloads) for overloads in members)
    return f"## {family}\n\n{' '.join(f'{about}.' for about in abouts)}\n\n{sections}"


def section(overloads: list[Op]) -> str:
    parts = "\n\n".join(described(op) for op in overloads)
    return f"### {title(overloads)}\n\n{parts}"


def call_lines(op: Op) -> list[str]:
    """The calls a user may write: the function, or the method where there is no function."""
    lines = []
    for form in forms(op):
        if form == "method" and "function" in op.forms:
            continue
        owner = "" if form == "function" else "Tensor."
        suffix = "_" if form == "inplace" else ""
        arguments = [a for a in documented_arguments(op, form) if a != "$self"]
        lines.append(f"{owner}{op.public}{suffix}({', '.join(arguments)}){result_text(op, form)}")
    return lines


def result_text(op: Op, form: str) -> str:
    if form == "inplace":
        return ""
    if op.has_named_results:
        return f" -> ({', '.join(o.name for o in op.outputs)})"
    if op.returns_many:
        return f" -> tuple of {len(op.outputs)} tensors"
    if op.returns_bool:
        return " -> bool"
    return " -> tuple of tensors" if op.returns_list else ""


def described(op: Op) -> str:
    doc, _, example = op.doc.partition(">>>")
    example = f"\n\n```python\n>>>{example.rstrip()}\n```" if example else ""
    calls = "\n".join(call_lines(op))
    listed = "\n".join(f"- {fact}" for fact in facts(op))
    return f"```\n{calls}\n```\n\n{doc.strip()}{example}\n\n{listed}"


def facts(op: Op) -> list[str]:
    ways = [form for form in forms(op) if form != "inplace"]
    ways += ["in place"] * op.inplace + ["`out=`"] * op.out
    found = [f"forms: {', '.join(ways)}" + (f", `{op.operator}`" if op.operator else "")]
    if op.python:
        shown = ", ".join(f"`{name}`" for name in op.python)
        found.append(f"in Python {'only' if op.renamed else 'also'} {shown}")
    if op.dtypes:
        found.append(f"dtypes: {dtype_text(op.dtypes)}")
    found += [
        f"`{output.name}` is {_RESULT_NAMES[rule]}" if op.returns_many else result_rule(rule)
        for output, rule in zip(op.outputs, op.results, strict=True)
        if rule != "compute"
    ]
    if op.kind is Kind.VIEW:
        found.append("a view: it shares the memory of `input`")
    elif op.kind is not Kind.COMPOSITE and not op.differentiable and op.tensors:
        found.append("cannot be differentiated")
    kernel = f", kernel signature `{op.signature}`" if op.kernel else ""
    return [*found, f"record: `{op.place}`{kernel}"]


def result_rule(rule: str) -> str:
    return f"the result is of {'dtype ' if rule in DTYPES else ''}{_RESULT_NAMES[rule]}"


def dtype_text(dtypes: tuple[str, ...]) -> str:
    """Groups by their names, as records write them."""
    groups, left = in_groups(dtypes)
    first = {group: DTYPE_GROUPS[group][0] for group in groups} | {dtype: dtype for dtype in left}
    return ", ".join(sorted(first, key=lambda name: list(DTYPES).index(first[name])))


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
        "out_rules": sorted(op.out_rules),
        "name": op.public,
        "hidden": op.hidden,
        "python": [str(name) for name in op.python],
        "own_parameters": {str(name): name.parameters for name in op.python if name.parameters},
        "bad": op.bad,
        "call": op.call,
        "on_devices": op.on_devices,
        "dynamic_shape": op.dynamic_shape,
        "differentiable": op.differentiable,
        "batch": op.batch,
        "doc": op.doc,
        "signature": op.signature,
        "place": str(op.place),
    }

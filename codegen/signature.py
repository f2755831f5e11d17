"""Parses `(Tensor input, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor`."""

import re
from typing import NamedTuple

from codegen.model import MEANINGS, Argument, Output, Type

# Spelling → the type, and what an argument of it means.
_TYPES = {t.spelling: (t, None) for t in Type} | MEANINGS
_ARGUMENT = re.compile(
    r"^(?P<type>\S+?)(?P<dots>\.\.\.)?\s+(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"(\s*=\s*(?P<default>\S+))?$"
)

ORDINALS = ("first", "second", "third", "fourth")


class ParsedSignature(NamedTuple):
    arguments: tuple[Argument, ...]
    outputs: tuple[Output, ...]


def parse_signature(text: str) -> ParsedSignature:
    """Raises ValueError with a sentence about what is wrong."""
    arguments, arrow, result = text.rpartition("->")
    match = re.match(r"^\((?P<arguments>.*)\)$", arguments.strip())
    if not match or not arrow:
        raise ValueError(f"expected '(…) -> Tensor', got '{text}'")
    return ParsedSignature(parse_arguments(match["arguments"]), parse_outputs(result.strip()))


def parse_outputs(text: str) -> tuple[Output, ...]:
    if text in ("Tensor", "Tensor[]", "bool"):
        return (Output("result", is_list=text.endswith("[]"), is_bool=text == "bool"),)
    names = re.match(r"^\(([^)]*)\)$", text)
    outputs = [part.split() for part in names[1].split(",")] if names else []
    if len(outputs) > 1 and all(o == ["Tensor"] for o in outputs):
        return tuple(Output(name, has_name=False) for name in ORDINALS[: len(outputs)])
    if len(outputs) < 2 or any(len(o) != 2 or o[0] != "Tensor" for o in outputs):
        raise ValueError(
            "expected '-> Tensor', '-> Tensor[]', '-> bool', '-> (Tensor a, Tensor b)' or "
            f"'-> (Tensor, Tensor)', got '-> {text}'"
        )
    return tuple(Output(name) for _, name in outputs)


def parse_arguments(text: str) -> tuple[Argument, ...]:
    arguments: list[Argument] = []
    keyword_only = False
    # Commas inside of a list, as in `int[] dims=[0,1]`, are part of it.
    for part in filter(None, (p.strip() for p in re.split(r",(?![^\[]*\])", text))):
        if part == "*":
            keyword_only = True
            continue
        parsed = _ARGUMENT.match(part)
        if not parsed:
            raise ValueError(
                f"cannot read the argument '{part}': expected 'type name' or 'type name=default'"
            )
        if parsed["type"] not in _TYPES:
            raise ValueError(
                f"argument '{parsed['name']}' has the unknown type "
                f"'{parsed['type']}'; the types are: {', '.join(_TYPES)}"
            )
        if any(a.name == parsed["name"] for a in arguments):
            raise ValueError(f"argument '{parsed['name']}' is given twice")
        kind, meaning = _TYPES[parsed["type"]]
        arguments.append(
            Argument(
                parsed["name"],
                kind,
                parsed["default"],
                keyword_only,
                bool(parsed["dots"]),
                meaning,
            )
        )
    return tuple(arguments)

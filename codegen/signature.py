"""Parses `(Tensor input, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor`."""

import re

from codegen.model import Argument, Type

_TYPES = {t.spelling: t for t in Type}
_ARGUMENT = re.compile(
    r"^(?P<type>\S+?)(?P<dots>\.\.\.)?\s+(?P<name>[a-z_][a-z0-9_]*)"
    r"(\s*=\s*(?P<default>\S+))?$"
)


def parse_signature(text: str) -> tuple[Argument, ...]:
    """Raises ValueError with a sentence about what is wrong."""
    match = re.match(r"^\((?P<arguments>.*)\)\s*->\s*Tensor$", text)
    if not match:
        raise ValueError(f"expected '(…) -> Tensor', got '{text}'")
    arguments: list[Argument] = []
    keyword_only = False
    for part in filter(None, (p.strip() for p in match["arguments"].split(","))):
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
        arguments.append(
            Argument(
                parsed["name"],
                _TYPES[parsed["type"]],
                parsed["default"],
                keyword_only,
                bool(parsed["dots"]),
            )
        )
    return tuple(arguments)

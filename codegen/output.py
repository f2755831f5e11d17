"""Writing generated files: formatted the same way every time, touched only when they change."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from codegen.layout import laid_out


@dataclass(frozen=True)
class Source:
    """One operator's part of a C++ file that several operators share."""

    family: str  # the file of the record
    place: str
    includes: tuple[str, ...]  # as they stand between < and >, or in quotes
    body: str
    declared: tuple[tuple[str, str], ...] = ()  # lines for the top, with their namespaces
    rows: tuple[tuple[str, str], ...] = ()  # of tables at the end, with their names


# Most of the time to compile such a file goes into its headers: operators of a family share some.
OPERATORS_PER_FILE = 9


class Outputs:
    """Collects files and writes those that differ, so that ninja rebuilds only what changed."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def add(self, path: str, text: str) -> None:
        self.files[path] = laid_out(path, text.strip("\n") + "\n")

    def add_sources(
        self,
        folder: str,
        what: str,
        space: str,
        sources: list[Source],
        last: Callable[[str, list[Source]], str] | None = None,
    ) -> list[str]:
        """The sources of one emitter, in the order of the records, in namespace `space`. `last`
        writes the end of a file. Gives the names of the files."""
        families: dict[str, list[Source]] = {}
        for source in sources:
            families.setdefault(source.family, []).append(source)
        names = []
        for family, members in families.items():
            for start in range(0, len(members), OPERATORS_PER_FILE):
                part = members[start : start + OPERATORS_PER_FILE]
                names.append(f"{family}_{start // OPERATORS_PER_FILE}")
                end = last(names[-1], part) if last else ""
                self.add(f"{folder}/{names[-1]}.cpp", shared_file(what, space, part, end))
        return names

    def write(self, folder: Path) -> int:
        changed = 0
        for name, text in self.files.items():
            path = folder / name
            if path.exists() and path.read_text() == text:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            changed += 1
        expected = {folder / name for name in self.files}
        for path in folder.rglob("*"):
            if path.is_file() and path not in expected:
                path.unlink()
        return changed


def shared_file(what: str, space: str, sources: list[Source], end: str = "") -> str:
    lines = sorted({line for source in sources for line in source.includes})
    angled = [f"#include <{line}>" for line in lines if not line.startswith('"')]
    quoted = [f"#include {line}" for line in lines if line.startswith('"')]
    included = "\n".join([*angled, *(["", *quoted] if quoted else [])])
    spaces: dict[str, list[str]] = {}
    for source in sources:
        for name, line in source.declared:
            if line not in spaces.setdefault(name, []):
                spaces[name].append(line)
    own = "".join(f"{line}\n" for line in spaces.pop(space, []))
    blocks = [in_namespace(name, "\n".join(lines)) for name, lines in sorted(spaces.items())]
    bodies = "\n\n".join(f"// ---- {s.place} ----\n{s.body.strip(chr(10))}" for s in sources)
    bodies += f"\n\n{end}" if end else ""
    blocks.append(in_namespace(space, f"{own}\n{bodies}\n"))
    head = f"// {what} Generated from the op records; do not edit."
    return "\n\n".join([f"{head}\n{included}", *blocks])


def in_namespace(name: str, text: str) -> str:
    """`name` is empty for what only this file sees."""
    head = f"namespace {name}" if name else "namespace"
    return f"{head} {{\n{text}\n}}  // {head}"


def indent(text: str, by: int = 2) -> str:
    return textwrap.indent(text, " " * by)

"""Writing generated files: formatted the same way every time, touched only when they change."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """One operator's part of a C++ file that several operators share."""

    family: str  # the file of the record
    place: str
    includes: tuple[str, ...]  # as they stand between < and >, or in quotes
    body: str


# Most of the time to compile such a file goes into its headers: operators of a family share some.
OPERATORS_PER_FILE = 6


class Outputs:
    """Collects files and writes those that differ, so that ninja rebuilds only what changed."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def add(self, path: str, text: str) -> None:
        self.files[path] = text.strip("\n") + "\n"

    def add_sources(self, folder: str, what: str, sources: list[Source]) -> None:
        """The sources of one emitter, in the order of the records."""
        families: dict[str, list[Source]] = {}
        for source in sources:
            families.setdefault(source.family, []).append(source)
        for family, members in families.items():
            for start in range(0, len(members), OPERATORS_PER_FILE):
                part = members[start : start + OPERATORS_PER_FILE]
                name = f"{folder}/{family}_{start // OPERATORS_PER_FILE}.cpp"
                self.add(name, shared_file(what, part))

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


def shared_file(what: str, sources: list[Source]) -> str:
    lines = sorted({line for source in sources for line in source.includes})
    angled = [f"#include <{line}>" for line in lines if not line.startswith('"')]
    quoted = [f"#include {line}" for line in lines if line.startswith('"')]
    included = "\n".join([*angled, *(["", *quoted] if quoted else [])])
    bodies = "\n\n".join(f"// ---- {s.place} ----\n{s.body.strip(chr(10))}" for s in sources)
    return f"// {what} Generated from the op records; do not edit.\n{included}\n\n{bodies}"


def indent(text: str, by: int = 2) -> str:
    return textwrap.indent(text, " " * by)

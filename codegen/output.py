"""Writing generated files: formatted the same way every time, touched only when they change."""

from __future__ import annotations

import textwrap
from pathlib import Path


class Outputs:
    """Collects files and writes those that differ, so that ninja rebuilds only what changed."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def add(self, path: str, text: str) -> None:
        self.files[path] = text.strip("\n") + "\n"

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


def indent(text: str, by: int = 2) -> str:
    return textwrap.indent(text, " " * by)

"""The examples of CONTRIBUTING.md, "Adding an operator", as a reader applies them."""

import re
from pathlib import Path

from conftest import ROOT

FENCED = re.compile(r"`([\w/.]+)`:\n\n```(\w+)\n(.*?)```", re.DOTALL)
NUMBERS = {"two": 2, "five": 5}


def sections() -> dict[int, str]:
    """The text of each example, by the number of files that it says it is."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("## Adding an operator") : text.index("## Speed")]
    _, *parts = re.split(r"^\*\*\w+: (\w+) files\.\*\*", section, flags=re.MULTILINE)
    return {NUMBERS[parts[i]]: parts[i + 1] for i in range(0, len(parts), 2)}


def blocks(section: str) -> list[tuple[str, str]]:
    """(file, text) of every code block."""
    found = [(path, code) for path, _, code in FENCED.findall(section)]
    assert len(found) == section.count("\n```") / 2, "a block does not say which file it is for"
    return found


def all_blocks() -> list[tuple[str, str]]:
    return [block for section in sections().values() for block in blocks(section)]


def add(path: Path, code: str) -> None:
    """As a reader would: a new file, or at the end of one (of its namespace, if it has one)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.read_text() if path.exists() else ""
    end = re.search(r"^}  // namespace eagre::(dispatch::meta|scalar)\n", old, re.MULTILINE)
    place = end.start() if end else len(old)
    space = "\n" if old and not end else ""
    path.write_text(old[:place] + space + code + ("\n" if end else "") + old[place:])

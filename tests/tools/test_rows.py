"""Every row of the feature tables has a test that names it, and every name is a row."""

import re
from pathlib import Path

import pytest
from rows import LATER, OTHER, PARTS_LEFT, REQUIRED

TESTS = Path(__file__).parents[1]
MARK = re.compile(r"^\s*(?:#|//) Row: (.*)\n(.*)", re.M)
TEST_BEGINS = re.compile(r"\s*(def test_|class Test|@pytest|TEST(_F|_P)?\()")
UNMARKED = re.compile(r"^\s*(?:#|//) (?:Paddle |PyTorch )?[A-Z]\d+(?:[,:] .*)?$", re.M)


def sources():
    for path in sorted(TESTS.rglob("*")):
        if path.suffix in (".py", ".cpp") and path.parent != Path(__file__).parent:
            yield path.relative_to(TESTS), path.read_text()


def complaints(texts, required=REQUIRED, later=LATER, parts_left=PARTS_LEFT):
    """What is wrong, as sentences; `texts` are pairs of a file's name and its text."""
    known = {*required, *OTHER}
    shown = set()
    for name, text in texts:
        for rows, below in MARK.findall(text):
            if not TEST_BEGINS.match(below):
                yield f"{name}: 'Row: {rows}' does not stand right above a test"
            for row in rows.split(", "):
                if row not in known:
                    yield f"{name}: there is no row '{row}'"
                shown.add(row)
        for comment in UNMARKED.findall(text):
            yield f"{name}: '{comment.strip()}' names a row without 'Row: '"
    for row in required:
        if row not in shown and row not in later:
            yield f"{row} has no test, and no reason why"
    for row in later:
        if row not in required or row in shown:
            yield f"{row} waits for nothing: take it out of LATER"
    for row in parts_left:
        if row not in shown:
            yield f"{row} is in PARTS_LEFT, but no test shows the rest of it"


def test_every_row_has_a_test_or_a_reason_and_every_mark_names_a_row():
    assert list(complaints(sources())) == []


PYTHON = "# Row: PyTorch A1, Paddle defect 2\n@pytest.mark.skipif(True)\ndef test_it():\n"
ROWS = ["PyTorch A1", "Paddle defect 2"]
CPP = "// Row: PyTorch A1, Paddle defect 2\nTEST_F(Sim, Thing) {\n"


@pytest.mark.parametrize("text", [PYTHON, CPP])
def test_marks_of_both_languages_are_read(text):
    assert list(complaints([("file", text)], ROWS, {}, {})) == []


@pytest.mark.parametrize(
    ("text", "later", "parts_left", "word"),
    [
        (PYTHON.replace("PyTorch A1, ", ""), {}, {}, "PyTorch A1 has no test"),
        (PYTHON.replace("A1", "Z1"), {"PyTorch A1": "why"}, {}, "no row 'PyTorch Z1'"),
        (PYTHON, {"PyTorch A1": "why"}, {}, "waits for nothing"),
        (PYTHON, {"PyTorch K1": "why"}, {}, "waits for nothing"),
        (PYTHON, {}, {"PyTorch A2": "why"}, "PARTS_LEFT"),
        (PYTHON.replace("@", "\n@"), {}, {}, "right above a test"),
        (PYTHON + "# Paddle B16, defect 7\n", {}, {}, "without 'Row: '"),
    ],
)
def test_every_fault_is_named(text, later, parts_left, word):
    (complaint,) = complaints([("file", text)], ROWS, later, parts_left)
    assert word in complaint

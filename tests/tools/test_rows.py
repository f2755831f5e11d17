"""Every row of docs/feature-rows.md has a test that names it or a reason; every name is a row."""

import re
from pathlib import Path

import pytest
from rows import DOCUMENT, NO_TEST, OTHERWISE, ROWS, lines, with_status

TESTS = Path(__file__).parents[1]
MARK = re.compile(r"^\s*(?:#|//) Row: (.*)\n(.*)", re.M)
TEST_BEGINS = re.compile(r"\s*(def test_|class Test|@pytest|TEST(_F|_P)?\()")
UNMARKED = re.compile(r"^\s*(?:#|//) (?:Paddle |PyTorch )?[A-Z]\d+(?:[,:] .*)?$", re.M)


def sources():
    for path in sorted(TESTS.rglob("*")):
        if path.suffix in (".py", ".cpp") and path.parent != Path(__file__).parent:
            yield path.relative_to(TESTS), path.read_text()


def complaints(texts, known=ROWS, no_test=NO_TEST, otherwise=OTHERWISE):
    """What is wrong, as sentences; `texts` are pairs of a file's name and its text."""
    named = set()
    for name, text in texts:
        for rows, below in MARK.findall(text):
            if not TEST_BEGINS.match(below):
                yield f"{name}: 'Row: {rows}' does not stand right above a test"
            for row in rows.split(", "):
                if row not in known:
                    yield f"{name}: there is no row '{row}'"
                named.add(row)
        for comment in UNMARKED.findall(text):
            yield f"{name}: '{comment.strip()}' names a row without 'Row: '"
    for row in known:
        if row not in named and row not in no_test:
            yield f"{row} has no test, and no reason why"
    for row in no_test:
        if row in named:
            yield f"{row} has a test: take 'no test:' out of its line"
    for row in otherwise:
        if row not in named:
            yield f"{row} says 'otherwise:', but no test shows the rest of it"


def complaints_about_lines(text, known=ROWS):
    """What is wrong with the document itself."""
    found = [row for row, _ in lines(text)]
    for row in known:
        if found.count(row) != 1:
            yield f"{row} has {found.count(row)} lines"
    for row, status in lines(text):
        if row not in known:
            yield f"{row} is no row of rows.py"
        if status and not re.match(r"(no test|otherwise): \S", status):
            yield f"{row}: the status '{status}' is neither 'no test:' nor 'otherwise:'"


def test_every_row_has_a_test_or_a_reason_and_every_mark_names_a_row():
    assert list(complaints(sources())) == []


def test_the_document_has_one_line_for_every_row():
    assert list(complaints_about_lines(DOCUMENT.read_text())) == []


A1 = "| PyTorch A1 | what it is | |\n"
A2 = "| PyTorch A2 | what it is | no test: a reason |\n"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (A1, "PyTorch A2 has 0 lines"),
        (A1 + A2 + A1, "PyTorch A1 has 2 lines"),
        (A1 + A2 + A1.replace("A1", "A3"), "PyTorch A3 is no row"),
        (A1 + A2.replace("no test: ", ""), "'a reason' is neither"),
        (A1 + A2.replace("a reason", ""), "'no test:' is neither"),
    ],
)
def test_every_fault_of_the_document_is_named(text, word):
    assert list(complaints_about_lines(A1 + A2, ["PyTorch A1", "PyTorch A2"])) == []
    (complaint,) = complaints_about_lines(text, ["PyTorch A1", "PyTorch A2"])
    assert word in complaint


def test_a_status_is_read_from_its_line():
    assert with_status("no test: ", A1 + A2) == {"PyTorch A2": "a reason"}
    assert with_status("otherwise: ", A1 + A2) == {}


PYTHON = "# Row: PyTorch A1, Paddle defect 2\n@pytest.mark.skipif(True)\ndef test_it():\n"
TWO_ROWS = ["PyTorch A1", "Paddle defect 2"]
CPP = "// Row: PyTorch A1, Paddle defect 2\nTEST_F(Sim, Thing) {\n"


@pytest.mark.parametrize("text", [PYTHON, CPP])
def test_marks_of_both_languages_are_read(text):
    assert list(complaints([("file", text)], TWO_ROWS, {}, {})) == []


@pytest.mark.parametrize(
    ("text", "no_test", "otherwise", "word"),
    [
        (PYTHON.replace("PyTorch A1, ", ""), {}, {}, "PyTorch A1 has no test"),
        (PYTHON.replace("A1", "Z1"), {"PyTorch A1": "why"}, {}, "no row 'PyTorch Z1'"),
        (PYTHON, {"PyTorch A1": "why"}, {}, "take 'no test:' out"),
        (PYTHON, {}, {"PyTorch A2": "why"}, "no test shows the rest"),
        (PYTHON.replace("@", "\n@"), {}, {}, "right above a test"),
        (PYTHON + "# Paddle B16, defect 7\n", {}, {}, "without 'Row: '"),
    ],
)
def test_every_fault_of_a_mark_is_named(text, no_test, otherwise, word):
    (complaint,) = complaints([("file", text)], TWO_ROWS, no_test, otherwise)
    assert word in complaint

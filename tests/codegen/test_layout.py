"""How generated code looks: lines that fit a page, and no more of them than people would write."""

import ast
import re

import pytest
from conftest import ROOT

from codegen.__main__ import generate
from codegen.layout import WIDTH, laid_out
from codegen.load import load_ops

CODE = (".cpp", ".h", ".pyi", ".md")
MOST_LINES = 130_000
MOST_LINES_PER_RECORD = 160
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@pytest.fixture(scope="module")
def files():
    return {n: t for n, t in generate(ROOT / "ops").files.items() if n.endswith(CODE)}


def has_a_place_to_break(name: str, line: str) -> bool:
    if name.endswith(".md"):  # tables, code and links are one line each
        return False
    # A string, or a name with what stands around it.
    return max((len(w) for w in STRING.sub('""', line).split()), default=0) < WIDTH // 2 and (
        len(STRING.sub('""', line)) > WIDTH // 2
    )


def test_no_line_is_too_long(files):
    long = [
        f"{name}:{number}: {line}"
        for name, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDTH and has_a_place_to_break(name, line)
    ]
    assert not long, "\n".join(long)


def test_there_is_no_more_than_people_would_write(files):
    lines = sum(text.count("\n") for text in files.values())
    records = len(load_ops(ROOT / "ops"))
    assert lines <= MOST_LINES
    assert lines / records <= MOST_LINES_PER_RECORD


def laid(text: str) -> str:
    return laid_out("a.cpp", text)


def test_what_fits_stays():
    text = "int f(int a) {\n  const int b = a;\n  return b;\n}\n"
    assert laid(text) == text


def test_short_functions_are_one_line():
    assert laid("int f(int a) {\n  return a;\n}\n") == "int f(int a) { return a; }\n"
    kept = "if (a) {\n  b();\n}\n"
    assert laid(kept) == kept


def test_arguments_are_aligned_to_their_bracket():
    name, first, second = "f" * 40, "a" * 30, "b" * 30
    assert laid(f"  {name}({first}, {second});") == f"  {name}({first},\n{' ' * 43}{second});"


def test_what_is_too_far_to_the_right_goes_four_columns_in():
    name, argument = "f" * 60, "a" * 45
    assert laid(f"  {name}({argument});") == f"  {name}(\n      {argument});"


def test_a_statement_goes_below_its_condition():
    condition, call = "c" * 50, "f" * 50
    assert laid(f"  if ({condition}) {call}();") == f"  if ({condition})\n    {call}();"


def test_stubs_are_python(files):
    for name, text in files.items():
        if name.endswith(".pyi"):
            ast.parse(text, name)


def test_strings_and_comments():
    string = '"' + "s, " * 50 + '"'
    name = "f" * 40
    assert laid(f"  {name}({string});") == f"  {name}(\n      {string});"
    assert all(line.startswith("// w") for line in laid("// " + "word " * 50).splitlines())

"""The examples in the records and in the documents run and print what they say."""

import doctest
import re
from pathlib import Path

import pytest
from records import load_records

import eagre
from eagre import _C

ROOT = Path(__file__).resolve().parents[3]
WITH_EXAMPLE = [record for record in load_records() if ">>>" in record["doc"]]


def run_example(text, name, place):
    parser = doctest.DocTestParser()
    test = parser.get_doctest(text, {"eagre": eagre}, name, place, 0)
    printed = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=printed.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(printed)


@pytest.mark.parametrize("record", WITH_EXAMPLE, ids=lambda record: record["op"])
def test_example(record):
    run_example(record["doc"], record["op"], record["place"])


PAGES = [
    "tensors", "training", "tensor-classes", "autograd", "autograd-details", "errors",
    "linear-algebra", "modules", "recurrent-networks", "saving", "coming-from-pytorch",
    "coming-from-paddle",
]  # fmt: skip


@pytest.mark.parametrize("page", [f"docs/{name}.md" for name in PAGES])
def test_page(page):
    # Fences become empty lines: doctest would take them for output.
    text = re.sub(r"^```.*$", "", (ROOT / page).read_text(), flags=re.MULTILINE)
    run_example(text, page, page)


def test_the_page_of_errors_has_every_class():
    """With its builtin classes, and the kind that C++ has for it."""
    rows = re.findall(
        r"^\| `(\w+)` \| (.*?) ?\| (?:`(\w+)` )?\| \S",
        (ROOT / "docs/errors.md").read_text(),
        flags=re.MULTILINE,
    )
    classes = {name: value for name, value in vars(_C).items() if is_error(value)}
    assert {name for name, _, _ in rows} == set(classes)
    for name, builtins, _ in rows:
        bases = [base.__name__ for base in classes[name].__bases__ if base is not eagre.Error]
        assert re.findall(r"`(\w+)`", builtins) == bases
    header = (ROOT / "eagre/base/error.h").read_text()
    kinds = re.search(r"enum class ErrorKind : uint8_t \{(.*?)\}", header, re.DOTALL)[1]
    assert [kind for _, _, kind in rows if kind] == re.findall(r"k\w+", kinds)


def is_error(value):
    return isinstance(value, type) and issubclass(value, eagre.Error) and value is not eagre.Error


def test_the_page_of_operators_lists_the_namespaces():
    text = (ROOT / "docs/operators.md").read_text()
    for space in (eagre.nn.functional, eagre.linalg, eagre.special):
        row = re.search(rf"^\| `{space.__name__}` \| (.*) \|$", text, flags=re.MULTILINE)[1]
        assert re.findall(r"`(\w+)`", row) == sorted(space.__all__)


def test_readme_example():
    text = (ROOT / "README.md").read_text()
    block = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    names = {}
    exec(compile(block, "README.md", "exec"), names)
    assert names["loss"].item() < 0.1


def test_an_example_that_is_wrong_is_found():
    with pytest.raises(AssertionError, match=r"Got:\n *tensor\(2.\)"):
        run_example(">>> eagre.ones(2).sum()\ntensor(3.)\n", "wrong", "nowhere")


@pytest.mark.parametrize("record", WITH_EXAMPLE, ids=lambda record: record["op"])
def test_docstring_is_the_record(record):
    owner = eagre if "function" in record["forms"] else eagre.Tensor
    only_inplace = not {"function", "method"} & set(record["forms"])
    name = record["name"] + "_" * only_inplace
    # Those that only a namespace has are called as there.
    hidden = [name, *(known.replace(".", "_") for known in record["python"])]
    found = [getattr(_C, f"_{known}", None) for known in hidden] if record["hidden"] else []
    function = next((f for f in found if f is not None), None) or getattr(owner, name)
    doc = function.__doc__
    assert record["doc"].strip() in doc

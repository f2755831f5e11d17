"""What the docs show is what is built and tested; the reference has a place for every operator."""

import re

from conftest import ROOT

from codegen.check_summary import PAGE
from codegen.emit_docs import page
from codegen.emit_summary import first_sentence, summary
from codegen.load import load_ops
from codegen.python_signature import forms


def test_the_plugin_guide_shows_the_example():
    guide = (ROOT / "docs/device-plugins.md").read_text()
    example = (ROOT / "examples/cpp/device_plugin/plugin.c").read_text()
    blocks = re.findall(r"```c\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        assert block in example, block


def test_the_guide_to_custom_operators_shows_the_example():
    guide = (ROOT / "docs/custom-operators.md").read_text()
    folder = ROOT / "examples/cpp/custom_op"
    example = "".join((folder / f).read_text() for f in ("ema.cpp", "smooth.cpp", "smooth.py"))
    blocks = re.findall(r"```(?:cpp|python)\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        assert block in example, block


def sections() -> dict[str, str]:
    """The reference page: the text of each operator by its title."""
    text = page([op for op in load_ops(ROOT / "ops") if forms(op)])
    parts = re.split(r"^### (\w+)\n", text, flags=re.MULTILINE)[1:]
    assert len(parts[::2]) == len(set(parts[::2])), "a name has two sections"
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_the_reference_has_every_public_name_and_no_other():
    public = {op.public for op in load_ops(ROOT / "ops") if forms(op)}
    assert {name.rstrip("_") for name in sections()} == public


def test_a_family_is_one_chapter_with_its_topics():
    text = page([op for op in load_ops(ROOT / "ops") if forms(op)])
    chapters = dict(re.findall(r"^## (\w+)\n\n(.*?)\n\n", text, flags=re.MULTILINE))
    assert set(chapters) == {path.stem.partition("_")[0] for path in (ROOT / "ops").glob("*.yaml")}
    assert chapters["view"].startswith("Views: ")
    assert "slices, diagonals" in chapters["view"] and "splitting" in chapters["view"]


def test_the_reference_lists_namespaces():
    text = page([op for op in load_ops(ROOT / "ops") if forms(op)])
    special = re.search(r"^- `eagre.special`: (.*)$", text, flags=re.MULTILINE)[1]
    assert "`erf`" in special and "`expit` (`sigmoid`)" in special
    linalg = re.search(r"^- `eagre.linalg`: (.*)$", text, flags=re.MULTILINE)[1]
    assert "`matmul`" in linalg and "`vector_norm` (`linalg_vector_norm`)" in linalg
    assert "- in Python also `sigmoid_`, `special.expit`" in sections()["sigmoid"]


def test_the_page_that_is_checked_in_is_current():
    text = summary(list(load_ops(ROOT / "ops")))
    assert PAGE.read_text() == text, "run `python -m codegen.check_summary --update`"


def test_first_sentences():
    assert first_sentence("The sum. More of it.\n\n>>> 1\n1\n") == "The sum."
    assert first_sentence("About 0.5 of\nit: `x` is.") == "About 0.5 of it."


def test_overloads_stand_together():
    text = sections()["max"]
    assert "max(input, *, out=None)\n" in text
    assert "max(input, other, *, out=None)\n" in text
    assert "max(input, dim, keepdim=False, *, out=None) -> (values, indices)\n" in text
    assert "- `indices` is int64" in text


def test_the_reference_names_dtypes_and_views():
    found = sections()
    assert "- dtypes: bool, integers, unsigned, floats\n" in found["sort"]
    assert "- dtypes: arithmetic\n" in found["add"]
    assert "- dtypes: all\n" in found["gather"]
    assert "- dtypes: integers, unsigned, floats, complex, float8\n" in found["abs"]
    assert "shares the memory" in found["transpose"]
    assert "Tensor.copy_(src" in found["copy_"]

"""Names of operators in Python's namespaces: what records may say, and what is made of it."""

import pytest
from conftest import ROOT

from codegen.__main__ import generate
from codegen.load import load_ops
from codegen.problem import RecordError

RECORD = """
- op: pieces
  aliases: [bits]
  sig: (Tensor input, Tensor weight, *, Scalar alpha=1) -> Tensor
  forms: [{forms}]
  python: {python}
  composite: true
  amp: keep
  batch: decompose
  doc: Pieces.
  test: {{samples: pieces}}
"""


def problem(records, python: str, forms: str = "function, method") -> str:
    folder = records(RECORD.format(python=python, forms=forms))
    with pytest.raises(RecordError) as caught:
        load_ops(folder)
    assert "op 'pieces', field 'python'" in str(caught.value)
    return str(caught.value)


def test_mistakes(records):
    assert "'only'" in problem(records, "{special: pieces}")
    assert "no form but function and out" in problem(records, "{only: [special.pieces]}")
    assert "such as 'special.expit'" in problem(records, "[special..pieces]")
    assert "write in place" in problem(records, "[pieces_]")
    assert "would be a function" in problem(records, "[special.pieces]", "method")
    assert "see 'aliases'" in problem(records, "[parts]")
    assert "see 'aliases'" in problem(records, "[parts_]", "function, inplace")
    assert "all arguments" in problem(records, "[{special.pieces: [weight, input]}]")
    assert "cannot write in place" in problem(
        records, "[{special.pieces: [input, weight, alpha, inplace]}]"
    )
    assert "'special.expit' is sigmoid already" in problem(records, "[special.expit]")


def made(records, python: str, forms: str = "function, method, inplace") -> dict[str, str]:
    return generate(records(RECORD.format(python=python, forms=forms))).files


def test_a_namespace_has_the_functions_themselves(records):
    files = made(records, "[special.parts, nn.functional.pieces, nn.functional.pieces_, bits_]")
    special = files["python/eagre/_special_names.py"]
    assert "from eagre._C import pieces as parts\n" in special and '    "parts",\n' in special
    functional = files["python/eagre/nn/_functional_names.py"]
    assert "from eagre._C import pieces as pieces\n" in functional
    written = "from eagre._C import _nn_functional_pieces_ as pieces_\n"
    assert written in functional and '    "pieces_",\n' in functional
    assert "\ndef bits_(input: Tensor" in files["python/eagre/_C.pyi"]
    page = files["docs/operators.md"]
    assert "- in Python also `special.parts`, `nn.functional.pieces`" in page


def test_an_operator_may_be_in_a_namespace_only(records):
    files = made(records, "{only: [special.parts]}", "function")
    names = files["python/eagre/_special_names.py"]
    assert "from eagre._C import _special_parts as parts\n" in names
    assert "- in Python only `special.parts`" in files["docs/operators.md"]


def test_parameters_of_their_own(records):
    files = made(records, "[{special.parts: [weight, input, inplace, alpha]}]")
    names = files["python/eagre/_special_names.py"]
    assert "from eagre._C import _special_parts as parts\n" in names
    assert (
        "def _special_parts( weight: Tensor, input: Tensor, inplace: _bool = ..., "
        "*, alpha: Number = ... ) -> Tensor: ..."
    ) in " ".join(files["python/eagre/_C.pyi"].split())
    border = next(text for text in files.values() if "namespace special_parts_function" in text)
    text = " ".join(border[border.index("namespace special_parts_function") :].split())
    assert '.positional = 3, .exposed = "_special_parts"' in text
    assert "const TensorBase& input = a.tensor(1);" in text
    assert "const TensorBase& weight = a.tensor(0);" in text
    assert "if (a.boolean(2, false))" in text and "call_inplace_op( a[1]," in text
    assert '"special.parts", "parts(weight, input, inplace=False, *, alpha=1)' in text


def test_every_namespace_is_a_module_of_the_package():
    spaces = {name.namespace for op in load_ops(ROOT / "ops") for name in op.python} - {""}
    assert {"special", "nn.functional", "linalg", "functional"} <= spaces
    for space in spaces:
        module = (ROOT / "python/eagre" / space.replace(".", "/")).with_suffix(".py")
        names = f"{'eagre.' + space}".rpartition(".")
        assert f"from {names[0]}._{names[2]}_names import *" in module.read_text()

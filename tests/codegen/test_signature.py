"""Signatures of records, and what Python sees of them."""

import pytest

from codegen.load import load_ops
from codegen.problem import RecordError
from codegen.python_call import conversion
from codegen.signature import parse_arguments, parse_outputs

RECORD = """
- op: pieces
  {field}
  sig: {sig}
  forms: [{forms}]
  composite: true
  amp: keep
  batch: decompose
  doc: Pieces.
  test: {{samples: pieces}}
"""


def test_lists_as_defaults():
    _, dims, k = parse_arguments("Tensor input, int[] dims=[0,1], int k=2")
    assert (dims.default, dims.cpp_default, k.cpp_default) == ("[0,1]", "{0,1}", "2")
    assert conversion(dims, 1).endswith("a.has(1) ? a.ints(1) : DimVector{0,1};")


def test_tensors_one_by_one():
    (tensors,) = parse_arguments("Tensor[]... tensors")
    assert tensors.variadic and tensors.type.is_list


def test_results_without_names():
    assert [(o.name, o.has_name) for o in parse_outputs("(Tensor, Tensor)")] == [
        ("first", False),
        ("second", False),
    ]
    assert all(o.has_name for o in parse_outputs("(Tensor a, Tensor b)"))
    with pytest.raises(ValueError, match="expected"):
        parse_outputs("(Tensor, Tensor b)")


def build(
    records,
    sig="(Tensor input) -> Tensor",
    forms="function",
    field="python_source: {_pieces: [function]}",
):
    folder = records(RECORD.format(sig=sig, forms=forms, field=field))
    return next(op for op in load_ops(folder) if op.name == "pieces")


def test_a_wrapper(records):
    assert build(records).python_name == "_pieces"
    assert build(records, field="node: Pieces").python_name == "pieces"
    with pytest.raises(RecordError, match="python_source"):
        build(records, forms="function, method")
    with pytest.raises(RecordError, match="expected a module and 'function' or 'method'"):
        build(records, field="python_source: {_pieces: [out]}")


def test_results_without_names_have_no_out(records):
    op = build(records, "(Tensor input) -> (Tensor, Tensor)")
    assert op.returns_many and not op.has_named_results
    with pytest.raises(RecordError, match="without names"):
        build(records, "(Tensor input) -> (Tensor, Tensor)", "function, out")

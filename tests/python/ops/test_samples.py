"""Every operator of the records on every sample: values, in-place forms, operators, bad inputs."""

import operator
import re

import numpy as np
import pytest
from records import (
    BAD,
    RECORDS,
    arguments,
    callables,
    cases,
    check,
    function_of,
    load_records,
    samples_of,
)

import eagre

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
UNARY = {"-": operator.neg, "~": operator.invert, "abs": operator.abs}
INPLACE = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
}


@pytest.mark.parametrize(("record", "sample"), cases())
def test_value(record, sample):
    for call in callables(record):
        check(call(*arguments(sample), **sample.kwargs), sample)


@pytest.mark.parametrize(("record", "sample"), cases(lambda record: record["operator"] is not None))
def test_operator(record, sample):
    if sample.kwargs:
        pytest.skip("operators take two arguments")
    operands = arguments(sample)
    table = OPERATORS if len(operands) == 2 else UNARY
    check(table[record["operator"]](*operands), sample)


def category(dtype):
    return (dtype is not eagre.bool) + dtype.is_floating_point + 2 * dtype.is_complex


def has_both_forms(record):
    return "inplace" in record["forms"] and bool({"function", "method"} & set(record["forms"]))


@pytest.mark.parametrize(("record", "sample"), cases(has_both_forms))
def test_inplace_equals_out_of_place(record, sample):
    x, *rest = (a.clone() if isinstance(a, eagre.Tensor) else a for a in arguments(sample))
    if not isinstance(x, eagre.Tensor):
        pytest.skip("a number cannot be written in place")
    expected = seeded(record, sample, [x, *rest])
    method = getattr(x, record["name"] + "_")
    if record["kind"] == "view":
        expected = expected.clone()
    fits = record["kind"] == "view" or expected.shape == x.shape
    fits = fits and category(expected.dtype) <= category(x.dtype)
    fits = fits and not (record["result"] == "real" and x.is_complex())
    fits = fits and ("exact" not in record["out_rules"] or expected.dtype is x.dtype)
    if not fits:
        with pytest.raises(eagre.Error, match=record["name"]):
            method(*rest, **sample.kwargs)
        return
    eagre.manual_seed(0)
    version = x._version
    assert method(*rest, **sample.kwargs) is x
    assert x._version == version + 1
    assert x.shape == expected.shape
    np.testing.assert_array_equal(x.numpy(), expected.to(x.dtype).numpy())


@pytest.mark.parametrize(("record", "sample"), cases(lambda record: "out" in record["forms"]))
def test_out_equals_the_result(record, sample):
    operands = arguments(sample)
    expected = seeded(record, sample, operands)
    results = expected if isinstance(expected, tuple) else (expected,)
    for shape in (lambda r: tuple(r.shape), lambda r: (0,)):
        outs = tuple(eagre.zeros(shape(r), dtype=r.dtype, device=r.device) for r in results)
        given = outs if isinstance(expected, tuple) else outs[0]
        returned = seeded(record, sample, operands, out=given)
        assert type(returned) is type(expected)
        for again, out in zip(returned if len(outs) > 1 else [returned], outs, strict=True):
            assert again is out
        for out, result in zip(outs, results, strict=True):
            assert (out.shape, out.requires_grad) == (result.shape, result.requires_grad)
            if record["op"] != "empty":  # which promises nothing of the elements
                np.testing.assert_array_equal(out.detach().numpy(), result.detach().numpy())


def seeded(record, sample, operands, **more):
    """Random numbers are the same in every call."""
    eagre.manual_seed(0)
    if "generator" in sample.kwargs:
        sample.kwargs["generator"].manual_seed(0)
    return function_of(record)(*operands, **sample.kwargs, **more)


@pytest.mark.parametrize("symbol", INPLACE)
def test_inplace_operator_keeps_the_object(symbol):
    x = eagre.tensor([1.0, 2.0])
    before = x
    x = INPLACE[symbol](x, 3)
    assert x is before
    expected = {"+": [4.0, 5.0], "-": [-2.0, -1.0], "*": [3.0, 6.0], "/": [1 / 3, 2 / 3]}
    assert x.tolist() == pytest.approx(expected[symbol])


def test_numbers_on_the_left():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    for call, value, grad in [
        (lambda: 3 - x, [2.0, 1.0], [-1.0, -1.0]),
        (lambda: 2 / x, [2.0, 1.0], [-2.0, -0.5]),
        (lambda: np.asarray([3.0, 3.0], np.float32) - x, [2.0, 1.0], [-1.0, -1.0]),
    ]:
        result = call()
        assert result.tolist() == value
        assert eagre.autograd.grad(result.sum(), x)[0].tolist() == grad


BAD_CASES = [(record["op"], bad) for record in RECORDS for bad in record["bad"]]


def spoken_name(record):
    """What messages call it: functions of nn.functional by their names there."""
    first = record["python"][0] if record["hidden"] and record["python"] else ""
    return first.rpartition(".")[2] if first.startswith("nn.functional.") else record["name"]


# "must be Expected a number, but got got 3": words from elsewhere stand before ours and a colon.
SENTENCE_IN_SENTENCE = re.compile(
    r"must be ([A-Z][a-z]+ [a-z]|expected )|but got (got|[A-Z][a-z]+ [a-z])"
)


PUBLIC_NAMES = {record["op"]: spoken_name(record) for record in RECORDS}


@pytest.mark.parametrize(("op", "bad"), BAD_CASES, ids=[f"{op}-{bad}" for op, bad in BAD_CASES])
def test_bad_input(op, bad):
    call, kind, words = BAD[op, bad]
    with pytest.raises(eagre.Error) as caught:
        call()
    assert type(caught.value) is kind
    for word in words:
        assert word in str(caught.value)
    # Also where an operator inside it complains: what the user called comes first.
    assert re.match(rf"{PUBLIC_NAMES[op]}_?\(\)", str(caught.value))
    assert not SENTENCE_IN_SENTENCE.search(str(caught.value))


def test_every_bad_sample_belongs_to_a_record():
    assert set(BAD) == set(BAD_CASES)


# Public operators that refuse nothing, with the reason. (None so far: even those that take every
# tensor refuse what is none.)
REFUSES_NOTHING = {}


@pytest.mark.parametrize(
    "record", [r for r in load_records() if "internal" not in r["forms"]], ids=lambda r: r["op"]
)
def test_public_records_have_samples_and_mistakes(record):
    assert record["samples"] or record["numpy"], f"{record['place']}: no samples"
    assert next(iter(samples_of(record)), None) is not None, f"{record['place']}: no samples"
    assert bool(record["bad"]) != (record["op"] in REFUSES_NOTHING), f"{record['place']}: bad"

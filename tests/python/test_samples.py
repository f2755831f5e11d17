"""Every operator of the records on every sample: values, in-place forms, operators, bad inputs."""

import operator

import numpy as np
import pytest
from records import BAD, RECORDS, arguments, callables, cases, check, function_of

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
    expected = function_of(record)(x, *rest, **sample.kwargs)
    method = getattr(x, record["name"] + "_")
    fits = expected.shape == x.shape and category(expected.dtype) <= category(x.dtype)
    if not fits:
        with pytest.raises(eagre.InvalidArgumentError, match=record["name"]):
            method(*rest, **sample.kwargs)
        return
    version = x._version
    assert method(*rest, **sample.kwargs) is x
    assert x._version == version + 1
    np.testing.assert_array_equal(x.numpy(), expected.to(x.dtype).numpy())


@pytest.mark.parametrize(("record", "sample"), cases(lambda record: "out" in record["forms"]))
def test_out_equals_the_result(record, sample):
    operands = arguments(sample)
    expected = function_of(record)(*operands, **sample.kwargs)
    results = expected if isinstance(expected, tuple) else (expected,)
    for shape in (lambda r: tuple(r.shape), lambda r: (0,)):
        outs = tuple(eagre.zeros(shape(r), dtype=r.dtype) for r in results)
        given = outs if isinstance(expected, tuple) else outs[0]
        returned = function_of(record)(*operands, **sample.kwargs, out=given)
        assert returned is given
        for out, result in zip(outs, results, strict=True):
            np.testing.assert_array_equal(out.numpy(), result.numpy())


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


@pytest.mark.parametrize(("op", "bad"), BAD_CASES, ids=[f"{op}-{bad}" for op, bad in BAD_CASES])
def test_bad_input(op, bad):
    call, kind, words = BAD[op, bad]
    with pytest.raises(eagre.Error) as caught:
        call()
    assert type(caught.value) is kind
    for word in words:
        assert word in str(caught.value)


def test_every_bad_sample_belongs_to_a_record():
    assert set(BAD) == set(BAD_CASES)

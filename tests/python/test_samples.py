"""Every operator of the records on every sample: values, in-place forms, operators, bad inputs."""

import operator

import numpy as np
import pytest
import samples
from records import RECORDS, arguments, callables, cases, check

import eagre

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "@": operator.matmul,
}
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
    table = OPERATORS if len(operands) == 2 else {"-": operator.neg}
    check(table[record["operator"]](*operands), sample)


@pytest.mark.parametrize(("record", "sample"), cases(lambda record: "inplace" in record["forms"]))
def test_inplace_equals_out_of_place(record, sample):
    x, *rest = (a.clone() if isinstance(a, eagre.Tensor) else a for a in arguments(sample))
    expected = getattr(eagre, record["op"])(x, *rest, **sample.kwargs)
    method = getattr(x, record["op"] + "_")
    fits = expected.shape == x.shape and (expected.dtype is x.dtype or x.dtype.is_floating_point)
    if not fits:
        with pytest.raises(eagre.InvalidArgumentError, match=record["op"]):
            method(*rest, **sample.kwargs)
        return
    version = x._version
    assert method(*rest, **sample.kwargs) is x
    assert x._version == version + 1
    np.testing.assert_array_equal(x.numpy(), expected.to(x.dtype).numpy())


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
    call, kind, words = samples.BAD[op, bad]
    with pytest.raises(eagre.Error) as caught:
        call()
    assert type(caught.value) is kind
    for word in words:
        assert word in str(caught.value)


def test_every_bad_sample_belongs_to_a_record():
    assert set(samples.BAD) == set(BAD_CASES)

"""Numeric first and second derivatives of every differentiable operator."""

import numpy as np
import pytest
from records import cases, function_of, to_tensor

import eagre

STEP = 1e-5
MAX_ELEMENTS = 60


def is_small_float64(record):
    return record["differentiable"] or record["kind"] == "composite"


def weights(shape, seed):
    return eagre.tensor(np.random.default_rng(seed).uniform(0.5, 1.5, tuple(shape)))


def differentiable(sample):
    arrays = [a for a in sample.args if isinstance(a, np.ndarray)]
    return (
        not callable(sample.expected)
        and bool(arrays)
        and all(a.dtype == np.float64 and np.isfinite(a).all() for a in arrays)
        and np.isfinite(sample.expected).all()
        and sum(a.size for a in arrays) <= MAX_ELEMENTS
        and sample.kwargs.get("dtype") in (None, eagre.float64)
        and not any(isinstance(a, eagre.dtype) and a is not eagre.float64 for a in sample.args)
    )


CASES = [c for c in cases(is_small_float64) if differentiable(c.values[1])]


class Scalarised:
    """The operator with weights on its result: a function from arrays to one number."""

    def __init__(self, record, sample):
        self.function = function_of(record)
        self.sample = sample
        self.places = [i for i, a in enumerate(sample.args) if isinstance(a, np.ndarray)]
        self.arrays = [np.array(sample.args[i]) for i in self.places]

    def tensors(self, arrays):
        return [to_tensor(a).clone().requires_grad_() for a in arrays]

    def first(self, tensors):
        args = list(self.sample.args)
        for place, tensor in zip(self.places, tensors, strict=True):
            args[place] = tensor
        result = self.function(*args, **self.sample.kwargs)
        return (result * weights(result.shape, 7)).sum()

    def second(self, tensors):
        """A weighted sum of the first gradients, itself differentiable."""
        value = self.first(tensors)
        if not value.requires_grad:
            return value * 0
        grads = eagre.autograd.grad(value, tensors, create_graph=True, allow_unused=True)
        total = eagre.zeros((), dtype=eagre.float64)
        for i, grad in enumerate(grads):
            if grad is None:  # it does not depend on this one
                continue
            total = total + (grad * weights(grad.shape, 11 + i)).sum()
        return total


def numeric(function, arrays):
    grads = []
    for k, array in enumerate(arrays):
        grad = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            values = []
            for sign in (1, -1):
                moved = [np.array(a) for a in arrays]
                moved[k][index] += sign * STEP
                values.append(function(moved))
            grad[index] = (values[0] - values[1]) / (2 * STEP)
        grads.append(grad)
    return grads


def compare(function, scalarised):
    tensors = scalarised.tensors(scalarised.arrays)
    result = function(tensors)
    if not result.requires_grad:  # its first gradient is constant
        grads = [None] * len(tensors)
    else:
        grads = eagre.autograd.grad(result, tensors, allow_unused=True)
    expected = numeric(lambda a: function(scalarised.tensors(a)).item(), scalarised.arrays)
    for grad, array, want in zip(grads, scalarised.arrays, expected, strict=True):
        got = np.zeros_like(array) if grad is None else grad.numpy()
        assert got.shape == array.shape
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_first_order(record, sample):
    scalarised = Scalarised(record, sample)
    compare(scalarised.first, scalarised)


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_second_order(record, sample):
    scalarised = Scalarised(record, sample)
    compare(scalarised.second, scalarised)

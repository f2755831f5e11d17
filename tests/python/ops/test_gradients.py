"""Numeric first and second derivatives of every differentiable operator; all of floats are."""

import numpy as np
import pytest
from differentiable import CASES, Scalarised
from records import load_records

import eagre

STEP = 1e-5


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


# Row: Paddle B23
@pytest.mark.parametrize(("record", "sample"), CASES)
def test_second_order(record, sample):
    scalarised = Scalarised(record, sample)
    compare(scalarised.second, scalarised)


def makes_floats(record):
    takes_floats = any(dtype.startswith(("float", "complex")) for dtype in record["dtypes"])
    has_tensor = any("Tensor" in kind for _, kind, _ in record["parameters"])
    return takes_floats and has_tensor and record["result"] not in ("bool", "int64")


# Row: PyTorch B18
def test_every_operator_of_floats_has_a_derivative():
    """So none has to say that its is not implemented. A node that does: errors_test.cpp."""
    without = [
        record["op"]
        for record in load_records()
        if makes_floats(record) and record["kind"] != "composite" and not record["differentiable"]
    ]
    # Gradients that are computed at once where nobody asks for theirs; else formulas do it.
    fused = [name for name in without if "_fused_grad" in name]
    # Results of these do not require grad, as in PyTorch.
    constant = {"special_airy_ai", "special_spherical_bessel_j0"}
    constant |= {"special_scaled_modified_bessel_k0", "special_scaled_modified_bessel_k1"}
    constant |= {name for name in without if "_polynomial_" in name}
    assert sorted(set(without) - set(fused) - constant) == [
        "dropout_mask",  # random
        "max_pool_values",  # where there is no gradient, else max_pool_indices
    ]
    assert fused
    assert issubclass(eagre.UnimplementedError, NotImplementedError)

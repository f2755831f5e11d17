"""What samples cannot say of running sums: complex numbers, exact gradients."""

import numpy as np
import pytest

import eagre


def test_running_sum_of_complex_numbers():
    a = np.asarray([1 + 2j, 3 - 1j, 1j])
    np.testing.assert_allclose(eagre.tensor(a).cumsum(0).numpy(), a.cumsum())


def test_logcumsumexp_has_an_exact_gradient_next_to_large_numbers():
    x = eagre.tensor([1e4, 1.0, 2.0], requires_grad=True)
    eagre.logcumsumexp(x, 0).backward(eagre.tensor([0.5, -1.25, 3.0]))
    assert x.grad.tolist() == [2.25, 0.0, 0.0]


@pytest.mark.parametrize("order", [1, 2])
def test_gradient_at_places(order):
    values = np.arange(12.0).reshape(3, 4) ** 2 % 7
    x, y = np.asarray([0.0, 1, 4]), np.asarray([-1.0, 0, 0.5, 2])
    found = eagre.gradient(
        eagre.tensor(values), spacing=(eagre.tensor(x), eagre.tensor(y)), edge_order=order
    )
    for ours, theirs in zip(found, np.gradient(values, x, y, edge_order=order), strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-12, atol=1e-12)


def test_gradient_over_no_distance():
    # Equal steps are divided by once, so that a rise over none is infinite and not NaN.
    inf = float("inf")
    x = eagre.tensor([1.0, 2.0, 4.0, 8.0])
    for order in (1, 2):
        (found,) = eagre.gradient(x, spacing=0.0, edge_order=order)
        assert found.tolist() == [inf] * 4

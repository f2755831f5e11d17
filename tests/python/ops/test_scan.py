"""What samples cannot say of running sums: complex numbers, exact gradients."""

import numpy as np

import eagre


def test_running_sum_of_complex_numbers():
    a = np.asarray([1 + 2j, 3 - 1j, 1j])
    np.testing.assert_allclose(eagre.tensor(a).cumsum(0).numpy(), a.cumsum())


def test_logcumsumexp_has_an_exact_gradient_next_to_large_numbers():
    x = eagre.tensor([1e4, 1.0, 2.0], requires_grad=True)
    eagre.logcumsumexp(x, 0).backward(eagre.tensor([0.5, -1.25, 3.0]))
    assert x.grad.tolist() == [2.25, 0.0, 0.0]

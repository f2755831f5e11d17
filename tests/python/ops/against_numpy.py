"""Random leaves, and results compared with what NumPy computes."""

import numpy as np

import eagre

RANDOM = np.random.default_rng(0)


def leaf(*shape):
    return eagre.tensor(RANDOM.normal(size=shape), requires_grad=True)


def check(result, expected):
    np.testing.assert_allclose(result.detach().numpy(), expected, rtol=1e-6, atol=1e-12)
    assert tuple(result.shape) == np.shape(expected)

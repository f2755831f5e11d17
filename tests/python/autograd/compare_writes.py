"""Compares functions that write in place with the same functions without: results and gradients."""

import numpy as np

import eagre


def leaf(*shape, seed=0):
    values = np.random.default_rng(seed).normal(size=shape)
    return eagre.tensor(values, requires_grad=True)


def gradients(function, *inputs):
    result = function(*inputs)
    weights = eagre.tensor(np.linspace(0.5, 1.5, result.numel()).reshape(tuple(result.shape)))
    return result, eagre.autograd.grad((result * weights).sum(), inputs, allow_unused=True)


def assert_same(written, pure, *inputs):
    results, expected = gradients(written, *inputs), gradients(pure, *inputs)
    np.testing.assert_allclose(results[0].detach().numpy(), expected[0].detach().numpy())
    for got, want in zip(results[1], expected[1], strict=True):
        assert (got is None) == (want is None)
        if got is not None:
            np.testing.assert_allclose(got.numpy(), want.numpy())

"""Running statistics of norms, gradients in one call, and statistics of halves."""

import numpy as np
import pytest
from samples import make

import eagre
import eagre.nn.functional as F


def test_running_statistics_move_towards_those_of_the_batch():
    x, mean, var = make((4, 3, 5)), make((3,), seed=1), np.abs(make((3,), seed=2))
    running_mean, running_var = eagre.tensor(mean), eagre.tensor(var)
    F.batch_norm(eagre.tensor(x), running_mean, running_var, training=True, momentum=0.3)
    np.testing.assert_allclose(running_mean.numpy(), 0.7 * mean + 0.3 * x.mean((0, 2)))
    np.testing.assert_allclose(running_var.numpy(), 0.7 * var + 0.3 * x.var((0, 2), ddof=1))


def test_running_statistics_of_instances_are_means_over_images():
    x, mean, var = make((4, 3, 5)), make((3,), seed=1), np.abs(make((3,), seed=2))
    running_mean, running_var = eagre.tensor(mean), eagre.tensor(var)
    F.instance_norm(eagre.tensor(x), running_mean, running_var, momentum=0.5)
    np.testing.assert_allclose(running_mean.numpy(), (mean + x.mean(2).mean(0)) / 2)
    np.testing.assert_allclose(running_var.numpy(), (var + x.var(2, ddof=1).mean(0)) / 2)


def test_evaluation_leaves_running_statistics():
    mean, var = eagre.zeros(3), eagre.ones(3)
    F.batch_norm(eagre.randn(4, 3), mean, var)
    assert mean.tolist() == [0, 0, 0] and var.tolist() == [1, 1, 1]


@pytest.mark.parametrize("shape", [(6, 4), (3, 4, 7), (2, 4, 30, 40)])
@pytest.mark.parametrize("groups", [0, 2])
def test_gradients_in_one_call_are_those_of_the_formulas(shape, groups):
    def gradients(create_graph):
        x, w, b = [
            eagre.tensor(make(s, seed=i)).requires_grad_()
            for i, s in enumerate([shape, (4,), (4,)])
        ]
        y = F.group_norm(x, groups, w, b) if groups else F.batch_norm(x, None, None, w, b, True)
        g = eagre.tensor(make(shape, seed=9))
        return eagre.autograd.grad(y, [x, w, b], g, create_graph=create_graph)

    for fused, formula in zip(gradients(False), gradients(True), strict=True):
        np.testing.assert_allclose(fused.numpy(), formula.detach().numpy(), atol=1e-10)


def test_gradients_of_some_arguments_alone():
    x, w = eagre.randn(3, 4, 5), eagre.randn(4).requires_grad_()
    (alone,) = eagre.autograd.grad(F.group_norm(x, 2, w).sum(), [w])
    x.requires_grad_()
    _, both = eagre.autograd.grad(F.group_norm(x, 2, w).sum(), [x, w])
    eagre.testing.assert_close(alone, both)


def test_large_halves_have_statistics_in_float32():
    x = eagre.full((2, 1, 64, 64), 300.0, dtype=eagre.float16)
    x[0] = 301
    y = F.batch_norm(x, None, None, training=True)
    assert y.dtype == eagre.float16
    np.testing.assert_allclose(y.abs().numpy().astype(np.float32), 1, atol=1e-3)


def test_same_bits_with_any_number_of_threads():
    x = eagre.randn(8, 16, 20, 20).requires_grad_()
    w = eagre.randn(16, 16, 3, 3).requires_grad_()

    def run():
        y = F.batch_norm(F.conv2d(x, w, padding=1), None, None, training=True)
        return [y, *eagre.autograd.grad(y, [x, w], y.detach())]

    before = eagre.get_num_threads()
    try:
        results = []
        for threads in (1, 2):
            eagre.set_num_threads(threads)
            results.append([r.detach().numpy() for r in run()])
    finally:
        eagre.set_num_threads(before)
    for a, b in zip(*results, strict=True):
        assert np.array_equal(a, b)

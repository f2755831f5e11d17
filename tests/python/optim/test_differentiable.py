"""Gradients through the steps of optimizers: what a finite difference says."""

import pytest

import eagre

OPTIONS = {
    "SGD": {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
    "Adam": {"amsgrad": True, "weight_decay": 0.1},
    "AdamW": {"maximize": True},
    "Adagrad": {"weight_decay": 0.1, "lr_decay": 0.1},
    "RMSprop": {"centered": True, "momentum": 0.5},
    "Adadelta": {"weight_decay": 0.1},
    "Adamax": {},
    "NAdam": {"weight_decay": 0.1, "decoupled_weight_decay": True},
    "RAdam": {"weight_decay": 0.1, "betas": (0.9, 0.8)},
    "ASGD": {"t0": 1},
    "Rprop": {},
}


def after_steps(name, start, slope, rate=0.1, options=None):
    """Parameters after steps whose gradients depend on the start, and on the slope."""
    parameter = start.clone()
    optimizer = getattr(eagre.optim, name)(
        [parameter], lr=rate, differentiable=True, **(OPTIONS[name] if options is None else options)
    )
    for step in range(7):
        parameter.grad = slope * start * (step + 1) + slope.sin()
        optimizer.step()
    return parameter


@pytest.mark.parametrize("name", OPTIONS)
def test_gradients_of_steps(name):
    start = eagre.tensor([0.5, -1.0, 2.0], dtype=eagre.float64).requires_grad_()
    slope = eagre.tensor([1.0, 0.5, -0.7], dtype=eagre.float64).requires_grad_()
    assert eagre.autograd.gradcheck(lambda a, b: after_steps(name, a, b), (start, slope))


@pytest.mark.parametrize("name", [name for name in OPTIONS if name not in ("Rprop", "ASGD")])
def test_gradients_to_the_rate(name):
    start = eagre.tensor([0.5, -1.0], dtype=eagre.float64)
    slope = eagre.tensor([1.0, 0.5], dtype=eagre.float64)
    rate = eagre.tensor(0.1, dtype=eagre.float64).requires_grad_()
    options = {"foreach": False}
    assert eagre.autograd.gradcheck(
        lambda rate: after_steps(name, start, slope, rate, options), (rate,)
    )


def test_without_it_a_step_records_nothing():
    parameter = eagre.ones(2).requires_grad_()
    parameter.grad = eagre.ones(2).requires_grad_()
    eagre.optim.Adam([parameter]).step()
    assert parameter.grad_fn is None
    assert parameter.is_leaf

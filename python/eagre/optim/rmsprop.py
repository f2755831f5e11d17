"""RMSprop (Hinton 2012), centered as Graves (2013) has it."""

from eagre._C import is_grad_enabled, zeros_like
from eagre.optim._arithmetic import (
    add_quotient_,
    add_scaled_,
    average_square_,
    denominator,
    number,
    with_decay,
)
from eagre.optim._checks import check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["RMSprop"]


class RMSprop(GroupedOptimizer):
    """Divides by the root of a moving average of squares; by the deviation if `centered`."""

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False,
        capturable=False, foreach=None, maximize=False, differentiable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        state = {"step": counter(), "square_avg": zeros_like(parameter, requires_grad=False)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(parameter, requires_grad=False)
        if group["centered"]:
            state["grad_avg"] = zeros_like(parameter, requires_grad=False)
        return state

    def _update_group(self, group, lists):
        _update(
            lists.params, lists.grads, lists("square_avg"),
            lists("momentum_buffer") if group["momentum"] > 0 else [],
            lists("grad_avg") if group["centered"] else [], lists("step"),
            lr=number(group["lr"]), alpha=group["alpha"], eps=group["eps"],
            weight_decay=group["weight_decay"], momentum=group["momentum"],
            centered=group["centered"], maximize=group["maximize"],
        )  # fmt: skip


def _update(
    params, grads, square_avgs, momentum_buffers, grad_avgs, steps, *, lr, alpha, eps,
    weight_decay, momentum, centered, maximize,
):  # fmt: skip
    """One step. There are no buffers without momentum, and no `grad_avgs` unless centered."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        steps[index].add_(1)
        grad = with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)
        square = average_square_(square_avgs[index], grad, alpha)
        if centered:
            average = grad_avgs[index].lerp_(grad, 1 - alpha)
            if is_grad_enabled():
                average = average.clone()
            square = square.addcmul(average, average, value=-1)
        below = denominator(square, 1, eps)
        if momentum > 0:
            add_scaled_(param, momentum_buffers[index].mul_(momentum).addcdiv_(grad, below), -lr)
        else:
            add_quotient_(param, grad, below, -lr)

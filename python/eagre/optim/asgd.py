"""Averaged stochastic gradient descent (Polyak and Juditsky 1992)."""

from eagre._C import zeros_like
from eagre.optim._arithmetic import number, with_decay
from eagre.optim._checks import check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["ASGD"]


class ASGD(GroupedOptimizer):
    """Gradient descent with a falling rate; the state "ax" is the average of the parameters from
    step t0 on."""

    def __init__(
        self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None,
        maximize=False, differentiable=False, capturable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(weight_decay=weight_decay, lambd=lambd, alpha=alpha)
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        return {
            "step": counter(),
            "eta": counter(group["lr"]),
            "mu": counter(1),
            "ax": zeros_like(parameter, requires_grad=False),
        }

    def _update_group(self, group, lists):
        lr = group["lr"]
        _update(
            lists.params, lists.grads, lists("ax"), lists("eta"), lists("mu"), lists("step"),
            lr=float(number(lr)), lambd=group["lambd"], alpha=group["alpha"], t0=group["t0"],
            weight_decay=group["weight_decay"], maximize=group["maximize"],
        )  # fmt: skip


def _update(
    params, grads, averages, etas, mus, steps, *, lr, lambd, alpha, t0, weight_decay, maximize
):
    """One step."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        step = steps[index].add_(1).item()
        eta, mu = etas[index].item(), mus[index].item()
        grad = with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)
        param.mul_(1 - lambd * eta).add_(grad, alpha=-eta)
        if mu == 1:
            averages[index].copy_(param)
        else:
            averages[index].lerp_(param, mu)
        etas[index].fill_(lr / (1 + lambd * lr * step) ** alpha)
        mus[index].fill_(1 / max(1, step - t0))

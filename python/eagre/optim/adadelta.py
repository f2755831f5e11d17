"""Adadelta (Zeiler 2012)."""

from eagre._C import is_grad_enabled, zeros_like
from eagre.optim._arithmetic import add_scaled_, average_square_, number, with_decay
from eagre.optim._checks import check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["Adadelta"]


class Adadelta(GroupedOptimizer):
    """Steps in the units of the parameters: averages of squared steps over those of gradients."""

    def __init__(
        self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *,
        capturable=False, maximize=False, differentiable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_not_negative(eps=eps, weight_decay=weight_decay)
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        return {
            "step": counter(),
            "square_avg": zeros_like(parameter, requires_grad=False),
            "acc_delta": zeros_like(parameter, requires_grad=False),
        }

    def _update_group(self, group, lists):
        _update(
            lists.params, lists.grads, lists("square_avg"), lists("acc_delta"), lists("step"),
            lr=number(group["lr"]), rho=group["rho"], eps=group["eps"],
            weight_decay=group["weight_decay"], maximize=group["maximize"],
        )  # fmt: skip


def _update(params, grads, square_avgs, acc_deltas, steps, *, lr, rho, eps, weight_decay, maximize):
    """One step."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        steps[index].add_(1)
        grad = with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)
        square = average_square_(square_avgs[index], grad, rho)
        ratio = acc_deltas[index].add(eps)
        if is_grad_enabled():
            delta = (ratio / square.add(eps)).sqrt() * grad
        else:
            delta = ratio.div_(square.add(eps)).sqrt_().mul_(grad)
        average_square_(acc_deltas[index], delta, rho)
        add_scaled_(param, delta, -lr)

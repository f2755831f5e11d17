"""RAdam: Adam that waits until its averages vary little (Liu et al. 2020)."""

from eagre._C import zeros_like
from eagre.optim._arithmetic import (
    add_quotient_,
    add_scaled_,
    average_square_,
    decayed,
    denominator,
    number,
)
from eagre.optim._checks import check_betas, check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["RAdam"]


class RAdam(GroupedOptimizer):
    """Momentum alone in the first steps, then Adam with a factor for the variance."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False,
        differentiable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        return {
            "step": counter(),
            "exp_avg": zeros_like(parameter, requires_grad=False),
            "exp_avg_sq": zeros_like(parameter, requires_grad=False),
        }

    def _update_group(self, group, lists):
        beta1, beta2 = group["betas"]
        _update(
            lists.params, lists.grads, lists("exp_avg"), lists("exp_avg_sq"), lists("step"),
            lr=number(group["lr"]), beta1=number(beta1), beta2=number(beta2), eps=group["eps"],
            weight_decay=group["weight_decay"], decoupled=group["decoupled_weight_decay"],
            maximize=group["maximize"],
        )  # fmt: skip


def _update(
    params, grads, exp_avgs, exp_avg_sqs, steps, *, lr, beta1, beta2, eps, weight_decay,
    decoupled, maximize,
):  # fmt: skip
    """One step."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        step = steps[index].add_(1).item()
        grad = decayed(
            param, grad, lr, maximize=maximize, weight_decay=weight_decay, decoupled=decoupled
        )
        exp_avg = exp_avgs[index].lerp_(grad, 1 - beta1)
        square = average_square_(exp_avg_sqs[index], grad, beta2)
        rate = lr / (1 - beta1**step)
        factor = _factor(step, beta2)
        if factor is None:
            add_scaled_(param, exp_avg, -rate)
        else:
            rate = rate * factor * (1 - beta2**step) ** 0.5
            add_quotient_(param, exp_avg, denominator(square, 1, eps), -rate)


def _factor(step, beta2):
    """By how much to correct the variance; None while it is not known."""
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * step * beta2**step / (1 - beta2**step)
    if not length > 5:
        return None
    above = (length - 4) * (length - 2) * longest
    return (above / ((longest - 4) * (longest - 2) * length)) ** 0.5

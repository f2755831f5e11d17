"""NAdam: Adam with the momentum of Nesterov (Dozat 2016)."""

from eagre._C import zeros_like
from eagre.optim._arithmetic import (
    add_quotient_,
    average_square_,
    decayed,
    denominator,
    number,
)
from eagre.optim._checks import check_betas, check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["NAdam"]


class NAdam(GroupedOptimizer):
    """Adam that looks one step of its momentum ahead; the momentum grows by `momentum_decay`."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
        decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False,
        differentiable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay, momentum_decay=momentum_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        return {
            "step": counter(),
            "mu_product": counter(1),
            "exp_avg": zeros_like(parameter, requires_grad=False),
            "exp_avg_sq": zeros_like(parameter, requires_grad=False),
        }

    def _update_group(self, group, lists):
        beta1, beta2 = group["betas"]
        _update(
            lists.params, lists.grads, lists("exp_avg"), lists("exp_avg_sq"),
            lists("mu_product"), lists("step"), lr=number(group["lr"]), beta1=number(beta1),
            beta2=number(beta2), eps=group["eps"], weight_decay=group["weight_decay"],
            momentum_decay=group["momentum_decay"], decoupled=group["decoupled_weight_decay"],
            maximize=group["maximize"],
        )  # fmt: skip


def _update(
    params, grads, exp_avgs, exp_avg_sqs, mu_products, steps, *, lr, beta1, beta2, eps,
    weight_decay, momentum_decay, decoupled, maximize,
):  # fmt: skip
    """One step."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        step = steps[index].add_(1).item()
        grad = decayed(
            param, grad, lr, maximize=maximize, weight_decay=weight_decay, decoupled=decoupled
        )
        mu = beta1 * (1 - 0.5 * 0.96 ** (step * momentum_decay))
        next_mu = beta1 * (1 - 0.5 * 0.96 ** ((step + 1) * momentum_decay))
        product = mu_products[index].mul_(mu).item()
        exp_avg = exp_avgs[index].lerp_(grad, 1 - beta1)
        square = average_square_(exp_avg_sqs[index], grad, beta2)
        below = denominator(square, (1 - beta2**step) ** 0.5, eps)
        add_quotient_(param, grad, below, -lr * (1 - mu) / (1 - product))
        add_quotient_(param, exp_avg, below, -lr * next_mu / (1 - product * next_mu))

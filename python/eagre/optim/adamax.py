"""Adamax: Adam by the largest gradients in place of their squares (Kingma and Ba 2015)."""

from eagre._C import is_grad_enabled, maximum, zeros_like
from eagre.optim._arithmetic import add_quotient_, number, with_decay
from eagre.optim._checks import check_betas, check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["Adamax"]


class Adamax(GroupedOptimizer):
    """Divides a moving average of gradients by the largest gradient, which fades by beta2."""

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *,
        maximize=False, differentiable=False, capturable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        return {
            "step": counter(),
            "exp_avg": zeros_like(parameter, requires_grad=False),
            "exp_inf": zeros_like(parameter, requires_grad=False),
        }

    def _update_group(self, group, lists):
        beta1, beta2 = group["betas"]
        _update(
            lists.params, lists.grads, lists("exp_avg"), lists("exp_inf"), lists("step"),
            lr=number(group["lr"]), beta1=number(beta1), beta2=number(beta2), eps=group["eps"],
            weight_decay=group["weight_decay"], maximize=group["maximize"],
        )  # fmt: skip


def _update(
    params, grads, exp_avgs, exp_infs, steps, *, lr, beta1, beta2, eps, weight_decay, maximize
):
    """One step."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        step = steps[index].add_(1).item()
        grad = with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)
        exp_avg = exp_avgs[index].lerp_(grad, 1 - beta1)
        largest = exp_infs[index].mul_(beta2)
        if is_grad_enabled():
            largest.copy_(maximum(largest.clone(), grad.abs() + eps))
        else:
            maximum(largest, grad.abs().add_(eps), out=largest)
        add_quotient_(param, exp_avg, largest, -lr / (1 - beta1**step))

"""Adam (Kingma and Ba 2015), with AMSGrad (Reddi, Kale and Kumar 2018)."""

from eagre._C import Tensor, is_grad_enabled, maximum, zeros_like
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

__all__ = ["Adam"]


class Adam(GroupedOptimizer):
    """Moving averages of gradients and of their squares; steps of about lr in each element."""

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *,
        foreach=None, maximize=False, capturable=False, differentiable=False, fused=None,
        decoupled_weight_decay=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        check_not_negative(eps=eps)
        check_betas(betas)
        check_not_negative(weight_decay=weight_decay)
        if isinstance(betas[0], Tensor) != isinstance(betas[1], Tensor):
            raise ValueError("betas must be either both floats or both Tensors")
        for index, beta in enumerate(betas):
            if isinstance(beta, Tensor) and beta.numel() != 1:
                raise ValueError(f"Tensor betas[{index}] must be 1-element")
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        state = {
            "step": counter(),
            "exp_avg": zeros_like(parameter, requires_grad=False),
            "exp_avg_sq": zeros_like(parameter, requires_grad=False),
        }
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(parameter, requires_grad=False)
        return state

    def _update_group(self, group, lists):
        beta1, beta2 = group["betas"]
        _update(
            lists.params, lists.grads, lists("exp_avg"), lists("exp_avg_sq"),
            lists("max_exp_avg_sq") if group["amsgrad"] else [], lists("step"),
            lr=number(group["lr"]), beta1=number(beta1), beta2=number(beta2), eps=group["eps"],
            weight_decay=group["weight_decay"], decoupled=group["decoupled_weight_decay"],
            amsgrad=group["amsgrad"], maximize=group["maximize"],
        )  # fmt: skip


def _update(
    params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps, *, lr, beta1, beta2, eps,
    weight_decay, decoupled, amsgrad, maximize,
):  # fmt: skip
    """One step. There are no `max_exp_avg_sqs` without amsgrad."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        exp_avg, square = exp_avgs[index], exp_avg_sqs[index]
        step = steps[index].add_(1).item()
        grad = decayed(
            param, grad, lr, maximize=maximize, weight_decay=weight_decay, decoupled=decoupled
        )
        exp_avg.lerp_(grad, 1 - beta1)
        average_square_(square, grad, beta2)
        if amsgrad:
            largest = max_exp_avg_sqs[index]
            if is_grad_enabled():
                largest.copy_(maximum(largest.clone(), square))
            else:
                maximum(largest, square, out=largest)
            square = largest
        below = denominator(square, (1 - beta2**step) ** 0.5, eps)
        add_quotient_(param, exp_avg, below, -lr / (1 - beta1**step))

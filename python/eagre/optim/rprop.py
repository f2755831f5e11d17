"""Resilient backpropagation (Riedmiller and Braun 1993)."""

from eagre._C import full_like, ones_like, zeros_like
from eagre.optim._arithmetic import number, with_decay
from eagre.optim._checks import check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["Rprop"]


class Rprop(GroupedOptimizer):
    """Steps by the signs of gradients alone; a step grows while the sign stays."""

    def __init__(
        self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False,
        foreach=None, maximize=False, differentiable=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        start = float(number(group["lr"]))
        if parameter.is_complex():
            start = complex(start, start)
        return {
            "step": counter(),
            "prev": zeros_like(parameter, requires_grad=False),
            "step_size": full_like(parameter, start, requires_grad=False),
        }

    def _update_group(self, group, lists):
        shrink, grow = group["etas"]
        smallest, largest = group["step_sizes"]
        _update(
            lists.params, lists.grads, lists("prev"), lists("step_size"), lists("step"),
            shrink=shrink, grow=grow, smallest=smallest, largest=largest,
            maximize=group["maximize"],
        )  # fmt: skip


def _update(params, grads, prevs, step_sizes, steps, *, shrink, grow, smallest, largest, maximize):
    """One step. Where a sign turned the parameter waits, and the next sign counts as new."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        steps[index].add_(1)
        grad = with_decay(param, grad, maximize=maximize, weight_decay=0)
        agreement = grad.detach() * prevs[index].detach()
        turned = agreement < 0
        factor = ones_like(agreement).masked_fill_(agreement > 0, grow)
        factor.masked_fill_(turned, shrink)
        size = step_sizes[index].mul_(factor).clamp_(smallest, largest)
        grad = grad.masked_fill(turned, 0)
        param.addcmul_(grad.sign(), size, value=-1)
        prevs[index].copy_(grad)

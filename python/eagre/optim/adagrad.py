"""Adagrad (Duchi, Hazan and Singer 2011)."""

from eagre._C import full_like
from eagre.optim._arithmetic import add_quotient_, denominator, number, with_decay
from eagre.optim._checks import check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["Adagrad"]


class Adagrad(GroupedOptimizer):
    """Divides by the root of the sum of all squares of gradients so far."""

    def __init__(
        self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10,
        foreach=None, *, maximize=False, differentiable=False, fused=None,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            eps=eps,
        )
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for parameter in group["params"]:
                self.state[parameter] = self._new_state(parameter, group)

    def _new_state(self, parameter, group):
        start = group["initial_accumulator_value"]
        if parameter.is_complex():
            start = complex(start, start)
        return {"step": counter(), "sum": full_like(parameter, start, requires_grad=False)}

    def share_memory(self):
        """Puts the sums where processes share them."""
        for state in self.state.values():
            state["sum"].share_memory_()

    def _update_group(self, group, lists):
        _update(
            lists.params, lists.grads, lists("sum"), lists("step"), lr=number(group["lr"]),
            lr_decay=group["lr_decay"], eps=group["eps"], weight_decay=group["weight_decay"],
            maximize=group["maximize"],
        )  # fmt: skip


def _update(params, grads, sums, steps, *, lr, lr_decay, eps, weight_decay, maximize):
    """One step."""
    for param, grad, total, counted in zip(params, grads, sums, steps, strict=True):
        step = counted.add_(1).item()
        grad = with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)
        total.addcmul_(grad, grad)
        rate = lr / (1 + (step - 1) * lr_decay)
        add_quotient_(param, grad, denominator(total, 1, eps), -rate)

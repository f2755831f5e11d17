"""Stochastic gradient descent, with momentum (Polyak 1964, Nesterov 1983)."""

from eagre.optim._arithmetic import add_scaled, add_scaled_, number, with_decay
from eagre.optim._checks import check_not_negative, check_rate
from eagre.optim._grouped import GroupedOptimizer

__all__ = ["SGD"]


class SGD(GroupedOptimizer):
    """params -= lr * gradient, or lr * an average of gradients where there is momentum."""

    def __init__(
        self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *,
        maximize=False, foreach=None, differentiable=False, fused=None,
    ) -> None:  # fmt: skip
        check_rate(lr)
        check_not_negative(momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        return {"momentum_buffer": None} if group["momentum"] != 0 else {}

    def _update_group(self, group, lists):
        buffers = []
        if group["momentum"] != 0:
            for state in lists.states:
                state.setdefault("momentum_buffer", None)
            buffers = lists("momentum_buffer")
        _update(
            lists.params, lists.grads, buffers, lr=number(group["lr"]),
            momentum=group["momentum"], dampening=group["dampening"],
            weight_decay=number(group["weight_decay"]), nesterov=group["nesterov"],
            maximize=group["maximize"],
        )  # fmt: skip
        if buffers:
            lists.keep("momentum_buffer", buffers)


def _update(
    params, grads, momentum_buffers, *, lr, momentum, dampening, weight_decay, nesterov, maximize
):
    """One step. A buffer that is None starts as a copy of the gradient; there are none without
    momentum."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        grad = with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)
        if momentum != 0:
            buffer = momentum_buffers[index]
            if buffer is None:
                buffer = momentum_buffers[index] = grad.clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - dampening)
            grad = add_scaled(grad, buffer, momentum) if nesterov else buffer
        add_scaled_(param, grad, -lr)

"""Adafactor (Shazeer and Stern 2018)."""

from eagre._C import zeros_like
from eagre._finfo import finfo
from eagre.optim._arithmetic import decay_, number, with_decay
from eagre.optim._checks import Tensor
from eagre.optim._grouped import GroupedOptimizer
from eagre.optim._states import counter

__all__ = ["Adafactor"]


class Adafactor(GroupedOptimizer):
    """Keeps averages of squares by row and by column of each matrix, not by element."""

    def __init__(
        self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *,
        foreach=None, maximize=False,
    ) -> None:  # fmt: skip
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not lr >= 0.0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not beta2_decay <= 0.0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not eps[0] >= 0.0:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not eps[1] >= 0.0:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not d >= 1.0:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d,
            "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)

    def _new_state(self, parameter, group):
        if parameter.is_complex():
            raise RuntimeError("Adafactor does not support complex parameters")
        state = {"step": counter()}
        if parameter.dim() > 1:
            state["row_var"] = parameter.new_zeros((*parameter.shape[:-1], 1))
            columns = (*parameter.shape[:-2], 1, parameter.shape[-1])
            state["col_var"] = parameter.new_zeros(columns)
        else:
            state["variance"] = zeros_like(parameter, requires_grad=False)
        return state

    def _update_group(self, group, lists):
        variances = [
            (state["row_var"], state["col_var"]) if "row_var" in state else (state["variance"],)
            for state in lists.states
        ]
        _update(
            lists.params, lists.grads, variances, lists("step"), lr=number(group["lr"]),
            beta2_decay=group["beta2_decay"], eps=group["eps"], d=group["d"],
            weight_decay=group["weight_decay"], maximize=group["maximize"],
        )  # fmt: skip


def _update(params, grads, variances, steps, *, lr, beta2_decay, eps, d, weight_decay, maximize):
    """One step. `variances` has a row and a column for each matrix, a whole tensor for vectors."""
    for index, (param, grad) in enumerate(zip(params, grads, strict=True)):
        step = steps[index].add_(1).item()
        grad = with_decay(param, grad, maximize=maximize, weight_decay=0)
        smallest = finfo(param.dtype).eps if eps[0] is None else eps[0]
        root_size = param.numel() ** 0.5
        scale = max(eps[1], param.norm(2).item() / root_size) * min(lr, step**-0.5)
        decay_(param, lr, weight_decay)
        estimate = _estimate(variances[index], grad, step**beta2_decay, smallest)
        update = estimate.clamp_(min=smallest * smallest).rsqrt_().mul_(grad)
        clipped = max(1.0, update.norm(2).item() / (root_size * d))
        param.add_(update, alpha=-scale / clipped)


def _estimate(variance, grad, weight, smallest):
    """The averages with the new gradient in them, and what they say of the square by element."""
    if len(variance) == 1:
        return variance[0].lerp_(grad.square(), weight).clone()
    row, column = variance
    row.lerp_(grad.norm(dim=-1, keepdim=True).square_().div_(grad.size(-1)), weight)
    column.lerp_(grad.norm(dim=-2, keepdim=True).square_().div_(grad.size(-2)), weight)
    return (row @ column).div_(row.mean(dim=-2, keepdim=True).clamp_(min=smallest))

"""Muon: momentum whose singular values are made one (Jordan 2024)."""

from math import sqrt

from eagre._C import Tensor, addmm, bfloat16, zeros_like
from eagre.optim._arithmetic import decay_, number
from eagre.optim._grouped import GroupedOptimizer

__all__ = ["Muon"]


class Muon(GroupedOptimizer):
    """For the matrices of hidden layers; other parameters want another optimizer."""

    def __init__(
        self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None,
    ) -> None:  # fmt: skip
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not lr >= 0.0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not momentum >= 0.0:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.dim() != 2:
                    raise ValueError(
                        "Muon only supports 2D parameters whereas we found a parameter with size: "
                        f"{parameter.size()}"
                    )

    def _new_state(self, parameter, group):
        if parameter.is_complex():
            raise RuntimeError("Muon does not support complex parameters")
        return {"momentum_buffer": zeros_like(parameter, requires_grad=False)}

    def _update_group(self, group, lists):
        _update(
            lists.params, lists.grads, lists("momentum_buffer"), lr=number(group["lr"]),
            weight_decay=group["weight_decay"], momentum=group["momentum"],
            nesterov=group["nesterov"], coefficients=group["ns_coefficients"],
            eps=group["eps"], rounds=group["ns_steps"], adjust=group["adjust_lr_fn"],
        )  # fmt: skip


def _update(
    params, grads, momentum_buffers, *, lr, weight_decay, momentum, nesterov, coefficients, eps,
    rounds, adjust,
):  # fmt: skip
    """One step."""
    for param, grad, buffer in zip(params, grads, momentum_buffers, strict=True):
        buffer.lerp_(grad, 1 - momentum)
        update = grad.lerp(buffer, momentum) if nesterov else buffer
        update = orthogonalized(update, coefficients, rounds, eps)
        decay_(param, lr, weight_decay)
        param.add_(update, alpha=-lr * _scale(param.shape, adjust))


def _scale(shape, adjust):
    rows, columns = shape
    if adjust == "match_rms_adamw":
        return 0.2 * sqrt(max(rows, columns))
    return sqrt(max(1, rows / columns))


def orthogonalized(matrix, coefficients, rounds, eps):
    """A matrix of the same singular vectors whose singular values are about one: rounds of an odd
    polynomial of degree five (Newton and Schulz), in bfloat16."""
    if rounds >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    first, third, fifth = coefficients
    result = matrix.to(bfloat16)
    is_tall = matrix.size(0) > matrix.size(1)
    if is_tall:
        result = result.T
    result = result / result.norm().clamp(min=eps)
    for _ in range(rounds):
        square = result @ result.T
        square = addmm(square, square, square, beta=third, alpha=fifth)
        result = addmm(result, square, result, beta=first)
    return (result.T if is_tall else result).to(matrix.dtype)

"""Gradients made shorter."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from eagre import _C
from eagre.autograd.grad_mode import no_grad

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre import Tensor

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
]


def _gradients(parameters):
    if isinstance(parameters, _C.Tensor):
        parameters = [parameters]
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


@no_grad()
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None) -> Tensor:
    """The norm of all elements of all tensors, as if they were one vector.

    >>> eagre.nn.utils.get_total_norm([eagre.tensor([3.]), eagre.tensor([4.])])
    tensor(5.)
    """
    tensors = [tensors] if isinstance(tensors, _C.Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return _C.tensor(0.0)
    device = tensors[0].device
    norms = [_C._linalg_vector_norm(tensor, norm_type).to(device) for tensor in tensors]
    total = _C._linalg_vector_norm(_C.stack(norms), norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


@no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None) -> None:
    """Multiplies gradients with max_norm / total_norm, where that is less than one."""
    gradients = _gradients(parameters)
    if not gradients:
        return
    # Without a question to the values, for which a device would have to be waited for.
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor.to(gradient.device))


@no_grad()
def clip_grad_norm_(
    parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None
) -> Tensor:
    """Multiplies the gradients of `parameters` with one number, so that their common norm is at
    most `max_norm`. Returns the norm that they had."""
    if isinstance(parameters, _C.Tensor):
        parameters = [parameters]
    elif not isinstance(parameters, list):
        is_generator = not hasattr(parameters, "__len__")
        parameters = list(parameters)
        if is_generator and not parameters:
            warnings.warn(
                "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3
            )
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """An old name of clip_grad_norm_()."""
    warnings.warn(
        "torch.nn.utils.clip_grad_norm is now deprecated in favor of "
        "torch.nn.utils.clip_grad_norm_.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@no_grad()
def clip_grad_value_(parameters: _C.Tensor | Iterable[_C.Tensor], clip_value, foreach=None) -> None:
    """Cuts every element of the gradients off at -clip_value and clip_value."""
    clip_value = float(clip_value)
    for gradient in _gradients(parameters):
        gradient.clamp_(-clip_value, clip_value)

"""The functions of neural networks, under PyTorch's names for them: those that records list;
interpolate(), which knows factors; attention of several heads; a loss that takes a function."""

import eagre._C as _C
from eagre import _given, _unsupported
from eagre._fractional_pool import (
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
)
from eagre._interpolate import interpolate, upsample, upsample_bilinear, upsample_nearest
from eagre._linear_cross_entropy import linear_cross_entropy
from eagre._multi_head_attention import multi_head_attention_forward
from eagre._torch_function import overridable as _overridable
from eagre.nn._functional_names import *  # noqa: F403
from eagre.nn._functional_names import __all__ as _of_records

__all__ = [
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "interpolate",
    "linear_cross_entropy",
    "multi_head_attention_forward",
    "triplet_margin_with_distance_loss",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]
__all__ += _of_records


def _import(name):
    if name != "grad":
        raise _unsupported.error(__name__, name)
    from eagre.nn import grad

    return grad


globals()["__getattr__"] = _import  # unseen by type checkers


@_overridable
def triplet_margin_with_distance_loss(
    anchor,
    positive,
    negative,
    *,
    distance_function=None,
    margin=1.0,
    swap=False,
    reduction="mean",
) -> _C.Tensor:
    """By how much the distance of `anchor` to `negative` is not `margin` above that to `positive`.
    `distance_function` gives the distances of two tensors, pairwise_distance() unless it is given;
    with `swap` that of `positive` to `negative` counts where it is less."""
    name = "triplet_margin_with_distance_loss"
    _given.need_tensors(name, anchor=anchor, positive=positive, negative=negative)
    _given.need_numbers(name, margin=margin)
    if distance_function is not None and not callable(distance_function):
        raise _given.wrong_type(name, "distance_function", "a function", distance_function)
    ranks = [tensor.dim() for tensor in (anchor, positive, negative)]
    if not margin > 0:
        raise _C.InvalidArgumentError(
            f"{name}(): argument 'margin' must be a positive number, but got {margin}"
        )
    if len(set(ranks)) > 1:
        raise _C.InvalidArgumentError(
            f"{name}(): expected tensors with the same number of dimensions, but 'anchor', "
            f"'positive' and 'negative' have {ranks}"
        )
    if reduction not in ("none", "mean", "sum"):
        raise _C.InvalidArgumentError(
            f"{name}(): argument 'reduction' must be 'none', 'mean' or 'sum', but got '{reduction}'"
        )
    distance = distance_function or _C.pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _C.minimum(far, distance(positive, negative))
    # The loss of margins: what far - near is below one.
    rise = far - near
    return _C.margin_ranking_loss(
        rise, _C.zeros_like(rise), _C.ones_like(rise), margin, reduction=reduction
    )


def __dir__():
    return __all__

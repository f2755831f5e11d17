"""A batch normalization in evaluation, put into the layer in front of it."""

from __future__ import annotations

import copy

from eagre import _C
from eagre.nn.parameter import Parameter

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.nn.modules.module import Module

__all__ = [
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
]


def _fused(layer, bn, weights):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    fused = copy.deepcopy(layer)
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    fused.weight, fused.bias = weights(fused)
    return fused


def fuse_conv_bn_eval(conv, bn, transpose=False) -> Module:
    """A copy of `conv` that does what `bn` does too; both must be in evaluation mode."""
    return _fused(
        conv,
        bn,
        lambda made: fuse_conv_bn_weights(
            made.weight,
            made.bias,
            bn.running_mean,
            bn.running_var,
            bn.eps,
            bn.weight,
            bn.bias,
            transpose,
        ),
    )


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Weight and bias of such a copy, from those of both layers and the statistics."""
    bias_dtype = conv_b.dtype if conv_b is not None else conv_w.dtype
    conv_b = _C.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = _C.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = _C.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = bn_w * _C.rsqrt(bn_rv + bn_eps)
    shape = [1, -1] if transpose else [-1, 1]
    weight = (conv_w * scale.reshape(shape + [1] * (conv_w.dim() - 2))).to(dtype=conv_w.dtype)
    bias = ((conv_b - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return (
        Parameter(weight, conv_w.requires_grad),
        Parameter(bias, conv_b.requires_grad),
    )


def fuse_linear_bn_eval(linear, bn) -> Module:
    """A copy of `linear` that does what `bn` does too; both must be in evaluation mode."""
    if bn.num_features not in (linear.out_features, 1):
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1"
        )
    return _fused(
        linear,
        bn,
        lambda made: fuse_linear_bn_weights(
            made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
        ),
    )


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Weight and bias of such a copy, from those of both layers and the statistics."""
    bias_dtype = linear_b.dtype if linear_b is not None else linear_w.dtype
    linear_b = _C.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * _C.rsqrt(bn_rv + bn_eps)
    weight = (linear_w * scale.unsqueeze(-1)).to(dtype=linear_w.dtype)
    bias = ((linear_b - bn_rm) * scale + bn_b).to(dtype=bias_dtype)
    return (
        Parameter(weight, linear_w.requires_grad),
        Parameter(bias, linear_b.requires_grad),
    )

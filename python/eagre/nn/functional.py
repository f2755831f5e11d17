"""The functions of neural networks, under the names that code for PyTorch uses."""

import eagre._C as _C
from eagre._C import (
    cross_entropy,
    embedding,
    gelu,
    layer_norm,
    linear,
    log_softmax,
    mse_loss,
    nll_loss,
    sigmoid,
    softmax,
    softplus,
    tanh,
)

__all__ = [
    "cross_entropy",
    "dropout",
    "embedding",
    "gelu",
    "layer_norm",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "relu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "tanh",
]


def relu(input, inplace=False):
    """`eagre.relu`, or with `inplace` the tensor itself, changed."""
    return input.relu_() if inplace else _C.relu(input)


def silu(input, inplace=False):
    """`eagre.silu`, or with `inplace` the tensor itself, changed."""
    return input.silu_() if inplace else _C.silu(input)


def dropout(input, p=0.5, training=True, inplace=False):
    """`eagre.dropout`, or with `inplace` the tensor itself, changed."""
    return input.dropout_(p, training) if inplace else _C.dropout(input, p, training)

"""The functions of neural networks, under the names that code for PyTorch uses: those that records
list, and a few with arguments of their own."""

import eagre._C as _C
from eagre import _unsupported
from eagre._torch_function import overridable as _overridable
from eagre.nn._functional_names import *  # noqa: F403
from eagre.nn._functional_names import __all__ as _of_records

__all__ = ["dropout", "embedding", "relu", "silu"]
__all__ += _of_records

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


@_overridable
def relu(input, inplace=False) -> _C.Tensor:
    """`eagre.relu`, or with `inplace` the tensor itself, changed."""
    return input.relu_() if inplace else _C.relu(input)


@_overridable
def silu(input, inplace=False) -> _C.Tensor:
    """`eagre.silu`, or with `inplace` the tensor itself, changed."""
    return input.silu_() if inplace else _C.silu(input)


@_overridable
def embedding(input, weight, padding_idx=None) -> _C.Tensor:
    """The rows of the matrix `weight` that the integers in `input` name. Row `padding_idx`, which
    may count from the end, gets no gradient."""
    try:
        return _embedding(input, weight, padding_idx)
    except _C.Error as error:  # of the operator, which calls its argument `indices`
        message = str(error).replace("argument 'indices'", "argument 'input'")
        raise type(error)(message) from None


def _embedding(input, weight, padding_idx):
    if padding_idx is None:
        return _C.embedding(weight, input)
    rows = len(weight)
    if not -rows <= padding_idx < rows:
        raise _C.InvalidArgumentError(
            f"embedding(): argument 'padding_idx' must be a row of 'weight', from {-rows} to "
            f"{rows - 1}, but got {padding_idx}"
        )
    return _C.embedding(weight, input, padding_idx % rows)


@_overridable
def dropout(input, p=0.5, training=True, inplace=False) -> _C.Tensor:
    """`eagre.dropout`, or with `inplace` the tensor itself, changed."""
    return input.dropout_(p, training) if inplace else _C.dropout(input, p, training)


def __dir__():
    return __all__

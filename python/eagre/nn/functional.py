"""The functions of neural networks, under the names that code for PyTorch uses: those that records
list, embedding(), which counts rows from the end as well, and interpolate(), which knows factors."""

import eagre._C as _C
from eagre import _unsupported
from eagre._interpolate import interpolate, upsample, upsample_bilinear, upsample_nearest
from eagre._torch_function import overridable as _overridable
from eagre.nn._functional_names import *  # noqa: F403
from eagre.nn._functional_names import __all__ as _of_records

__all__ = ["embedding", "interpolate", "upsample", "upsample_bilinear", "upsample_nearest"]
__all__ += _of_records

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


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


def __dir__():
    return __all__

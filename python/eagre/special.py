"""Special functions, under the names that code for PyTorch uses."""

from eagre._C import (
    erf,
    expm1,
    log1p,
    log_softmax,
    logsumexp,
    round,  # noqa: A004  PyTorch's name
    softmax,
)
from eagre._C import sigmoid as expit

__all__ = ["erf", "expit", "expm1", "log1p", "log_softmax", "logsumexp", "round", "softmax"]

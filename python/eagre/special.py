"""Special functions, under the names that code for PyTorch uses."""

from eagre._C import (
    erf,
    erfc,
    exp2,
    expm1,
    log1p,
    log_softmax,
    logit,
    logsumexp,
    round,  # noqa: A004  PyTorch's name
    sinc,
    softmax,
    xlogy,
)
from eagre._C import sigmoid as expit

__all__ = ["erf", "erfc", "exp2", "expit", "expm1", "log1p", "log_softmax", "logit", "logsumexp"]
__all__ += ["round", "sinc", "softmax", "xlogy"]

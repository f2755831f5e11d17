"""Special functions, under the names that code for PyTorch uses."""

from eagre._C import (
    digamma,
    erf,
    erfc,
    erfinv,
    exp2,
    expm1,
    i0,
    log1p,
    log_softmax,
    logit,
    logsumexp,
    polygamma,
    round,  # noqa: A004  PyTorch's name
    sinc,
    softmax,
    xlogy,
)
from eagre._C import digamma as psi
from eagre._C import lgamma as gammaln
from eagre._C import sigmoid as expit

__all__ = ["digamma", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "log1p"]
__all__ += ["log_softmax", "logit", "logsumexp", "polygamma", "psi", "round", "sinc", "softmax"]
__all__ += ["xlogy"]

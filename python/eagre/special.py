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

_COMPOSED = ("erfc", "exp2", "logit", "sinc", "xlogy")
__all__ = ["erf", "expit", "expm1", "log1p", "log_softmax", "logsumexp", "round", "softmax"]
__all__ += _COMPOSED


def __getattr__(name):
    if name not in _COMPOSED:
        raise AttributeError(f"module 'eagre.special' has no attribute '{name}'")
    from eagre import elementwise

    return getattr(elementwise, name)

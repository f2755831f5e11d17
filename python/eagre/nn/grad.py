"""Gradients of convolutions, under the names that code for PyTorch uses; records list them."""

from eagre import _unsupported
from eagre.nn._grad_names import *  # noqa: F403
from eagre.nn._grad_names import __all__  # noqa: F401

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


def __dir__():
    return __all__

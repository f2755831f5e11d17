"""Tools for networks: sequences of several lengths (rnn)."""

from eagre import _unsupported
from eagre.nn.utils import rnn

__all__ = ["rnn"]

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


def __dir__():
    return __all__

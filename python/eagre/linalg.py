"""Linear algebra, under the names that code for PyTorch uses; records list them."""

from eagre import _C, _unsupported
from eagre._linalg_names import *  # noqa: F403
from eagre._linalg_names import __all__  # noqa: F401

LinAlgError = _C.LinAlgError

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers

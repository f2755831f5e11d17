"""Special functions, under the names that code for PyTorch uses; records list them."""

from eagre._special_names import *  # noqa: F403
from eagre._special_names import __all__  # noqa: F401

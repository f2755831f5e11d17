"""Tools for tests: comparing tensors, making some."""

from eagre.testing._comparison import assert_close
from eagre.testing._creation import make_tensor

__all__ = ["assert_close", "make_tensor"]

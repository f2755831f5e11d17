"""Tools for tests: comparing tensors, making some."""

from eagre.testing.closeness import assert_close
from eagre.testing.random_tensors import make_tensor

__all__ = ["assert_close", "make_tensor"]

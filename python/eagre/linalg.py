"""Linear algebra, under the names that code for PyTorch uses."""

from eagre._C import _linalg_vector_norm as vector_norm
from eagre._C import matmul

__all__ = ["matmul", "vector_norm"]

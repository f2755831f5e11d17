"""Linear algebra, under the names that code for PyTorch uses."""

from eagre._C import matmul

__all__ = ["matmul"]

"""PyTorch's place for Variable, its old name of Tensor."""

from eagre.autograd.engine import Variable

__all__ = ["Variable"]

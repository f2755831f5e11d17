"""PyTorch's second place for some functions of `eagre`: eagre.functional.einsum is eagre.einsum."""

from eagre import broadcast_shapes, chain_matmul, unravel_index
from eagre._functional_names import *  # noqa: F403
from eagre._functional_names import __all__ as _of_records

__all__ = ["broadcast_shapes", "chain_matmul", "unravel_index"]
__all__ += _of_records


def __dir__():
    return __all__

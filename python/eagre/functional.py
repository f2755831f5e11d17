"""PyTorch's second place for some functions of `eagre`: eagre.functional.einsum is eagre.einsum."""

import eagre

_NAMES = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "einsum",
    "meshgrid",
    "norm",
    "split",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]
__all__ = [*_NAMES]


def __getattr__(name):
    if name in _NAMES:
        return getattr(eagre, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return __all__

"""unique as Python calls it: results that depend on what was asked for."""

from __future__ import annotations

from eagre import _C

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any


def unique(
    input: _C.Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None)

    The distinct elements in order, or with `dim` the distinct slices; where asked for, in a tuple
    with the place of each input among them and with how often each appears.

    >>> values, counts = eagre.unique(eagre.tensor([3, 1, 3]), return_counts=True)
    >>> values, counts
    (tensor([1, 3]), tensor([1, 2]))
    """
    found = _C._unique(input, sorted, return_inverse, return_counts, dim)
    return _asked_for(found, return_inverse, return_counts)


def unique_consecutive(
    input: _C.Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)

    The elements, or with `dim` the slices, without those that equal the one before: see `unique`.

    >>> eagre.unique_consecutive(eagre.tensor([3, 3, 1, 3]))
    tensor([3, 1, 3])
    """
    found = _C._unique_consecutive(input, return_inverse, return_counts, dim)
    return _asked_for(found, return_inverse, return_counts)


def _asked_for(found, return_inverse, return_counts):
    values, inverse, counts = found
    if not (return_inverse or return_counts):
        return values
    return (values, *([inverse] * return_inverse), *([counts] * return_counts))

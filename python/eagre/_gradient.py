"""gradient as Python calls it: distances as numbers, and dimensions that are left out."""

from __future__ import annotations

from eagre import _C, _given

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any


def gradient(
    input: _C.Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1
) -> tuple[_C.Tensor, ...]:
    """gradient(input, *, spacing=1, dim=None, edge_order=1) -> tuple of Tensors

    Estimates of the derivatives along `dim`, or along every dimension, from the elements on both
    sides. They are `spacing` apart: a number, or for each dimension a number or the places of its
    elements. At both ends there are one or two elements (`edge_order`) to go by.

    >>> eagre.gradient(eagre.tensor([1., 2., 4., 8.]))
    (tensor([1.0000, 1.5000, 3.0000, 4.0000]),)
    """
    _given.need_tensors("gradient", input=input)
    if dim is None:
        dims = list(range(input.dim()))
    elif isinstance(dim, (list, tuple)):
        dims = list(dim)
    else:
        dims = [dim]
    given = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    return _C._gradient(input, [_as_tensor(s, input) for s in given], dims, edge_order=edge_order)


def _as_tensor(spacing, input):
    if isinstance(spacing, _C.Tensor):
        return spacing
    if spacing is None:
        spacing = 1
    elif not isinstance(spacing, complex):
        _given.need_numbers("gradient", spacing=spacing)
    whole = not (input.is_floating_point() or input.is_complex())
    dtype = _C.get_default_dtype() if whole else input.dtype
    return _C.full((), spacing, dtype=dtype, device=input.device)

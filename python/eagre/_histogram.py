"""histogram and histogramdd as Python calls them: parts of equal width by their number."""

from __future__ import annotations

from operator import itemgetter

from eagre import _C, _given

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any


class Points(tuple):
    """What histogramdd() returns: counts, and the edges for each coordinate. Made of both in a
    sequence, as PyTorch's results with names are."""

    __slots__ = ()
    hist = property(itemgetter(0))
    bin_edges = property(itemgetter(1))


def histogram(
    input: _C.Tensor,
    bins: Any = 100,
    *,
    range: Any = None,
    weight: _C.Tensor | None = None,
    density: bool = False,
    out: Any = None,
) -> Any:
    """histogram(input, bins=100, *, range=None, weight=None, density=False, out=None)

    How many elements, or what sum of their weights, lies in each part: `bins` are the edges, or how
    many parts of equal width there are from `range[0]` to `range[1]`, or else from the smallest
    element to the largest. With `density`, per width and as a share of all. Results: hist and
    bin_edges.

    >>> eagre.histogram(eagre.tensor([1., 2., 1., 3.]), 2).hist
    tensor([2., 2.])
    """
    _given.need_tensors("histogram", input=input)
    if not isinstance(bins, _C.Tensor):
        flat = input.detach().reshape(-1)
        bins = _edges("histogram", flat, bins, _bounds("histogram", range))
    return _C._histogram(input, bins, weight=weight, density=density, out=out)


def histogramdd(
    input: _C.Tensor,
    bins: Any,
    *,
    range: Any = None,
    weight: _C.Tensor | None = None,
    density: bool = False,
) -> Any:
    """histogramdd(input, bins, *, range=None, weight=None, density=False)

    The same of points, whose coordinates are the last dimension: `bins` has edges, or a number of
    parts, for each of these, and `range` two bounds for each. Results: hist, and all edges.

    >>> eagre.histogramdd(eagre.tensor([[0., 1.], [1., 0.]]), bins=[2, 1]).hist
    tensor([[1.],
            [1.]])
    """
    _given.need_tensors("histogramdd", input=input)
    count = input.shape[-1] if input.dim() > 0 else 0
    if isinstance(bins, int):
        given = [bins] * count
    elif isinstance(bins, (list, tuple)):
        given = list(bins)
    else:
        raise _given.wrong_type("histogramdd", "bins", "an int, or a list of ints or Tensors", bins)
    bounds = _bounds("histogramdd", range)
    if bounds is not None and len(bounds) != 2 * count:
        raise _C.InvalidArgumentError(
            f"histogramdd(): argument 'range' must have {2 * count} bounds, but got {len(bounds)}"
        )
    edges = []
    for d, one in enumerate(given):
        if not isinstance(one, _C.Tensor) and d < count:
            column = input.detach().select(-1, d).reshape(-1)
            own = None if bounds is None else tuple(bounds[2 * d : 2 * d + 2])
            one = _edges("histogramdd", column, one, own)
        edges.append(one)
    hist = _C._histogramdd(input, edges, weight=weight, density=density)
    return Points((hist, tuple(edges)))


def _bounds(name, given):
    """`range`, whose numbers are those of a list or tuple."""
    if given is None:
        return None
    if not isinstance(given, (list, tuple)) or not all(map(_given.is_number, given)):
        raise _given.wrong_type(name, "range", "a tuple of floats", given)
    return tuple(given)


def _edges(name, values, count, bounds):
    if not hasattr(count, "__index__"):
        raise _given.wrong_type(name, "bins", "an int or edges in a Tensor", count)
    if count <= 0:
        raise _C.InvalidArgumentError(f"{name}(): bins must be > 0, but got {count}")
    if bounds is not None and len(bounds) != 2:
        raise _C.InvalidArgumentError(
            f"{name}(): argument 'range' must have 2 bounds, but got {len(bounds)}"
        )
    if bounds is None and _C._is_batched(values):
        return _edges_of_each(values, count)
    if bounds is None and values.numel() > 0 and values.device.type != "meta":
        bounds = (values.min().item(), values.max().item())
    low, high = map(float, bounds or (0, 1))
    if not (abs(low) < float("inf") and abs(high) < float("inf")):
        raise _C.InvalidArgumentError(f"{name}(): the range from {low} to {high} is not finite")
    if low > high:
        raise _C.InvalidArgumentError(
            f"{name}(): min should not exceed max, but 'range' is {low} to {high}"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    dtype = values.dtype if values.is_floating_point() else None
    return _C.linspace(low, high, count + 1, dtype=dtype, device=values.device)


def _edges_of_each(values, count):
    """The edges of each sample of a batch, whose bounds are no numbers: from the lower one up to
    the middle and from the upper one down to it, as linspace() counts."""
    if values.numel() == 0:
        return _edges("histogram", values, count, (0, 1))
    dtype = values.dtype if values.is_floating_point() else _C.get_default_dtype()
    low, high = values.min().double(), values.max().double()
    is_flat = low == high
    low, high = _C.where(is_flat, low - 0.5, low), _C.where(is_flat, high + 0.5, high)
    step = (high - low) / count
    places = _C.arange(count + 1, dtype=_C.float64, device=values.device)
    up, down = low + step * places, high - step * (count - places)
    return _C.where(places < (count + 1) // 2, up, down).to(dtype)

"""Sums, extremes, order, sets: results that depend on many elements."""

from collections import namedtuple

import eagre
from eagre.array_api._dtypes import SIGNED, UNSIGNED, check, promoted

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "isin",
    "matmul",
    "matrix_transpose",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "searchsorted",
    "sort",
    "std",
    "sum",
    "tensordot",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "var",
    "vecdot",
    "where",
]

unique_all_result = namedtuple("unique_all_result", "values indices inverse_indices counts")
unique_counts_result = namedtuple("unique_counts_result", "values counts")
unique_inverse_result = namedtuple("unique_inverse_result", "values inverse_indices")


def _along(function, x, axis, keepdims, **options):
    """Along several axes, one by one; along all of them if none is named."""
    rank = x.ndim
    axes = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for place in sorted((a % rank if -rank <= a < rank else a for a in axes), reverse=True):
        x = function(x, dim=place, keepdim=keepdims, **options)
    return x


def _sum_dtype(x, dtype):
    """Small integers are summed as large ones."""
    if dtype is not None or x.dtype not in SIGNED + UNSIGNED:
        return dtype or x.dtype
    return eagre.int64 if x.dtype in SIGNED else eagre.uint64


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    check("sum", "numeric", x)
    wanted = _sum_dtype(x, dtype)
    inner = eagre.int64 if wanted in UNSIGNED else wanted
    if axis == ():
        return x.to(wanted)
    return eagre.sum(x.to(inner), dim=axis, keepdim=keepdims).to(wanted)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    check("prod", "numeric", x)
    wanted = _sum_dtype(x, dtype)
    inner = eagre.int64 if wanted in UNSIGNED else wanted
    return _along(eagre.prod, x.to(inner), axis, keepdims).to(wanted)


def mean(x, /, *, axis=None, keepdims=False):
    check("mean", "floating", x)
    return x.clone() if axis == () else eagre.mean(x, dim=axis, keepdim=keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    check("var", "real floating", x)
    if axis == ():  # each element for itself
        return eagre.var(x.unsqueeze(-1), dim=-1, correction=correction)
    return eagre.var(x, dim=axis, correction=correction, keepdim=keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    check("std", "real floating", x)
    if axis == ():
        return eagre.std(x.unsqueeze(-1), dim=-1, correction=correction)
    return eagre.std(x, dim=axis, correction=correction, keepdim=keepdims)


def max(x, /, *, axis=None, keepdims=False):
    check("max", "real", x)
    return x.clone() if axis == () else _extreme(eagre.amax, x, axis, keepdims)


def min(x, /, *, axis=None, keepdims=False):
    check("min", "real", x)
    return x.clone() if axis == () else _extreme(eagre.amin, x, axis, keepdims)


def _extreme(function, x, axis, keepdims):
    result = function(_ordered(x), () if axis is None else axis, keepdims)
    return _moved(result).view(x.dtype) if x.dtype == eagre.uint64 else result.to(x.dtype)


def _ordered(x):
    """Integers that have kernels, in the same order: uint64 is moved down by half of its range."""
    if x.dtype in (eagre.uint16, eagre.uint32):
        return x.to(eagre.int64)
    return _moved(x.view(eagre.int64)) if x.dtype == eagre.uint64 else x


def _moved(x):
    return x ^ eagre.iinfo(eagre.int64).min


def all(x, /, *, axis=None, keepdims=False):
    check("all", "all", x)
    return _along(eagre.all, x.to(eagre.bool), axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    check("any", "all", x)
    return _along(eagre.any, x.to(eagre.bool), axis, keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    check("count_nonzero", "all", x)
    return eagre.sum((x != 0).to(eagre.int64), dim=axis, keepdim=keepdims)


def _cumulative(name, function, start, x, axis, dtype, include_initial):
    check(name, "numeric", x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(
                f"array_api.{name}(): 'axis' must be given unless the array has one axis"
            )
        axis = 0
    wanted = _sum_dtype(x, dtype)
    result = function(x.to(eagre.int64 if wanted in UNSIGNED else wanted), dim=axis)
    if include_initial:
        first = eagre.full_like(result.narrow(axis, 0, 1), start) if x.shape[axis] else None
        if first is None:
            shape = list(x.shape)
            shape[axis] = 1
            first = result.new_full(shape, start)
        result = eagre.cat([first, result], axis)
    return result.to(wanted)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulative("cumulative_sum", eagre.cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return _cumulative("cumulative_prod", eagre.cumprod, 1, x, axis, dtype, include_initial)


def argmax(x, /, *, axis=None, keepdims=False):
    check("argmax", "real", x)
    return eagre.argmax(_ordered(x), dim=axis, keepdim=keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    check("argmin", "real", x)
    return eagre.argmin(_ordered(x), dim=axis, keepdim=keepdims)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    check("sort", "real", x)
    return eagre.sort(x, dim=axis, descending=descending, stable=stable)[0]


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    check("argsort", "real", x)
    return eagre.sort(x, dim=axis, descending=descending, stable=stable)[1]


def nonzero(x, /):
    if x.ndim == 0:
        raise ValueError("array_api.nonzero(): an array without axes has no places")
    return tuple(eagre.nonzero(x, as_tuple=True))


def where(condition, x1, x2, /):
    check("where", "bool", condition)
    return eagre.where(condition, *promoted("where", "all", x1, x2))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    if sorter is not None:
        x1 = x1.index_select(0, sorter)
    return eagre.searchsorted(x1, x2, side=side)


def isin(x1, x2, /, *, invert=False):
    return eagre.isin(*promoted("isin", "all", x1, x2), invert=invert)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    check("diff", "numeric", x)
    return eagre.diff(x, n, axis, prepend, append)


def _unique(x):
    """Values, the place of each element's among them, counts. Complex numbers, which have no order,
    are told apart as pairs, where 0 and -0 are the same."""
    if not x.is_complex():
        return eagre.unique(x, return_inverse=True, return_counts=True)
    pairs = eagre.view_as_real(x.reshape(-1)) + 0.0
    columns = [eagre.unique(column, return_inverse=True) for column in pairs.unbind(-1)]
    (real, first), (imag, second) = columns
    width = imag.numel() or 1
    codes = first * width + second
    codes, inverse, counts = eagre.unique(codes, return_inverse=True, return_counts=True)
    values = eagre.complex(real[codes // width], imag[codes % width])
    return values, inverse, counts


def unique_values(x, /):
    return _unique(x)[0]


def unique_counts(x, /):
    values, _, counts = _unique(x)
    return unique_counts_result(values, counts)


def unique_inverse(x, /):
    values, inverse, _ = _unique(x)
    return unique_inverse_result(values, inverse.reshape(x.shape))


def unique_all(x, /):
    values, inverse, counts = _unique(x)
    # A stable order brings the first of each group to the front of it.
    order = eagre.sort(inverse.reshape(-1), stable=True)[1]
    firsts = order.index_select(0, counts.cumsum(0) - counts)
    return unique_all_result(values, firsts, inverse.reshape(x.shape), counts)


def matmul(x1, x2, /):
    return _product(eagre.matmul, *promoted("matmul", "numeric", x1, x2))


def matrix_transpose(x, /):
    if x.ndim < 2:
        raise ValueError("array_api.matrix_transpose(): an array of at least two axes is required")
    return x.mT


def tensordot(x1, x2, /, *, axes=2):
    x1, x2 = promoted("tensordot", "numeric", x1, x2)
    return _product(eagre.tensordot, x1, x2, dims=axes)


def _product(function, x1, x2, **options):
    """Unsigned integers are multiplied as int64: that wraps around to the same bits."""
    if x1.dtype not in UNSIGNED:
        return function(x1, x2, **options)
    return function(x1.to(eagre.int64), x2.to(eagre.int64), **options).to(x1.dtype)


def vecdot(x1, x2, /, *, axis=-1):
    x1, x2 = promoted("vecdot", "numeric", x1, x2)
    if not -_least(x1, x2) <= axis < 0:
        raise ValueError(f"array_api.vecdot(): 'axis' counts from the end, but got {axis}")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError("array_api.vecdot(): the vectors have different sizes along 'axis'")
    inner = eagre.int64 if x1.dtype in UNSIGNED else x1.dtype
    return eagre.sum((x1.conj() * x2).to(inner), dim=axis).to(x1.dtype)


def _least(x1, x2):
    return x1.ndim if x1.ndim < x2.ndim else x2.ndim

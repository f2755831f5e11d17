"""Arrays from nothing, from other arrays, and from the arrays of other libraries."""

import eagre
from eagre.array_api._dtypes import check

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    return eagre.asarray(obj, dtype=dtype, device=device, copy=copy)


def from_dlpack(x, /, *, device=None, copy=None):
    return eagre.from_dlpack(x, device=device, copy=copy)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    start, stop = (0, start) if stop is None else (start, stop)
    if dtype is None and any(isinstance(number, float) for number in (start, stop, step)):
        dtype = eagre.get_default_dtype()
    if (stop - start) / step < 0:
        stop = start
    return eagre.arange(start, stop, step, dtype=dtype, device=device)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    count = num if endpoint else num + 1
    return eagre.linspace(start, stop, count, dtype=dtype, device=device)[:num]


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    n_cols = n_rows if n_cols is None else n_cols
    result = eagre.zeros((n_rows, n_cols), dtype=dtype, device=device)
    if -n_rows < k < n_cols:
        result.diagonal(k).fill_(1)
    return result


def _sizes(shape):
    return (shape,) if isinstance(shape, int) else tuple(shape)


def empty(shape, *, dtype=None, device=None):
    return eagre.empty(_sizes(shape), dtype=dtype, device=device)


def zeros(shape, *, dtype=None, device=None):
    return eagre.zeros(_sizes(shape), dtype=dtype, device=device)


def ones(shape, *, dtype=None, device=None):
    return eagre.ones(_sizes(shape), dtype=dtype, device=device)


def full(shape, fill_value, *, dtype=None, device=None):
    return eagre.full(_sizes(shape), fill_value, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    return eagre.empty_like(x, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    return eagre.zeros_like(x, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    return eagre.ones_like(x, dtype=dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    return eagre.full_like(x, fill_value, dtype=dtype, device=device)


def meshgrid(*arrays, indexing="xy"):
    return tuple(eagre.meshgrid(*arrays, indexing=indexing))


def tril(x, /, *, k=0):
    check("tril", "all", x)
    return eagre.tril(x, k)


def triu(x, /, *, k=0):
    check("triu", "all", x)
    return eagre.triu(x, k)

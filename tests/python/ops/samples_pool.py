"""Samples of ops/pool.yaml."""
# ruff: noqa: B008

import itertools

import numpy as np
from mistakes import mistake, tensor
from samples import Sample, make, strided

import eagre

F = eagre.nn.functional


def channels_last(a):
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 1, -1)), -1, 1)


def as_list(number, count):
    return list(number) if isinstance(number, tuple) else [number] * count


def count_windows(size, kernel, stride, padding, dilation, ceil_mode):
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil_mode else room // stride) + 1
    return count - 1 if ceil_mode and (count - 1) * stride >= size + padding else count


def windows(a, spatial, kernel, stride=None, padding=0, dilation=1, ceil_mode=False):
    """For every place of the result those in each dimension that its window has, also outside."""
    stride = kernel if stride is None else stride
    lists = [as_list(n, spatial) for n in (kernel, stride, padding, dilation)]
    found = []
    for size, k, s, p, d in zip(a.shape[-spatial:], *lists, strict=True):
        count = count_windows(size, k, s, p, d, ceil_mode)
        found.append([[o * s - p + i * d for i in range(k)] for o in range(count)])
    return found


def adaptive(a, spatial, size):
    sizes = zip(a.shape[-spatial:], as_list(size, spatial), strict=True)
    return [[list(range(o * n // m, -(-(o + 1) * n // m))) for o in range(m)] for n, m in sizes]


def pooled(a, axes, fold, dtype=None):
    """fold(elements of a window, places) for each."""
    spatial = len(axes)
    lead, sizes = a.shape[:-spatial], a.shape[-spatial:]
    out = np.zeros((*lead, *map(len, axes)), dtype or a.dtype)
    for at in itertools.product(*(range(len(axis)) for axis in axes)):
        places = [axis[i] for axis, i in zip(axes, at, strict=True)]
        inside = [[p for p in some if 0 <= p < n] for some, n in zip(places, sizes, strict=True)]
        picked = a[(..., *np.ix_(*inside))].reshape(
            *lead, int(np.prod([len(some) for some in inside]))
        )
        flat = np.arange(np.prod(sizes)).reshape(sizes)[np.ix_(*inside)].ravel()
        out[(..., *at)] = fold(picked, flat, places)
    return out


def largest(a, axes):
    return pooled(a, axes, lambda window, flat, places: window.max(-1))


def places_of(a, axes):
    return pooled(a, axes, lambda window, flat, places: flat[window.argmax(-1)], np.int64)


WINDOWS = (
    (2,), (3, 2, 1), (3, 1, 1), (2, 1, 0, 2), (3, 2, 1, 1, True), (2, 3, 0, 1, True), (4, 3, 2),
    (1,),
)  # fmt: skip
SHAPES = {1: (2, 3, 9), 2: (2, 2, 7, 6), 3: (1, 2, 4, 5, 4)}


def of(spatial, function):
    def samples():
        for dtype in (np.float64, np.float32, np.int64, np.int32):
            a = make(SHAPES[spatial], dtype)
            yield Sample((a, 2), function(a, windows(a, spatial, 2)))
        a = make(SHAPES[spatial])
        for some in WINDOWS:
            yield Sample((a, *some), function(a, windows(a, spatial, *some)))
        yield Sample((a[0], 2), function(a[0], windows(a[0], spatial, 2)))
        b = strided((3, 9)) if spatial == 1 else make((*SHAPES[spatial][:-1], 40), np.float32)
        yield Sample((b, 3, 2, 1), function(b, windows(b, spatial, 3, 2, 1)))
        if spatial > 1:
            for channels in (2, 20, 70):
                shape = (2, channels, *SHAPES[spatial][2:])
                c = channels_last(make(shape, np.float32))
                yield Sample((c, 3, 2, 1), function(c, windows(c, spatial, 3, 2, 1)))
            some = ((2, 3, 2)[:spatial], (1, 2, 1)[:spatial])
            yield Sample((a, *some), function(a, windows(a, spatial, *some)))
        empty = make((0, *SHAPES[spatial][1:]))
        yield Sample((empty, 2), function(empty, windows(empty, spatial, 2)))

    return samples


def several(a, axes):
    return largest(a, axes), places_of(a, axes)


def with_choice(samples):
    def with_indices():
        for sample in samples():
            yield Sample(sample.args, sample.expected, {"return_indices": True})

    return with_indices


max_pool1d = of(1, largest)
max_pool2d = of(2, largest)
max_pool3d = of(3, largest)
max_pool1d_and_indices = with_choice(of(1, several))
max_pool2d_and_indices = with_choice(of(2, several))
max_pool3d_and_indices = with_choice(of(3, several))


def _pool(*arguments, shape=(1, 2, 5, 5)):
    return lambda: eagre.max_pool2d(tensor(*shape), *arguments)


BAD = {
    ("max_pool2d", "kernel_zero"): mistake(_pool(0), ["max_pool2d()", "'kernel_size'", "greater"]),
    ("max_pool2d", "kernel_huge"): mistake(_pool(2**62), ["max_pool2d()", "'kernel_size'", "2^31"]),
    ("max_pool2d", "no_kernel"): mistake(_pool(()), ["max_pool2d()", "'kernel_size'", "one int"]),
    ("max_pool2d", "wrong_count"): mistake(
        _pool((2, 2, 2)), ["max_pool2d()", "'kernel_size'", "2 of them", "[2, 2, 2]"]
    ),
    ("max_pool2d", "stride_zero"): mistake(_pool(2, 0), ["max_pool2d()", "'stride'", "greater"]),
    ("max_pool2d", "stride_negative"): mistake(_pool(2, -1), ["max_pool2d()", "'stride'", "-1"]),
    ("max_pool2d", "padding_too_large"): mistake(
        _pool(2, 1, 2), ["max_pool2d()", "'padding'", "half", "2"]
    ),
    ("max_pool2d", "padding_negative"): mistake(
        _pool(2, 1, -1), ["max_pool2d()", "'padding'", "not negative"]
    ),
    ("max_pool2d", "dilation_zero"): mistake(
        _pool(2, 1, 0, 0), ["max_pool2d()", "'dilation'", "greater"]
    ),
    ("max_pool2d", "too_small"): mistake(
        _pool(7), ["max_pool2d()", "'kernel_size'", "Output size is too small"]
    ),
    ("max_pool2d", "wrong_rank"): mistake(
        _pool(2, shape=(5, 5)), ["max_pool2d()", "'input'", "3 or 4 dimensions", "[5, 5]"]
    ),
    ("max_pool2d", "no_channels"): mistake(
        _pool(2, shape=(1, 0, 5, 5)), ["max_pool2d()", "'input'", "[1, 0, 5, 5]"]
    ),
}
for _n in (1, 3):
    _name = f"max_pool{_n}d"
    BAD |= {
        (_name, "kernel_zero"): mistake(
            lambda n=_n, f=getattr(eagre, _name): f(tensor(*[4] * (n + 1)), 0),
            [f"{_name}()", "'kernel_size'"],
        ),
        (_name, "padding_too_large"): mistake(
            lambda n=_n, f=getattr(eagre, _name): f(tensor(*[4] * (n + 1)), 2, 2, 2),
            [f"{_name}()", "'padding'"],
        ),
        (_name, "wrong_rank"): mistake(
            lambda f=getattr(eagre, _name): f(tensor(4), 2), [f"{_name}()", "'input'"]
        ),
    }
for _n in (1, 2, 3):
    for _name, _more in (("_and_indices", {"return_indices": True}), ("_with_indices", {})):
        _called = f"max_pool{_n}d" + ("_with_indices" if _name == "_with_indices" else "")
        BAD[(f"max_pool{_n}d{_name}", "rank_differs")] = mistake(
            lambda f=getattr(F, _called), more=_more: f(tensor(4), 2, **more),
            [f"{_called}()", "'input'", "[4]"],
        )

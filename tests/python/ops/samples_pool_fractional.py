"""Samples of ops/pool_fractional.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import FLOATS, NAN, Sample, make
from samples_pool import as_list, channels_last, pooled

import eagre

F = eagre.nn.functional


def starts(sample, n, window, count):
    """Of all windows along n elements."""
    if count == 1:
        return [n - window]
    step = (n - window) / (count - 1)
    return [int((i + sample) * step) - int(sample * step) for i in range(count - 1)] + [n - window]


def fractional(a, spatial, window, size, samples):
    """Values and places. Of two random numbers the first is for the last axis."""
    window, size = as_list(window, spatial), as_list(size, spatial)
    lead = a.shape[:-spatial]
    values = np.zeros((*lead, *size), a.dtype)
    places = np.zeros((*lead, *size), np.int64)
    numbers = samples.reshape(*lead, spatial)
    if spatial == 2:
        numbers = numbers[..., ::-1]
    for at in np.ndindex(*lead):
        axes = [
            [list(range(s, s + w)) for s in starts(float(number), n, w, m)]
            for number, n, w, m in zip(numbers[at], a.shape[-spatial:], window, size, strict=True)
        ]
        values[at] = pooled(a[at][None], axes, lambda w, flat, _: w.max(-1))[0]
        places[at] = pooled(a[at][None], axes, lambda w, flat, _: flat[w.argmax(-1)], np.int64)[0]
    return values, places


def numbers(*shape, dtype=np.float64):
    return ((np.arange(np.prod(shape)) * 0.37 + 0.11) % 1).reshape(shape).astype(dtype)


def _both(spatial, a, window, size, samples):
    expected = fractional(a, spatial, window, size, samples)
    return Sample((a, window, size, None, False, samples), expected)


def fractional_max_pool2d():
    for dtype in FLOATS:
        a = make((2, 3, 6, 7), dtype)
        for window, size in ((2, 3), ((3, 2), (2, 4)), (1, 6), (2, 1)):
            yield _both(2, a, window, size, numbers(2, 3, 2, dtype=dtype))
    yield _both(2, make((3, 5, 5)), 2, 3, numbers(1, 3, 2))
    yield _both(2, channels_last(make((2, 3, 6, 7))), 2, 3, numbers(2, 3, 2))
    a = make((1, 2, 8, 6))
    expected = fractional(a, 2, 2, (4, 3), numbers(1, 2, 2))
    yield Sample((a, 2, None, 0.5, False, numbers(1, 2, 2)), expected)
    b = np.zeros((1, 3, 3), np.float32)
    b[0, 1, 1] = NAN
    found = np.full((1, 2, 2), NAN, np.float32), np.full((1, 2, 2), 4)
    some = numbers(1, 1, 2, dtype=np.float32)
    yield Sample((b, 2, 2, None, False, some), found)


def fractional_max_pool3d():
    for dtype in FLOATS:
        a = make((2, 2, 4, 5, 6), dtype)
        for window, size in ((2, 3), ((1, 2, 3), (2, 3, 1))):
            yield _both(3, a, window, size, numbers(2, 2, 3, dtype=dtype))
    yield _both(3, make((3, 4, 4, 4)), 2, 2, numbers(1, 3, 3))


def _pool(shape, *arguments, dims=2, **named):
    function = getattr(F, f"fractional_max_pool{dims}d")
    return lambda: function(tensor(*shape), *arguments, **named)


_TWO = "fractional_max_pool2d()"
BAD = {
    ("fractional_max_pool2d", "wrong_rank"): mistake(
        _pool((4, 4), 2, 2), [_TWO, "'input'", "[4, 4]"]
    ),
    ("fractional_max_pool2d", "kernel_too_large"): mistake(
        _pool((1, 4, 4), 3, 3), [_TWO, "'kernel_size'", "too large"]
    ),
    ("fractional_max_pool2d", "kernel_zero"): mistake(
        _pool((1, 4, 4), 0, 3), [_TWO, "'kernel_size'"]
    ),
    ("fractional_max_pool2d", "size_zero"): mistake(
        _pool((1, 4, 4), 2, 0), [_TWO, "'output_size'"]
    ),
    ("fractional_max_pool2d", "samples_shape"): mistake(
        _pool((1, 4, 4), 2, 2, _random_samples=tensor(1, 2)),
        [_TWO, "'_random_samples'", "[1, 1, 2]"],
    ),
    ("fractional_max_pool2d", "samples_dtype"): mistake(
        _pool((1, 4, 4), 2, 2, _random_samples=tensor(1, 1, 2, dtype=np.float64)),
        [_TWO, "'_random_samples'", "float64"],
        eagre.DTypeError,
    ),
    ("fractional_max_pool2d", "no_size"): mistake(
        _pool((1, 4, 4), 2), [_TWO, "'output_size'", "either an output_size or an output_ratio"]
    ),
    ("fractional_max_pool2d", "ratio_too_large"): mistake(
        _pool((1, 4, 4), 2, output_ratio=1.5), [_TWO, "'output_ratio'", "1.5"]
    ),
    ("fractional_max_pool2d", "integers"): mistake(
        lambda: F.fractional_max_pool2d(integers(1, 4, 4), 2, 2, _random_samples=integers(1, 1, 2)),
        ["fractional_max_pool", "int64"],
        eagre.UnimplementedError,
    ),
    ("fractional_max_pool3d", "wrong_rank"): mistake(
        _pool((1, 4, 4), 2, 2, dims=3), ["fractional_max_pool3d()", "'input'", "[1, 4, 4]"]
    ),
    ("fractional_max_pool3d", "kernel_too_large"): mistake(
        _pool((1, 4, 4, 2), 2, 2, dims=3), ["fractional_max_pool3d()", "'kernel_size'", "too large"]
    ),
}

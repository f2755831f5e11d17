"""Samples of ops/pool_max.yaml."""
# ruff: noqa: B008

import numpy as np
from mistakes import mistake, tensor
from samples import Sample, make
from samples_pool import (
    SHAPES,
    adaptive,
    channels_last,
    largest,
    places_of,
    several,
    windows,
    with_choice,
)

import eagre

F = eagre.nn.functional


def of(spatial, function):
    def samples():
        for dtype in (np.float64, np.float32):
            a = make(SHAPES[spatial], dtype)
            for size in (1, 2, 3, 5, (4, 3, 2)[:spatial]):
                yield Sample((a, size), function(a, adaptive(a, spatial, size)))
        yield Sample((a[0], 2), function(a[0], adaptive(a[0], spatial, 2)))
        empty = make((0, *SHAPES[spatial][1:]))
        yield Sample((empty, 2), function(empty, adaptive(empty, spatial, 2)))
        if spatial > 1:
            c = channels_last(make((2, 20, *SHAPES[spatial][2:]), np.float32))
            yield Sample((c, 3), function(c, adaptive(c, spatial, 3)))

    return samples


adaptive_max_pool1d = of(1, largest)
adaptive_max_pool2d = of(2, largest)
adaptive_max_pool3d = of(3, largest)
adaptive_max_pool1d_and_indices = with_choice(of(1, several))
adaptive_max_pool2d_and_indices = with_choice(of(2, several))
adaptive_max_pool3d_and_indices = with_choice(of(3, several))


def unpooled(a, places, size):
    spatial = len(size)
    lead = a.shape[:-spatial]
    out = np.zeros((*lead, int(np.prod(size))), a.dtype)
    np.put_along_axis(out, places.reshape(*lead, -1), a.reshape(*lead, -1), -1)
    return out.reshape(*lead, *size)


def back(spatial):
    def samples():
        for dtype in (np.float64, np.float32):
            a = make((2, 2, *[4, 6, 2][:spatial]), dtype)
            axes = windows(a, spatial, 2)
            values, places = largest(a, axes), places_of(a, axes)
            least = [2 * n for n in values.shape[-spatial:]]
            yield Sample((values, eagre.tensor(places), 2), unpooled(values, places, least))
            size = [n + 1 for n in least]
            expected = unpooled(values, places, size)
            yield Sample((values, eagre.tensor(places), 2, 2, 0, size), expected)
        one = (values[0], eagre.tensor(places[0]), 2)
        yield Sample(one, unpooled(values[0], places[0], least), {"output_size": least})

    return samples


max_unpool1d = back(1)
max_unpool2d = back(2)
max_unpool3d = back(3)


def _adaptive(*arguments, shape=(1, 2, 5, 5)):
    return lambda: F.adaptive_max_pool2d(tensor(*shape), *arguments)


def _unpool(index, *arguments, dtype=np.int64, shape=(1, 1, 2, 2), **named):
    places = eagre.tensor(np.asarray(index, dtype))
    return lambda: F.max_unpool2d(tensor(*shape), places, *arguments, **named)


_PLACES = [[[[0, 2], [8, 10]]]]
BAD = {
    ("adaptive_max_pool2d", "output_negative"): mistake(
        _adaptive(-1), ["adaptive_max_pool2d()", "'output_size'", "-1"]
    ),
    ("max_unpool2d", "index_too_large"): mistake(
        _unpool([[[[0, 2], [8, 99]]]], 2), ["max_unpool2d()", "99"], eagre.IndexOutOfRangeError
    ),
    ("max_unpool2d", "indices_of_int32"): mistake(
        _unpool(_PLACES, 2, dtype=np.int32),
        ["max_unpool2d()", "'indices'", "int64", "int32"],
        eagre.DTypeError,
    ),
    ("max_unpool2d", "shapes_differ"): mistake(
        _unpool([[[[0, 2]]]], 2), ["max_unpool2d()", "'indices'", "[1, 1, 2, 2]", "[1, 1, 1, 2]"]
    ),
    ("max_unpool2d", "impossible_size"): mistake(
        _unpool(_PLACES, 2, output_size=(4, 6)), ["max_unpool2d()", "'output_size'", "[4, 6]"]
    ),
    ("max_unpool2d", "wrong_size_count"): mistake(
        _unpool(_PLACES, 2, output_size=(4, 4, 4)), ["max_unpool2d()", "'output_size'"]
    ),
    ("max_unpool2d", "stride_zero"): mistake(
        _unpool(_PLACES, 2, 0), ["max_unpool2d()", "'stride'"]
    ),
    ("max_unpool2d", "nothing_left"): mistake(
        _unpool(_PLACES, 2, 2, 9), ["max_unpool2d()", "'kernel_size'", "size -14"]
    ),
}
for _n in (1, 2, 3):
    for _name in (f"adaptive_max_pool{_n}d", f"max_unpool{_n}d"):
        _more = (2,) if "adaptive" in _name else (tensor(4, dtype=np.int64), 2)
        BAD[(_name, "wrong_rank")] = mistake(
            lambda f=getattr(F, _name), more=_more: f(tensor(4), *more), [f"{_name}()", "'input'"]
        )
for _n in (1, 2, 3):
    for _name, _more in (("_and_indices", (2, True)), ("_with_indices", (2,))):
        _called = f"adaptive_max_pool{_n}d" + ("_with_indices" if _name == "_with_indices" else "")
        BAD[(f"adaptive_max_pool{_n}d{_name}", "rank_differs")] = mistake(
            lambda f=getattr(F, _called), more=_more: f(tensor(4), *more),
            [f"{_called}()", "'input'", "[4]"],
        )

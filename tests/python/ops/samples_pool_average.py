"""Samples of ops/pool_average.yaml."""
# ruff: noqa: B008

import numpy as np
from mistakes import mistake, tensor
from samples import Sample, make
from samples_pool import SHAPES, adaptive, as_list, channels_last, pooled, windows

import eagre

F = eagre.nn.functional


def average(
    a, spatial, kernel, stride=None, padding=0, ceil_mode=False, count_pad=True, divisor=None
):
    axes = windows(a, spatial, kernel, stride, padding, 1, ceil_mode)
    ends = [n + p for n, p in zip(a.shape[-spatial:], as_list(padding, spatial), strict=True)]

    def fold(window, flat, places):
        count = window.shape[-1]
        if count_pad:
            inside = [sum(p < end for p in some) for some, end in zip(places, ends, strict=True)]
            count = np.prod(inside)
        count = count if divisor is None else divisor
        total = window.sum(-1)
        return np.trunc(total / count) if a.dtype.kind == "i" else total / count

    return pooled(a, axes, fold)


WINDOWS = (
    (2,), (3, 2, 1), (3, 1, 1), (3, 2, 1, True), (3, 2, 1, False, False), (4, 3, 2, True, False),
    (2, 3),
)  # fmt: skip


def of(spatial):
    def samples():
        for dtype in (np.float64, np.float32, np.int64):
            a = make(SHAPES[spatial], dtype)
            yield Sample((a, 2), average(a, spatial, 2))
        a = make(SHAPES[spatial])
        for some in WINDOWS:
            yield Sample((a, *some), average(a, spatial, *some))
        yield Sample((a[0], 2), average(a[0], spatial, 2))
        if spatial > 1:
            some = (3, 2, 1, True, True, 5)
            yield Sample((a, *some), average(a, spatial, *some))
            for channels in (2, 20, 70):
                shape = (2, channels, *SHAPES[spatial][2:])
                c = channels_last(make(shape, np.float32))
                yield Sample((c, 3, 2, 1), average(c, spatial, 3, 2, 1))
        b = make((*SHAPES[spatial][:-1], 40), np.float32)
        yield Sample((b, 3, 2, 1), average(b, spatial, 3, 2, 1))
        yield Sample((make((0, *SHAPES[spatial][1:])), 2),
                     average(make((0, *SHAPES[spatial][1:])), spatial, 2))  # fmt: skip

    return samples


def adapted(spatial):
    def mean(a, size):
        axes = adaptive(a, spatial, size)
        return pooled(a, axes, lambda window, flat, places: window.mean(-1))

    def samples():
        for dtype in (np.float64, np.float32):
            a = make(SHAPES[spatial], dtype)
            for size in (1, 2, 3, 5, (4, 3, 2)[:spatial]):
                yield Sample((a, size), mean(a, size))
        yield Sample((a[0], 2), mean(a[0], 2))
        yield Sample(
            (make((0, *SHAPES[spatial][1:])), 2), np.zeros((0, a.shape[1], *[2] * spatial))
        )
        yield Sample((a, 0), np.zeros((*a.shape[:2], *[0] * spatial), a.dtype))
        if spatial > 1:
            c = channels_last(make((2, 20, *SHAPES[spatial][2:]), np.float32))
            yield Sample((c, 3), mean(c, 3))
            yield Sample((c, 1), mean(c, 1))

    return samples


def norm(spatial):
    def expected(a, p, kernel, stride=None, ceil_mode=False):
        axes = windows(a, spatial, kernel, stride, 0, 1, ceil_mode)
        if np.isinf(p):
            fold = np.max if p > 0 else np.min
            return pooled(a, axes, lambda window, flat, places: fold(np.abs(window), -1))
        whole = np.prod(as_list(kernel, spatial))
        return pooled(a, axes, lambda window, flat, places:
                      ((window**p).sum(-1) * (whole / window.shape[-1])) ** (1 / p))  # fmt: skip

    def samples():
        a = np.abs(make(SHAPES[spatial])) + 0.5
        for some in ((2, 2), (1, 3, 2), (3.0, 2, 1), (np.inf, 2), (-np.inf, 2, 1), (2, 3, 2, True)):
            yield Sample((a, *some), expected(a, *some))
        yield Sample((a[0], 2, 2), expected(a[0], 2, 2))

    return samples


avg_pool1d = of(1)
avg_pool2d = of(2)
avg_pool3d = of(3)
adaptive_avg_pool1d = adapted(1)
adaptive_avg_pool2d = adapted(2)
adaptive_avg_pool3d = adapted(3)
lp_pool1d = norm(1)
lp_pool2d = norm(2)
lp_pool3d = norm(3)


def _pool(*arguments, shape=(1, 2, 5, 5), **named):
    return lambda: F.avg_pool2d(tensor(*shape), *arguments, **named)


def _adaptive(*arguments, shape=(1, 2, 5, 5)):
    return lambda: F.adaptive_avg_pool2d(tensor(*shape), *arguments)


BAD = {
    ("avg_pool2d", "kernel_zero"): mistake(_pool(0), ["avg_pool2d()", "'kernel_size'"]),
    ("avg_pool2d", "stride_zero"): mistake(_pool(2, 0), ["avg_pool2d()", "'stride'"]),
    ("avg_pool2d", "padding_too_large"): mistake(_pool(3, 1, 2), ["avg_pool2d()", "'padding'"]),
    ("avg_pool2d", "too_small"): mistake(_pool(6), ["avg_pool2d()", "'kernel_size'"]),
    ("avg_pool2d", "wrong_rank"): mistake(_pool(2, shape=(4,)), ["avg_pool2d()", "'input'", "[4]"]),
    ("avg_pool2d", "divisor_zero"): mistake(
        _pool(2, divisor_override=0), ["avg_pool2d()", "'divisor_override'", "0"]
    ),
    ("adaptive_avg_pool2d", "output_negative"): mistake(
        _adaptive(-1), ["adaptive_avg_pool2d()", "'output_size'", "-1"]
    ),
    ("adaptive_avg_pool2d", "output_huge"): mistake(
        _adaptive(2**40), ["adaptive_avg_pool2d()", "'output_size'", "2^31"]
    ),
    ("adaptive_avg_pool2d", "wrong_rank"): mistake(
        _adaptive(2, shape=(5, 5)), ["adaptive_avg_pool2d()", "'input'", "[5, 5]"]
    ),
    ("adaptive_avg_pool2d", "no_elements"): mistake(
        _adaptive(2, shape=(1, 2, 0, 5)), ["adaptive_avg_pool2d()", "'input'", "[1, 2, 0, 5]"]
    ),
}
for _n in (1, 3):
    _name, _other = f"avg_pool{_n}d", f"adaptive_avg_pool{_n}d"
    BAD |= {
        (_name, "kernel_zero"): mistake(
            lambda n=_n, f=getattr(F, _name): f(tensor(*[4] * (n + 1)), 0),
            [f"{_name}()", "'kernel_size'"],
        ),
        (_name, "padding_too_large"): mistake(
            lambda n=_n, f=getattr(F, _name): f(tensor(*[4] * (n + 1)), 2, 2, 2),
            [f"{_name}()", "'padding'"],
        ),
        (_name, "wrong_rank"): mistake(
            lambda f=getattr(F, _name): f(tensor(4), 2), [f"{_name}()", "'input'"]
        ),
        (_other, "wrong_rank"): mistake(
            lambda f=getattr(F, _other): f(tensor(4), 2), [f"{_other}()", "'input'"]
        ),
    }
for _n in (1, 2, 3):
    _name = f"lp_pool{_n}d"
    BAD[(_name, "zero_norm")] = mistake(
        lambda n=_n, f=getattr(F, _name): f(tensor(*[4] * (n + 1)), 0, 2),
        [f"{_name}()", "'norm_type'"],
    )

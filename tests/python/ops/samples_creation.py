"""Samples of tensors from nothing, or in the likeness of others."""

import numpy as np
from samples import COMPLEX, DTYPES, Sample, make, strided

import eagre

NAMES = {**DTYPES, **COMPLEX}
ALL = [*DTYPES]


def shaped(shape, dtype=eagre.float32, stride=None):
    """A check for tensors whose values are not known."""

    def check(result):
        assert result.shape == shape and result.dtype is dtype
        if stride is not None:
            assert tuple(result.stride()) == stride

    return check


def sized(value):
    def generate():
        for size in ((), (3,), (2, 0), (2, 3), (1, 1, 1, 2, 2, 2)):
            yield Sample((size,), np.full(size, value, np.float32))
        yield Sample((2, 3), np.full((2, 3), value, np.float32))
        yield Sample((), np.full((2, 3), value, np.float32), {"size": (2, 3)})
        for dtype in ALL:
            yield Sample((3,), np.full(3, value, dtype), {"dtype": DTYPES[dtype]})
        yield Sample(([2],), np.full(2, value, np.float32), {"requires_grad": True})
        yield Sample((300, 500), np.full((300, 500), value, np.float32))

    generate.__module__ = __name__
    return generate


zeros = sized(0)
ones = sized(1)


def empty():
    for size in ((), (3,), (2, 0), (2, 3)):
        yield Sample((size,), shaped(size))
    yield Sample((2, 3), shaped((2, 3), eagre.complex64, (3, 1)), {"dtype": eagre.complex64})
    yield Sample(
        ((2, 3, 4, 5),),
        shaped((2, 3, 4, 5), stride=(60, 1, 15, 3)),
        {"memory_format": eagre.channels_last},
    )
    yield Sample((2,), shaped((2,)), {"device": "meta"})


def empty_strided():
    for size, stride in (
        ((2, 3), (1, 2)),
        ((2, 3), (3, 1)),
        ((2, 3), (0, 1)),
        ((2, 3), (10, 2)),
        ((0, 3), (7, 1)),
        ((), ()),
    ):
        yield Sample((size, stride), shaped(size, stride=stride))
    yield Sample(((2,), (1,)), shaped((2,), eagre.int64), {"dtype": eagre.int64})


def like(value):
    """Of a dense model the strides are kept."""
    more = () if value is None else (value,)

    def generate(number):
        for dtype in ALL:
            a = make((2, 3), dtype)
            yield Sample((a, *more), np.full((2, 3), number, dtype))
        for shape in ((), (0, 2), (2, 1, 3)):
            yield Sample((make(shape), *more), np.full(shape, number, np.float64))
        yield Sample((strided((3, 2)), *more), np.full((3, 2), number, np.float64))
        yield Sample((make((2,)), *more), np.full(2, number, np.int32), {"dtype": eagre.int32})
        yield Sample((make((2,)), *more), np.full(2, number, np.float64), {"requires_grad": True})
        turned = make((2, 3, 4)).transpose(2, 0, 1)
        yield Sample((turned, *more), shaped((4, 2, 3), eagre.float64, (1, 12, 4)))
        yield Sample(
            (turned, *more),
            shaped((4, 2, 3), eagre.float64, (6, 3, 1)),
            {"memory_format": eagre.contiguous_format},
        )

    return generate


def zeros_like():
    yield from like(None)(0)


def ones_like():
    yield from like(None)(1)


def full_like():
    yield from like(1)(1)
    yield Sample((make((2,)), 2.5), np.full(2, 2.5))


def empty_like():
    for sample in like(None)(0):
        if callable(sample.expected):
            yield sample
        else:
            dtype = DTYPES[sample.expected.dtype.type]
            yield Sample(sample.args, shaped(sample.expected.shape, dtype), sample.kwargs)


def random_like():
    for dtype in (eagre.float64, eagre.float32, eagre.float16):
        yield Sample((make((2, 3)),), shaped((2, 3), dtype), {"dtype": dtype})
    turned = make((2, 3, 4)).transpose(2, 0, 1)
    yield Sample((turned,), shaped((4, 2, 3), eagre.float64, (1, 12, 4)))
    yield Sample((make((0, 3)),), shaped((0, 3), eagre.float64))


rand_like = randn_like = random_like


def new(value, *more):
    def generate():
        for dtype in ALL:
            yield Sample((make((2,), dtype), (2, 3), *more), np.full((2, 3), value, dtype))
        yield Sample((make((2,)), (), *more), np.full((), value, np.float64))
        yield Sample((make((2,)), (3,), *more), np.full(3, value, np.int64), {"dtype": eagre.int64})

    generate.__module__ = __name__
    return generate


new_zeros = new(0)
new_ones = new(1)
new_full = new(1, 1)


def new_empty():
    yield Sample((make((2,), np.int64), 2, 3), shaped((2, 3), eagre.int64))
    yield Sample((make((2,)), (0,)), shaped((0,), eagre.float32), {"dtype": eagre.float32})


def new_empty_strided():
    a = make((2,), np.int64)
    yield Sample((a, (2, 3), (1, 2)), shaped((2, 3), eagre.int64, (1, 2)))
    more = {"dtype": eagre.float32}
    yield Sample((a, (0, 3), (7, 1)), shaped((0, 3), eagre.float32), more)


def arange():
    yield Sample((5,), np.arange(5))
    yield Sample((0,), np.arange(0))
    yield Sample((2.5,), np.arange(2.5).astype(np.float32))
    for dtype in ALL:
        if dtype not in (np.bool_, np.complex64, np.complex128):
            yield Sample((5,), np.arange(5).astype(dtype), {"dtype": DTYPES[dtype]})
    yield Sample((100000,), np.arange(100000))
    yield Sample((), np.arange(4), {"end": 4})


def arange_from():
    yield Sample((2, 5), np.arange(2, 5))
    yield Sample((-1.5, 2), np.arange(-1.5, 2).astype(np.float32))
    yield Sample((2, 2), np.arange(0))


def arange_step():
    yield Sample((1, 10, 3), np.arange(1, 10, 3))
    yield Sample((10, 1, -3), np.arange(10, 1, -3))
    yield Sample((0, 1, 0.1), np.arange(0, 1, 0.1), {"dtype": eagre.float64})
    yield Sample((1, 1.3, 0.1), np.arange(1, 1.3, 0.1).astype(np.float32))
    yield Sample((0, 1e5, 0.5), np.arange(0, 1e5, 0.5).astype(np.float32))
    yield Sample((2**62, 2**62 + 3, 1), np.arange(2**62, 2**62 + 3))
    yield Sample((0.5, 3.5, 1), np.arange(3), {"dtype": eagre.int64})
    yield Sample((0.0, -8.5, -4.0), np.arange(0, -9, -4), {"dtype": eagre.int64})
    yield Sample((0, 3, 0.7), np.zeros(5, np.int64), {"dtype": eagre.int64})
    yield Sample((), np.arange(1, 10, 3), {"start": 1, "end": 10, "step": 3})


def linspace():
    for start, end, steps in (
        (0, 1, 5),
        (-2, 3, 11),
        (3, -3, 4),
        (1, 1, 3),
        (0, 9, 1),
        (0, 1, 0),
        (0, 1, 100001),
    ):
        yield Sample((start, end, steps), np.linspace(start, end, steps).astype(np.float32))
        yield Sample((start, end, steps), np.linspace(start, end, steps), {"dtype": eagre.float64})
    yield Sample((0, 10, 5), np.asarray([0, 2, 5, 7, 10]), {"dtype": eagre.int64})
    yield Sample((0, 1 + 1j, 5), np.linspace(0, 1 + 1j, 5).astype(np.complex64))
    yield Sample((1j, 1, 4), np.linspace(1j, 1, 4), {"dtype": eagre.complex128})


def logspace():
    yield Sample((0, 2, 3), np.logspace(0, 2, 3).astype(np.float32), tolerance=1e-5)
    yield Sample((-1, 1, 4, 2.0), np.logspace(-1, 1, 4, base=2), {"dtype": eagre.float64})
    yield Sample((0, 1 + 1j, 3), 10 ** np.linspace(0, 1 + 1j, 3), {"dtype": eagre.complex128})


def eye():
    for n, m in ((3, 3), (2, 4), (4, 2), (0, 3), (3, 0)):
        yield Sample((n, m), np.eye(n, m, dtype=np.float32))
    yield Sample((3,), np.eye(3, dtype=np.float32))
    for dtype in ALL:
        yield Sample((2,), np.eye(2, dtype=dtype), {"dtype": DTYPES[dtype]})


X = eagre.tensor([1.0])
BAD = {
    **{
        (op, "negative_size"): (
            lambda op=op: getattr(eagre, op)(2, -1),
            eagre.InvalidArgumentError,
            [f"{op}()", "'size'", "-1"],
        )
        for op in ("empty", "zeros", "ones")
    },
    **{
        (op, "negative_size"): (
            lambda op=op: getattr(X, op)((2, -1), *([0] if op == "new_full" else [])),
            eagre.InvalidArgumentError,
            [f"{op}()", "'size'", "-1"],
        )
        for op in ("new_empty", "new_zeros", "new_ones", "new_full")
    },
    ("empty", "too_large"): (
        lambda: eagre.empty(2**40, 2**40),
        eagre.InvalidArgumentError,
        ["empty()", "1099511627776"],
    ),
    ("empty_strided", "lengths_differ"): (
        lambda: eagre.empty_strided((2, 3), (1,)),
        eagre.InvalidArgumentError,
        ["empty_strided()", "'stride'", "[1]"],
    ),
    ("empty_strided", "negative_stride"): (
        lambda: eagre.empty_strided((2,), (-1,)),
        eagre.InvalidArgumentError,
        ["empty_strided()", "'stride'", "[-1]"],
    ),
    ("empty_strided", "negative_size"): (
        lambda: eagre.empty_strided((-2,), (1,)),
        eagre.InvalidArgumentError,
        ["empty_strided()", "'size'", "-2"],
    ),
    ("rand_like", "integer_dtype"): (
        lambda: eagre.rand_like(eagre.tensor([1])),
        eagre.UnimplementedError,
        ["int64"],
    ),
    ("randn_like", "integer_dtype"): (
        lambda: eagre.randn_like(eagre.tensor([1])),
        eagre.UnimplementedError,
        ["int64"],
    ),
    ("arange", "end_before_start"): (
        lambda: eagre.arange(-1),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "-1"],
    ),
    ("arange", "not_finite"): (
        lambda: eagre.arange(float("inf")),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "inf"],
    ),
    ("arange_from", "end_before_start"): (
        lambda: eagre.arange(3, 1),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "got 1"],
    ),
    ("arange_step", "zero_step"): (
        lambda: eagre.arange(0, 3, 0),
        eagre.InvalidArgumentError,
        ["arange()", "'step'", "0"],
    ),
    ("arange_step", "wrong_sign"): (
        lambda: eagre.arange(0, 3, -1),
        eagre.InvalidArgumentError,
        ["arange()", "'end'", "-1"],
    ),
    ("arange_step", "too_long"): (
        lambda: eagre.arange(0, 1e300, 1e-10),
        eagre.InvalidArgumentError,
        ["arange()", "'end'"],
    ),
    ("linspace", "negative_steps"): (
        lambda: eagre.linspace(0, 1, -1),
        eagre.InvalidArgumentError,
        ["linspace()", "'steps'", "-1"],
    ),
    ("logspace", "negative_steps"): (
        lambda: eagre.logspace(0, 1, -1),
        eagre.InvalidArgumentError,
        ["logspace()", "'steps'", "-1"],
    ),
    ("linspace", "complex_bound"): (
        lambda: eagre.linspace(0, 1j, 3, dtype=eagre.float32),
        eagre.InvalidArgumentError,
        ["linspace()", "'end'", "float32"],
    ),
    ("logspace", "complex_bound"): (
        lambda: eagre.logspace(1j, 1, 3, dtype=eagre.int64),
        eagre.InvalidArgumentError,
        ["logspace()", "'start'", "int64"],
    ),
    ("eye", "negative_size"): (
        lambda: eagre.eye(2, -1),
        eagre.InvalidArgumentError,
        ["eye()", "'m'", "-1"],
    ),
}

BAD["new_empty_strided", "lengths_differ"] = (
    lambda: eagre.ones(2).new_empty_strided((2, 3), (1,)),
    eagre.InvalidArgumentError,
    ["empty_strided()", "'stride'", "[1]"],
)

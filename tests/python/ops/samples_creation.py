"""Samples of ops/creation.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import ALL, DTYPES, SOME, Sample, make, shaped, strided, values

import eagre


def full():
    for size in ((), (3,), (2, 0), (2, 3)):
        yield Sample((size, 1.5), np.full(size, 1.5, np.float32))
    yield Sample(((2,), 7), np.full(2, 7), dtype=eagre.int64)
    yield Sample(([2], True), np.full(2, True), dtype=eagre.bool)
    yield Sample(((2,), 7), np.full(2, 7.0), {"dtype": eagre.float64})
    yield Sample(((2,), 1.0), np.full(2, 1, np.float32), {"requires_grad": True})


def _made_in_inference_mode():
    with eagre.inference_mode():
        return eagre.ones(2)


def memory_format(op):
    more = (1,) if op == "full_like" else ()
    return (
        lambda: getattr(eagre, op)(tensor(2), *more, memory_format=eagre.channels_last),
        eagre.InvalidArgumentError,
        [f"{op}()", "'memory_format'", "[2]"],
    )


def sized(value):
    def generate():
        for size in ((), (3,), (2, 0), (2, 3), (1, 1, 1, 2, 2, 2)):
            yield Sample((size,), np.full(size, value, np.float32))
        yield Sample((2, 3), np.full((2, 3), value, np.float32))
        yield Sample((), np.full((2, 3), value, np.float32), {"size": (2, 3)})
        for dtype in DTYPES:
            yield Sample((3,), np.full(3, value, dtype), {"dtype": DTYPES[dtype]})
        yield Sample(([2],), np.full(2, value, np.float32), {"requires_grad": True})
        yield Sample((300, 500), np.full((300, 500), value, np.float32))

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
        for dtype in DTYPES:
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


def new(value, *more):
    def generate():
        for dtype in DTYPES:
            yield Sample((make((2,), dtype), (2, 3), *more), np.full((2, 3), value, dtype))
        yield Sample((make((2,)), (), *more), np.full((), value, np.float64))
        yield Sample((make((2,)), (3,), *more), np.full(3, value, np.int64), {"dtype": eagre.int64})

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


X = eagre.tensor([1.0])


def fill_diagonal():
    for dtype in SOME:
        a = make((2, 3), dtype)
        expected = a.copy()
        np.fill_diagonal(expected, 1)
        yield Sample((a, 1), expected)
    tall = make((7, 2))
    for wrap in (False, True):
        expected = tall.copy()
        np.fill_diagonal(expected, 0.5, wrap)
        yield Sample((tall, 0.5, wrap), expected)
    cube = make((2, 2, 2))
    expected = cube.copy()
    np.fill_diagonal(expected, 3.0)
    yield Sample((cube, 3.0), expected)
    yield Sample((make((0, 2)), 1), make((0, 2)))


def fill():
    for dtype in ALL:
        a = values((2, 3), dtype)
        yield Sample((a, 1), np.ones_like(a))
    for shape in ((), (0,), (2, 1, 3)):
        yield Sample((make(shape), 2.5), np.full(shape, 2.5))
    yield Sample((strided((3, 2)), -1.0), np.full((3, 2), -1.0))
    yield Sample((make((2,), np.int64), 2.7), np.full(2, 2))


def fill_tensor():
    yield Sample((make((2, 3)), make(())), np.full((2, 3), make(())))
    yield Sample((make((0,)), make(())), np.zeros(0))
    yield Sample(
        (make((2,), np.float32), make((), np.int64)), np.full(2, make((), np.int64), np.float32)
    )


def zero():
    for dtype in ALL:
        yield Sample((values((2, 3), dtype),), np.zeros((2, 3), dtype))
    yield Sample((strided((3, 2)),), np.zeros((3, 2)))


BAD = {
    ("full", "negative_size"): (
        lambda: eagre.full((2, -1), 0.0),
        eagre.InvalidArgumentError,
        ["full()", "'size'", "-1"],
    ),
    ("full", "not_a_number"): (
        lambda: eagre.full((2,), float("nan"), dtype=eagre.int64),
        eagre.InvalidArgumentError,
        ["full()", "'fill_value'", "int64", "nan"],
    ),
    ("full", "too_large"): (
        lambda: eagre.full((2,), 300, dtype=eagre.uint8),
        eagre.InvalidArgumentError,
        ["full()", "'fill_value'", "uint8", "300"],
    ),
    ("full", "complex_value"): (
        lambda: eagre.full((2,), 2 + 1j, dtype=eagre.float32),
        eagre.InvalidArgumentError,
        ["full()", "'fill_value'", "float32"],
    ),
    ("full", "out_of_another_dtype"): (
        lambda: eagre.full((2,), 1, dtype=eagre.int64, out=tensor(2)),
        eagre.InvalidArgumentError,
        ["full()", "'dtype'", "'out'", "float32", "int64"],
    ),
    **{
        (op, "memory_format_does_not_fit"): memory_format(op)
        for op in ("empty_like", "zeros_like", "ones_like", "full_like")
    },
    ("full_like", "too_large"): (
        lambda: eagre.full_like(tensor(2, dtype=np.uint8), 300),
        eagre.InvalidArgumentError,
        ["'value'", "uint8", "300"],
    ),
    ("zero", "of_inference_mode"): (
        lambda: _made_in_inference_mode().zero_(),
        eagre.AutogradError,
        ["inference tensor", "clone()"],
    ),
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
    ("fill_diagonal", "vector"): mistake(
        lambda: tensor(2).fill_diagonal_(1), ["fill_diagonal_()", "'input'", "[2]"]
    ),
    ("fill_diagonal", "sizes_differ"): mistake(
        lambda: tensor(2, 3, 2).fill_diagonal_(1), ["fill_diagonal_()", "equal length", "[2, 3, 2]"]
    ),
    ("fill_tensor", "not_one_value"): (
        lambda: tensor(2).fill_(tensor(2)),
        eagre.InvalidArgumentError,
        ["fill()", "'value'", "[2]"],
    ),
    ("new_empty_strided", "lengths_differ"): (
        lambda: eagre.ones(2).new_empty_strided((2, 3), (1,)),
        eagre.InvalidArgumentError,
        ["empty_strided()", "'stride'", "[1]"],
    ),
    ("fill", "does_not_fit"): (
        lambda: eagre.zeros(2, dtype=eagre.int64).fill_(float("nan")),
        eagre.InvalidArgumentError,
        ["fill()", "'value'", "int64", "nan"],
    ),
}

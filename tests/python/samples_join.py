"""Samples of what joins, repeats and fills tensors."""

import numpy as np
from samples import COMPLEX, DTYPES, Sample, make, strided

import eagre

ALL = [*DTYPES, *COMPLEX]


def values(shape, dtype=np.float64, seed=0):
    """As make(), also for complex dtypes."""
    if dtype in COMPLEX:
        return np.asarray(make(shape, seed=seed) + 1j * make(shape, seed=seed + 1)).astype(dtype)
    return make(shape, dtype, seed)


def cat():
    for dtype in ALL:
        a, b = values((2, 3), dtype, 1), values((2, 3), dtype, 2)
        yield Sample(([a, b],), np.concatenate([a, b]))
        yield Sample(([a, b, a], -1), np.concatenate([a, b, a], -1))
    a, b, c = make((2, 3, 2), seed=1), make((2, 1, 2), seed=2), make((2, 0, 2), seed=3)
    yield Sample(([a, b, c], 1), np.concatenate([a, b, c], 1))
    yield Sample(([a],), a)
    yield Sample(([make((0,)), a, make((0,))], 2), a)  # vectors without elements are left out
    yield Sample(([make((0,)), make((0,))],), np.zeros(0))
    turned, wide = strided((3, 2), seed=1), np.broadcast_to(make((2,)), (4, 2))
    yield Sample(([turned, make((1, 2))],), np.concatenate([turned, make((1, 2))]))
    yield Sample(([wide.copy(), turned],), np.concatenate([wide, turned]))
    large = make((50, 3000), np.float32, 1), make((50, 2000), np.float32, 2)
    yield Sample((list(large), 1), np.concatenate(large, 1))
    small, whole = make((2,), np.float32), make((3,), np.int64)
    yield Sample(([whole, small],), np.concatenate([whole.astype(np.float32), small]))
    yield Sample(([small, make((1,))],), np.concatenate([small, make((1,))]))


def stack():
    for dtype in ALL:
        a, b = values((2, 3), dtype, 1), values((2, 3), dtype, 2)
        for dim in (0, 1, 2, -1, -3):
            yield Sample(([a, b], dim), np.stack([a, b], dim))
    a = make(())
    yield Sample(([a, a, a],), np.stack([a, a, a]))
    yield Sample(([make((0, 2))],), make((1, 0, 2)))


def repeat():
    for dtype in ALL:
        a = values((2, 3), dtype)
        yield Sample((a, 2, 3), np.tile(a, (2, 3)))
        yield Sample((a, (2, 1, 3)), np.tile(a, (2, 1, 3)))
    a = make((2, 3))
    for repeats in ((1, 1), (0, 2), (2, 0), (3, 1)):
        yield Sample((a, repeats), np.tile(a, repeats))
    yield Sample((make(()), (2, 2)), np.tile(make(()), (2, 2)))
    yield Sample((make(()), ()), make(()))
    yield Sample((make((0, 2)), (2, 2)), np.zeros((0, 4)))
    yield Sample((strided((3, 2)), (1, 2)), np.tile(strided((3, 2)), (1, 2)))


def tile():
    a = make((2, 3))
    for dims in ((2,), (2, 2), (2, 1, 2), ()):
        yield Sample((a, dims), np.tile(a, dims))


def flip():
    for dtype in ALL:
        a = values((2, 3, 2), dtype)
        yield Sample((a, (0, -1)), np.flip(a, (0, -1)))
    a = make((2, 3, 4))
    for dims in ((0,), (1,), (2,), (0, 1, 2), ()):
        yield Sample((a, dims), np.flip(a, dims))
    yield Sample((make((3, 0)), (0,)), np.zeros((3, 0)))
    yield Sample((make(()), (0,)), make(()))
    yield Sample((strided((3, 2)), (0,)), np.flip(strided((3, 2)), 0))


def roll():
    for dtype in ALL:
        a = values((2, 3), dtype)
        yield Sample((a, 1, 1), np.roll(a, 1, 1))
    a = make((2, 3, 4))
    for shifts in (0, 5, -7, 24, 2**62):
        yield Sample((a, shifts), np.roll(a, shifts % 24))
    for shifts, dims in (((1, -1), (0, 2)), ((5,), (-1,)), ((-2, 1), (1, 1))):
        yield Sample((a, shifts, dims), np.roll(a, shifts, dims))
    yield Sample((make((0, 2)), 1, 0), np.zeros((0, 2)))
    yield Sample((make(()), 3), make(()))
    yield Sample((strided((3, 2)), 1, 0), np.roll(strided((3, 2)), 1, 0))


def triangle(function):
    def generate():
        for dtype in ALL:
            a = values((3, 4), dtype)
            yield Sample((a,), function(a))
        for shape in ((3, 3), (2, 4, 3), (0, 3), (3, 0), (1, 5)):
            for diagonal in (-9, -1, 0, 2, 9):
                a = make(shape)
                yield Sample((a, diagonal), function(a, diagonal))
        yield Sample((make((2, 2)), 2**62), function(make((2, 2)), 9))
        yield Sample((make((2, 2)), -(2**62)), function(make((2, 2)), -9))
        yield Sample((strided((3, 2)),), function(strided((3, 2))))

    generate.__module__ = __name__
    return generate


tril = triangle(np.tril)
triu = triangle(np.triu)


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


def _t(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


BAD = {
    ("cat", "no_tensors"): (
        lambda: eagre.cat([]),
        eagre.InvalidArgumentError,
        ["cat()", "'tensors'"],
    ),
    ("cat", "sizes_differ"): (
        lambda: eagre.cat([_t(2, 3), _t(2, 4)]),
        eagre.InvalidArgumentError,
        ["cat()", "'tensors'", "[2, 3]", "[2, 4]", "position 1"],
    ),
    ("cat", "ranks_differ"): (
        lambda: eagre.cat([_t(2, 3), _t(2)]),
        eagre.InvalidArgumentError,
        ["cat()", "[2, 3]", "[2]"],
    ),
    ("cat", "zero_dim"): (
        lambda: eagre.cat([_t(), _t()]),
        eagre.InvalidArgumentError,
        ["cat()", "0-dim", "stack()"],
    ),
    ("cat", "dim_out_of_range"): (
        lambda: eagre.cat([_t(2)], 1),
        eagre.IndexOutOfRangeError,
        ["cat()", "'dim'", "got 1"],
    ),
    ("stack", "no_tensors"): (
        lambda: eagre.stack([]),
        eagre.InvalidArgumentError,
        ["stack()", "'tensors'"],
    ),
    ("stack", "shapes_differ"): (
        lambda: eagre.stack([_t(2), _t(3)]),
        eagre.InvalidArgumentError,
        ["stack()", "'tensors'", "[2]", "[3]"],
    ),
    ("stack", "dim_out_of_range"): (
        lambda: eagre.stack([_t(2)], 2),
        eagre.IndexOutOfRangeError,
        ["stack()", "'dim'", "got 2"],
    ),
    ("repeat", "too_few"): (
        lambda: _t(2, 3).repeat(2),
        eagre.InvalidArgumentError,
        ["repeat()", "'repeats'", "[2]"],
    ),
    ("repeat", "negative"): (
        lambda: _t(2).repeat(-1),
        eagre.InvalidArgumentError,
        ["repeat()", "'repeats'", "[-1]"],
    ),
    ("tile", "negative"): (
        lambda: _t(2).tile(-1),
        eagre.InvalidArgumentError,
        ["tile()", "'dims'", "[-1]"],
    ),
    ("flip", "dim_out_of_range"): (
        lambda: eagre.flip(_t(2), (1,)),
        eagre.IndexOutOfRangeError,
        ["flip()", "'dims'", "got 1"],
    ),
    ("flip", "dim_twice"): (
        lambda: eagre.flip(_t(2, 2), (1, -1)),
        eagre.InvalidArgumentError,
        ["flip()", "'dims'", "[1, -1]"],
    ),
    ("roll", "lengths_differ"): (
        lambda: eagre.roll(_t(2, 2), (1, 2), 0),
        eagre.InvalidArgumentError,
        ["roll()", "'shifts'"],
    ),
    ("roll", "dim_out_of_range"): (
        lambda: eagre.roll(_t(2, 2), 1, 2),
        eagre.IndexOutOfRangeError,
        ["roll()", "'dims'", "got 2"],
    ),
    ("roll", "no_shifts"): (
        lambda: eagre.roll(_t(2, 2), ()),
        eagre.InvalidArgumentError,
        ["roll()", "'shifts'"],
    ),
    ("tril", "not_a_matrix"): (
        lambda: eagre.tril(_t(2)),
        eagre.InvalidArgumentError,
        ["tril()", "'input'", "[2]"],
    ),
    ("triu", "not_a_matrix"): (
        lambda: eagre.triu(_t()),
        eagre.InvalidArgumentError,
        ["triu()", "'input'"],
    ),
    ("fill_tensor", "not_one_value"): (
        lambda: _t(2).fill_(_t(2)),
        eagre.InvalidArgumentError,
        ["fill()", "'value'", "[2]"],
    ),
}

BAD["cat", "out_overlaps"] = (
    lambda: (lambda x: eagre.cat([x, x], out=x))(eagre.zeros(2)),
    eagre.InvalidArgumentError,
    ["cat()", "'out'", "memory"],
)
BAD["roll", "dims_of_no_dimensions"] = (
    lambda: eagre.roll(eagre.tensor(1.0), 1, 0),
    eagre.IndexOutOfRangeError,
    ["roll()", "'dims'", "[0]"],
)
BAD["fill", "does_not_fit"] = (
    lambda: eagre.zeros(2, dtype=eagre.int64).fill_(float("nan")),
    eagre.InvalidArgumentError,
    ["fill()", "'value'", "int64", "nan"],
)

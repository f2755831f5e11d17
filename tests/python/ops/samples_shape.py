"""Samples of ops/shape.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import ALL, DTYPES, SOME, Sample, make, strided, values

import eagre


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

    return generate


tril = triangle(np.tril)
triu = triangle(np.triu)


def rot90():
    for dtype in SOME:
        a = make((2, 3), dtype)
        for k in (-1, 0, 1, 2, 3, 4):
            yield Sample((a, k), np.rot90(a, k))
    a = make((2, 2, 3))
    yield Sample((a, 1, (1, 2)), np.rot90(a, 1, (1, 2)))
    yield Sample((a,), np.rot90(a, 1, (-1, 0)), {"dims": [-1, 0]})


def fliplr():
    for shape in ((2, 3), (2, 3, 2)):
        yield Sample((make(shape),), np.fliplr(make(shape)))


def flipud():
    for shape in ((3,), (2, 3)):
        yield Sample((make(shape),), np.flipud(make(shape)))


def repeat_interleave():
    for dtype in SOME:
        a = make((2, 3), dtype)
        yield Sample((a, 2), np.repeat(a, 2))
        yield Sample((a, 3, 1), np.repeat(a, 3, 1))
        yield Sample((a, 2), np.repeat(a, 2, 0), {"dim": -2, "output_size": 4})
    yield Sample((make((2,)), 0), np.zeros(0))
    yield Sample((make(()), 2), np.repeat(make(()), 2))
    yield Sample((strided((3, 2)), 2, 0), np.repeat(strided((3, 2)), 2, 0))


def repeat_interleave_by():
    a = make((2, 3))
    yield Sample((a, np.asarray([1, 0, 2]), 1), np.repeat(a, [1, 0, 2], 1))
    yield Sample((a, np.asarray([2, 3], np.int32), 0), np.repeat(a, [2, 3], 0))
    yield Sample((a, np.asarray(2)), np.repeat(a, 2))
    yield Sample((a, np.asarray([2]), -1), np.repeat(a, 2, -1), {"output_size": 6})
    yield Sample((make((0,)), np.zeros(0, np.int64)), np.zeros(0))


def repeat_interleave_counts():
    for counts in ([1, 0, 2], [], [0], [3]):
        given = np.asarray(counts, np.int64)
        yield Sample((given,), np.repeat(np.arange(len(counts)), given))


def diag_embed():
    for dtype in (*DTYPES, np.complex128):
        a = make((3,), dtype)
        yield Sample((a,), np.diag(a))
        yield Sample((a, -2), np.diag(a, -2))
    a = make((2, 3))
    rows = np.stack([np.diag(row, 1) for row in a])
    yield Sample((a, 1), rows)
    yield Sample((a, 1, 0, 2), np.moveaxis(rows, (1, 2), (0, 2)))
    yield Sample((a, 1, 2, 0), np.moveaxis(rows, (1, 2), (2, 0)))
    yield Sample((make((0,)),), np.zeros((0, 0)))


def diag():
    for shape in ((3,), (2, 3), (3, 3)):
        for offset in (-1, 0, 2):
            yield Sample((make(shape), offset), np.diag(make(shape), offset))


def diagflat():
    for shape in ((), (3,), (2, 2)):
        for offset in (0, -1):
            yield Sample((make(shape), offset), np.diagflat(make(shape), offset))


BAD = {
    ("repeat", "too_few"): (
        lambda: tensor(2, 3).repeat(2),
        eagre.InvalidArgumentError,
        ["repeat()", "'repeats'", "[2]"],
    ),
    ("repeat", "negative"): (
        lambda: tensor(2).repeat(-1),
        eagre.InvalidArgumentError,
        ["repeat()", "'repeats'", "[-1]"],
    ),
    ("tile", "negative"): (
        lambda: tensor(2).tile(-1),
        eagre.InvalidArgumentError,
        ["tile()", "'dims'", "[-1]"],
    ),
    ("flip", "dim_out_of_range"): (
        lambda: eagre.flip(tensor(2), (1,)),
        eagre.IndexOutOfRangeError,
        ["flip()", "'dims'", "got 1"],
    ),
    ("flip", "dim_twice"): (
        lambda: eagre.flip(tensor(2, 2), (1, -1)),
        eagre.InvalidArgumentError,
        ["flip()", "'dims'", "[1, -1]"],
    ),
    ("roll", "lengths_differ"): (
        lambda: eagre.roll(tensor(2, 2), (1, 2), 0),
        eagre.InvalidArgumentError,
        ["roll()", "'shifts'"],
    ),
    ("roll", "dim_out_of_range"): (
        lambda: eagre.roll(tensor(2, 2), 1, 2),
        eagre.IndexOutOfRangeError,
        ["roll()", "'dims'", "got 2"],
    ),
    ("roll", "no_shifts"): (
        lambda: eagre.roll(tensor(2, 2), ()),
        eagre.InvalidArgumentError,
        ["roll()", "'shifts'"],
    ),
    ("tril", "not_a_matrix"): (
        lambda: eagre.tril(tensor(2)),
        eagre.InvalidArgumentError,
        ["tril()", "'input'", "[2]"],
    ),
    ("triu", "not_a_matrix"): (
        lambda: eagre.triu(tensor()),
        eagre.InvalidArgumentError,
        ["triu()", "'input'"],
    ),
    ("rot90", "one_dim"): mistake(
        lambda: eagre.rot90(tensor(2, 2), 1, (0,)), ["rot90()", "'dims'", "[0]"]
    ),
    ("rot90", "same_dims"): mistake(
        lambda: eagre.rot90(tensor(2, 2), 1, (1, -1)), ["rot90()", "'dims'", "[1, -1]"]
    ),
    ("rot90", "vector"): mistake(lambda: eagre.rot90(tensor(2)), ["rot90()", "'input'", "got 1"]),
    ("rot90", "dim_out_of_range"): mistake(
        lambda: eagre.rot90(tensor(2, 2), 1, (0, 2)),
        ["rot90()", "'dims'", "got 2"],
        eagre.IndexOutOfRangeError,
    ),
    ("fliplr", "vector"): mistake(lambda: tensor(2).fliplr(), ["fliplr()", ">= 2-d."]),
    ("flipud", "zero_dim"): mistake(lambda: tensor().flipud(), ["flipud()", ">= 1-d."]),
    ("repeat_interleave_by", "lengths_differ"): mistake(
        lambda: tensor(2).repeat_interleave(integers(3)),
        ["repeat_interleave()", "'repeats'", "2", "3"],
    ),
    ("repeat_interleave_by", "negative"): mistake(
        lambda: tensor(2).repeat_interleave(eagre.tensor([1, -1])),
        ["repeat_interleave()", "'repeats'", "negative"],
    ),
    ("repeat_interleave_by", "floats"): mistake(
        lambda: tensor(2).repeat_interleave(tensor(2)),
        ["repeat_interleave()", "'repeats'", "float32"],
    ),
    ("repeat_interleave_by", "matrix"): mistake(
        lambda: tensor(2).repeat_interleave(integers(1, 1)),
        ["repeat_interleave()", "'repeats'", "[1, 1]"],
    ),
    ("repeat_interleave_by", "wrong_output_size"): mistake(
        lambda: tensor(2).repeat_interleave(eagre.tensor([1, 1]), output_size=3),
        ["repeat_interleave()", "'output_size'", "2", "3"],
    ),
    ("repeat_interleave", "negative"): mistake(
        lambda: tensor(2).repeat_interleave(-1), ["repeat_interleave()", "'repeats'", "-1"]
    ),
    ("repeat_interleave", "dim_out_of_range"): mistake(
        lambda: tensor(2).repeat_interleave(1, 1),
        ["repeat_interleave()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError,
    ),
    ("repeat_interleave_counts", "not_a_vector"): mistake(
        lambda: eagre.repeat_interleave(integers(2, 2)),
        ["repeat_interleave()", "'repeats'", "[2, 2]"],
    ),
    ("repeat_interleave_counts", "negative"): mistake(
        lambda: eagre.repeat_interleave(eagre.tensor([-1])),
        ["repeat_interleave()", "'repeats'", "negative"],
    ),
    ("diag_embed", "zero_dim"): mistake(
        lambda: eagre.diag_embed(tensor()),
        ["diag_embed()", "'input'", "0-dim"],
        eagre.IndexOutOfRangeError,
    ),
    ("diag_embed", "same_dims"): mistake(
        lambda: eagre.diag_embed(tensor(2), 0, 0, -2), ["diag_embed()", "'dim1'", "0 and -2"]
    ),
    ("diag_embed", "dim_out_of_range"): mistake(
        lambda: eagre.diag_embed(tensor(2), 0, 0, 2),
        ["diag_embed()", "'dim2'", "got 2"],
        eagre.IndexOutOfRangeError,
    ),
    ("diag", "too_many_dimensions"): mistake(
        lambda: eagre.diag(tensor(2, 2, 2)), ["diag()", "'input'", "[2, 2, 2]"]
    ),
    ("diagflat", "offset_too_large"): mistake(
        lambda: eagre.diagflat(tensor(2), 2**63 - 1), ["diagflat()", "'offset'"]
    ),
    ("roll", "dims_of_no_dimensions"): (
        lambda: eagre.roll(eagre.tensor(1.0), 1, 0),
        eagre.IndexOutOfRangeError,
        ["roll()", "'dims'", "[0]"],
    ),
}

"""Samples of ops/view_slice.yaml."""

import numpy as np
from mistakes import tensor
from samples import Sample, make, strided

import eagre


def select():
    a = make((2, 3, 4))
    for dim, index in ((0, 1), (1, -1), (2, 0), (-1, 3), (-3, -2)):
        yield Sample((a, dim, index), np.take(a, index, dim))
    yield Sample((strided((4, 3)), 1, 1), strided((4, 3))[:, 1])
    yield Sample((make((5,)), 0, 4), make((5,))[4])


def narrow():
    a = make((4, 5))
    yield Sample((a, 0, 1, 2), a[1:3])
    yield Sample((a, 1, -2, 2), a[:, 3:])
    yield Sample((a, 1, 5, 0), a[:, 5:])
    yield Sample((a, -1, 0, 5), a)


def slice():  # noqa: A001  the operator's name
    a = make((5, 6))
    for dim, start, end, step in (
        (0, 1, 4, 1), (0, None, None, 2), (1, -4, -1, 2), (1, 3, 100, 1), (0, 4, 2, 1),
        (1, -100, 3, 1), (0, 0, 5, 100), (1, 1, None, 3),
    ):  # fmt: skip
        where = (np.s_[start:end:step], np.s_[:]) if dim == 0 else (np.s_[:], np.s_[start:end:step])
        yield Sample((a, dim, start, end, step), a[where])
    yield Sample((make((3,)), 0, 0, 3, 2**62), make((3,))[:1])


def diagonal():
    a = make((3, 4))
    for offset in (0, 1, -1, 3, -2, 4, -3, 100):
        yield Sample((a, offset), np.diagonal(a, offset))
    b = make((2, 3, 4))
    yield Sample((b, 1, 0, 2), np.diagonal(b, 1, 0, 2))
    yield Sample((b, 0, -1, 1), np.diagonal(b, 0, -1, 1))


def as_strided():
    a = make((6,))
    steps = np.lib.stride_tricks.as_strided
    yield Sample((a, (2, 2), (1, 2)), steps(a, (2, 2), (8, 16)))
    yield Sample((a, (2, 3), (1, 1)), steps(a, (2, 3), (8, 8)))  # overlapping
    yield Sample((a, (2,), (2,), 1), a[1:4:2])
    yield Sample((a, (), (), 5), a[5])
    yield Sample((a, (0, 9), (1, 1)), np.zeros((0, 9)))
    yield Sample((a, (2, 2), (0, 1)), np.broadcast_to(a[:2], (2, 2)))


def unfold():
    a = make((7,))
    windows = np.lib.stride_tricks.sliding_window_view
    yield Sample((a, 0, 3, 1), windows(a, 3))
    yield Sample((a, 0, 3, 2), windows(a, 3)[::2])
    b = make((3, 4))
    yield Sample((b, 0, 2, 1), windows(b, 2, 0))
    yield Sample((b, -1, 4, 1), windows(b, 4, 1))
    yield Sample((make(()), 0, 1, 1), make(()).reshape(1))


BAD = {
    ("select", "index_out_of_range"): (
        lambda: tensor(2, 3).select(1, 3),
        eagre.IndexOutOfRangeError,
        ["select()", "index 3 out of range", "[2, 3]", "dimension 1"],
    ),
    ("select", "zero_dim"): (
        lambda: tensor().select(0, 0),
        eagre.IndexOutOfRangeError,
        ["select()", "0-dim"],
    ),
    ("narrow", "start_out_of_range"): (
        lambda: tensor(3).narrow(0, 4, 0),
        eagre.IndexOutOfRangeError,
        ["narrow()", "'start'", "got 4"],
    ),
    ("narrow", "too_long"): (
        lambda: tensor(3).narrow(0, 1, 3),
        eagre.InvalidArgumentError,
        ["narrow()", "start (1) + length (3) exceeds dimension size (3)"],
    ),
    ("slice", "step_not_positive"): (
        lambda: tensor(3).slice(0, 0, 3, -1),
        eagre.InvalidArgumentError,
        ["slice()", "'step'", "flip()"],
    ),
    ("diagonal", "one_dimension"): (
        lambda: tensor(3).diagonal(),
        eagre.IndexOutOfRangeError,
        ["diagonal()", "Dimension out of range", "'dim2'"],
    ),
    ("diagonal", "same_dims"): (
        lambda: tensor(3, 3).diagonal(0, 1, -1),
        eagre.InvalidArgumentError,
        ["diagonal()", "dimensions cannot be identical 1, -1"],
    ),
    ("as_strided", "beyond_the_storage"): (
        lambda: tensor(4).as_strided((2, 2), (2, 2)),
        eagre.InvalidArgumentError,
        ["as_strided()", "out of bounds for storage of size 16"],
    ),
    ("as_strided", "negative_stride"): (
        lambda: tensor(4).as_strided((2,), (-1,), 3),
        eagre.InvalidArgumentError,
        ["as_strided()", "Negative strides are not supported", "[-1]"],
    ),
    ("as_strided", "lengths_differ"): (
        lambda: tensor(4).as_strided((2,), (1, 1)),
        eagre.InvalidArgumentError,
        ["as_strided()", "mismatch in length of strides and shape", "[1, 1]"],
    ),
    ("unfold", "size_too_large"): (
        lambda: tensor(3).unfold(0, 4, 1),
        eagre.InvalidArgumentError,
        ["unfold()", "maximum size for tensor at dimension 0 is 3 but size is 4"],
    ),
    ("unfold", "step_not_positive"): (
        lambda: tensor(3).unfold(0, 2, 0),
        eagre.InvalidArgumentError,
        ["unfold()", "step is 0 but must be > 0"],
    ),
}

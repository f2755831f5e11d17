"""Samples of tensors with parts of them replaced."""

import numpy as np
from samples import Sample, _t, make, strided

import eagre

SOME = (np.float64, np.float32, np.int64, np.bool_)


def _replaced(a, index, src):
    result = a.copy()
    result[index] = src
    return result


def select_scatter():
    for dtype in SOME:
        a, b = make((2, 3), dtype, 1), make((3,), dtype, 2)
        yield Sample((a, b, 0, 1), _replaced(a, 1, b))
        yield Sample((a, b, 0, -2), _replaced(a, 0, b))
    a, b = strided((3, 2)), make((3,))
    yield Sample((a, b, -1, 0), _replaced(a, (slice(None), 0), b))


def slice_scatter():
    for dtype in SOME:
        a, b = make((4, 2), dtype, 1), make((2, 2), dtype, 2)
        yield Sample((a, b, 0, 1, 3), _replaced(a, slice(1, 3), b))
        yield Sample((a, b, 0, None, None, 2), _replaced(a, slice(None, None, 2), b))
    a, b = make((2, 3)), make((2, 1), seed=1)
    yield Sample((a, b, 1), _replaced(a, (slice(None), slice(2, 3)), b), {"start": -1})
    yield Sample((a, a), a)


def diagonal_scatter():
    for dtype in SOME:
        a, b = make((3, 3), dtype, 1), make((3,), dtype, 2)
        yield Sample((a, b), _replaced(a, (np.arange(3), np.arange(3)), b))
        yield Sample((a, b[:2], 1), _replaced(a, (np.arange(2), np.arange(1, 3)), b[:2]))
    a, b = make((2, 2, 2)), make((2, 2), seed=1)
    expected = a.copy()
    expected[np.arange(2), :, np.arange(2)] = b.T
    yield Sample((a, b, 0, 0, 2), expected)


def masked_scatter():
    mask = np.asarray([[True, False], [True, True]])
    for dtype in SOME:
        a, b = make((2, 2), dtype, 1), make((5,), dtype, 2)
        yield Sample((a, mask, b), _replaced(a, mask, b[:3]))
    a, b = make((2, 2)), make((2, 2), seed=2)
    yield Sample((a, mask[0], b), _replaced(a, np.broadcast_to(mask[0], (2, 2)), b.reshape(-1)[:2]))
    yield Sample((a, np.zeros((2, 2), bool), make((0,))), a)


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


def _bad(call, words, kind=None):
    return call, kind or eagre.InvalidArgumentError, words


BAD = {
    ("select_scatter", "shapes_differ"): _bad(
        lambda: _t(2, 3).select_scatter(_t(2), 0, 1), ["select_scatter()", "'src'", "[3]", "[2]"]),
    ("select_scatter", "dim_out_of_range"): _bad(
        lambda: _t(2, 3).select_scatter(_t(2), 2, 0), ["select_scatter()", "'dim'", "got 2"],
        eagre.IndexOutOfRangeError),
    ("slice_scatter", "shapes_differ"): _bad(
        lambda: _t(3).slice_scatter(_t(1), start=1), ["slice_scatter()", "'src'", "[2]", "[1]"]),
    ("slice_scatter", "no_step"): _bad(
        lambda: _t(3).slice_scatter(_t(1), step=0), ["slice_scatter()", "'step'", "0"]),
    ("diagonal_scatter", "shapes_differ"): _bad(
        lambda: _t(3, 3).diagonal_scatter(_t(2)), ["diagonal_scatter()", "'src'", "[3]", "[2]"]),
    ("diagonal_scatter", "same_dims"): _bad(
        lambda: _t(3, 3).diagonal_scatter(_t(3), 0, 1, 1), ["diagonal_scatter()", "diagonal()"]),
    ("masked_scatter", "too_few"): _bad(
        lambda: _t(2).masked_scatter(eagre.tensor([True, True]), _t(1)),
        ["masked_scatter()", "source (1)", "(2)"]),
    ("masked_scatter", "not_a_mask"): _bad(
        lambda: _t(2).masked_scatter(_t(2), _t(2)), ["masked_scatter()", "'mask'", "float32"]),
    ("masked_scatter", "dtypes_differ"): _bad(
        lambda: _t(2).masked_scatter(eagre.tensor([True, True]), _t(2, dtype=np.float64)),
        ["masked_scatter()", "float32", "float64"]),
    ("masked_scatter", "shapes_do_not_broadcast"): _bad(
        lambda: _t(3).masked_scatter(eagre.tensor([True, True]), _t(3)),
        ["masked_scatter()", "[3]", "[2]"]),
    ("fill_diagonal", "vector"): _bad(
        lambda: _t(2).fill_diagonal_(1), ["fill_diagonal_()", "'input'", "[2]"]),
    ("fill_diagonal", "sizes_differ"): _bad(
        lambda: _t(2, 3, 2).fill_diagonal_(1), ["fill_diagonal_()", "equal length", "[2, 3, 2]"]),
    ("exponential", "not_positive"): _bad(
        lambda: _t(2).exponential_(0), ["exponential_()", "'lambd'", "0"]),
    ("exponential", "integers"): _bad(
        lambda: _t(2, dtype=np.int64).exponential_(), ["exponential_()", "'input'", "int64"]),
    ("random", "expanded"): _bad(
        lambda: _t(1).expand(3).random_(), ["random_()"]),
    ("random_to", "not_positive"): _bad(lambda: _t(2).random_(0), ["random_()", "'to'", "0"]),
    ("random_to", "too_large"): _bad(
        lambda: _t(2, dtype=np.int8).random_(200), ["random_()", "'to'", "128", "200"]),
    ("random_from", "empty_range"): _bad(
        lambda: _t(2).random_(3, 3), ["random_()", "'from'", "3 >= 3"]),
}  # fmt: skip

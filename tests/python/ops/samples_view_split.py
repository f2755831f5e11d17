"""Samples of ops/view_split.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import Sample, make, several, strided

import eagre


def tensor_split():
    for shape, sections, dim in (((5,), 2, 0), ((2, 5), 3, 1), ((2, 2), 3, -1), ((0,), 2, 0)):
        a = make(shape)
        yield Sample((a, sections, dim), several(*np.array_split(a, sections, dim)))
    yield Sample((strided((3, 2)), 2), several(*np.array_split(strided((3, 2)), 2)))


def tensor_split_at():
    a = make((5, 2))
    for places in ((1, 3), [2], (3, 1), (-2,), (9,)):
        yield Sample((a, places), several(*np.split(a, places)))
    yield Sample((a, (1,), 1), several(*np.split(a, [1], 1)))


def tensor_split_by():
    a = make((5,))
    yield Sample((a, np.asarray(2)), several(*np.array_split(a, 2)))
    yield Sample((a, np.asarray([1, 3])), several(*np.array_split(a, [1, 3])))


def _split(function, *shapes):
    for shape in shapes:
        a = make(shape)
        yield Sample((a, 2), several(*function(a, 2)))


def _split_at(function, *shapes):
    for shape in shapes:
        a = make(shape)
        yield Sample((a, (1,)), several(*function(a, [1])))


def hsplit():
    yield from _split(np.hsplit, (4,), (2, 4))


def hsplit_at():
    yield from _split_at(np.hsplit, (4,), (2, 3))


def vsplit():
    yield from _split(np.vsplit, (4, 1))


def vsplit_at():
    yield from _split_at(np.vsplit, (3, 2))


def dsplit():
    yield from _split(np.dsplit, (2, 1, 4))


def dsplit_at():
    yield from _split_at(np.dsplit, (2, 1, 3))


def split_sizes():
    a = make((6, 2))
    yield Sample((a, [1, 2, 3]), (a[:1], a[1:3], a[3:]))
    yield Sample((a, (6,)), (a,))
    yield Sample((a, [0, 6, 0]), (a[:0], a, a[:0]))
    yield Sample((a, [1, 1], 1), (a[:, :1], a[:, 1:]))


def split():
    a = make((5, 2))
    yield Sample((a, 2), (a[:2], a[2:4], a[4:]))
    yield Sample((a, 5), (a,))
    yield Sample((a, 7), (a,))
    yield Sample((a, 1, -1), (a[:, :1], a[:, 1:]))
    yield Sample((make((0, 2)), 3), (np.zeros((0, 2)),))


def chunk():
    a = make((5, 2))
    yield Sample((a, 2), (a[:3], a[3:]))
    yield Sample((a, 3), (a[:2], a[2:4], a[4:]))
    yield Sample((a, 9), tuple(a[i : i + 1] for i in range(5)))
    yield Sample((make((0,)), 2), (np.zeros(0), np.zeros(0)))


def unbind():
    a = make((3, 2))
    yield Sample((a,), tuple(a))
    yield Sample((a, 1), tuple(a.T))
    yield Sample((make((0, 2)),), ())


BAD = {
    ("tensor_split_by", "not_integers"): mistake(
        lambda: eagre.tensor_split(tensor(2), tensor(2)),
        ["tensor_split()", "'tensor_indices_or_sections'", "float32"],
    ),
    ("tensor_split", "no_sections"): mistake(
        lambda: eagre.tensor_split(tensor(2), 0), ["tensor_split()", "sections", "got 0"]
    ),
    ("tensor_split", "zero_dim"): mistake(
        lambda: eagre.tensor_split(tensor(), 1), ["tensor_split()", "'input'", "0-dim"]
    ),
    ("tensor_split", "dim_out_of_range"): mistake(
        lambda: eagre.tensor_split(tensor(2), 1, 1),
        ["tensor_split()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError,
    ),
    ("tensor_split_at", "dim_out_of_range"): mistake(
        lambda: eagre.tensor_split(tensor(2), (1,), 1),
        ["tensor_split()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError,
    ),
    **{
        (op, "too_few_dimensions"): mistake(
            lambda op=op: getattr(eagre, op)(tensor(), 1),
            [f"{op}()", "Input must be >=", "0 dimensions"],
        )
        for op in ("hsplit", "vsplit", "dsplit")
    },
    **{
        (f"{op}_at", "too_few_dimensions"): mistake(
            lambda op=op: getattr(eagre, op)(tensor(), (1,)),
            [f"{op}()", "Input must be >=", "0 dimensions"],
        )
        for op in ("hsplit", "vsplit", "dsplit")
    },
    **{
        (op, "not_divisible"): mistake(
            lambda op=op: getattr(eagre, op)(tensor(3, 3, 3), 2),
            [f"{op}()", "'sections'", "3", "2"],
        )
        for op in ("hsplit", "vsplit", "dsplit")
    },
    **{
        (op, "text"): mistake(
            lambda op=op: getattr(eagre, op)(tensor(3, 3, 3), "abc"),
            [f"{op}()", "str"],
            eagre.DTypeError,
        )
        for op in ("hsplit", "vsplit", "dsplit")
    },
    ("split_sizes", "wrong_total"): (
        lambda: tensor(3).split([1, 1]),
        eagre.InvalidArgumentError,
        ["split()", "'split_sizes'", "[1, 1]"],
    ),
    ("split_sizes", "negative"): (
        lambda: tensor(3).split([4, -1]),
        eagre.InvalidArgumentError,
        ["split()", "'split_sizes'"],
    ),
    ("split", "size_not_positive"): (
        lambda: tensor(3).split(0),
        eagre.InvalidArgumentError,
        ["split()", "split_size can only be 0 if dimension size is 0"],
    ),
    ("chunk", "chunks_not_positive"): (
        lambda: tensor(3).chunk(0),
        eagre.InvalidArgumentError,
        ["chunk()", "`chunks` to be greater than 0, got: 0"],
    ),
    ("unbind", "zero_dim"): (
        lambda: tensor().unbind(),
        eagre.IndexOutOfRangeError,
        ["unbind()", "0-dim"],
    ),
}

unsafe_split = split
unsafe_split_with_sizes = split_sizes
unsafe_chunk = chunk

BAD |= {
    ("unsafe_split", "size_not_positive"): (
        lambda: eagre.unsafe_split(eagre.ones(3), 0),
        eagre.InvalidArgumentError,
        ["unsafe_split()", "split_size"],
    ),
    ("unsafe_split_with_sizes", "wrong_total"): (
        lambda: eagre.unsafe_split_with_sizes(eagre.ones(3), [1, 1]),
        eagre.InvalidArgumentError,
        ["unsafe_split_with_sizes()"],
    ),
    ("unsafe_chunk", "chunks_not_positive"): (
        lambda: eagre.unsafe_chunk(eagre.ones(3), 0),
        eagre.InvalidArgumentError,
        ["unsafe_chunk()", "chunks"],
    ),
}

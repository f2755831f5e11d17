"""Samples of grids, stacks, parts and diagonals."""

import itertools

import numpy as np
from samples import DTYPES, Sample, _t, make, strided

import eagre

SOME = (np.float64, np.float32, np.int64, np.bool_)


def _both(*values):
    """Results of several: a tuple, however many."""
    return tuple(np.asarray(value) for value in values)


# --- grids and choices ---


def broadcast_to():
    a = make((2, 1))
    yield Sample((a, (3, 2, 2)), np.broadcast_to(a, (3, 2, 2)))
    yield Sample((make(()), (2,)), np.broadcast_to(make(()), (2,)))
    yield Sample((a, (2, 0)), np.zeros((2, 0)))


def broadcast_tensors():
    a, b = make((2, 1), seed=1), make((3,), seed=2)
    yield Sample((a, b), _both(*np.broadcast_arrays(a, b)))
    yield Sample(([a, b, make(())],), _both(*np.broadcast_arrays(a, b, make(()))))
    yield Sample((a,), _both(a))


def meshgrid():
    for dtype in SOME:
        a, b = make((2,), dtype, 1), make((3,), dtype, 2)
        for indexing in ("ij", "xy"):
            expected = _both(*np.meshgrid(a, b, indexing=indexing))
            yield Sample((a, b), expected, {"indexing": indexing})
    yield Sample(([a, b],), _both(*np.meshgrid(a, b, indexing="ij")))
    yield Sample((make(()), make((2,))), _both(*np.meshgrid(make(()), make((2,)), indexing="ij")))


def cartesian_prod():
    a, b = make((2,), seed=1), make((3,), seed=2)
    rows = np.asarray(list(itertools.product(a, b)))
    yield Sample((a, b), rows)
    yield Sample(([a, b],), rows)
    yield Sample((a,), a)
    yield Sample((make((0,)), b), np.zeros((0, 2)))


def combinations():
    for dtype in SOME:
        a = make((4,), dtype)
        for r in (1, 2, 3):
            yield Sample((a, r), np.asarray(list(itertools.combinations(a, r)), dtype))
        repeated = itertools.combinations_with_replacement(a, 2)
        yield Sample((a, 2, True), np.asarray(list(repeated), dtype))
    yield Sample((make((2,)), 3), np.zeros((0, 3)))
    yield Sample((make((2,)), 0), np.zeros(0))
    yield Sample((make((0,)), 2, True), np.zeros((0, 2)))


def vander():
    for dtype in (np.float64, np.float32, np.int64):
        a = make((3,), dtype)
        yield Sample((a,), np.vander(a).astype(dtype))
        yield Sample((a, 2, True), np.vander(a, 2, True).astype(dtype))
    yield Sample((make((3,)), 0), np.zeros((3, 0)))


# --- stacks and parts ---


def _atleast(function):
    for shape in ((), (2,), (2, 3), (2, 3, 2)):
        yield Sample((make(shape),), function(make(shape)))


def _atleast_each(function):
    a, b = make(()), make((2, 3))
    yield Sample((a, b), _both(function(a), function(b)))
    yield Sample(([a, b],), _both(function(a), function(b)))


def atleast_1d():
    yield from _atleast(np.atleast_1d)


def atleast_2d():
    yield from _atleast(np.atleast_2d)


def atleast_3d():
    yield from _atleast(np.atleast_3d)


def atleast_1d_each():
    yield from _atleast_each(np.atleast_1d)


def atleast_2d_each():
    yield from _atleast_each(np.atleast_2d)


def atleast_3d_each():
    yield from _atleast_each(np.atleast_3d)


def _stacked(function):
    for dtype in SOME:
        for shape in ((), (2,), (2, 3), (2, 1, 2)):
            a, b = make(shape, dtype, 1), make(shape, dtype, 2)
            yield Sample(([a, b],), function([a, b]))


def hstack():
    yield from _stacked(np.hstack)


def vstack():
    yield from _stacked(np.vstack)


def dstack():
    yield from _stacked(np.dstack)


def column_stack():
    yield from _stacked(np.column_stack)


def block_diag():
    a, b = make((1, 2), seed=1), make((2, 1), seed=2)
    yield Sample((a, b), np.block([[a, np.zeros((1, 1))], [np.zeros((2, 2)), b]]))
    yield Sample(([a],), a)
    yield Sample((make((2,)), make(())), np.block([[make((2,)), 0], [0, 0, make(())]]))


def tensor_split():
    for shape, sections, dim in (((5,), 2, 0), ((2, 5), 3, 1), ((2, 2), 3, -1), ((0,), 2, 0)):
        a = make(shape)
        yield Sample((a, sections, dim), _both(*np.array_split(a, sections, dim)))
    yield Sample((strided((3, 2)), 2), _both(*np.array_split(strided((3, 2)), 2)))


def tensor_split_at():
    a = make((5, 2))
    for places in ((1, 3), [2], (3, 1), (-2,), (9,)):
        yield Sample((a, places), _both(*np.split(a, places)))
    yield Sample((a, (1,), 1), _both(*np.split(a, [1], 1)))


def tensor_split_by():
    a = make((5,))
    yield Sample((a, np.asarray(2)), _both(*np.array_split(a, 2)))
    yield Sample((a, np.asarray([1, 3])), _both(*np.array_split(a, [1, 3])))


def _split(function, *shapes):
    for shape in shapes:
        a = make(shape)
        yield Sample((a, 2), _both(*function(a, 2)))


def _split_at(function, *shapes):
    for shape in shapes:
        a = make(shape)
        yield Sample((a, (1,)), _both(*function(a, [1])))


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


# --- turned round and repeated ---


def rot90():
    for dtype in SOME:
        a = make((2, 3), dtype)
        for k in (-1, 0, 1, 2, 3, 4):
            yield Sample((a, k), np.rot90(a, k))
    a = make((2, 2, 3))
    yield Sample((a, 1, (1, 2)), np.rot90(a, 1, (1, 2)))
    yield Sample((a,), np.rot90(a, 1, (-1, 0)), {"dims": [-1, 0]})


def ravel():
    for shape in ((), (3,), (2, 3), (0, 2)):
        yield Sample((make(shape),), make(shape).ravel())
    yield Sample((strided((3, 2)),), strided((3, 2)).ravel())


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


# --- diagonals ---


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


def trace():
    for dtype in (np.float64, np.float32, np.int64, np.int32):
        for shape in ((2, 2), (3, 2), (0, 2)):
            a = make(shape, dtype)
            wide = np.int64 if np.issubdtype(dtype, np.integer) else dtype
            yield Sample((a,), np.asarray(np.trace(a, dtype=wide)))


def _triangle(function):
    for rows, columns, offset in ((3, 3, 0), (2, 4, 1), (4, 2, -1), (0, 3, 0), (2, 2, 9)):
        expected = np.stack(function(rows, offset, columns))
        yield Sample((rows, columns, offset), expected)
    narrow = np.stack(function(2)).astype(np.int32)
    yield Sample((2, 2), narrow, {"dtype": eagre.int32})


def tril_indices():
    yield from _triangle(np.tril_indices)


def triu_indices():
    yield from _triangle(np.triu_indices)


def argwhere():
    for shape in ((3,), (2, 3), (0, 2)):
        a = make(shape, np.int64)
        yield Sample((a,), np.argwhere(a))
    yield Sample((np.asarray([True, False, True]),), np.asarray([[0], [2]]))


def _whole(*shape):
    return _t(*shape, dtype=np.int64)


def _bad(call, words, kind=None):
    return call, kind or eagre.InvalidArgumentError, words


BAD = {
    ("broadcast_to", "does_not_fit"): _bad(
        lambda: _t(2).broadcast_to((3,)), ["broadcast_to()", "'size'"]),
    ("broadcast_tensors", "shapes_do_not_broadcast"): _bad(
        lambda: eagre.broadcast_tensors(_t(2), _t(3)), ["broadcast_tensors()", "[2]", "[3]"]),
    ("meshgrid", "matrix"): _bad(
        lambda: eagre.meshgrid(_t(2), _t(2, 2)), ["meshgrid()", "'tensors'", "[2, 2]"]),
    ("meshgrid", "unknown_indexing"): _bad(
        lambda: eagre.meshgrid(_t(2), indexing="yx"), ["meshgrid()", "'indexing'", "'yx'"]),
    ("meshgrid", "dtypes_differ"): _bad(
        lambda: eagre.meshgrid(_t(2), _whole(2)), ["meshgrid()", "float32", "int64"]),
    ("cartesian_prod", "not_a_vector"): _bad(
        lambda: eagre.cartesian_prod(_t(2, 2)), ["cartesian_prod()", "'tensors'", "[2, 2]"]),
    ("combinations", "not_a_vector"): _bad(
        lambda: eagre.combinations(_t(2, 2)), ["combinations()", "'input'", "[2, 2]"]),
    ("combinations", "negative"): _bad(
        lambda: eagre.combinations(_t(2), -1), ["combinations()", "'r'", "-1"]),
    ("combinations", "too_many"): _bad(
        lambda: eagre.combinations(_t(2), 2**62), ["combinations()", "'r'", str(2**62)]),
    ("vander", "not_a_vector"): _bad(
        lambda: eagre.vander(_t(2, 2)), ["vander()", "'x'", "[2, 2]"]),
    ("vander", "negative"): _bad(lambda: eagre.vander(_t(2), -1), ["vander()", "'N'", "-1"]),
    **{(f"atleast_{n}d", "not_a_tensor"): _bad(
        lambda n=n: getattr(eagre, f"atleast_{n}d")(1), [f"atleast_{n}d()", "int"],
        eagre.DTypeError) for n in (1, 2, 3)},
    **{(f"atleast_{n}d_each", "not_a_tensor"): _bad(
        lambda n=n: getattr(eagre, f"atleast_{n}d")(_t(), 1), [f"atleast_{n}d()", "int"],
        eagre.DTypeError) for n in (1, 2, 3)},
    **{(op, "no_tensors"): _bad(
        lambda op=op: getattr(eagre, op)([]), [f"{op}()", "'tensors'", "non-empty"])
        for op in ("hstack", "vstack", "dstack", "column_stack")},
    **{(op, "sizes_differ"): _bad(
        lambda op=op: getattr(eagre, op)([_t(2, 3), _t(3, 2)]), [f"{op}()", "cat()"])
        for op in ("hstack", "vstack", "dstack", "column_stack")},
    ("block_diag", "too_many_dimensions"): _bad(
        lambda: eagre.block_diag(_t(2, 2, 2)), ["block_diag()", "'tensors'", "[2, 2, 2]"]),
    ("tensor_split_by", "not_integers"): _bad(
        lambda: eagre.tensor_split(_t(2), _t(2)),
        ["tensor_split()", "'tensor_indices_or_sections'", "float32"]),
    ("tensor_split", "no_sections"): _bad(
        lambda: eagre.tensor_split(_t(2), 0), ["tensor_split()", "'sections'", "0"]),
    ("tensor_split", "zero_dim"): _bad(
        lambda: eagre.tensor_split(_t(), 1), ["tensor_split()", "'input'", "0-dim"]),
    ("tensor_split", "dim_out_of_range"): _bad(
        lambda: eagre.tensor_split(_t(2), 1, 1), ["tensor_split()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError),
    ("tensor_split_at", "dim_out_of_range"): _bad(
        lambda: eagre.tensor_split(_t(2), (1,), 1), ["tensor_split()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError),
    **{(op, "too_few_dimensions"): _bad(
        lambda op=op: getattr(eagre, op)(_t(), 1), [f"{op}()", "'input'", "has 0"])
        for op in ("hsplit", "vsplit", "dsplit")},
    **{(f"{op}_at", "too_few_dimensions"): _bad(
        lambda op=op: getattr(eagre, op)(_t(), (1,)), [f"{op}()", "'input'", "has 0"])
        for op in ("hsplit", "vsplit", "dsplit")},
    **{(op, "not_divisible"): _bad(
        lambda op=op: getattr(eagre, op)(_t(3, 3, 3), 2), [f"{op}()", "'sections'", "3", "2"])
        for op in ("hsplit", "vsplit", "dsplit")},
    **{(op, "text"): _bad(
        lambda op=op: getattr(eagre, op)(_t(3, 3, 3), "abc"), [f"{op}()", "str"], eagre.DTypeError)
        for op in ("hsplit", "vsplit", "dsplit")},
    ("rot90", "one_dim"): _bad(
        lambda: eagre.rot90(_t(2, 2), 1, (0,)), ["rot90()", "'dims'", "[0]"]),
    ("rot90", "same_dims"): _bad(
        lambda: eagre.rot90(_t(2, 2), 1, (1, -1)), ["rot90()", "'dims'", "[1, -1]"]),
    ("rot90", "vector"): _bad(lambda: eagre.rot90(_t(2)), ["rot90()", "'input'", "got 1"]),
    ("rot90", "dim_out_of_range"): _bad(
        lambda: eagre.rot90(_t(2, 2), 1, (0, 2)), ["rot90()", "'dims'", "got 2"],
        eagre.IndexOutOfRangeError),
    ("ravel", "not_a_tensor"): _bad(
        lambda: eagre.ravel([1]), ["ravel()", "'input'", "list"], eagre.DTypeError),
    ("fliplr", "vector"): _bad(lambda: _t(2).fliplr(), ["fliplr()", "'input'", "has 1"]),
    ("flipud", "zero_dim"): _bad(lambda: _t().flipud(), ["flipud()", "'input'", "has 0"]),
    ("repeat_interleave_by", "lengths_differ"): _bad(
        lambda: _t(2).repeat_interleave(_whole(3)), ["repeat_interleave()", "'repeats'", "2", "3"]),
    ("repeat_interleave_by", "negative"): _bad(
        lambda: _t(2).repeat_interleave(eagre.tensor([1, -1])),
        ["repeat_interleave()", "'repeats'", "negative"]),
    ("repeat_interleave_by", "floats"): _bad(
        lambda: _t(2).repeat_interleave(_t(2)), ["repeat_interleave()", "'repeats'", "float32"]),
    ("repeat_interleave_by", "matrix"): _bad(
        lambda: _t(2).repeat_interleave(_whole(1, 1)),
        ["repeat_interleave()", "'repeats'", "[1, 1]"]),
    ("repeat_interleave_by", "wrong_output_size"): _bad(
        lambda: _t(2).repeat_interleave(eagre.tensor([1, 1]), output_size=3),
        ["repeat_interleave()", "'output_size'", "2", "3"]),
    ("repeat_interleave", "negative"): _bad(
        lambda: _t(2).repeat_interleave(-1), ["repeat_interleave()", "'repeats'", "-1"]),
    ("repeat_interleave", "dim_out_of_range"): _bad(
        lambda: _t(2).repeat_interleave(1, 1), ["repeat_interleave()", "'dim'", "got 1"],
        eagre.IndexOutOfRangeError),
    ("repeat_interleave_counts", "not_a_vector"): _bad(
        lambda: eagre.repeat_interleave(_whole(2, 2)),
        ["repeat_interleave()", "'repeats'", "[2, 2]"]),
    ("repeat_interleave_counts", "negative"): _bad(
        lambda: eagre.repeat_interleave(eagre.tensor([-1])),
        ["repeat_interleave()", "'repeats'", "negative"]),
    ("diag_embed", "zero_dim"): _bad(
        lambda: eagre.diag_embed(_t()), ["diag_embed()", "'input'", "0-dim"],
        eagre.IndexOutOfRangeError),
    ("diag_embed", "same_dims"): _bad(
        lambda: eagre.diag_embed(_t(2), 0, 0, -2), ["diag_embed()", "'dim1'", "0 and -2"]),
    ("diag_embed", "dim_out_of_range"): _bad(
        lambda: eagre.diag_embed(_t(2), 0, 0, 2), ["diag_embed()", "'dim2'", "got 2"],
        eagre.IndexOutOfRangeError),
    ("diag", "too_many_dimensions"): _bad(
        lambda: eagre.diag(_t(2, 2, 2)), ["diag()", "'input'", "[2, 2, 2]"]),
    ("diagflat", "offset_too_large"): _bad(
        lambda: eagre.diagflat(_t(2), 2**63 - 1), ["diagflat()", "'offset'"]),
    ("trace", "not_a_matrix"): _bad(lambda: _t(2).trace(), ["trace()", "'input'", "[2]"]),
    **{(op, "negative"): _bad(
        lambda op=op: getattr(eagre, op)(-1, 2), [f"{op}()", "'row'", "-1"])
        for op in ("tril_indices", "triu_indices")},
    **{(op, "floats"): _bad(
        lambda op=op: getattr(eagre, op)(2, 2, dtype=eagre.float32), [f"{op}()", "float32"],
        eagre.UnimplementedError) for op in ("tril_indices", "triu_indices")},
    ("argwhere", "not_a_tensor"): _bad(
        lambda: eagre.argwhere([1]), ["argwhere()", "'input'", "list"], eagre.DTypeError),
}  # fmt: skip

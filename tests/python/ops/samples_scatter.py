"""Samples of ops/scatter.yaml."""

import numpy as np
from indices import i64, index_array, nonnegative
from mistakes import mask_of, mistake, refused_write, tensor
from samples import ALL, DTYPES, SHAPES, SOME, Sample, make, strided, values

import eagre


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


def scattered(a, dim, chosen, source, add=False):
    """Element by element, in order."""
    result = np.array(a)
    for place in np.ndindex(chosen.shape):
        to = list(place)
        to[dim] = chosen[place] % a.shape[dim]
        if add:
            result[tuple(to)] += source[place]
        else:
            result[tuple(to)] = source[place]
    return result


def scatter(add=False):
    """Of repetitions the last stays, not of one gradient: so those are in float32, but for sums."""
    plain = np.float64 if add else np.float32
    a, b = make((3, 4), seed=1), make((4, 2), seed=2)  # the source is larger than the index_array
    chosen = np.asarray([[1, 0], [2, 1]])
    yield Sample((a, 0, index_array(chosen), b), scattered(a, 0, chosen, b, add))
    for dtype in ALL:
        dtype = plain if dtype is np.float64 else dtype
        a = values((3, 4), dtype, 1)
        for dim in (0, 1, -1):
            chosen = nonnegative((2, 3), a.shape[dim])
            b = values((2, 3), dtype, 2)
            yield Sample((a, dim, index_array(chosen), b), scattered(a, dim, chosen, b, add))
    a, b = make((2, 3, 4), plain, 1), make((3, 3, 4), plain, 2)
    for dim in range(3):
        chosen = nonnegative((2, 2, 3), a.shape[dim])
        yield Sample((a, dim, index_array(chosen), b), scattered(a, dim, chosen, b, add))
    turned, chosen = strided((3, 2), plain), nonnegative((3, 2), 3)
    yield Sample(
        (turned, 0, index_array(chosen), turned), scattered(turned, 0, chosen, turned, add)
    )
    yield Sample((make((3,)), 0, i64(), make((2,))), make((3,)))
    large, chosen = make((3000,), np.float64), nonnegative((70000,), 3000)
    b = make((70000,))
    yield Sample((large, 0, index_array(chosen), b), scattered(large, 0, chosen, b, add))


def scatter_add():
    yield from scatter(add=True)


def scatter_value():
    for dtype in ALL:
        a, chosen = values((3, 4), dtype), nonnegative((2, 3), 4)
        ones = np.ones(chosen.shape, dtype)
        yield Sample((a, 1, index_array(chosen), 1), scattered(a, 1, chosen, ones))
    a, chosen = strided((3, 2)), nonnegative((2, 2), 3)
    yield Sample((a, 0, index_array(chosen), 2.5), scattered(a, 0, chosen, np.full((2, 2), 2.5)))


def _mean(group):
    return np.sum(group) // len(group) if group.dtype.kind in "iu" else np.mean(group)


FOLDS = {"sum": np.sum, "prod": np.prod, "amax": np.max, "amin": np.min, "mean": _mean}


def folded(a, dim, chosen, src, reduce, include_self):
    """scatter_reduce, place by place."""
    groups = {}
    for place in np.ndindex(chosen.shape):
        to = (*place[:dim], int(chosen[place]), *place[dim + 1 :])
        groups.setdefault(to, [a[to]] if include_self else []).append(src[place])
    result = np.array(a)
    for to, group in groups.items():
        result[to] = FOLDS[reduce](np.asarray(group, a.dtype))
    return result


def scatter_reduce():
    chosen = np.asarray([[0, 2, 2], [1, 2, 0]])
    for reduce in FOLDS:
        for include_self in (True, False):
            more = {} if include_self else {"include_self": False}
            for dtype in (np.float64, np.float32, np.int64, np.int8):
                a, src = make((3, 3), dtype, 1), make((2, 3), dtype, 2)
                expected = folded(a, 0, chosen, src, reduce, include_self)
                yield Sample((a, 0, index_array(chosen), src, reduce), expected, more)
            a, src = strided((3, 4), seed=1), make((4, 4), seed=2)  # more than is used
            expected = folded(a, 1, chosen, src, reduce, include_self)
            yield Sample((a, 1, index_array(chosen), src, reduce), expected, more)
    # A single 0 at a place, two of them, and one in the input.
    a = np.asarray([2.0, 3.0, 0.0])
    chosen, src = np.asarray([0, 0, 1, 1, 2]), np.asarray([0.0, 5.0, 7.0, 11.0, 13.0])
    yield Sample((a, 0, index_array(chosen), src, "prod"), folded(a, 0, chosen, src, "prod", True))
    chosen, src = np.asarray([0, 0, 1]), np.asarray([np.nan, 5.0, -np.inf])
    yield Sample((a, 0, index_array(chosen), src, "amax"), np.asarray([np.nan, 3, 0]))
    yield Sample((a, 0, i64(), make((3,)), "prod"), a)
    bools = np.asarray([True, False])
    yield Sample((bools, 0, i64(1, 1), np.asarray([True, False]), "amax"), np.asarray([True, True]))


def scatter_by():
    chosen = np.asarray([[0, 2, 2], [1, 2, 0]])
    a, src = make((3, 3), seed=1), make((2, 3), seed=2)
    for name, reduce in (("add", "sum"), ("multiply", "prod")):
        expected = folded(a, 0, chosen, src, reduce, True)
        yield Sample((a, 0, index_array(chosen), src), expected, {"reduce": name})


def scatter_value_by():
    chosen = np.asarray([[0, 2, 2], [1, 2, 0]])
    a, src = make((3, 3), np.float32, seed=1), np.full((2, 3), 2.5, np.float32)
    for name, reduce in (("add", "sum"), ("multiply", "prod")):
        expected = folded(a, 0, chosen, src, reduce, True)
        yield Sample((a, 0, index_array(chosen), 2.5), expected, {"reduce": name})


def _unknown(op, *more, **named):
    return (
        lambda: getattr(eagre, op)(tensor(3), 0, i64(1), *more, **named),
        eagre.InvalidArgumentError,
        [f"{op}()", "'reduce'", "'max'"],
    )


def masked_fill():
    for dtype in DTYPES:
        for shape in SHAPES:
            a, mask = make(shape, dtype), make(shape, np.bool_, 1)
            yield Sample((a, mask, 1), np.where(mask, np.asarray(1, dtype), a))
    for shape, masked in (((2, 3), (3,)), ((3,), (2, 3)), ((2, 3), ()), ((0, 3), (3,))):
        a, mask = make(shape), make(masked, np.bool_, 1)
        yield Sample((a, mask, -2.5), np.where(mask, -2.5, a))
    a, mask = strided((3, 2)), strided((3, 2), np.bool_, 1)
    yield Sample((a, mask, np.asarray(4.5)), np.where(mask, 4.5, a))
    small = make((3, 2), np.float32)
    filled = np.where(mask, np.float32(4.5), small)
    yield Sample((small, mask, np.asarray(4.5)), filled, dtype=eagre.float32)
    whole = make((3, 2), np.int32)
    for value in (3.0, 3.7, -3.7, np.asarray(3.7)):  # the fraction is cut off
        yield Sample((whole, mask, value), np.where(mask, np.int32(value), whole))
    yield Sample((small, mask, -np.inf), np.where(mask, np.float32(-np.inf), small))


BAD = {
    ("select_scatter", "shapes_differ"): mistake(
        lambda: tensor(2, 3).select_scatter(tensor(2), 0, 1),
        ["select_scatter()", "'src'", "[3]", "[2]"],
    ),
    ("select_scatter", "dim_out_of_range"): mistake(
        lambda: tensor(2, 3).select_scatter(tensor(2), 2, 0),
        ["select_scatter()", "'dim'", "got 2"],
        eagre.IndexOutOfRangeError,
    ),
    ("slice_scatter", "shapes_differ"): mistake(
        lambda: tensor(3).slice_scatter(tensor(1), start=1),
        ["slice_scatter()", "'src'", "[2]", "[1]"],
    ),
    ("slice_scatter", "no_step"): mistake(
        lambda: tensor(3).slice_scatter(tensor(1), step=0), ["slice_scatter()", "'step'", "0"]
    ),
    ("diagonal_scatter", "shapes_differ"): mistake(
        lambda: tensor(3, 3).diagonal_scatter(tensor(2)),
        ["diagonal_scatter()", "'src'", "[3]", "[2]"],
    ),
    ("diagonal_scatter", "same_dims"): mistake(
        lambda: tensor(3, 3).diagonal_scatter(tensor(3), 0, 1, 1),
        ["diagonal_scatter()", "diagonal()"],
    ),
    ("masked_scatter", "too_few"): mistake(
        lambda: tensor(2).masked_scatter(eagre.tensor([True, True]), tensor(1)),
        ["masked_scatter()", "source (1)", "(2)"],
    ),
    ("masked_scatter", "not_a_mask"): mistake(
        lambda: tensor(2).masked_scatter(tensor(2), tensor(2)),
        ["masked_scatter()", "'mask'", "float32"],
    ),
    ("masked_scatter", "dtypes_differ"): mistake(
        lambda: tensor(2).masked_scatter(eagre.tensor([True, True]), tensor(2, dtype=np.float64)),
        ["masked_scatter()", "float32", "float64"],
    ),
    ("masked_scatter", "shapes_do_not_broadcast"): mistake(
        lambda: tensor(3).masked_scatter(eagre.tensor([True, True]), tensor(3)),
        ["masked_scatter()", "[3]", "[2]"],
    ),
    ("scatter", "index_out_of_range"): (
        refused_write(lambda x: x.scatter_(0, i64([0], [3]), tensor(2, 1))),
        eagre.IndexOutOfRangeError,
        ["scatter()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("scatter", "index_too_large"): (
        lambda: tensor(3).scatter(0, i64(0, 1), tensor(1)),
        eagre.InvalidArgumentError,
        ["scatter()", "index [2] to be no larger than src [1]"],
    ),
    ("scatter", "mixed_dtypes"): (
        lambda: tensor(3).scatter(0, i64(0), tensor(1, dtype=np.float64)),
        eagre.DTypeError,
        ["scatter()", "'src'", "float64"],
    ),
    ("scatter_value", "index_out_of_range"): (
        refused_write(lambda x: x.scatter_(1, i64([0], [4]), 1.0)),
        eagre.IndexOutOfRangeError,
        ["scatter()", "'index'", "index 4", "dimension 1", "size 4"],
    ),
    ("scatter_add", "index_out_of_range"): (
        refused_write(lambda x: x.scatter_add_(0, i64([0], [3]), tensor(2, 1))),
        eagre.IndexOutOfRangeError,
        ["scatter_add()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("scatter_add", "index_too_large"): (
        lambda: tensor(3).scatter_add(0, i64(0, 1), tensor(1)),
        eagre.InvalidArgumentError,
        ["scatter_add()", "index [2] to be no larger than src [1]"],
    ),
    ("scatter_add", "mixed_dtypes"): (
        lambda: tensor(3).scatter_add(0, i64(0), tensor(1, dtype=np.float64)),
        eagre.DTypeError,
        ["scatter_add()", "'src'", "float64"],
    ),
    ("masked_fill", "mask"): (
        lambda: tensor(3).masked_fill(tensor(3), 0),
        eagre.DTypeError,
        ["masked_fill()", "'mask'", "bool", "float32"],
    ),
    ("masked_fill", "shapes_do_not_broadcast"): (
        lambda: tensor(3).masked_fill_(mask_of(2, 3), 0),
        eagre.InvalidArgumentError,
        ["masked_fill_()", "[2, 3]", "[3]"],
    ),
    ("masked_fill", "value_with_dimensions"): (
        lambda: tensor(3).masked_fill(mask_of(3), tensor(3)),
        eagre.InvalidArgumentError,
        ["masked_fill()", "'value'", "[3]", "where"],
    ),
    ("masked_fill", "too_large_for_integers"): (
        lambda: tensor(3, dtype=np.uint8).masked_fill(mask_of(3), 300),
        eagre.InvalidArgumentError,
        ["masked_fill()", "'value'", "uint8", "300"],
    ),
    ("masked_fill", "complex_tensor_for_floats"): (
        lambda: tensor(3).masked_fill(mask_of(3), eagre.tensor(1j)),
        eagre.InvalidArgumentError,
        ["masked_fill()", "'value'", "float32"],
    ),
    ("masked_fill", "complex_for_floats"): (
        lambda: tensor(3).masked_fill_(mask_of(3), 1j),
        eagre.InvalidArgumentError,
        ["masked_fill", "'value'", "float32", "i"],
    ),
    ("scatter_by", "unknown_reduction"): _unknown("scatter", tensor(1), reduce="max"),
    ("scatter_value_by", "unknown_reduction"): _unknown("scatter", 1.0, reduce="max"),
    ("scatter_reduce", "unknown_reduction"): _unknown("scatter_reduce", tensor(1), "max"),
    ("scatter_reduce", "index_out_of_range"): (
        refused_write(lambda x: x.scatter_reduce_(0, i64(0, 3).unsqueeze(1), tensor(2, 1), "amax")),
        eagre.IndexOutOfRangeError,
        ["scatter_reduce()", "'index'", "index 3"],
    ),
    ("scatter_reduce", "mixed_dtypes"): (
        lambda: eagre.scatter_reduce(tensor(3), 0, i64(1), tensor(1, dtype=np.float64), "amax"),
        eagre.DTypeError,
        ["scatter_reduce()", "'src'", "float64"],
    ),
}

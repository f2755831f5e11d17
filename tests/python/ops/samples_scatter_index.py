"""Samples of ops/scatter_index.yaml."""

import numpy as np
from indices import for_numpy, for_us, i64, index_array, places
from mistakes import refused_write, tensor
from samples import ALL, Sample, make, strided, values

import eagre


def rows(update):
    def generate():
        for dtype in ALL:
            for dim in (0, 1, -1):
                a = values((3, 4), dtype, 1)
                chosen = np.asarray([2, 0, 1])
                if update.__name__ == "index_fill":  # which also counts from the end
                    chosen[2] -= a.shape[dim]
                shape = (3, 4) if dim == 0 else (3, 3)
                yield from update(a, dim, chosen, values(shape, dtype, 2))
        if update.__name__ == "index_add":  # of repetitions, others keep the last
            yield from update(make((3, 4)), 0, np.asarray([1, 1, 2]), make((3, 4), seed=2))
        a = make((2, 3, 2), seed=1)
        yield from update(a, 1, np.asarray([1]), make((2, 1, 2), seed=2))
        yield from update(a, 1, np.zeros(0, np.int64), make((2, 0, 2)))
        yield from update(strided((3, 2)), 0, np.asarray([1, 2]), strided((2, 2), seed=2))

    return generate


def at(a, dim, chosen):
    return (slice(None),) * (dim % a.ndim) + (chosen,)


@rows
def index_add(a, dim, chosen, source):
    for alpha in (1, 2):
        result = np.array(a)
        moved = np.moveaxis(result, dim, 0)
        for k, row in zip(chosen, np.moveaxis(source, dim, 0), strict=True):
            moved[k] += (row * alpha).astype(a.dtype)
        yield Sample((a, dim, index_array(chosen), source), result, {"alpha": alpha})


@rows
def index_copy(a, dim, chosen, source):
    result = np.array(a)
    result[at(a, dim, chosen)] = source
    yield Sample((a, dim, index_array(chosen), source), result)


@rows
def index_fill(a, dim, chosen, source):
    result = np.array(a)
    result[at(a, dim, chosen)] = 1
    yield Sample((a, dim, index_array(chosen), 1), result)


def index_fill_tensor():
    a = make((3, 4))
    for dim in (0, 1, -1):
        result = np.array(a)
        result[(slice(None),) * (dim % 2) + ([0, 2, 0],)] = 1.5
        yield Sample((a, dim, i64(0, 2, 0), np.asarray(1.5)), result)
    whole_numbers = make((3,), np.int64)
    cut = np.array(whole_numbers)
    cut[1] = 1
    yield Sample((whole_numbers, 0, i64(1), np.asarray(1.7)), cut)
    yield Sample((np.asarray(2.0), 0, i64(0), np.asarray(5.0)), np.asarray(5.0))
    yield Sample((make((0, 2)), 1, i64(0), np.asarray(5.0)), np.zeros((0, 2)))
    yield Sample((strided((3, 2)), 0, i64(), np.asarray(5.0)), strided((3, 2)))


def index_put():
    for shape, indices in places():
        a = make(shape, seed=1)
        where = for_numpy(indices)
        for fill in (make(a[where].shape, seed=2), make((), seed=3)):
            added = np.array(a)
            np.add.at(added, where, fill)
            yield Sample((a, for_us(indices), fill), added, {"accumulate": True})
            # Of repetitions the last stays: not of one gradient, so in float32.
            small, number = a.astype(np.float32), fill.astype(np.float32)
            yield Sample((small, for_us(indices), number), assigned(small, where, number))
    a, b = make((3, 4), seed=1), make((2, 2), seed=2)
    yield Sample(
        (a, [i64(0, 2), i64([1, 3], [0, 2])], b), assigned(a, ([0, 2], [[1, 3], [0, 2]]), b)
    )
    a, b = make((3, 4), seed=1), make((4,), seed=2)  # values broadcast
    yield Sample((a, [i64(0, 2)], b), assigned(a, ([0, 2],), b))
    for dtype in ALL:
        a, b = values((3, 4), dtype, 1), values((2, 4), dtype, 2)
        yield Sample((a, [i64(2, 0)], b), assigned(a, ([2, 0],), b))
        added = np.array(a)
        np.add.at(added, ([2, 0],), b)
        yield Sample((a, [i64(2, 0)], b), added, {"accumulate": True})
    a = strided((3, 2))
    yield Sample((a, [i64(2)], make((2,))), assigned(a, ([2],), make((2,))))


def assigned(a, where, fill):
    """In order: the last of several stays."""
    numbers = np.arange(a.size).reshape(a.shape)[where]
    result = np.array(a, order="C")
    flat = result.reshape(-1)
    for place, value in zip(
        numbers.reshape(-1), np.broadcast_to(fill, numbers.shape).reshape(-1), strict=True
    ):
        flat[place] = value
    return result


BAD = {
    ("index_add", "index_out_of_range"): (
        refused_write(lambda x: x.index_add_(0, i64(0, 3), tensor(2, 4))),
        eagre.IndexOutOfRangeError,
        ["index_add()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_add", "sizes_differ"): (
        lambda: tensor(3, 4).index_add(0, i64(0), tensor(2, 4)),
        eagre.IndexOutOfRangeError,
        ["index_add()", "Number of indices (1) should be equal to source.size(dim): (2)"],
    ),
    ("index_add", "mixed_dtypes"): (
        lambda: tensor(3).index_add(0, i64(0), tensor(1, dtype=np.float64)),
        eagre.DTypeError,
        ["index_add()", "'source'", "float64"],
    ),
    ("index_copy", "index_out_of_range"): (
        refused_write(lambda x: x.index_copy_(0, i64(0, 3), tensor(2, 4))),
        eagre.IndexOutOfRangeError,
        ["index_copy()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_copy", "sizes_differ"): (
        lambda: tensor(3, 4).index_copy(0, i64(0), tensor(2, 4)),
        eagre.IndexOutOfRangeError,
        ["index_copy()", "Number of indices (1) should be equal to source.size(dim): (2)"],
    ),
    ("index_copy", "mixed_dtypes"): (
        lambda: tensor(3).index_copy(0, i64(0), tensor(1, dtype=np.float64)),
        eagre.DTypeError,
        ["index_copy()", "'source'", "float64"],
    ),
    ("index_fill", "index_out_of_range"): (
        refused_write(lambda x: x.index_fill_(0, i64(0, -4), 1)),
        eagre.IndexOutOfRangeError,
        ["index_fill()", "'index'", "index -4", "dimension 0", "size 3"],
    ),
    ("index_put", "index_out_of_range"): (
        lambda: tensor(3, 4).index_put([i64(0, 3)], tensor()),
        eagre.IndexOutOfRangeError,
        ["index_put()", "'indices'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_put", "values_do_not_fit"): (
        lambda: tensor(3, 4).index_put([i64(0, 1)], tensor(3)),
        eagre.InvalidArgumentError,
        ["index_put()", "shape mismatch: value tensor of shape [3]", "[2, 4]"],
    ),
    ("index_put", "mixed_dtypes"): (
        lambda: tensor(3).index_put([i64(0)], tensor(1, dtype=np.float64)),
        eagre.DTypeError,
        ["index_put()", "dtypes match", "float32", "float64"],
    ),
    ("index_put_inplace", "index_out_of_range"): (
        refused_write(lambda x: x.index_put_([i64(0, 1, 3)], tensor())),
        eagre.IndexOutOfRangeError,
        ["index_put()", "'indices'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_fill_tensor", "value_with_dimensions"): (
        lambda: eagre.index_fill(tensor(3), 0, i64(1), tensor(1)),
        eagre.InvalidArgumentError,
        ["index_fill()", "'value'", "[1]"],
    ),
    ("index_fill_tensor", "complex_value"): (
        lambda: eagre.index_fill(tensor(3), 0, i64(1), eagre.tensor(1j)),
        eagre.InvalidArgumentError,
        ["index_fill()", "'value'", "float32", "complex64"],
    ),
    ("index_fill_tensor", "index_out_of_range"): (
        lambda: eagre.index_fill(tensor(3), 0, i64(3), eagre.tensor(1.0)),
        eagre.IndexOutOfRangeError,
        ["index_fill()", "'index'", "index 3"],
    ),
}


def index_reduce():
    folds = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum, "mean": np.add}
    starts = {"prod": 1, "amax": -np.inf, "amin": np.inf, "mean": 0}
    for reduce, fold in folds.items():
        for include_self in (True, False):
            for dim, index in ((0, [2, 0, 2]), (-1, [1, 1])):
                a = make((3, 4))
                shape = (3, 4) if dim == 0 else (3, 2)
                source, expected = make(shape, seed=1), np.moveaxis(a.copy(), dim, 0)
                if not include_self:
                    expected[index] = starts[reduce]
                counts = np.full(len(expected), int(include_self))
                for k, row in zip(index, np.moveaxis(source, dim, 0), strict=True):
                    expected[k] = fold(expected[k], row)
                    counts[k] += 1
                if reduce == "mean":
                    expected /= np.maximum(counts, 1)[:, None]
                expected = np.moveaxis(expected, 0, dim)
                args = (a, dim, np.asarray(index), source, reduce)
                yield Sample(args, expected, {"include_self": include_self})


def put():
    for dtype in ALL:
        a, source = values((3, 4), dtype, 1), values((3,), dtype, 2)
        expected = np.array(a)
        np.put(expected, [7, 0, -1], source)
        yield Sample((a, np.asarray([7, 0, -1]), source), expected)
    a, source = make((2, 3)), make((2, 2), seed=1)
    expected = a.reshape(-1).copy()
    np.add.at(expected, [3, 1, 3, 0], source.reshape(-1))
    yield Sample((a, np.asarray([[3, 1], [3, 0]]), source, True), expected.reshape(2, 3))
    expected = np.array(strided((3, 2)))
    np.put(expected, [4], 5.0)
    yield Sample((strided((3, 2)), np.asarray([4]), np.asarray([5.0])), expected)
    yield Sample((make((2,)), np.zeros(0, np.int64), np.zeros(0)), make((2,)))


def _reduced(*args, **named):
    return lambda: eagre.zeros(3).index_reduce(*args, **named)


def _put(index, source):
    return lambda: eagre.zeros(3).put(index, source)


BAD |= {
    ("index_reduce", "unknown_reduction"): (
        _reduced(0, i64(0), eagre.ones(1), "sum"),
        eagre.InvalidArgumentError,
        ["index_reduce()", "'reduce'", "'sum'"],
    ),
    ("index_reduce", "index_out_of_range"): (
        _reduced(0, i64(3), eagre.ones(1), "prod"),
        eagre.IndexOutOfRangeError,
        ["index_reduce()", "3"],
    ),
    ("index_reduce", "mixed_dtypes"): (
        _reduced(0, i64(0), i64(1), "prod"),
        eagre.DTypeError,
        ["index_reduce()", "'source'", "int64"],
    ),
    ("index_reduce", "sizes_differ"): (
        _reduced(0, i64(0), eagre.ones(2), "prod"),
        eagre.IndexOutOfRangeError,
        ["index_reduce()"],
    ),
    ("put", "index_out_of_range"): (
        _put(i64(3), eagre.ones(1)),
        eagre.IndexOutOfRangeError,
        ["put()", "3"],
    ),
    ("put", "lengths_differ"): (
        _put(i64(0, 1), eagre.ones(1)),
        eagre.IndexOutOfRangeError,
        ["put()", "'source'", "2", "got 1"],
    ),
    ("put", "mixed_dtypes"): (
        _put(i64(0), i64(1)),
        eagre.InvalidArgumentError,
        ["put()", "'source'", "int64"],
    ),
    ("put", "narrow_index"): (
        _put(eagre.tensor([0], dtype=eagre.int32), eagre.ones(1)),
        eagre.InvalidArgumentError,
        ["put()", "'index'", "int32"],
    ),
}

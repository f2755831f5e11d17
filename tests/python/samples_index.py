"""Samples of indexing with tensors."""

import numpy as np
from samples import Sample, make, strided
from samples_join import ALL, values

import eagre


def whole(shape, size, seed=0, dtype=np.int64):
    """Indices of both signs, with repetitions."""
    generator = np.random.default_rng([seed, size, *shape])
    return generator.integers(-size, size, shape).astype(dtype)


def i64(*numbers):
    return eagre.tensor(numbers, dtype=eagre.int64)


def index(array):
    return eagre.tensor(array)


def along(a, dim, chosen):
    """A tuple that selects along a dimension, as gather and scatter do."""
    grid = list(np.indices(chosen.shape))
    grid[dim] = chosen % max(1, a.shape[dim])
    return tuple(grid)


def index_select():
    for dtype in ALL:
        a = values((2, 3, 2), dtype)
        for dim in (0, 1, -1):
            chosen = whole((4,), a.shape[dim])
            yield Sample((a, dim, index(chosen)), np.take(a, chosen, dim))
    a = make((3, 2))
    yield Sample((a, 0, index(whole((2,), 3, dtype=np.int32))), np.take(a, whole((2,), 3), 0))
    yield Sample((a, 0, i64()), np.zeros((0, 2)))
    yield Sample((a, 0, eagre.tensor(1)), a[1:2])
    yield Sample((make(()), 0, i64(0)), make(()))
    yield Sample((strided((3, 2)), 1, i64(1, 1)), strided((3, 2))[:, [1, 1]])
    yield Sample((make((0, 2)), 1, i64(1)), np.zeros((0, 1)))
    large = make((200, 300), np.float32)
    yield Sample((large, 1, index(whole((500,), 300))), np.take(large, whole((500,), 300), 1))


def gather():
    for dtype in ALL:
        a = values((3, 4), dtype)
        for dim in (0, 1, -1):
            chosen = whole((2, 3), a.shape[dim])
            yield Sample((a, dim, index(chosen)), a[along(a, dim, chosen)])
    a = make((2, 3, 4))
    for dim in range(3):
        chosen = whole((2, 2, 3), a.shape[dim])
        yield Sample((a, dim, index(chosen)), a[along(a, dim, chosen)])
    b = strided((3, 2))
    yield Sample((b, 0, i64([0, 1], [2, 2])), np.asarray([[b[0, 0], b[1, 1]], [b[2, 0], b[2, 1]]]))
    yield Sample((make(()), 0, eagre.tensor(0)), make(()))
    yield Sample((make(()), 0, i64(0)), make(()).reshape(1))
    yield Sample((make((3,)), 0, i64()), np.zeros(0))
    large, chosen = make((70000,), np.float32), whole((70000,), 70000)
    yield Sample((large, 0, index(chosen)), large[chosen])
    large, chosen = make((300, 300), np.float32), whole((300, 300), 300)
    yield Sample((large, 0, index(chosen)), large[along(large, 0, chosen)])


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
    a, b = make((3, 4), seed=1), make((4, 2), seed=2)  # the source is larger than the index
    chosen = np.asarray([[1, 0], [-1, 1]])
    yield Sample((a, 0, index(chosen), b), scattered(a, 0, chosen, b, add))
    for dtype in ALL:
        dtype = plain if dtype is np.float64 else dtype
        a = values((3, 4), dtype, 1)
        for dim in (0, 1, -1):
            chosen = whole((2, 3), a.shape[dim])
            b = values((2, 3), dtype, 2)
            yield Sample((a, dim, index(chosen), b), scattered(a, dim, chosen, b, add))
    a, b = make((2, 3, 4), plain, 1), make((3, 3, 4), plain, 2)
    for dim in range(3):
        chosen = whole((2, 2, 3), a.shape[dim])
        yield Sample((a, dim, index(chosen), b), scattered(a, dim, chosen, b, add))
    turned, chosen = strided((3, 2), plain), whole((3, 2), 3)
    yield Sample((turned, 0, index(chosen), turned), scattered(turned, 0, chosen, turned, add))
    yield Sample((make((3,)), 0, i64(), make((2,))), make((3,)))
    large, chosen = make((3000,), np.float64), whole((70000,), 3000)
    b = make((70000,))
    yield Sample((large, 0, index(chosen), b), scattered(large, 0, chosen, b, add))


def scatter_add():
    yield from scatter(add=True)


def scatter_value():
    for dtype in ALL:
        a, chosen = values((3, 4), dtype), whole((2, 3), 4)
        ones = np.ones(chosen.shape, dtype)
        yield Sample((a, 1, index(chosen), 1), scattered(a, 1, chosen, ones))
    a, chosen = strided((3, 2)), whole((2, 2), 3)
    yield Sample((a, 0, index(chosen), 2.5), scattered(a, 0, chosen, np.full((2, 2), 2.5)))


def rows(update):
    def generate():
        for dtype in ALL:
            for dim in (0, 1, -1):
                a = values((3, 4), dtype, 1)
                chosen = np.asarray([2, 0, 1 - a.shape[dim]])
                shape = (3, 4) if dim == 0 else (3, 3)
                yield from update(a, dim, chosen, values(shape, dtype, 2))
        if update.__name__ == "index_add":  # of repetitions, others keep the last
            yield from update(make((3, 4)), 0, np.asarray([1, 1, -2]), make((3, 4), seed=2))
        a = make((2, 3, 2), seed=1)
        yield from update(a, 1, np.asarray([1]), make((2, 1, 2), seed=2))
        yield from update(a, 1, np.zeros(0, np.int64), make((2, 0, 2)))
        yield from update(strided((3, 2)), 0, np.asarray([1, -1]), strided((2, 2), seed=2))

    generate.__module__ = __name__
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
        yield Sample((a, dim, index(chosen), source), result, {"alpha": alpha})


@rows
def index_copy(a, dim, chosen, source):
    result = np.array(a)
    result[at(a, dim, chosen)] = source
    yield Sample((a, dim, index(chosen), source), result)


@rows
def index_fill(a, dim, chosen, source):
    result = np.array(a)
    result[at(a, dim, chosen)] = 1
    yield Sample((a, dim, index(chosen), 1), result)


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
                yield Sample((a, 0, index(chosen), src, reduce), expected, more)
            a, src = strided((3, 4), seed=1), make((4, 4), seed=2)  # more than is used
            expected = folded(a, 1, chosen, src, reduce, include_self)
            yield Sample((a, 1, index(chosen), src, reduce), expected, more)
    # A single 0 at a place, two of them, and one in the input.
    a = np.asarray([2.0, 3.0, 0.0])
    chosen, src = np.asarray([0, 0, 1, 1, 2]), np.asarray([0.0, 5.0, 7.0, 11.0, 13.0])
    yield Sample((a, 0, index(chosen), src, "prod"), folded(a, 0, chosen, src, "prod", True))
    chosen, src = np.asarray([0, 0, 1]), np.asarray([np.nan, 5.0, -np.inf])
    yield Sample((a, 0, index(chosen), src, "amax"), np.asarray([np.nan, 3, 0]))
    yield Sample((a, 0, i64(), make((3,)), "prod"), a)
    truth = np.asarray([True, False])
    yield Sample((truth, 0, i64(1, 1), np.asarray([True, False]), "amax"), np.asarray([True, True]))


def scatter_by():
    chosen = np.asarray([[0, 2, 2], [1, 2, 0]])
    a, src = make((3, 3), seed=1), make((2, 3), seed=2)
    for name, reduce in (("add", "sum"), ("multiply", "prod")):
        expected = folded(a, 0, chosen, src, reduce, True)
        yield Sample((a, 0, index(chosen), src), expected, {"reduce": name})


def scatter_value_by():
    chosen = np.asarray([[0, 2, 2], [1, 2, 0]])
    a, src = make((3, 3), np.float32, seed=1), np.full((2, 3), 2.5, np.float32)
    for name, reduce in (("add", "sum"), ("multiply", "prod")):
        expected = folded(a, 0, chosen, src, reduce, True)
        yield Sample((a, 0, index(chosen), 2.5), expected, {"reduce": name})


def take():
    for dtype in ALL:
        a = values((2, 3), dtype)
        chosen = whole((2, 2), 6)
        yield Sample((a, index(chosen)), np.take(a, chosen))
    yield Sample((strided((3, 2)), i64(1, 5)), np.take(strided((3, 2)), [1, 5]))
    yield Sample((make(()), i64(0, 0)), np.full(2, make(())))
    yield Sample((make((3,)), i64()), np.zeros(0))


def take_along_dim():
    a = make((3, 4))
    for dim in (0, 1, -1):
        chosen = whole((3, 4), a.shape[dim])
        yield Sample((a, index(chosen), dim), a[along(a, dim, chosen)])
    chosen = whole((1, 4), 3)
    yield Sample((a, index(chosen), 0), np.take_along_axis(a, chosen % 3, 0))
    b, chosen = make((1, 4)), whole((3, 2), 4)
    yield Sample(
        (b, index(chosen), 1), np.take_along_axis(np.broadcast_to(b, (3, 4)), chosen % 4, 1)
    )
    yield Sample((a, i64(0, 11)), np.take(a, [0, 11]))
    chosen = whole((2, 3), 12)
    yield Sample((a, index(chosen)), np.take(a, chosen.reshape(-1) % 12))


def masked_select():
    for dtype in ALL:
        a = values((3, 4), dtype)
        mask = make((3, 4), np.bool_, 5)
        yield Sample((a, index(mask)), a[mask])
    a, mask = make((3, 4)), make((4,), np.bool_, 1)
    yield Sample((a, index(mask)), a[:, mask].reshape(-1))
    yield Sample(
        (make((4,)), index(make((3, 4), np.bool_))),
        np.broadcast_to(make((4,)), (3, 4))[make((3, 4), np.bool_)],
    )
    yield Sample((make((0, 2)), index(make((2,), np.bool_))), np.zeros(0))
    yield Sample((make(()), eagre.tensor(True)), make(()).reshape(1))
    yield Sample(
        (strided((3, 2)), index(make((3, 2), np.bool_))), strided((3, 2))[make((3, 2), np.bool_)]
    )


def coordinates(a):
    return np.argwhere(a != 0).astype(np.int64)


def nonzero():
    for dtype in ALL:
        a = values((3, 4), dtype)
        yield Sample((a,), coordinates(a))
    for shape in ((5,), (0,), (2, 0), (2, 1, 3)):
        a = make(shape, np.int64) // 7
        yield Sample((a,), coordinates(a))
    yield Sample((np.asarray(3.0),), np.zeros((1, 0), np.int64))
    yield Sample((np.asarray(0.0),), np.zeros((0, 0), np.int64))
    yield Sample((np.asarray([np.nan, 0.0, -0.0, np.inf]),), np.asarray([[0], [3]]))
    large = np.random.default_rng(0).integers(0, 3, (300, 400))
    yield Sample((large,), coordinates(large))
    yield Sample((strided((3, 2)),), coordinates(strided((3, 2))))
    yield Sample((large,), coordinates(large), {"as_tuple": False})


def nonzero_tuple():
    a = make((3, 4), np.int64) // 7
    yield Sample((a,), tuple(np.nonzero(a)), {"as_tuple": True})
    yield Sample((make((5,), np.float32),), (np.arange(5),), {"as_tuple": True})
    yield Sample((np.asarray(3),), (np.asarray([0]),), {"as_tuple": True})
    large = np.random.default_rng(0).integers(0, 3, (300, 400))
    yield Sample((large,), tuple(np.nonzero(large)), {"as_tuple": True})


def where_nonzero():
    a = make((3, 4), np.int64) // 7
    yield Sample((a,), tuple(np.nonzero(a)))
    yield Sample((np.asarray(3),), (np.asarray([0]),))
    yield Sample((np.asarray([True, False, True]),), (np.asarray([0, 2]),))


def places():
    """Shapes, and lists of indices into them, with None for a whole dimension."""
    yield (3, 4), [whole((2,), 3)]
    yield (3, 4), [None, whole((2, 2), 4)]
    yield (3, 4), [whole((2,), 3), whole((2,), 4)]
    yield (3, 4), [whole((2, 1), 3), whole((3,), 4)]
    yield (3, 4, 2), [None, whole((3,), 4), None]
    yield (3, 4, 2), [whole((3,), 3), None, whole((3,), 2)]  # separated: in front
    yield (2, 3, 4, 2), [None, whole((2, 1), 3), whole((2,), 4)]
    yield (2, 3, 4, 2), [None, whole((2,), 3), None, whole((2,), 2)]
    yield (2, 3, 4), [whole((), 2), None, whole((), 4)]
    yield (3, 4), [make((3,), np.bool_)]
    yield (3, 4), [make((3, 4), np.bool_)]
    yield (3, 4), [None, make((4,), np.bool_)]
    yield (3, 4, 2), [make((3, 4), np.bool_), np.asarray(1)]
    yield (3, 4), [np.zeros((3,), np.bool_)]
    yield (3, 4), [np.zeros((0,), np.int64)]
    yield (0, 4), [np.zeros((0,), np.int64), np.zeros((0,), np.int64)]
    yield (3, 0), [whole((2,), 3)]
    yield (3, 4), [np.asarray(True)]
    yield (3,), [np.asarray(False)]
    yield (3, 4), [whole((2,), 3, dtype=np.int32)]


def for_numpy(indices):
    return tuple(slice(None) if i is None else i for i in indices)


def for_us(indices):
    return [None if i is None else index(i) for i in indices]


def index_samples():
    for shape, indices in places():
        a = make(shape)
        yield Sample((a, for_us(indices)), np.asarray(a[for_numpy(indices)]))
    for dtype in ALL:
        a = values((3, 4), dtype)
        yield Sample((a, [i64(0, -1, 0)]), a[[0, -1, 0]])
    a = strided((3, 2))
    yield Sample((a, [None, i64(1, 0)]), a[:, [1, 0]])
    yield Sample((a, []), a)
    yield Sample((a, [None]), a)
    large, chosen = make((5000,), np.float32), whole((70000,), 5000)
    yield Sample((large, [index(chosen)]), large[chosen])
    mask = eagre.tensor([1, 0, 1], dtype=eagre.uint8)
    yield Sample((make((3,)), [mask]), make((3,))[[0, 2]])


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


def _t(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def _refused_write(write):
    """The call fails, and the target keeps its values."""

    def call():
        x = _t(3, 4)
        before = x.tolist()
        try:
            write(x)
        finally:
            assert x.tolist() == before and x._version == 0

    return call


OUT = eagre.IndexOutOfRangeError
BAD = {
    ("index_select", "index_out_of_range"): (
        lambda: _t(3, 4).index_select(1, i64(0, 4)),
        OUT,
        ["index_select()", "'index'", "index 4", "dimension 1", "size 4"],
    ),
    ("index_select", "not_integers"): (
        lambda: _t(3).index_select(0, _t(2)),
        eagre.DTypeError,
        ["index_select()", "'index'", "float32"],
    ),
    ("index_select", "not_a_vector"): (
        lambda: _t(3).index_select(0, _t(2, 2, dtype=np.int64)),
        eagre.InvalidArgumentError,
        ["index_select()", "'index'", "[2, 2]"],
    ),
    ("index_select", "dim_out_of_range"): (
        lambda: _t(3).index_select(1, i64(0)),
        OUT,
        ["index_select()", "'dim'", "got 1"],
    ),
    ("gather", "index_out_of_range"): (
        lambda: _t(3, 4).gather(0, i64([0, -4])),
        OUT,
        ["gather()", "'index'", "index -4", "dimension 0", "size 3"],
    ),
    ("gather", "index_too_large"): (
        lambda: _t(3, 4).gather(0, i64([0] * 5)),
        eagre.InvalidArgumentError,
        ["gather()", "'index'", "[1, 5]", "[3, 4]"],
    ),
    ("gather", "ranks_differ"): (
        lambda: _t(3, 4).gather(0, i64(0)),
        eagre.InvalidArgumentError,
        ["gather()", "'index'", "[1]"],
    ),
    ("gather", "not_integers"): (
        lambda: _t(3).gather(0, _t(3)),
        eagre.DTypeError,
        ["gather()", "'index'", "float32"],
    ),
    ("scatter", "index_out_of_range"): (
        _refused_write(lambda x: x.scatter_(0, i64([0], [3]), _t(2, 1))),
        OUT,
        ["scatter()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("scatter", "index_too_large"): (
        lambda: _t(3).scatter(0, i64(0, 1), _t(1)),
        eagre.InvalidArgumentError,
        ["scatter()", "'index'", "'src'", "[2]", "[1]"],
    ),
    ("scatter", "mixed_dtypes"): (
        lambda: _t(3).scatter(0, i64(0), _t(1, dtype=np.float64)),
        eagre.DTypeError,
        ["scatter()", "'src'", "float64"],
    ),
    ("scatter_value", "index_out_of_range"): (
        _refused_write(lambda x: x.scatter_(1, i64([0], [4]), 1.0)),
        OUT,
        ["scatter()", "'index'", "index 4", "dimension 1", "size 4"],
    ),
    ("scatter_add", "index_out_of_range"): (
        _refused_write(lambda x: x.scatter_add_(0, i64([0], [3]), _t(2, 1))),
        OUT,
        ["scatter_add()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("scatter_add", "index_too_large"): (
        lambda: _t(3).scatter_add(0, i64(0, 1), _t(1)),
        eagre.InvalidArgumentError,
        ["scatter_add()", "'index'", "'src'"],
    ),
    ("scatter_add", "mixed_dtypes"): (
        lambda: _t(3).scatter_add(0, i64(0), _t(1, dtype=np.float64)),
        eagre.DTypeError,
        ["scatter_add()", "'src'", "float64"],
    ),
    ("index_add", "index_out_of_range"): (
        _refused_write(lambda x: x.index_add_(0, i64(0, 3), _t(2, 4))),
        OUT,
        ["index_add()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_add", "sizes_differ"): (
        lambda: _t(3, 4).index_add(0, i64(0), _t(2, 4)),
        eagre.InvalidArgumentError,
        ["index_add()", "'source'", "[1, 4]", "[2, 4]"],
    ),
    ("index_add", "mixed_dtypes"): (
        lambda: _t(3).index_add(0, i64(0), _t(1, dtype=np.float64)),
        eagre.DTypeError,
        ["index_add()", "'source'", "float64"],
    ),
    ("index_copy", "index_out_of_range"): (
        _refused_write(lambda x: x.index_copy_(0, i64(0, 3), _t(2, 4))),
        OUT,
        ["index_copy()", "'index'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_copy", "sizes_differ"): (
        lambda: _t(3, 4).index_copy(0, i64(0), _t(2, 4)),
        eagre.InvalidArgumentError,
        ["index_copy()", "'source'", "[1, 4]", "[2, 4]"],
    ),
    ("index_copy", "mixed_dtypes"): (
        lambda: _t(3).index_copy(0, i64(0), _t(1, dtype=np.float64)),
        eagre.DTypeError,
        ["index_copy()", "'source'", "float64"],
    ),
    ("index_fill", "index_out_of_range"): (
        _refused_write(lambda x: x.index_fill_(0, i64(0, -4), 1)),
        OUT,
        ["index_fill()", "'index'", "index -4", "dimension 0", "size 3"],
    ),
    ("take", "index_out_of_range"): (
        lambda: _t(3, 4).take(i64(12)),
        OUT,
        ["take()", "'index'", "index 12", "12 elements"],
    ),
    ("take", "not_integers"): (
        lambda: _t(3).take(_t(3)),
        eagre.DTypeError,
        ["take()", "'index'", "float32"],
    ),
    ("take_along_dim", "index_out_of_range"): (
        lambda: eagre.take_along_dim(_t(3), i64(3), 0),
        OUT,
        ["index 3", "dimension 0", "size 3"],
    ),
    ("take_along_dim", "ranks_differ"): (
        lambda: eagre.take_along_dim(_t(3, 4), i64(0), 0),
        eagre.InvalidArgumentError,
        ["take_along_dim()", "'indices'", "[1]"],
    ),
    ("take_along_dim", "not_integers"): (
        lambda: eagre.take_along_dim(_t(3), _t(3), 0),
        eagre.DTypeError,
        ["take_along_dim()", "'indices'", "float32"],
    ),
    ("masked_select", "not_bool"): (
        lambda: _t(3).masked_select(i64(0, 1, 1)),
        eagre.DTypeError,
        ["masked_select()", "'mask'", "int64"],
    ),
    ("masked_select", "shapes_do_not_broadcast"): (
        lambda: _t(3).masked_select(_t(2, dtype=np.bool_)),
        eagre.InvalidArgumentError,
        ["masked_select()", "[3]", "[2]"],
    ),
    ("index", "index_out_of_range"): (
        lambda: eagre.index(_t(3, 4), [None, i64(0, 4)]),
        OUT,
        ["index()", "'indices'", "index 4", "dimension 1", "size 4"],
    ),
    ("index", "too_many"): (
        lambda: eagre.index(_t(3), [i64(0), i64(0)]),
        OUT,
        ["index()", "'indices'", "[3]"],
    ),
    ("index", "mask_does_not_fit"): (
        lambda: eagre.index(_t(3), [_t(4, dtype=np.bool_)]),
        OUT,
        ["index()", "'indices'", "[3]", "[4]"],
    ),
    ("index", "indices_do_not_broadcast"): (
        lambda: eagre.index(_t(3, 4), [i64(0, 1), i64(0, 1, 2)]),
        eagre.IndexOutOfRangeError,
        ["index()", "[2]", "[3]"],
    ),
    ("index", "not_integers"): (
        lambda: eagre.index(_t(3), [_t(2)]),
        eagre.IndexOutOfRangeError,
        ["index()", "'indices'", "float32"],
    ),
    ("index_put", "index_out_of_range"): (
        lambda: _t(3, 4).index_put([i64(0, 3)], _t()),
        OUT,
        ["index_put()", "'indices'", "index 3", "dimension 0", "size 3"],
    ),
    ("index_put", "values_do_not_fit"): (
        lambda: _t(3, 4).index_put([i64(0, 1)], _t(3)),
        eagre.InvalidArgumentError,
        ["index_put()", "'values'", "[2, 4]", "[3]"],
    ),
    ("index_put", "mixed_dtypes"): (
        lambda: _t(3).index_put([i64(0)], _t(1, dtype=np.float64)),
        eagre.DTypeError,
        ["index_put()", "'values'", "float64"],
    ),
    ("index_put_inplace", "index_out_of_range"): (
        _refused_write(lambda x: x.index_put_([i64(0, 1, 3)], _t())),
        OUT,
        ["index_put()", "'indices'", "index 3", "dimension 0", "size 3"],
    ),
}

BAD["index_fill_tensor", "value_with_dimensions"] = (
    lambda: eagre.index_fill(_t(3), 0, i64(1), _t(1)),
    eagre.InvalidArgumentError,
    ["index_fill()", "'value'", "[1]"],
)
BAD["index_fill_tensor", "complex_value"] = (
    lambda: eagre.index_fill(_t(3), 0, i64(1), eagre.tensor(1j)),
    eagre.InvalidArgumentError,
    ["index_fill()", "'value'", "float32", "complex64"],
)
BAD["index_fill_tensor", "index_out_of_range"] = (
    lambda: eagre.index_fill(_t(3), 0, i64(3), eagre.tensor(1.0)),
    OUT,
    ["index_fill()", "'index'", "index 3"],
)


def _overlapping(call):
    def inner():
        x = eagre.zeros(6)
        call(x, x[1:4])

    return inner


for _op, _call in {
    "index_select": lambda x, out: eagre.index_select(x, 0, i64(0, 1, 2), out=out),
    "gather": lambda x, out: eagre.gather(x, 0, i64(0, 1, 2), out=out),
    "take": lambda x, out: eagre.take(x, i64(0, 1, 2), out=out),
    "masked_select": lambda x, out: eagre.masked_select(x, x == 0, out=out),
}.items():
    BAD[_op, "out_overlaps"] = (
        _overlapping(_call),
        eagre.InvalidArgumentError,
        [f"{_op}()", "'out'", "memory"],
    )
BAD["gather", "out_of_another_dtype"] = (
    lambda: eagre.gather(_t(3), 0, i64(0), out=eagre.zeros(1, dtype=eagre.float64)),
    eagre.InvalidArgumentError,
    ["gather()", "'out'", "float32", "float64"],
)


def _unknown(op, *more, **named):
    return (
        lambda: getattr(eagre, op)(_t(3), 0, i64(1), *more, **named),
        eagre.InvalidArgumentError,
        [f"{op}()", "'reduce'", "'max'"],
    )


BAD["scatter_by", "unknown_reduction"] = _unknown("scatter", _t(1), reduce="max")
BAD["scatter_value_by", "unknown_reduction"] = _unknown("scatter", 1.0, reduce="max")
BAD["scatter_reduce", "unknown_reduction"] = _unknown("scatter_reduce", _t(1), "max")
BAD["scatter_reduce", "index_out_of_range"] = (
    _refused_write(lambda x: x.scatter_reduce_(0, i64(0, 3).unsqueeze(1), _t(2, 1), "amax")),
    OUT,
    ["scatter_reduce()", "'index'", "index 3"],
)
BAD["scatter_reduce", "mixed_dtypes"] = (
    lambda: eagre.scatter_reduce(_t(3), 0, i64(1), _t(1, dtype=np.float64), "amax"),
    eagre.DTypeError,
    ["scatter_reduce()", "'src'", "float64"],
)

BAD["where_nonzero", "not_a_tensor"] = (
    lambda: eagre.where(3),
    eagre.DTypeError,
    ["where()", "int"],
)

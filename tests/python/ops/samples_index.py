"""Samples of ops/index.yaml."""

import numpy as np
from indices import for_numpy, for_us, i64, index_array, nonnegative, places, whole
from mistakes import mask_of, tensor
from samples import ALL, DTYPES, SHAPES, TRIPLES, Sample, make, strided, values

import eagre


def along(a, dim, chosen):
    """A tuple that selects along a dimension, as gather and scatter do."""
    grid = list(np.indices(chosen.shape))
    grid[dim] = chosen % max(1, a.shape[dim])
    return tuple(grid)


def index_select():
    for dtype in ALL:
        a = values((2, 3, 2), dtype)
        for dim in (0, 1, -1):
            chosen = nonnegative((4,), a.shape[dim])
            yield Sample((a, dim, index_array(chosen)), np.take(a, chosen, dim))
    a = make((3, 2))
    yield Sample(
        (a, 0, index_array(nonnegative((2,), 3, dtype=np.int32))),
        np.take(a, nonnegative((2,), 3), 0),
    )
    yield Sample((a, 0, i64()), np.zeros((0, 2)))
    yield Sample((a, 0, eagre.tensor(1)), a[1:2])
    yield Sample((make(()), 0, i64(0)), make(()))
    yield Sample((strided((3, 2)), 1, i64(1, 1)), strided((3, 2))[:, [1, 1]])
    yield Sample((make((0, 2)), 1, i64(1)), np.zeros((0, 1)))
    large = make((200, 300), np.float32)
    yield Sample(
        (large, 1, index_array(nonnegative((500,), 300))),
        np.take(large, nonnegative((500,), 300), 1),
    )


def gather_sparse():
    a = make((3, 4))
    chosen = nonnegative((2, 3), 3)
    for sparse in (False, True):
        yield Sample((a, 0, index_array(chosen)), a[along(a, 0, chosen)], {"sparse_grad": sparse})


def gather():
    for dtype in ALL:
        a = values((3, 4), dtype)
        for dim in (0, 1, -1):
            chosen = nonnegative((2, 3), a.shape[dim])
            yield Sample((a, dim, index_array(chosen)), a[along(a, dim, chosen)])
    a = make((2, 3, 4))
    for dim in range(3):
        chosen = nonnegative((2, 2, 3), a.shape[dim])
        yield Sample((a, dim, index_array(chosen)), a[along(a, dim, chosen)])
    b = strided((3, 2))
    yield Sample((b, 0, i64([0, 1], [2, 2])), np.asarray([[b[0, 0], b[1, 1]], [b[2, 0], b[2, 1]]]))
    yield Sample((make(()), 0, eagre.tensor(0)), make(()))
    yield Sample((make(()), 0, i64(0)), make(()).reshape(1))
    yield Sample((make((3,)), 0, i64()), np.zeros(0))
    large, chosen = make((70000,), np.float32), nonnegative((70000,), 70000)
    yield Sample((large, 0, index_array(chosen)), large[chosen])
    large, chosen = make((300, 300), np.float32), nonnegative((300, 300), 300)
    yield Sample((large, 0, index_array(chosen)), large[along(large, 0, chosen)])


def take():
    for dtype in ALL:
        a = values((2, 3), dtype)
        chosen = whole((2, 2), 6)
        yield Sample((a, index_array(chosen)), np.take(a, chosen))
    yield Sample((strided((3, 2)), i64(1, 5)), np.take(strided((3, 2)), [1, 5]))
    yield Sample((make(()), i64(0, 0)), np.full(2, make(())))
    yield Sample((make((3,)), i64()), np.zeros(0))


def take_along_dim():
    a = make((3, 4))
    for dim in (0, 1, -1):
        chosen = whole((3, 4), a.shape[dim])
        yield Sample((a, index_array(chosen), dim), a[along(a, dim, chosen)])
    chosen = whole((1, 4), 3)
    yield Sample((a, index_array(chosen), 0), np.take_along_axis(a, chosen % 3, 0))
    b, chosen = make((1, 4)), whole((3, 2), 4)
    yield Sample(
        (b, index_array(chosen), 1), np.take_along_axis(np.broadcast_to(b, (3, 4)), chosen % 4, 1)
    )
    yield Sample((a, i64(0, 11)), np.take(a, [0, 11]))
    chosen = nonnegative((2, 3), 12)
    yield Sample((a, index_array(chosen)), np.take(a, chosen.reshape(-1) % 12))


def masked_select():
    for dtype in ALL:
        a = values((3, 4), dtype)
        mask = make((3, 4), np.bool_, 5)
        yield Sample((a, index_array(mask)), a[mask])
    a, mask = make((3, 4)), make((4,), np.bool_, 1)
    yield Sample((a, index_array(mask)), a[:, mask].reshape(-1))
    yield Sample(
        (make((4,)), index_array(make((3, 4), np.bool_))),
        np.broadcast_to(make((4,)), (3, 4))[make((3, 4), np.bool_)],
    )
    yield Sample((make((0, 2)), index_array(make((2,), np.bool_))), np.zeros(0))
    yield Sample((make(()), eagre.tensor(True)), make(()).reshape(1))
    yield Sample(
        (strided((3, 2)), index_array(make((3, 2), np.bool_))),
        strided((3, 2))[make((3, 2), np.bool_)],
    )


def where_nonzero():
    a = make((3, 4), np.int64) // 7
    yield Sample((a,), tuple(np.nonzero(a)))
    yield Sample((np.asarray(3),), (np.asarray([0]),))
    yield Sample((np.asarray([True, False, True]),), (np.asarray([0, 2]),))


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
    yield Sample((large, [index_array(chosen)]), large[chosen])
    mask = eagre.tensor([1, 0, 1], dtype=eagre.uint8)
    yield Sample((make((3,)), [mask]), make((3,))[[0, 2]])


def _overlapping(call):
    def inner():
        x = eagre.zeros(6)
        call(x, x[1:4])

    return inner


def where():
    def sample(condition, a, b):
        return Sample((condition, a, b), np.asarray(np.where(condition, a, b)))

    for dtype in DTYPES:
        for shape in SHAPES:
            yield sample(make(shape, np.bool_), make(shape, dtype, 1), make(shape, dtype, 2))
    for shapes in TRIPLES:
        yield sample(make(shapes[0], np.bool_), make(shapes[1], seed=1), make(shapes[2], seed=2))
    yield sample(strided((3, 2), np.bool_), strided((3, 2), seed=1), make((3, 2), seed=2))
    condition, a, small = make((3,), np.bool_), make((3,)), make((3,), np.float32)
    for number in (1, -2.5, True):
        yield Sample((condition, a, number), np.where(condition, a, number))
        yield Sample((condition, number, a), np.where(condition, number, a))
    yield Sample((condition, 1, 2), np.where(condition, 1, 2))
    chosen = np.where(condition, 1, 2.5).astype(np.float32)
    yield Sample((condition, 1, 2.5), chosen, dtype=eagre.float32)
    yield Sample((condition, small, a), np.where(condition, small, a), dtype=eagre.float64)
    whole = make((3,), np.int64)
    mixed = np.where(condition, whole, small).astype(np.float32)
    yield Sample((condition, whole, small), mixed, dtype=eagre.float32)
    z = np.asarray([1 + 2j, 3j, 4])
    yield Sample((condition, z, 0), np.where(condition, z, 0), dtype=eagre.complex128)


def where_method():
    a, condition, b = make((2, 3)), make((3,), np.bool_), make((2, 1), seed=2)
    yield Sample((a, condition, b), np.where(condition, a, b))
    yield Sample((a, condition, 0), np.where(condition, a, 0))


BAD = {
    ("where_method", "condition"): (
        lambda: tensor(2).where(tensor(2), 0),
        eagre.DTypeError,
        ["where()", "'condition'", "bool", "float32"],
    ),
    ("index_select", "index_out_of_range"): (
        lambda: tensor(3, 4).index_select(1, i64(0, 4)),
        eagre.IndexOutOfRangeError,
        ["index_select()", "'index'", "index 4", "dimension 1", "size 4"],
    ),
    ("index_select", "not_integers"): (
        lambda: tensor(3).index_select(0, tensor(2)),
        eagre.DTypeError,
        ["index_select()", "'index'", "float32"],
    ),
    ("index_select", "not_a_vector"): (
        lambda: tensor(3).index_select(0, tensor(2, 2, dtype=np.int64)),
        eagre.IndexOutOfRangeError,
        ["index_select()", "supposed to be a vector", "[2, 2]"],
    ),
    ("index_select", "dim_out_of_range"): (
        lambda: tensor(3).index_select(1, i64(0)),
        eagre.IndexOutOfRangeError,
        ["index_select()", "'dim'", "got 1"],
    ),
    ("gather_sparse", "index_out_of_range"): (
        lambda: tensor(3).gather(0, i64(3), sparse_grad=False),
        eagre.IndexOutOfRangeError,
        ["gather()", "index 3 is out of bounds for dimension 0 with size 3"],
    ),
    ("gather", "index_out_of_range"): (
        lambda: tensor(3, 4).gather(0, i64([0, -4])),
        eagre.IndexOutOfRangeError,
        ["gather()", "'index'", "index -4", "dimension 0", "size 3"],
    ),
    ("gather", "index_too_large"): (
        lambda: tensor(3, 4).gather(0, i64([0] * 5)),
        eagre.InvalidArgumentError,
        ["gather()", "Size does not match at dimension 1", "[1, 5]", "[3, 4]"],
    ),
    ("gather", "ranks_differ"): (
        lambda: tensor(3, 4).gather(0, i64(0)),
        eagre.InvalidArgumentError,
        ["gather()", "same number of dimensions", "[1]"],
    ),
    ("gather", "not_integers"): (
        lambda: tensor(3).gather(0, tensor(3)),
        eagre.DTypeError,
        ["gather()", "'index'", "float32"],
    ),
    ("take", "index_out_of_range"): (
        lambda: tensor(3, 4).take(i64(12)),
        eagre.IndexOutOfRangeError,
        ["take()", "'index'", "index 12", "12 elements"],
    ),
    ("take", "not_integers"): (
        lambda: tensor(3).take(tensor(3)),
        eagre.DTypeError,
        ["take()", "'index'", "float32"],
    ),
    ("take_along_dim", "index_out_of_range"): (
        lambda: eagre.take_along_dim(tensor(3), i64(3), 0),
        eagre.IndexOutOfRangeError,
        ["index 3", "dimension 0", "size 3"],
    ),
    ("take_along_dim", "ranks_differ"): (
        lambda: eagre.take_along_dim(tensor(3, 4), i64(0), 0),
        eagre.InvalidArgumentError,
        ["take_along_dim()", "same number of dimensions", "1 dimensions for indices"],
    ),
    ("take_along_dim", "not_integers"): (
        lambda: eagre.take_along_dim(tensor(3), tensor(3), 0),
        eagre.DTypeError,
        ["take_along_dim()", "indices should be Long", "float32"],
    ),
    ("masked_select", "not_bool"): (
        lambda: tensor(3).masked_select(i64(0, 1, 1)),
        eagre.DTypeError,
        ["masked_select()", "expected BoolTensor for mask", "int64"],
    ),
    ("masked_select", "shapes_do_not_broadcast"): (
        lambda: tensor(3).masked_select(tensor(2, dtype=np.bool_)),
        eagre.InvalidArgumentError,
        ["masked_select()", "[3]", "[2]"],
    ),
    ("index", "index_out_of_range"): (
        lambda: eagre.index(tensor(3, 4), [None, i64(0, 4)]),
        eagre.IndexOutOfRangeError,
        ["index()", "'indices'", "index 4", "dimension 1", "size 4"],
    ),
    ("index", "too_many"): (
        lambda: eagre.index(tensor(3), [i64(0), i64(0)]),
        eagre.IndexOutOfRangeError,
        ["index()", "too many indices for tensor of dimension 1 (got 2)", "[3]"],
    ),
    ("index", "mask_does_not_fit"): (
        lambda: eagre.index(tensor(3), [tensor(4, dtype=np.bool_)]),
        eagre.IndexOutOfRangeError,
        ["index()", "shape of the mask [4] at index 0 does not match", "[3]"],
    ),
    ("index", "indices_do_not_broadcast"): (
        lambda: eagre.index(tensor(3, 4), [i64(0, 1), i64(0, 1, 2)]),
        eagre.IndexOutOfRangeError,
        ["index()", "[2]", "[3]"],
    ),
    ("index", "not_integers"): (
        lambda: eagre.index(tensor(3), [tensor(2)]),
        eagre.IndexOutOfRangeError,
        ["index()", "tensors used as indices must be long", "float32"],
    ),
    ("where", "condition"): (
        lambda: eagre.where(tensor(3), tensor(3), 0),
        eagre.DTypeError,
        ["where()", "'condition'", "bool", "float32"],
    ),
    ("where", "shapes_do_not_broadcast"): (
        lambda: eagre.where(mask_of(3), tensor(4), 0),
        eagre.InvalidArgumentError,
        ["where()", "[4]", "[3]"],
    ),
    ("gather", "out_of_another_dtype"): (
        lambda: eagre.gather(tensor(3), 0, i64(0), out=eagre.zeros(1, dtype=eagre.float64)),
        eagre.InvalidArgumentError,
        ["gather()", "'out'", "float32", "float64"],
    ),
    ("where_nonzero", "not_a_tensor"): (
        lambda: eagre.where(3),
        eagre.DTypeError,
        ["where()", "int"],
    ),
}

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

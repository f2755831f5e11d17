"""Samples of ops/shape_join.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import ALL, SOME, Sample, make, strided, values

import eagre


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


BAD = {
    ("cat", "no_tensors"): (
        lambda: eagre.cat([]),
        eagre.InvalidArgumentError,
        ["cat()", "'tensors'"],
    ),
    ("cat", "sizes_differ"): (
        lambda: eagre.cat([tensor(2, 3), tensor(2, 4)]),
        eagre.InvalidArgumentError,
        ["cat()", "'tensors'", "[2, 3]", "[2, 4]", "position 1"],
    ),
    ("cat", "ranks_differ"): (
        lambda: eagre.cat([tensor(2, 3), tensor(2)]),
        eagre.InvalidArgumentError,
        ["cat()", "[2, 3]", "[2]"],
    ),
    ("cat", "zero_dim"): (
        lambda: eagre.cat([tensor(), tensor()]),
        eagre.InvalidArgumentError,
        ["cat()", "0-dim", "stack()"],
    ),
    ("cat", "dim_out_of_range"): (
        lambda: eagre.cat([tensor(2)], 1),
        eagre.IndexOutOfRangeError,
        ["cat()", "'dim'", "got 1"],
    ),
    ("stack", "no_tensors"): (
        lambda: eagre.stack([]),
        eagre.InvalidArgumentError,
        ["stack()", "'tensors'"],
    ),
    ("stack", "shapes_differ"): (
        lambda: eagre.stack([tensor(2), tensor(3)]),
        eagre.InvalidArgumentError,
        ["stack()", "'tensors'", "[2]", "[3]"],
    ),
    ("stack", "dim_out_of_range"): (
        lambda: eagre.stack([tensor(2)], 2),
        eagre.IndexOutOfRangeError,
        ["stack()", "'dim'", "got 2"],
    ),
    **{
        (op, "no_tensors"): mistake(
            lambda op=op: getattr(eagre, op)([]), [f"{op}()", "'tensors'", "non-empty"]
        )
        for op in ("hstack", "vstack", "dstack", "column_stack")
    },
    **{
        (op, "sizes_differ"): mistake(
            lambda op=op: getattr(eagre, op)([tensor(2, 3), tensor(3, 2)]), [f"{op}()", "cat()"]
        )
        for op in ("hstack", "vstack", "dstack", "column_stack")
    },
    ("block_diag", "too_many_dimensions"): mistake(
        lambda: eagre.block_diag(tensor(2, 2, 2)), ["block_diag()", "'tensors'", "[2, 2, 2]"]
    ),
    ("cat", "out_overlaps"): (
        lambda: (lambda x: eagre.cat([x, x], out=x))(eagre.zeros(2)),
        eagre.InvalidArgumentError,
        ["cat()", "'out'", "memory"],
    ),
}

"""Samples of ops/embedding.yaml."""

import numpy as np
from mistakes import tensor
from samples import Sample, make, strided

import eagre

F = eagre.nn.functional


def embedding():
    table = make((4, 3))
    for index in ([1, 0, 1], [[3, 2], [0, 0]], 2, [], [-0]):
        places = np.asarray(index, np.int64)
        yield Sample((table, eagre.tensor(places)), table[places])
    # Row 1 gets no gradient, so it must not be compared with numbers.
    small = make((4, 3), np.float32)
    yield Sample((small, eagre.tensor([1, 3])), small[[1, 3]], {"padding_idx": 1})
    whole = make((4, 2), np.int64)
    yield Sample((whole, eagre.tensor([1, 3], dtype=eagre.int32)), whole[[1, 3]])
    yield Sample((strided((3, 2)), eagre.tensor([0, 2])), strided((3, 2))[[0, 2]])


def functional_embedding():
    table = make((4, 3))
    for index in ([1, 0, 1], [[3, 2], [0, 0]], 2, []):
        places = np.asarray(index, np.int64)
        yield Sample((eagre.tensor(places), table), table[places])
    small = make((4, 3), np.float32)
    yield Sample((eagre.tensor([0, 3]), small), small[[0, 3]], {"padding_idx": -1})


def one_hot():
    for numbers in ([1, 0, 3], [[0, 2], [2, 2]], 2):
        places = np.asarray(numbers, np.int64)
        yield Sample((eagre.tensor(places),), np.eye(places.max() + 1, dtype=np.int64)[places])
        yield Sample((eagre.tensor(places), 5), np.eye(5, dtype=np.int64)[places])
    nothing = eagre.zeros(0, 2, dtype=eagre.int64)
    yield Sample((nothing, 3), np.zeros((0, 2, 3), np.int64))


BAGS = ([1, 2, 2, 4, 5], [0, 2, 2])


def bags_of(table, index, starts, how, padding=None):
    """What NumPy makes of bags, one by one."""
    out = np.zeros((len(starts), table.shape[1]), table.dtype)
    for n, (begin, end) in enumerate(zip(starts, [*starts[1:], len(index)], strict=True)):
        rows = table[[i for i in index[begin:end] if i != padding]]
        if len(rows):
            out[n] = how(rows, 0)
    return out


def embedding_bag():
    table = make((6, 3))
    index, starts = BAGS
    for mode, how in enumerate([np.sum, np.mean, np.max]):
        args = (table, eagre.tensor(index))
        named = {"offsets": eagre.tensor(starts), "mode": mode}
        expected = bags_of(table, index, starts, how)
        yield Sample(args, first_is(expected), named)
        expected = bags_of(table, index, starts, how, 2)
        yield Sample(args, first_is(expected), named | {"padding_idx": 2})


def first_is(expected):
    def check(results):
        np.testing.assert_allclose(results[0].detach().numpy(), expected, rtol=1e-6)
        assert results[1].tolist() == [0, 0, 2, 2, 2]

    return check


def functional_embedding_bag():
    index, starts = BAGS
    for table in (make((6, 3)), make((6, 4), np.float32), strided((6, 2))):
        for mode, how in {"sum": np.sum, "mean": np.mean, "max": np.max}.items():
            args = (eagre.tensor(index), table)
            expected = bags_of(table, index, starts, how)
            offsets = eagre.tensor(starts, dtype=eagre.int32)
            yield Sample(args, expected, {"offsets": offsets, "mode": mode})
            ends = {"offsets": eagre.tensor([*starts, 5]), "include_last_offset": True}
            yield Sample(args, expected, ends | {"mode": mode})
            whole = eagre.tensor([[0, 3], [5, 3]])
            expected = np.stack([how(table[[0, 3]], 0), how(table[[5, 3]], 0)])
            yield Sample((whole, table), expected, {"mode": mode})
    table, weights = make((6, 3)), make((5,))
    rows = table[index] * weights[:, None]
    yield Sample(
        (eagre.tensor(index), table),
        np.stack([rows[:2].sum(0), rows[2:].sum(0)]),
        {
            "offsets": eagre.tensor([0, 2]),
            "mode": "sum",
            "per_sample_weights": eagre.tensor(weights),
        },
    )
    none = (eagre.zeros(0, dtype=eagre.int64), table, eagre.tensor([0, 0]))
    yield Sample(none, np.zeros((2, 3)), {"mode": "sum"})


BAD = {
    ("embedding", "index_out_of_range"): (
        lambda: eagre.embedding(tensor(4, 3), eagre.tensor([0, 4])),
        eagre.IndexOutOfRangeError,
        ["embedding()", "'indices'", "0 to 3", "4 at position 1"],
    ),
    ("embedding", "float_indices"): (
        lambda: eagre.embedding(tensor(4, 3), tensor(2)),
        eagre.DTypeError,
        ["embedding()", "'indices'", "float32"],
    ),
    ("embedding", "not_a_matrix"): (
        lambda: eagre.embedding(tensor(4), eagre.tensor([0])),
        eagre.InvalidArgumentError,
        ["embedding()", "'weight'", "[4]"],
    ),
    ("embedding", "padding_out_of_range"): (
        lambda: eagre.embedding(tensor(4, 3), eagre.tensor([0]), 4),
        eagre.InvalidArgumentError,
        ["embedding()", "'padding_idx'", "0 to 3"],
    ),
    ("embedding", "sparse"): (
        lambda: eagre.embedding(tensor(4, 3), eagre.tensor([0]), sparse=True),
        eagre.UnimplementedError,
        ["embedding()", "'sparse'"],
    ),
    ("functional_embedding", "index_out_of_range"): (
        lambda: F.embedding(eagre.tensor([0, 4]), tensor(4, 3)),
        eagre.IndexOutOfRangeError,
        ["embedding()", "'input'", "0 to 3", "4 at position 1"],
    ),
    ("functional_embedding", "float_indices"): (
        lambda: F.embedding(tensor(2), tensor(4, 3)),
        eagre.DTypeError,
        ["embedding()", "'input'", "float32"],
    ),
    ("functional_embedding", "not_a_matrix"): (
        lambda: F.embedding(eagre.tensor([0]), tensor(4)),
        eagre.InvalidArgumentError,
        ["embedding()", "'weight'", "[4]"],
    ),
    ("functional_embedding", "padding_out_of_range"): (
        lambda: F.embedding(eagre.tensor([0]), tensor(4, 3), -5),
        eagre.InvalidArgumentError,
        ["embedding()", "'padding_idx'", "-4 to 3"],
    ),
    ("functional_embedding", "sparse"): (
        lambda: F.embedding(eagre.tensor([0]), tensor(4, 3), sparse=True),
        eagre.UnimplementedError,
        ["embedding()", "'sparse'"],
    ),
    ("one_hot", "negative_class"): (
        lambda: F.one_hot(eagre.tensor([0, -1])),
        eagre.InvalidArgumentError,
        ["one_hot()", "'tensor'", "negative"],
    ),
    ("one_hot", "class_too_large"): (
        lambda: F.one_hot(eagre.tensor([0, 3]), 3),
        eagre.InvalidArgumentError,
        ["one_hot()", "'num_classes', 3"],
    ),
    ("one_hot", "float_classes"): (
        lambda: F.one_hot(tensor(2)),
        eagre.InvalidArgumentError,
        ["one_hot()", "int64", "float32"],
    ),
    ("one_hot", "no_classes"): (
        lambda: F.one_hot(eagre.zeros(0, dtype=eagre.int64)),
        eagre.InvalidArgumentError,
        ["one_hot()", "'num_classes'"],
    ),
    ("embedding_bag", "unknown_mode"): (
        lambda: eagre.embedding_bag(tensor(4, 3), eagre.tensor([0]), eagre.tensor([0]), mode=3),
        eagre.InvalidArgumentError,
        ["embedding_bag()", "'mode'", "got 3"],
    ),
    ("embedding_bag", "sparse"): (
        lambda: eagre.embedding_bag(
            tensor(4, 3), eagre.tensor([0]), eagre.tensor([0]), sparse=True
        ),
        eagre.UnimplementedError,
        ["embedding_bag()", "'sparse'"],
    ),
    ("embedding_bag", "offsets_start"): (
        lambda: eagre.embedding_bag(tensor(4, 3), eagre.tensor([0]), eagre.tensor([1])),
        eagre.InvalidArgumentError,
        ["embedding_bag()", "'offsets'", "begin with 0"],
    ),
    ("embedding_bag", "index_out_of_range"): (
        lambda: eagre.embedding_bag(tensor(4, 3), eagre.tensor([7]), eagre.tensor([0])),
        eagre.IndexOutOfRangeError,
        ["embedding_bag()", "'indices'", "0 to 3", "7"],
    ),
}

PLACES = [0, 1, 1]
BAD_BAGS = {
    "unknown_mode": (
        ([0], None),
        {"mode": "worst"},
        eagre.InvalidArgumentError,
        ["'mode'", "'worst'"],
    ),
    "no_offsets": (([0], None), {}, eagre.InvalidArgumentError, ["'offsets'", "None"]),
    "offsets_of_a_matrix": (([[0]], [0]), {}, eagre.InvalidArgumentError, ["'offsets'", "None"]),
    "sparse": (([0], [0]), {"sparse": True}, eagre.UnimplementedError, ["'sparse'"]),
    "float_indices": (([0.5], [0]), {}, eagre.DTypeError, ["'input'", "float32"]),
    "index_out_of_range": (([9], [0]), {}, eagre.IndexOutOfRangeError, ["0 to 3", "9"]),
    "offsets_not_in_order": (
        (PLACES, [0, 2, 1]),
        {},
        eagre.InvalidArgumentError,
        ["'offsets'", "rise"],
    ),
    "offsets_start": ((PLACES, [1]), {}, eagre.InvalidArgumentError, ["'offsets'", "begin with 0"]),
    "zero_dim": ((0, None), {}, eagre.InvalidArgumentError, ["'input'", "0-dim"]),
    "weights_of_another_shape": (
        (PLACES, [0]),
        {"mode": "sum", "per_sample_weights": tensor(2)},
        eagre.InvalidArgumentError,
        ["'per_sample_weights'", "[2]"],
    ),
    "weights_of_means": (
        (PLACES, [0]),
        {"per_sample_weights": tensor(3)},
        eagre.UnimplementedError,
        ["'per_sample_weights'"],
    ),
}


def _call(index, starts, options):
    offsets = None if starts is None else eagre.tensor(starts)
    return lambda: F.embedding_bag(eagre.tensor(index), tensor(4, 3), offsets, **options)


BAD |= {
    ("functional_embedding_bag", name): (_call(*args, options), error, ["embedding_bag()", *parts])
    for name, (args, options, error, parts) in BAD_BAGS.items()
}

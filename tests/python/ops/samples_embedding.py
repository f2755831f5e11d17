"""Samples of ops/embedding.yaml."""

import numpy as np
from mistakes import tensor
from samples import Sample, make, strided

import eagre


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
}

"""Samples of ops/activation_gate.yaml."""

import numpy as np
from mistakes import dim_out_of_range, refused_call, tensor
from samples import HALVES_TOO, Sample, make, strided

import eagre


def glu():
    for dtype in HALVES_TOO:
        for shape, dim in (((4,), 0), ((2, 4), -1), ((2, 4), 0), ((0, 4), 0), ((2, 6, 3), 1)):
            a = make(shape, dtype)
            left, right = np.split(a.astype(np.float64), 2, dim)
            yield Sample((a, dim), (left / (1 + np.exp(-right))).astype(dtype))
    left, right = np.split(strided((3, 4)), 2, -1)
    yield Sample((strided((3, 4)),), left / (1 + np.exp(-right)))


BAD = {
    ("glu", "odd"): refused_call("glu", tensor(2, 3), words=["'input'", "even", "[2, 3]"]),
    ("glu", "no_dimension"): refused_call("glu", tensor(), words=["'input'", "0-dim"]),
    ("glu", "dim_out_of_range"): dim_out_of_range("glu"),
    ("glu", "integers"): refused_call(
        "glu", tensor(4, dtype=np.int64), kind=eagre.UnimplementedError, words=["int64"]
    ),
}

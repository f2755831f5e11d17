"""Samples of ops/contraction_bilinear.yaml."""

import numpy as np
from mistakes import refused_call, tensor
from samples import FLOATS, Sample, make


def bilinear():
    for dtype in FLOATS:
        w, b = make((2, 3, 4), dtype, 3), make((2,), dtype, 4)
        for rows in ((5,), (), (2, 3), (0,)):
            x, y = make((*rows, 3), dtype, 1), make((*rows, 4), dtype, 2)
            expected = np.einsum("...i,kij,...j->...k", x, w, y)
            yield Sample((x, y, w), expected)
            yield Sample((x, y, w, b), expected + b)
    whole = [make(shape, np.int64, 1) for shape in ((5, 3), (5, 4), (2, 3, 4))]
    yield Sample(tuple(whole), np.einsum("ni,nj,kij->nk", *whole))


def refused(*args, words):
    return refused_call("bilinear", *args, words=words)


X, Y, W = tensor(5, 3), tensor(5, 4), tensor(2, 3, 4)
BAD = {
    ("bilinear", "batches_differ"): refused(X, tensor(1, 4), W, words=["'input2'", "[5, 3]"]),
    ("bilinear", "first_size"): refused(tensor(5, 2), Y, W, words=["'input1'", "3 numbers"]),
    ("bilinear", "second_size"): refused(X, X, W, words=["'input2'", "4 numbers"]),
    ("bilinear", "bias_size"): refused(X, Y, W, tensor(3), words=["'bias'", "2 matrices", "[3]"]),
    ("bilinear", "dtypes_differ"): refused(X, Y, W.double(), words=["'weight'", "float64"]),
    ("bilinear", "weight_matrix"): refused(X, Y, tensor(3, 4), words=["'weight'", "[3, 4]"]),
    ("bilinear", "no_dimensions"): refused(tensor(), tensor(), W, words=["'input1'", "0-dim"]),
}

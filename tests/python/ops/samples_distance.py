"""Samples of ops/distance.yaml."""

import numpy as np
from mistakes import integers, refused_call, tensor
from samples import COMPLEX, FLOATS, Sample, make, strided

import eagre


def norm(a, p, axis, keepdims=False):
    return np.linalg.norm(a, p, axis, keepdims)


def cosine_similarity():
    def compute(a, b, axis):
        return (a * b).sum(axis) / (norm(a, 2, axis) * norm(b, 2, axis))

    for dtype in FLOATS:
        a, b = make((2, 3, 4), dtype, 1), make((2, 3, 4), dtype, 2)
        for dim in (0, 1, -1):
            yield Sample((a, b, dim), compute(a, b, dim))
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), compute(a, np.broadcast_to(b, (2, 3)), 1))
    yield Sample(
        (np.zeros((1, 2), np.float32), np.ones((1, 2), np.float32)), np.zeros(1, np.float32)
    )
    yield Sample(
        (a, a / 1e3), (a * a).sum(1) / 1e3 / np.maximum(norm(a, 2, 1), 9) / 9, {"eps": 9.0}
    )
    wide, small = make((2, 3), np.float64, 1), make((2, 3), np.float32, 2)
    yield Sample((small, wide), compute(small.astype(np.float64), wide, 1))


def pairwise_distance():
    a, b = make((2, 3), seed=1), make((2, 3), seed=2)
    for p in (2, 1, 3, np.inf, 0.5):
        size = np.abs(a - b + 1e-6)
        expected = size.max(-1) if p == np.inf else (size**p).sum(-1) ** (1 / p)
        yield Sample((a, b, p), expected)
    yield Sample((a, b, 2.0, 0.5, True), norm(a - b + 0.5, 2, -1, True))
    yield Sample((a, b[0]), norm(a - b[0] + 1e-6, 2, -1))
    for dtype in COMPLEX:
        x, y = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((x, y), norm(x - y + 1e-6, 2, -1).astype(x.real.dtype))


def pdist():
    for dtype in FLOATS:
        a = make((4, 3), dtype)
        for p in (2, 1, 3, np.inf, 0):
            pairs = [norm(a[i] - a[j], p, 0) for i in range(4) for j in range(i + 1, 4)]
            yield Sample((a, p), np.asarray(pairs, dtype))
    yield Sample((make((1, 3)),), np.zeros(0))
    yield Sample((make((0, 3)),), np.zeros(0))
    yield Sample((np.zeros((3, 0)),), np.zeros(3))
    yield Sample((np.zeros((2, 3), np.float32),), np.zeros(1, np.float32))


def normalize():
    for dtype in FLOATS:
        a = make((2, 3, 4), dtype)
        for p, dim in ((2.0, 1), (1.0, -1), (np.inf, 0), (3.0, 2)):
            yield Sample((a, p, dim), a / norm(a, p, dim, True))
    a = strided((3, 2))
    yield Sample((a,), a / norm(a, 2, 1, True))
    yield Sample((np.zeros((2, 3), np.float32),), np.zeros((2, 3), np.float32))
    yield Sample((a / 100, 2.0, 1, 1.0), a / 100)
    for dtype in COMPLEX:
        z = make((2, 3), dtype)
        yield Sample((z,), z / norm(z, 2, 1, True).astype(z.real.dtype))


def normalize_dims():
    a = make((2, 3, 4))
    for dim in ((0, 1), (2, 0), (-1,)):
        yield Sample((a, 2.0, dim), a / np.sqrt((a * a).sum(dim, keepdims=True)))


BAD = {
    **{
        (name, "shapes_do_not_broadcast"): refused_call(
            name, tensor(2, 3), tensor(4), words=["[2, 3]", "[4]"]
        )
        for name in ("cosine_similarity", "pairwise_distance")
    },
    ("cosine_similarity", "dim_out_of_range"): (
        lambda: eagre.cosine_similarity(tensor(2, 3), tensor(2, 3), 2),
        eagre.IndexOutOfRangeError,
        ["cosine_similarity()", "'dim'", "range of [-2, 1]"],
    ),
    ("cosine_similarity", "integers"): refused_call(
        "cosine_similarity", integers(2, 3), integers(2, 3), words=["int64"]
    ),
    ("cosine_similarity", "negative_eps"): refused_call(
        "cosine_similarity", tensor(2, 3), tensor(2, 3), eps=-1.0, words=["'eps'", "-1"]
    ),
    ("pdist", "no_matrix"): refused_call("pdist", tensor(3), words=["'input'", "[3]"]),
    ("pdist", "negative_p"): refused_call("pdist", tensor(2, 3), -1.0, words=["'p'", "-1"]),
    ("pdist", "integers"): refused_call("pdist", integers(2, 3), words=["int64"]),
    ("normalize", "integers"): refused_call(
        "normalize", integers(2, 3), kind=eagre.UnimplementedError, words=["int64"]
    ),
    ("normalize_dims", "several_out_of_range"): (
        lambda: eagre.normalize(tensor(2, 3), 2.0, (0, 2)),
        eagre.IndexOutOfRangeError,
        ["normalize()", "range of [-2, 1]"],
    ),
    ("normalize", "dim_out_of_range"): (
        lambda: eagre.normalize(tensor(2, 3), dim=2),
        eagre.IndexOutOfRangeError,
        ["normalize()", "range of [-2, 1]"],
    ),
}

"""Samples of ops/special_zeta.yaml."""

import numpy as np
from mistakes import tensor
from samples import INF, NAN, Sample
from samples_special import zeta_of

import eagre


def special_zeta():
    def of(s, q):
        return np.asarray(np.vectorize(lambda s, q: zeta_of(q, s))(s, q), np.result_type(s, q))

    # float32, as there is no gradient for the first.
    s = np.asarray([[1.5, 2, 3.25], [5, 8, 12.5]], np.float32)
    for q in (0.25, 1, 7.5):
        yield Sample((s, q), of(s, np.float32(q)), tolerance=1e-5)
    q = np.asarray([0.5, 2, 30], np.float32)
    yield Sample((s, q), of(s, q), tolerance=1e-5)
    low = np.asarray([1, 0.5, 2, 2, 3, 2.5, INF, INF, NAN, 2.5], np.float32)
    high = np.asarray([1, 1, 0, -1.5, -1.5, -1.5, 1, 2, 1, -2], np.float32)
    found = [INF, NAN, INF, 9.3792467, 0.1181020, NAN, 1, 0, NAN, INF]
    yield Sample((low, high), np.asarray(found, np.float32), tolerance=1e-5)


def special_zeta_number():
    q = np.asarray([0.5, 1, 2, 30.5])
    for s in (2, 3.5):
        yield Sample((s, q), np.vectorize(lambda q, s=s: zeta_of(q, s))(q), tolerance=1e-9)


BAD = {
    ("special_zeta", "complex_input"): (
        lambda: eagre.special.zeta(tensor(2, dtype=np.complex64), 2),
        eagre.UnimplementedError,
        ["special_zeta()", "complex64"],
    ),
    ("special_zeta_number", "complex_number"): (
        lambda: eagre.special.zeta(2j, tensor(3)),
        eagre.UnimplementedError,
        ["special_zeta()", "complex64"],
    ),
}

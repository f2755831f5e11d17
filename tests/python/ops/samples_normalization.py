"""Samples of ops/normalization.yaml."""

import numpy as np
from mistakes import tensor
from samples import FLOATS, Sample, make, strided

import eagre


def norm_of(a, count, weight=None, bias=None, eps=1e-5):
    dims = tuple(range(a.ndim - count, a.ndim))
    centered = a - a.mean(dims, keepdims=True)
    out = centered / np.sqrt((centered**2).mean(dims, keepdims=True) + eps)
    out = out if weight is None else out * weight
    return (out if bias is None else out + bias).astype(a.dtype)


def layer_norm():
    for dtype in FLOATS:
        a, w, b = make((2, 4), dtype), make((4,), dtype, 1), make((4,), dtype, 2)
        tolerance = 1e-5 if dtype is np.float32 else None
        yield Sample((a, (4,)), norm_of(a, 1), tolerance=tolerance)
        yield Sample((a, (4,), w, b), norm_of(a, 1, w, b), tolerance=tolerance)
        yield Sample((a, (4,), w), norm_of(a, 1, w), tolerance=tolerance)
        yield Sample((a, (4,), None, b), norm_of(a, 1, None, b), tolerance=tolerance)
    a, w, b = make((2, 2, 3)), make((2, 3), seed=1), make((2, 3), seed=2)
    yield Sample((a, (2, 3), w, b), norm_of(a, 2, w, b, 0.1), {"eps": 0.1})
    yield Sample((make((3,)), [3]), norm_of(make((3,)), 1))
    yield Sample((strided((3, 2)), (2,)), norm_of(strided((3, 2)), 1))
    yield Sample((make((0, 3)), (3,)), np.zeros((0, 3)))
    long = make((70, 600), np.float32)
    yield Sample((long, (600,)), norm_of(long.astype(np.float64), 1).astype(np.float32),
                 tolerance=1e-5)  # fmt: skip


def rms_of(a, count, weight=None, eps=None):
    dims = tuple(range(a.ndim - count, a.ndim))
    eps = np.finfo(a.dtype).eps if eps is None else eps
    out = a / np.sqrt((a**2).mean(dims, keepdims=True) + eps)
    return (out if weight is None else out * weight).astype(a.dtype)


def rms_norm():
    for dtype in FLOATS:
        a, w = make((3, 4), dtype), make((4,), dtype, 1)
        tolerance = 1e-5 if dtype is np.float32 else None
        yield Sample((a, (4,)), rms_of(a, 1), tolerance=tolerance)
        yield Sample((a, (4,), w), rms_of(a, 1, w, 0.1), {"eps": 0.1}, tolerance=tolerance)
    a, w = make((2, 2, 3)), make((2, 3), seed=1)
    yield Sample((a, (2, 3), w), rms_of(a, 2, w))
    yield Sample((strided((3, 2)), [2]), rms_of(strided((3, 2)), 1))
    yield Sample((make((0, 3)), (3,)), np.zeros((0, 3)))
    long = make((70, 600), np.float32)
    yield Sample((long, (600,)), rms_of(long.astype(np.float64), 1).astype(np.float32),
                 tolerance=1e-5)  # fmt: skip


BAD = {
    ("rms_norm", "shape_differs"): (
        lambda: eagre.rms_norm(tensor(2, 3), (2,)),
        eagre.InvalidArgumentError,
        ["rms_norm()", "'normalized_shape'", "[2, 3]", "[2]"],
    ),
    ("rms_norm", "weight_differs"): (
        lambda: eagre.rms_norm(tensor(2, 3), (3,), tensor(2)),
        eagre.InvalidArgumentError,
        ["rms_norm()", "'weight'", "[3]", "[2]"],
    ),
    ("rms_norm", "mixed_dtypes"): (
        lambda: eagre.rms_norm(tensor(2, 3), (3,), tensor(3, dtype=np.int64)),
        eagre.DTypeError,
        ["rms_norm()", "'weight'", "floating-point", "int64"],
    ),
    ("rms_norm", "integers"): (
        lambda: eagre.rms_norm(tensor(2, 3, dtype=np.int64), (3,)),
        eagre.UnimplementedError,
        ["rms_norm()", "int64"],
    ),
    ("layer_norm", "shape_differs"): (
        lambda: eagre.layer_norm(tensor(2, 3), (2,)),
        eagre.InvalidArgumentError,
        ["layer_norm()", "'normalized_shape'", "[2, 3]", "[2]"],
    ),
    ("layer_norm", "no_shape"): (
        lambda: eagre.layer_norm(tensor(2, 3), ()),
        eagre.InvalidArgumentError,
        ["layer_norm()", "'normalized_shape'"],
    ),
    ("layer_norm", "weight_differs"): (
        lambda: eagre.layer_norm(tensor(2, 3), (3,), tensor(2)),
        eagre.InvalidArgumentError,
        ["layer_norm()", "'weight'", "[3]", "[2]"],
    ),
    ("layer_norm", "mixed_dtypes"): (
        lambda: eagre.layer_norm(tensor(2, 3), (3,), None, tensor(3, dtype=np.float64)),
        eagre.DTypeError,
        ["layer_norm()", "expected scalar type Float but found Double", "'bias'", "float32"],
    ),
}

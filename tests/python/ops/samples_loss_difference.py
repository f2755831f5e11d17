"""Samples of ops/loss_difference.yaml."""

import numpy as np
from mistakes import refused_call, tensor
from samples import COMPLEX, HALVES_TOO, PAIRS, Sample, make, strided
from samples_loss import reduced

import eagre

REDUCTIONS = ("mean", "sum", "none")


def mse_loss():
    for reduction in ("mean", "sum", "none"):
        for left, right in (((2, 3), (2, 3)), ((2, 3), (3,)), ((), ())):
            a, b = make(left, seed=1), make(right, seed=2)
            expected = reduced(np.asarray((a - b) ** 2), reduction)
            yield Sample((a, b), expected, {"reduction": reduction})
    a, b = make((2, 3), np.float32, 1), make((2, 3), np.float32, 2)
    yield Sample((a, b), np.asarray(((a - b) ** 2).mean()))
    yield Sample((make((0,)), make((0,))), np.asarray(np.nan))
    a, b, w = make((2, 3), seed=1), make((2, 3), seed=2), np.abs(make((2, 3), seed=3))
    yield from weighted(a, b, w, (a - b) ** 2)


def weighted(a, b, w, each, over_elements=False):
    for reduction in REDUCTIONS:
        expected = reduced(each * w, reduction, None if over_elements else w.sum())
        yield Sample((a, b), expected, {"reduction": reduction, "weight": eagre.tensor(w)})


def _of_differences(function, *numbers):
    """`numbers`: the names and values of what else the loss takes."""
    for reduction in REDUCTIONS:
        for left, right in (((2, 3), (2, 3)), ((), ()), *PAIRS[:2]):
            a, b = make(left, seed=1), make(right, seed=2)
            yield Sample((a, b), reduced(np.asarray(function(a - b)), reduction),
                         {"reduction": reduction})  # fmt: skip
    for dtype in HALVES_TOO:
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        wide = a.astype(np.float64) - b
        yield Sample((a, b), function(wide).astype(dtype), {"reduction": "none"})
    a, b = strided((3, 2), seed=1), strided((3, 2), seed=2)
    yield Sample((a, b), function(a - b), {"reduction": "none"})
    yield Sample((make((0,)), make((0,))), np.asarray(np.nan))
    yield Sample((np.asarray([np.nan, np.inf]), np.zeros(2)), np.asarray([np.nan, np.inf]),
                 {"reduction": "none"})  # fmt: skip
    for name, value in numbers:
        a, b = make((3, 4), seed=1), make((3, 4), seed=2)
        expected = function(a - b, **{name: value})
        yield Sample((a, b), np.asarray(expected.mean()), {name: value})


def l1_loss():
    yield from _of_differences(np.abs)
    for dtype in COMPLEX:
        a, b = make((2, 3), dtype, 1), make((2, 3), dtype, 2)
        yield Sample((a, b), np.abs(a - b), {"reduction": "none"})
    whole, other = make((4,), np.int64, 1), make((4,), np.int64, 2)
    yield Sample((whole, other), np.abs(whole - other), {"reduction": "none"})
    a, b, w = make((2, 3), seed=1), make((2, 3), seed=2), np.abs(make((2, 3), seed=3))
    yield from weighted(a, b, w, np.abs(a - b))


def smooth_l1_loss():
    def function(d, beta=1.0):
        size = np.abs(d)
        with np.errstate(all="ignore"):
            return np.where(size < beta, size * size / (2 * beta), size - beta / 2)

    yield from _of_differences(function, ("beta", 0.5), ("beta", 0.0), ("beta", 3.0))


def huber_loss():
    def function(d, delta=1.0):
        size = np.abs(d)
        with np.errstate(all="ignore"):
            return np.where(size <= delta, size * size / 2, delta * (size - delta / 2))

    yield from _of_differences(function, ("delta", 0.5), ("delta", 3.0))
    a, b, w = make((2, 3), seed=1), make((2, 3), seed=2), np.abs(make((2, 3), seed=3))
    yield from weighted(a, b, w, function(a - b), over_elements=True)
    half, single = make((3,), np.float16, 1), make((3,), np.float32, 2)
    expected = function(half.astype(np.float32) - single).astype(np.float16)
    yield Sample((half, single), expected, {"reduction": "none"})


def mistakes_of(name):
    return {
        (name, "shapes_do_not_broadcast"): refused_call(
            name, tensor(2), tensor(3), words=["[2]", "[3]"]
        ),
        (name, "unknown_reduction"): refused_call(
            name, tensor(2), tensor(2), reduction="avg", words=["'reduction'", "avg"]
        ),
    }


BAD = {
    **mistakes_of("mse_loss"),
    **mistakes_of("l1_loss"),
    **mistakes_of("smooth_l1_loss"),
    **mistakes_of("huber_loss"),
    **{
        (name, "weight_shape"): refused_call(
            name, tensor(2, 3), tensor(2, 3), weight=tensor(3), words=["'weight'", "[3]", "[2, 3]"]
        )
        for name in ("mse_loss", "l1_loss", "huber_loss")
    },
    **{
        (name, "integers"): refused_call(
            name,
            tensor(2).long(),
            tensor(2).long(),
            kind=eagre.UnimplementedError,
            words=["int64"],
        )
        for name in ("mse_loss", "smooth_l1_loss", "huber_loss")
    },
    ("l1_loss", "bools"): refused_call(
        "l1_loss",
        tensor(2) > 0,
        tensor(2) > 0,
        kind=eagre.UnimplementedError,
        words=["bool"],
    ),
    ("smooth_l1_loss", "negative_beta"): refused_call(
        "smooth_l1_loss", tensor(2), tensor(2), beta=-1.0, words=["'beta'", "-1"]
    ),
    ("huber_loss", "delta_zero"): refused_call(
        "huber_loss", tensor(2), tensor(2), delta=0.0, words=["'delta'", "0"]
    ),
    ("mse_loss", "complex_target"): (
        lambda: eagre.mse_loss(tensor(2), tensor(2) + 1j),
        eagre.UnimplementedError,
        ["mse_loss()", "'target'", "complex64"],
    ),
}

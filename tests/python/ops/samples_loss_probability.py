"""Samples of ops/loss_probability.yaml."""

import numpy as np
from mistakes import integers, refused_call, tensor
from samples import HALVES_TOO, Sample, make
from samples_loss import reduced
from samples_loss_difference import REDUCTIONS, mistakes_of

import eagre


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def each_reduction(args, each, **more):
    for reduction in REDUCTIONS:
        yield Sample(args, reduced(np.asarray(each), reduction), {"reduction": reduction, **more})


def kl_div():
    a, t = make((3, 4), seed=1), np.abs(make((3, 4), seed=2))
    each = t * (np.log(t) - a)
    yield from each_reduction((a, t), each)
    yield Sample((a, t), np.asarray(each.sum() / 3), {"reduction": "batchmean"})
    logs = make((3, 4), seed=3)
    yield from each_reduction((a, logs), np.exp(logs) * (logs - a), log_target=True)
    zeros = np.asarray([0.0, 1.0, 0.0], np.float32)
    yield Sample((np.asarray([1, 2, -3], np.float32), zeros), np.asarray([0, -2, 0], np.float32),
                 {"reduction": "none"})  # fmt: skip
    for dtype in HALVES_TOO:
        x, y = make((3,), dtype), np.abs(make((3,), dtype, 2))
        wide = y.astype(np.float64)
        yield Sample((x, y), (wide * (np.log(wide) - x)).astype(dtype), {"reduction": "none"})
    yield Sample((a[0], t), np.asarray((t * (np.log(t) - a[0])).mean()))
    yield Sample((np.asarray(0.5), np.asarray(1.0)), np.asarray(-0.5), {"reduction": "batchmean"})


def probabilities(shape, dtype=np.float64, seed=0):
    return sigmoid(make(shape, np.float64, seed)).astype(dtype)


def binary_cross_entropy():
    def compute(x, t):
        return -(t * np.log(x) + (1 - t) * np.log(1 - x))

    for dtype in HALVES_TOO:
        x, t = probabilities((2, 3), dtype), probabilities((2, 3), dtype, 1)
        yield from each_reduction((x, t), compute(x.astype(np.float64), t).astype(dtype))
    edges = np.asarray([0.0, 1.0, 0.0, 1.0], np.float32)
    targets = np.asarray([0, 1, 1, 0], np.float32)
    yield Sample((edges, targets), np.asarray([0, 0, 100, 100], np.float32), {"reduction": "none"})
    x, t = probabilities((2, 3)), probabilities((2, 3), seed=1)
    for w in (make((3,), seed=2), make((2, 3), seed=2), make((2, 1), seed=2)):
        for reduction in REDUCTIONS:
            expected = reduced(compute(x, t) * w, reduction)
            yield Sample((x, t, w), expected, {"reduction": reduction})
    yield Sample((np.zeros(0), np.zeros(0)), np.asarray(np.nan))


def binary_cross_entropy_with_logits():
    def compute(x, t, p=1.0):
        soft = np.logaddexp(0, -x)
        return p * t * soft + (1 - t) * (x + soft)

    for dtype in HALVES_TOO:
        x, t = make((2, 3), dtype), probabilities((2, 3), dtype, 1)
        yield from each_reduction((x, t), compute(x.astype(np.float64), t).astype(dtype))
    large = np.asarray([-1000.0, 1000.0, -1000.0, 1000.0])
    yield Sample((large, np.asarray([0.0, 1, 1, 0])), np.asarray([0.0, 0, 1000, 1000]),
                 {"reduction": "none"})  # fmt: skip
    x, t = make((2, 3)), probabilities((2, 3), seed=1)
    p = np.abs(make((3,), seed=3))
    yield from each_reduction((x, t), compute(x, t, p), pos_weight=eagre.tensor(p))
    w = make((2, 1), seed=2)
    yield Sample((x, t, w), np.asarray((compute(x, t) * w).sum()), {"reduction": "sum"})
    yield Sample((x, t, w), compute(x, t, p) * w,
                 {"reduction": "none", "pos_weight": eagre.tensor(p)})  # fmt: skip


def poisson_nll_loss():
    x, t = make((2, 3)), np.abs(make((2, 3), seed=1)) * 3
    yield from each_reduction((x, t), np.exp(x) - t * x)
    rate = np.abs(x)
    yield from each_reduction((rate, t, False), rate - t * np.log(rate + 1e-8))
    yield Sample((rate, t, False), np.asarray((rate - t * np.log(rate + 0.5)).mean()), {"eps": 0.5})
    tail = np.where(t > 1, t * np.log(t) - t + np.log(2 * np.pi * t) / 2, 0)
    yield from each_reduction((x, t, True, True), np.exp(x) - t * x + tail)
    x, t = make((3,), np.float32), np.asarray([0, 1, 5], np.int64)
    yield Sample((x, t), (np.exp(x) - t.astype(np.float32) * x), {"reduction": "none"})


def gaussian_nll_loss():
    x, t, v = make((2, 3)), make((2, 3), seed=1), np.abs(make((2, 3), seed=2)) + 0.1
    yield from each_reduction((x, t, v), (np.log(v) + (x - t) ** 2 / v) / 2)
    yield from each_reduction((x, t, v, True), (np.log(2 * np.pi * v) + (x - t) ** 2 / v) / 2)
    for shape in ((2,), (2, 1), (1, 3)):
        wide = v[:, :1] if shape[0] == 2 else v[:1]
        yield Sample((x, t, wide.reshape(shape)), (np.log(wide) + (x - t) ** 2 / wide) / 2,
                     {"reduction": "none"})  # fmt: skip
    yield Sample((x, t, 2.0), np.asarray(((np.log(2) + (x - t) ** 2 / 2) / 2).mean()))
    zeros, ones = np.zeros(2, np.float32), np.ones(2, np.float32)
    yield Sample((zeros, ones, zeros), ((np.log(ones / 4) + 4) / 2).astype(np.float32),
                 {"eps": 0.25, "reduction": "none"})  # fmt: skip


def one_reduction(name, *args):
    return refused_call(name, *args, reduction="avg", words=["'reduction'", "avg"])


half = eagre.tensor([0.5, 0.5])
BCE, LOGITS = "binary_cross_entropy", "binary_cross_entropy_with_logits"
BAD = {
    **mistakes_of("kl_div"),
    **mistakes_of("poisson_nll_loss"),
    ("kl_div", "integers"): refused_call(
        "kl_div", integers(2), integers(2), words=["'input'", "int64"]
    ),
    ("kl_div", "complex_target"): refused_call(
        "kl_div", tensor(2), tensor(2) + 1j, words=["'target'", "complex64"]
    ),
    **{
        (name, "shapes_differ"): refused_call(
            name, half, half[:1], words=["'target'", "[2]", "[1]"]
        )
        for name in (BCE, LOGITS)
    },
    **{(name, "unknown_reduction"): one_reduction(name, half, half) for name in (BCE, LOGITS)},
    **{
        (name, "weight_shape"): refused_call(
            name, half, half, tensor(2, 2), words=["'weight'", "[2, 2]"]
        )
        for name in (BCE, LOGITS)
    },
    **{
        (name, "integers"): refused_call(
            name, integers(2), integers(2), kind=eagre.UnimplementedError, words=["int64"]
        )
        for name in (BCE, LOGITS)
    },
    (BCE, "out_of_range"): refused_call(BCE, half * 3, half, words=["input", "between 0 and 1"]),
    (BCE, "target_out_of_range"): refused_call(
        BCE, half, half - 1, words=["target", "between 0 and 1"]
    ),
    (BCE, "another_dtype"): refused_call(
        BCE, half, half.double(), words=["'target'", "float32", "float64"]
    ),
    ("gaussian_nll_loss", "unknown_reduction"): one_reduction(
        "gaussian_nll_loss", half, half, half
    ),
    ("gaussian_nll_loss", "negative_var"): refused_call(
        "gaussian_nll_loss", half, half, half - 1, words=["'var'", "negative"]
    ),
    ("gaussian_nll_loss", "negative_number"): refused_call(
        "gaussian_nll_loss", half, half, -1.0, words=["'var'", "negative"]
    ),
    ("gaussian_nll_loss", "var_shape"): refused_call(
        "gaussian_nll_loss", tensor(2, 3), tensor(2, 3), tensor(3), words=["'var'", "[2, 3]", "[3]"]
    ),
}

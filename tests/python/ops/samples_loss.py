"""Samples of ops/loss.yaml."""

import numpy as np
from mistakes import refused_call, tensor
from samples import FLOATS, Sample, make
from samples_activation import softmax_of

import eagre

IGNORED = -100


def reduced(each, reduction, total=None):
    if reduction == "none":
        return each
    if reduction == "sum":
        return np.asarray(each.sum())
    return np.asarray(each.sum() / (each.size if total is None else total))


def class_losses(logs, target, weight, reduction):
    """Of log-probabilities (N, C, …)."""
    shape = target.shape
    logs = np.moveaxis(logs, 1, -1).reshape(-1, logs.shape[1])
    flat = target.reshape(-1)
    counts = flat != IGNORED
    safe = np.where(counts, flat, 0)
    weights = counts * (np.ones(len(flat)) if weight is None else weight[safe])
    each = -logs[np.arange(len(flat)), safe] * weights
    return reduced(each.reshape(shape), reduction, weights.sum())


def _classes(logs_of, with_smoothing=False):
    cases = [((4, 3), [0, 2, IGNORED, 1]), ((2, 3, 2), [[0, 2], [1, IGNORED]])]
    for shape, target in cases:
        a, t, w = make(shape), np.asarray(target), np.abs(make((3,), seed=3)) + 0.5
        for reduction in ("mean", "sum", "none"):
            for weight in (None, w):
                expected = class_losses(logs_of(a), t, weight, reduction)
                given = None if weight is None else eagre.tensor(weight)
                yield Sample((a, eagre.tensor(t), given), expected, {"reduction": reduction})
    a, t = make((4, 3)), np.asarray([0, 2, 1, 1])
    expected = class_losses(logs_of(a), np.where(t == 1, IGNORED, t), None, "mean")
    yield Sample((a, eagre.tensor(t)), expected, {"ignore_index": 1})
    row = make((3,))
    expected = class_losses(logs_of(row[None]), np.asarray([2]), None, "mean")
    yield Sample((row, eagre.tensor(2)), expected)
    small = make((4, 3), np.float32)
    expected = class_losses(logs_of(small.astype(np.float64)), t, None, "mean")
    yield Sample((small, eagre.tensor(t)), expected.astype(np.float32))
    none = eagre.tensor([IGNORED, IGNORED])
    yield Sample((make((2, 3)), none), np.asarray(np.nan))
    yield Sample((make((2, 3)), none), np.asarray(0.0), {"reduction": "sum"})
    yield Sample((make((0, 3)), eagre.zeros(0, dtype=eagre.int64)), np.asarray(np.nan))


def nll_loss():
    yield from _classes(lambda a: a)


def cross_entropy():
    def logs(a):
        return np.log(softmax_of(a, 1))

    yield from _classes(logs)
    a, t = make((4, 3)), np.asarray([0, 2, 1, 1])
    for reduction in ("mean", "sum", "none"):
        plain = class_losses(logs(a), t, None, reduction)
        even = reduced(-logs(a).sum(1), reduction)
        expected = 0.7 * plain + 0.1 * even
        yield Sample((a, eagre.tensor(t)), np.asarray(expected),
                     {"label_smoothing": 0.3, "reduction": reduction})  # fmt: skip
    yield from _soft_targets(logs)
    for dtype in FLOATS:
        big = np.asarray([[1000, 0], [-1000, 0]], dtype)
        expected = np.asarray([0, 1000], dtype)
        yield Sample((big, eagre.tensor([0, 0])), expected, {"reduction": "none"})


def _probabilities(logs, target, weight, smoothing, reduction):
    target = target * (1 - smoothing) + smoothing / logs.shape[1]
    each = -logs * target
    if weight is not None:
        each = each * weight.reshape(-1, *[1] * (logs.ndim - 2))
    return reduced(each.sum(1), reduction)


def _soft_targets(logs):
    for shape in ((4, 3), (2, 3, 2), (2, 3, 2, 2)):
        a, t = make(shape, seed=1), softmax_of(make(shape, seed=2), 1)
        for reduction in ("mean", "sum", "none"):
            expected = _probabilities(logs(a), t, None, 0, reduction)
            yield Sample((a, t), expected, {"reduction": reduction})
        weight = np.abs(make((3,), seed=3))
        yield Sample((a, t, weight), _probabilities(logs(a), t, weight, 0, "mean"))
        yield Sample((a, t, weight), _probabilities(logs(a), t, weight, 0.3, "mean"),
                     {"label_smoothing": 0.3})  # fmt: skip
    a, t = make((3,), seed=1), np.asarray([0.2, 0.3, 0.5])
    yield Sample((a, t), -(logs(a[None])[0] * t).sum())


def linear_cross_entropy():
    def logs(a):
        return np.log(softmax_of(a, 1))

    x, w, b = make((4, 5), seed=1), make((3, 5), seed=2), make((3,), seed=3)
    t = np.asarray([0, 2, 1, 1])
    for reduction in ("mean", "sum", "none"):
        expected = class_losses(logs(x @ w.T), t, None, reduction)
        yield Sample((x, w, eagre.tensor(t)), expected, {"reduction": reduction})
        expected = class_losses(logs(x @ w.T + b), t, None, reduction)
        yield Sample((x, w, eagre.tensor(t)), expected,
                     {"reduction": reduction, "linear_bias": eagre.tensor(b)})  # fmt: skip
    expected = class_losses(logs(x[:1] @ w.T), t[:1], None, "mean")
    yield Sample((x[0], w, eagre.tensor(0)), expected)
    wide, places = make((3, 2, 5), seed=4), np.asarray([[0, 1], [2, 1], [1, 1], [IGNORED, 0]])
    expected = class_losses(logs(np.einsum("nf,cdf->ncd", x, wide)), places, None, "mean")
    yield Sample((x, wide, eagre.tensor(places)), expected)


def _mistakes_of(name):
    function = getattr(eagre, name)
    return {
        (name, "target_out_of_range"): (
            lambda: function(tensor(2, 3), eagre.tensor([0, 3])), eagre.IndexOutOfRangeError,
            [f"{name}()", "'target'", "0 to 2", "3 at position 1"]),
        (name, "target_shape"): (
            lambda: function(tensor(2, 3), eagre.tensor([0])), eagre.InvalidArgumentError,
            [f"{name}()", "'target'", "[2]", "[1]"]),
        (name, "float_target"): (
            lambda: function(tensor(2, 3), tensor(2)), eagre.DTypeError,
            [f"{name}()", "'target'", "float32"]),
        (name, "unknown_reduction"): (
            lambda: function(tensor(2, 3), eagre.tensor([0, 1]), reduction="max"),
            eagre.InvalidArgumentError, [f"{name}()", "'reduction'", "max"]),
    }  # fmt: skip


BAD = {
    **_mistakes_of("nll_loss"),
    **{k: v for k, v in _mistakes_of("cross_entropy").items() if k[1] != "float_target"},
    ("linear_cross_entropy", "weight_vector"): refused_call(
        "linear_cross_entropy",
        tensor(4, 5),
        tensor(5),
        eagre.tensor([0]),
        words=["'linear_weight'", "[5]"],
    ),
    ("linear_cross_entropy", "features"): refused_call(
        "linear_cross_entropy",
        tensor(4, 5),
        tensor(3, 4),
        eagre.tensor([0]),
        words=["'linear_weight'", "(C, 5)", "[3, 4]"],
    ),
    ("linear_cross_entropy", "input_rank"): refused_call(
        "linear_cross_entropy",
        tensor(),
        tensor(3, 4),
        eagre.tensor([0]),
        words=["'input'", "0-dim"],
    ),
    ("linear_cross_entropy", "linear_bias_shape"): refused_call(
        "linear_cross_entropy",
        tensor(4, 5),
        tensor(3, 5),
        eagre.tensor([0]),
        linear_bias=tensor(2),
        words=["'linear_bias'", "[3]", "[2]"],
    ),
    ("nll_loss", "weight_shape"): (
        lambda: eagre.nll_loss(tensor(2, 3), eagre.tensor([0, 1]), tensor(2)),
        eagre.InvalidArgumentError,
        ["nll_loss()", "'weight'", "3 classes", "[2]"],
    ),
    ("cross_entropy", "probabilities_shape"): (
        lambda: eagre.cross_entropy(tensor(2, 3), tensor(2, 2)),
        eagre.DTypeError,
        ["cross_entropy()", "'target'", "float32"],
    ),
    ("cross_entropy", "integer_probabilities"): (
        lambda: eagre.cross_entropy(tensor(2, 3), tensor(2, 3, dtype=np.int64)),
        eagre.DTypeError,
        ["cross_entropy()", "'target'", "int64", "probabilities"],
    ),
    ("cross_entropy", "ignored_probabilities"): (
        lambda: eagre.cross_entropy(tensor(2, 3), tensor(2, 3), ignore_index=1),
        eagre.InvalidArgumentError,
        ["cross_entropy()", "'ignore_index'", "1"],
    ),
    ("cross_entropy", "smoothing_out_of_range"): (
        lambda: eagre.cross_entropy(tensor(2, 3), eagre.tensor([0, 1]), label_smoothing=2.0),
        eagre.InvalidArgumentError,
        ["cross_entropy()", "'label_smoothing'"],
    ),
}

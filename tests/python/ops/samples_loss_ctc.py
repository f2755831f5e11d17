"""Samples of ops/loss_ctc.yaml."""

import itertools

import numpy as np
from mistakes import integers, refused_call, tensor
from samples import FLOATS, Sample, make

import eagre


def read(path, blank):
    """What a sequence of classes says: without repetitions, then without blanks."""
    return [k for k, _ in itertools.groupby(path) if k != blank]


def one_loss(logs, target, blank):
    """By trying every sequence."""
    steps, classes = logs.shape
    total = 0.0
    for path in itertools.product(range(classes), repeat=steps):
        if read(path, blank) == list(target):
            total += np.exp(logs[np.arange(steps), list(path)].sum() if steps else 0.0)
    return np.inf if total == 0 else -np.log(total)


def losses(logs, targets, steps, blank=0):
    given = zip(targets, steps, strict=True)
    return np.asarray([one_loss(logs[:s, n], t, blank) for n, (t, s) in enumerate(given)])


def log_softmax(a):
    return a - np.log(np.exp(a).sum(-1, keepdims=True))


LOGS = log_softmax(make((5, 4, 3)))
TARGETS, STEPS = [[1, 2], [1, 1], [2], []], [5, 4, 2, 3]
LENGTHS = [len(t) for t in TARGETS]
PADDED = [t + [0] * (3 - len(t)) for t in TARGETS]


def given(targets=PADDED, steps=STEPS, lengths=LENGTHS):
    return tuple(eagre.tensor(x, dtype=eagre.int64) for x in (targets, steps, lengths))


def ctc_loss():
    each = losses(LOGS, TARGETS, STEPS)
    shares = each / np.maximum(LENGTHS, 1)
    for reduction, expected in (("none", each), ("sum", each.sum()), ("mean", shares.mean())):
        kwargs = {"reduction": reduction}
        yield Sample((LOGS, *given()), np.asarray(expected), kwargs)
        yield Sample((LOGS, *given(sum(TARGETS, []))), np.asarray(expected), kwargs)
    small = LOGS.astype(np.float32)
    # What is behind a target does not matter.
    behind = [t + [9] * (3 - len(t)) for t in TARGETS]
    yield Sample((small, *given(behind)), each.astype(np.float32), {"reduction": "none"})
    words = [[0, 1], [1, 1], [0], []]
    expected = losses(LOGS, words, STEPS, 2)
    yield Sample((LOGS, *given([t + [0] * (2 - len(t)) for t in words]), 2), expected,
                 {"reduction": "none"})  # fmt: skip
    one = (eagre.tensor([1, 2]), eagre.tensor(5), eagre.tensor(2))
    yield Sample((LOGS[:, 0], *one), each[0].reshape(()), {"reduction": "none"})
    # Too long for two steps, as there must be a blank between.
    short = given([[1, 1], [1, 2], [1, 0], [1, 0]], [2, 2, 2, 0], [2, 2, 0, 1])
    known = losses(LOGS, [[1, 1], [1, 2], [], [1]], [2, 2, 2, 0])
    yield Sample((LOGS, *short), known, {"reduction": "none"})
    bounded = np.where(np.isinf(known), 0, known)
    yield Sample((LOGS, *short), bounded, {"reduction": "none", "zero_infinity": True})
    for dtype in FLOATS:
        sure = np.log(np.asarray([[[0, 1]], [[0, 1]]], dtype) + dtype(0))
        expected = np.zeros(1, dtype)
        yield Sample((np.maximum(sure, -1e4), *given([[1]], [2], [1])), expected,
                     {"reduction": "none"})  # fmt: skip
    none = given(np.zeros((0, 2), np.int64).tolist() or [[]], [], [])
    empty = (eagre.zeros(0, 2, dtype=eagre.int64), *none[1:])
    yield Sample((np.zeros((5, 0, 3)), *empty), np.zeros(0), {"reduction": "none"})


def ctc_loss_of_lengths():
    each = losses(LOGS, TARGETS, STEPS)
    targets = eagre.tensor(PADDED)
    yield Sample((LOGS, targets, STEPS, LENGTHS), each, {"reduction": "none"})
    yield Sample((LOGS, targets, tuple(STEPS), tuple(LENGTHS)),
                 np.asarray((each / np.maximum(LENGTHS, 1)).mean()))  # fmt: skip


def refused(*args, words, kind=eagre.InvalidArgumentError, **kwargs):
    return refused_call("ctc_loss", *args, kind=kind, words=words, **kwargs)


X = eagre.tensor(LOGS)
BAD = {
    ("ctc_loss", "no_log_probs"): refused(tensor(3), *given(), words=["'log_probs'", "[3]"]),
    ("ctc_loss", "blank_out_of_range"): refused(X, *given(), 3, words=["'blank'", "0 to 2", "3"]),
    ("ctc_loss", "target_out_of_range"): refused(
        X,
        *given([[3]] * 4, STEPS, [1] * 4),
        words=["'targets'", "0 to 2", "3"],
        kind=eagre.IndexOutOfRangeError,
    ),
    ("ctc_loss", "targets_too_short"): refused(
        X, *given([[1]] * 4, STEPS, [1, 2, 1, 1]), words=["'target_lengths'", "0 to 1", "2"]
    ),
    ("ctc_loss", "input_too_long"): refused(
        X, *given(PADDED, [6] * 4), words=["'input_lengths'", "0 to 5", "6"]
    ),
    ("ctc_loss", "negative_length"): refused(
        X, *given(PADDED, STEPS, [-1] * 4), words=["'target_lengths'", "-1"]
    ),
    ("ctc_loss", "lengths_of_others"): refused(
        X, *given(PADDED, [5] * 3), words=["'input_lengths'", "4 samples", "3"]
    ),
    ("ctc_loss", "float_lengths"): refused(
        X,
        given()[0],
        tensor(4),
        given()[2],
        words=["'input_lengths'", "float32"],
        kind=eagre.DTypeError,
    ),
    ("ctc_loss", "float_targets"): refused(
        X, tensor(4, 3), *given()[1:], words=["'targets'", "float32"], kind=eagre.DTypeError
    ),
    ("ctc_loss", "concatenated"): refused(
        X, *given([1] * 6), words=["'targets'", "'target_lengths'", "[6]"]
    ),
    ("ctc_loss", "unknown_reduction"): refused(
        X, *given(), reduction="avg", words=["'reduction'", "avg"]
    ),
    ("ctc_loss", "integers"): refused(
        integers(5, 4, 3), *given(), words=["int64"], kind=eagre.UnimplementedError
    ),
    ("ctc_loss_of_lengths", "number_of_lengths"): refused(
        X, given()[0], [5], LENGTHS, words=["'input_lengths'", "4 samples", "1"]
    ),
}

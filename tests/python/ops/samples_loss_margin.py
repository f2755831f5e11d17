"""Samples of ops/loss_margin.yaml."""

import numpy as np
from mistakes import integers, refused_call, tensor
from samples import FLOATS, Sample, make
from samples_loss import reduced
from samples_loss_difference import mistakes_of
from samples_loss_probability import each_reduction, one_reduction

import eagre


def signs(*shape, dtype=np.float64):
    return np.where(make(shape, seed=9) > 0, 1, -1).astype(dtype)


def hinge_embedding_loss():
    x, t = make((3, 4)), signs(3, 4, dtype=np.int64)
    for margin in (1.0, 0.25):
        each = np.where(t == 1, x, np.maximum(0, margin - x))
        yield from each_reduction((x, t, margin), each)
    other = np.asarray([0, 1, -1])
    yield Sample((np.asarray([0.25, 2, 3]), other), np.asarray([1.0, 2, 0]), {"reduction": "none"})
    a = make((3,), np.float32)
    yield Sample((a, signs(2, 3)), np.where(signs(2, 3) == 1, a, np.maximum(0, 1 - a)),
                 {"reduction": "none"}, dtype=eagre.float32)  # fmt: skip


def cosine_of(a, b):
    return (a * b).sum(-1) / np.sqrt((a * a).sum(-1) * (b * b).sum(-1))


def cosine_embedding_loss():
    a, b, t = make((4, 3), seed=1), make((4, 3), seed=2), signs(4, dtype=np.int64)
    for margin in (0.0, 0.5, -0.5):
        cosine = cosine_of(a, b)
        each = np.where(t == 1, 1 - cosine, np.maximum(0, cosine - margin))
        yield from each_reduction((a, b, t, margin), each)
    yield Sample((a[0], b[0], np.asarray(1)), np.asarray(1 - cosine_of(a[0], b[0])))
    zeros = np.zeros((1, 2), np.float32)
    yield Sample((zeros, zeros, np.asarray([1])), np.asarray(1, np.float32))


def margin_ranking_loss():
    a, b, t = make((3, 4), seed=1), make((3, 4), seed=2), signs(3, 4)
    for margin in (0.0, 0.5):
        yield from each_reduction((a, b, t, margin), np.maximum(0, margin - t * (a - b)))
    yield Sample((a, b[:1], t), np.asarray(np.maximum(0, -t * (a - b[:1])).mean()))


def soft_margin_loss():
    for dtype in FLOATS:
        x, t = make((3, 4), dtype), signs(3, 4).astype(dtype)
        yield from each_reduction((x, t), np.logaddexp(0, -t * x).astype(dtype))
    large = np.asarray([-1000.0, 1000.0])
    yield Sample((large, np.ones(2)), np.asarray([1000.0, 0.0]), {"reduction": "none"})


def multi_margin_loss():
    def compute(x, t, p, margin, w):
        each = np.zeros(len(x))
        for n, target in enumerate(t):
            for i in range(x.shape[1]):
                if i != target:
                    each[n] += w[target] * max(0, margin - x[n, target] + x[n, i]) ** p
        return each / x.shape[1]

    x, t, w = make((4, 3)), np.asarray([0, 2, 1, 1]), np.abs(make((3,), seed=3))
    for p, margin in ((1, 1.0), (2, 1.0), (1, 0.25)):
        yield from each_reduction(
            (x, eagre.tensor(t), p, margin), compute(x, t, p, margin, [1] * 3)
        )
    yield from each_reduction((x, eagre.tensor(t), 1, 1.0, w), compute(x, t, 1, 1.0, w))
    one = compute(x[:1], t[:1], 1, 1.0, [1] * 3)
    yield Sample((x[0], eagre.tensor(0)), one[0].reshape(()), {"reduction": "none"})
    yield Sample((x[0], eagre.tensor([0])), one, {"reduction": "none"})
    none = eagre.zeros(0, dtype=eagre.int64)
    yield Sample((np.zeros((0, 3)), none), np.zeros(0), {"reduction": "none"})


def multilabel_margin_loss():
    def compute(x, labels):
        each = np.zeros(len(x))
        for n, row in enumerate(labels.tolist()):
            chosen = row[: row.index(-1)] if -1 in row else row
            for j in chosen:
                for i in set(range(x.shape[1])) - set(chosen):
                    each[n] += max(0, 1 - x[n, j] + x[n, i])
        return each / x.shape[1]

    x = make((4, 3))
    labels = np.asarray([[0, -1, 1], [-1, 0, 0], [2, 1, 0], [1, 1, -1]])
    yield from each_reduction((x, eagre.tensor(labels)), compute(x, labels))
    yield Sample((x[0], eagre.tensor(labels[0])), compute(x[:1], labels[:1])[0].reshape(()),
                 {"reduction": "none"})  # fmt: skip
    small = x.astype(np.float32)
    yield Sample(
        (small, eagre.tensor(labels)), np.asarray(compute(small, labels).mean(), np.float32)
    )


def multilabel_soft_margin_loss():
    x, t, w = make((4, 3)), (signs(4, 3) + 1) / 2, np.abs(make((3,), seed=3))
    each = t * np.logaddexp(0, -x) + (1 - t) * np.logaddexp(0, x)
    yield from each_reduction((x, t), each.mean(-1))
    yield from each_reduction((x, t, w), (each * w).mean(-1))
    yield Sample((x[0], t[0]), np.asarray(each[0].mean()))


def triplet_margin_loss():
    a, b, c = (make((4, 3), seed=s) for s in (1, 2, 3))

    def distance(x, y, p=2):
        return (np.abs(x - y + 1e-6) ** p).sum(-1) ** (1 / p)

    near, far = distance(a, b), distance(a, c)
    yield from each_reduction((a, b, c), np.maximum(0, 1 + near - far))
    yield from each_reduction((a, b, c, 0.25), np.maximum(0, 0.25 + near - far))
    least = np.minimum(far, distance(b, c))
    yield from each_reduction((a, b, c, 1.0, 2, 1e-6, True), np.maximum(0, 1 + near - least))
    cubic = np.maximum(0, 1 + distance(a, b, 3) - distance(a, c, 3))
    yield Sample((a, b, c), np.asarray(cubic.mean()), {"p": 3})
    yield Sample((a[0], b[0], c[0]), reduced(np.maximum(0, 1 + near - far)[:1], "mean"))


MULTI, LABELS = "multi_margin_loss", "multilabel_margin_loss"
classes = eagre.tensor([0, 1])
BAD = {
    **mistakes_of("hinge_embedding_loss"),
    **mistakes_of("soft_margin_loss"),
    ("soft_margin_loss", "integers"): refused_call(
        "soft_margin_loss",
        integers(2),
        integers(2),
        kind=eagre.UnimplementedError,
        words=["int64"],
    ),
    ("cosine_embedding_loss", "target_matrix"): refused_call(
        "cosine_embedding_loss", tensor(2, 3), tensor(2, 3), tensor(2, 3), words=["'target'"]
    ),
    ("cosine_embedding_loss", "vectors_expected"): refused_call(
        "cosine_embedding_loss", tensor(2, 3), tensor(3), tensor(), words=["'input1'", "[2, 3]"]
    ),
    ("cosine_embedding_loss", "matrices_expected"): refused_call(
        "cosine_embedding_loss", tensor(2, 3), tensor(3), tensor(2), words=["'input2'", "[3]"]
    ),
    ("cosine_embedding_loss", "unknown_reduction"): one_reduction(
        "cosine_embedding_loss", tensor(2, 3), tensor(2, 3), tensor(2)
    ),
    **{
        (name, "dimensions_differ"): refused_call(
            name, tensor(2, 3), tensor(2, 3), tensor(3), words=["dimensions", "2", "1"]
        )
        for name in ("margin_ranking_loss", "triplet_margin_loss")
    },
    **{
        (name, "unknown_reduction"): one_reduction(name, tensor(2), tensor(2), tensor(2))
        for name in ("margin_ranking_loss", "triplet_margin_loss")
    },
    ("triplet_margin_loss", "margin_zero"): refused_call(
        "triplet_margin_loss", tensor(2), tensor(2), tensor(2), 0.0, words=["'margin'", "0"]
    ),
    (MULTI, "target_out_of_range"): refused_call(
        MULTI,
        tensor(2, 3),
        eagre.tensor([0, 3]),
        kind=eagre.IndexOutOfRangeError,
        words=["'target'", "0 to 2"],
    ),
    (MULTI, "target_shape"): refused_call(
        MULTI, tensor(2, 3), classes[:1], words=["'target'", "[1]"]
    ),
    (MULTI, "other_power"): refused_call(MULTI, tensor(2, 3), classes, 3, words=["'p'", "3"]),
    (MULTI, "weight_shape"): refused_call(
        MULTI, tensor(2, 3), classes, weight=tensor(2), words=["'weight'", "[2]"]
    ),
    (MULTI, "float_target"): refused_call(
        MULTI, tensor(2, 3), tensor(2), words=["'target'", "float32"]
    ),
    (MULTI, "unknown_reduction"): one_reduction(MULTI, tensor(2, 3), classes),
    (MULTI, "no_classes"): refused_call(MULTI, tensor(2, 0), classes, words=["'input'", "[2, 0]"]),
    (LABELS, "target_out_of_range"): refused_call(
        LABELS, tensor(2), eagre.tensor([2, -1]), words=["'target'", "0 to 1"]
    ),
    (LABELS, "target_shape"): refused_call(
        LABELS, tensor(2, 3), classes, words=["'target'", "[2, 3]", "[2]"]
    ),
    (LABELS, "float_target"): refused_call(
        LABELS, tensor(2), tensor(2), words=["'target'", "float32"]
    ),
    (LABELS, "unknown_reduction"): one_reduction(LABELS, tensor(2), classes),
    ("multilabel_soft_margin_loss", "unknown_reduction"): one_reduction(
        "multilabel_soft_margin_loss", tensor(2), tensor(2)
    ),
    ("multilabel_soft_margin_loss", "no_classes"): refused_call(
        "multilabel_soft_margin_loss", tensor(), tensor(), words=["'input'", "0-dim"]
    ),
}

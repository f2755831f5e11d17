"""Samples of ops/attention.yaml."""

import numpy as np
from mistakes import tensor
from samples import Sample, make

import eagre


def attention(q, k, v, attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    if enable_gqa:
        k = np.repeat(k, q.shape[-3] // k.shape[-3], -3)
        v = np.repeat(v, q.shape[-3] // v.shape[-3], -3)
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    scores = q @ np.swapaxes(k, -2, -1) * scale
    if is_causal:
        attn_mask = np.tri(*scores.shape[-2:], dtype=bool)
    if attn_mask is not None:
        is_bool = attn_mask.dtype == np.bool_
        scores = np.where(attn_mask, scores, -np.inf) if is_bool else scores + attn_mask
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isinf(peak), 0, peak))
    total = weights.sum(-1, keepdims=True)
    return (weights / np.where(total == 0, 1, total) @ v).astype(q.dtype)


def heads(shape, dtype=np.float64):
    *batch, rows, keys, depth, width = shape
    return (
        make((*batch, rows, depth), dtype),
        make((*batch, keys, depth), dtype, 1),
        make((*batch, keys, width), dtype, 2),
    )


def scaled_dot_product_attention():
    def sample(args, **kwargs):
        tolerance = 1e-5 if args[0].dtype == np.float32 else None
        return Sample(args, attention(*args, **kwargs), kwargs, tolerance=tolerance)

    for dtype in (np.float64, np.float32):
        q, k, v = heads((2, 3, 4, 5, 3, 2), dtype)
        yield sample((q, k, v))
        yield sample((q, k, v), is_causal=True, scale=0.3)
        yield sample((q, k, v, make((4, 5), np.bool_, 3)))
        yield sample((q, k, v, make((2, 1, 4, 5), dtype, 3)))
    # A query that sees nothing, no batch, keys that are broadcast, and nothing at all.
    mask = make((4, 5), np.bool_, 3)
    mask[1] = False
    yield sample((*heads((4, 5, 3, 2)), mask))
    yield sample(heads((3, 4, 5, 3, 2)))
    q, _, _ = heads((2, 3, 4, 5, 3, 2))
    _, k, v = heads((1, 3, 4, 5, 3, 2))
    yield sample((q, k, v))
    yield sample(heads((2, 0, 5, 3, 2)))
    yield sample(heads((0, 2, 4, 5, 3, 2)))
    q, _, _ = heads((2, 4, 3, 5, 3, 2))
    _, k, v = heads((2, 2, 3, 5, 3, 2))
    yield sample((q, k, v), enable_gqa=True)
    yield sample((q, k, v), enable_gqa=True, is_causal=True)
    # Several blocks.
    yield sample(heads((1, 2, 70, 300, 8, 40), np.float32), is_causal=True)
    yield sample(heads((1, 1, 500, 140, 5, 3), np.float32))


def refused(what, shapes, kwargs, error, words, dtype=np.float32):
    def call():
        args = [tensor(*shape, dtype=dtype) for shape in shapes]
        return eagre.nn.functional.scaled_dot_product_attention(*args, **kwargs)

    name = "scaled_dot_product_attention"
    return {(name, what): (call, error, [f"{name}()", *words])}


WRONG, QUERY, KEY, VALUE = eagre.InvalidArgumentError, (2, 4, 3), (2, 5, 3), (2, 5, 6)
BAD = {
    **refused("one_dim", [(3,), KEY, VALUE], {}, WRONG, ["'query'", "2 dimensions", "[3]"]),
    **refused("depths_differ", [QUERY, (2, 5, 4), VALUE], {}, WRONG, ["'key'", "[2, 5, 4]"]),
    **refused("values_differ", [QUERY, KEY, (2, 4, 6)], {}, WRONG, ["'value'", "5 keys"]),
    **refused("heads_differ", [(1, 3, 4, 3), (1, 2, 5, 3), (1, 2, 5, 3)], {"enable_gqa": True},
              WRONG, ["'key'", "heads"]),
    **refused("mask_and_causal", [QUERY, KEY, VALUE, (4, 5)], {"is_causal": True}, WRONG,
              ["'attn_mask'", "is_causal"]),
    **refused("mask_shape", [QUERY, KEY, VALUE, (4, 4)], {}, WRONG, ["'attn_mask'", "[2, 4, 5]"]),
    **refused("mask_dtype", [QUERY, KEY, VALUE],
              {"attn_mask": tensor(4, 5, dtype=np.int64)}, eagre.DTypeError,
              ["'attn_mask'", "int64"]),
    **refused("dropout_above_one", [QUERY, KEY, VALUE], {"dropout_p": 1.5}, WRONG,
              ["'dropout_p'", "1.5"]),
    **refused("integers", [QUERY, KEY, VALUE], {}, eagre.DTypeError, ["'query'", "int64"],
              dtype=np.int64),
    ("scaled_dot_product_attention", "mixed_dtypes"): (
        lambda: eagre.nn.functional.scaled_dot_product_attention(
            tensor(2, 3), tensor(4, 3, dtype=np.float64), tensor(4, 3)
        ),
        eagre.DTypeError,
        ["scaled_dot_product_attention()", "'key'", "float32", "float64"],
    ),
}  # fmt: skip

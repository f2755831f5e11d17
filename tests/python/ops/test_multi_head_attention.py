"""nn.functional.multi_head_attention_forward: against NumPy, choice by choice."""

import inspect
import itertools

import numpy as np
import pytest
from samples import make

import eagre
import eagre.nn.functional as F

L, S, N, E, HEADS = 3, 5, 2, 6, 3


def usual(**changed):
    """Arguments by name, as arrays."""
    given = {
        "query": make((L, N, E)),
        "key": make((S, N, E), seed=1),
        "value": make((S, N, E), seed=2),
        "embed_dim_to_check": E,
        "num_heads": HEADS,
        "in_proj_weight": make((3 * E, E), seed=3) / 2,
        "in_proj_bias": make((3 * E,), seed=4),
        "bias_k": None,
        "bias_v": None,
        "add_zero_attn": False,
        "dropout_p": 0.0,
        "out_proj_weight": make((E, E), seed=5),
        "out_proj_bias": make((E,), seed=6),
    }
    return given | changed


def as_tensors(given):
    return {
        name: eagre.tensor(value) if isinstance(value, np.ndarray) else value
        for name, value in given.items()
    }


def in_heads(rows):
    return rows.reshape(len(rows), N, HEADS, -1).transpose(1, 2, 0, 3)


def with_key(mask):
    return None if mask is None else np.concatenate([mask, np.zeros_like(mask[..., :1])], -1)


def added(mask):
    return np.where(mask, -np.inf, 0.0) if mask is not None and mask.dtype == bool else mask


def expected(query, key, value, bias_k, bias_v, add_zero_attn, out_proj_weight, out_proj_bias,
             in_proj_weight=None, in_proj_bias=None, attn_mask=None, key_padding_mask=None,
             q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None,
             static_v=None, average_attn_weights=True, **_):  # fmt: skip
    weights = [q_proj_weight, k_proj_weight, v_proj_weight]
    if q_proj_weight is None:
        weights = np.split(in_proj_weight, 3)
    biases = [0, 0, 0] if in_proj_bias is None else np.split(in_proj_bias, 3)
    q, k, v = [x @ w.T + b for x, w, b in zip((query, key, value), weights, biases, strict=True)]
    mask, padding = added(attn_mask), added(key_padding_mask)
    if bias_k is not None:
        k = np.concatenate([k, np.broadcast_to(bias_k, (1, N, E))])
        v = np.concatenate([v, np.broadcast_to(bias_v, (1, N, E))])
        mask, padding = with_key(mask), with_key(padding)
    q = in_heads(q)
    k = in_heads(k) if static_k is None else static_k.reshape(N, HEADS, -1, E // HEADS)
    v = in_heads(v) if static_v is None else static_v.reshape(N, HEADS, -1, E // HEADS)
    if add_zero_attn:
        k, v = [np.concatenate([x, np.zeros_like(x[:, :, :1])], 2) for x in (k, v)]
        mask, padding = with_key(mask), with_key(padding)
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(E // HEADS)
    if mask is not None:
        scores = scores + (mask if mask.ndim == 2 else mask.reshape(N, HEADS, L, -1))
    if padding is not None:
        scores = scores + padding[:, None, None]
    found = np.exp(scores - scores.max(-1, keepdims=True))
    found /= found.sum(-1, keepdims=True)
    rows = (found @ v).transpose(2, 0, 1, 3).reshape(L, N, E)
    result = rows @ out_proj_weight.T + (0 if out_proj_bias is None else out_proj_bias)
    return result, found.mean(1) if average_attn_weights else found


PADDING = np.zeros((N, S), bool)
PADDING[1, 3:] = True
MASK = make((L, S), np.bool_, 8)
MASK[:, 0] = False
SEPARATE = {
    "use_separate_proj_weight": True,
    "in_proj_weight": None,
    "key": make((S, N, 4), seed=1),
    "value": make((S, N, 2), seed=2),
    "q_proj_weight": make((E, E), seed=9),
    "k_proj_weight": make((E, 4), seed=10),
    "v_proj_weight": make((E, 2), seed=11),
}
CHOICES = {
    "plain": {},
    "no biases": {"in_proj_bias": None, "out_proj_bias": None},
    "separate": SEPARATE,
    "bool mask": {"attn_mask": MASK},
    "float mask": {"attn_mask": make((L, S), seed=12)},
    "mask of heads": {"attn_mask": make((N * HEADS, L, S), seed=13)},
    "padding": {"key_padding_mask": PADDING},
    "padding of numbers": {"key_padding_mask": make((N, S), seed=14), "attn_mask": MASK},
    "bias of keys": {"bias_k": make((1, 1, E), seed=15), "bias_v": make((1, 1, E), seed=16)},
    "zeros": {"add_zero_attn": True, "attn_mask": MASK},
    "everything": {
        "bias_k": make((1, 1, E), seed=15),
        "bias_v": make((1, 1, E), seed=16),
        "add_zero_attn": True,
        "attn_mask": MASK,
        "key_padding_mask": PADDING,
    },
    "static": {
        "static_k": make((N * HEADS, 7, E // HEADS), seed=17),
        "static_v": make((N * HEADS, 7, E // HEADS), seed=18),
    },
}


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("average", [True, False], ids=["mean", "each"])
def test_values(name, average):
    given = usual(**CHOICES[name], average_attn_weights=average)
    result, weights = expected(**given)
    got, found = F.multi_head_attention_forward(**as_tensors(given))
    np.testing.assert_allclose(got, result, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found, weights, rtol=1e-11, atol=1e-12)
    got, found = F.multi_head_attention_forward(**as_tensors(given), need_weights=False)
    assert found is None
    np.testing.assert_allclose(got, result, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("need_weights", [True, False])
def test_without_a_batch(need_weights):
    given = as_tensors(usual(attn_mask=MASK, key_padding_mask=PADDING))
    whole, weights = F.multi_head_attention_forward(**given, need_weights=need_weights)
    for name in ("query", "key", "value"):
        given[name] = given[name][:, 1]
    given["key_padding_mask"] = given["key_padding_mask"][1]
    result, found = F.multi_head_attention_forward(**given, need_weights=need_weights)
    np.testing.assert_allclose(result, whole[:, 1], atol=1e-13)
    if need_weights:
        np.testing.assert_allclose(found, weights[1], atol=1e-13)


@pytest.mark.parametrize("need_weights", [True, False])
def test_a_causal_mask(need_weights):
    x = make((L, N, E))
    mask = np.triu(np.ones((L, L), bool), 1)
    given = usual(query=x, key=x, value=x, attn_mask=mask)
    result, _ = expected(**given)
    got, _ = F.multi_head_attention_forward(
        **as_tensors(given), is_causal=True, need_weights=need_weights
    )
    np.testing.assert_allclose(got, result, rtol=1e-11, atol=1e-12)


def test_one_input_for_all_is_one_product():
    x = eagre.tensor(make((L, N, E)))
    given = as_tensors(usual()) | {"query": x, "key": x, "value": x}
    apart = given | {"key": x.clone(), "value": x.clone()}
    result, _ = F.multi_head_attention_forward(**given)
    np.testing.assert_allclose(result, F.multi_head_attention_forward(**apart)[0], atol=1e-13)


@pytest.mark.parametrize("need_weights", [True, False])
def test_gradients(need_weights):
    given = as_tensors(usual(**CHOICES["everything"]))
    names = [n for n, t in given.items() if isinstance(t, eagre.Tensor) and t.is_floating_point()]

    def function(*tensors):
        call = given | dict(zip(names, tensors, strict=True))
        return F.multi_head_attention_forward(**call, need_weights=need_weights)[0]

    leaves = tuple(given[name].requires_grad_() for name in names)
    assert eagre.autograd.gradcheck(function, leaves)


def test_dropout_is_of_weights_and_while_training():
    given = as_tensors(usual(dropout_p=0.5))
    still, _ = F.multi_head_attention_forward(**given, training=False)
    plain, _ = F.multi_head_attention_forward(**given | {"dropout_p": 0.0})
    np.testing.assert_array_equal(still, plain)
    eagre.manual_seed(0)
    _, weights = F.multi_head_attention_forward(**given, average_attn_weights=False)
    _, all_weights = F.multi_head_attention_forward(
        **given | {"dropout_p": 0.0}, average_attn_weights=False
    )
    kept = weights != 0
    assert 0 < int(kept.sum()) < weights.numel()
    np.testing.assert_allclose(weights[kept], 2 * all_weights[kept], rtol=1e-12)


def test_arguments_have_pytorchs_order():
    parameters = list(inspect.signature(F.multi_head_attention_forward).parameters)
    assert parameters[:6] == list(usual())[:6] and parameters[6:13] == list(usual())[6:]
    assert " ".join(parameters[13:]) == (
        "training key_padding_mask need_weights attn_mask use_separate_proj_weight q_proj_weight "
        "k_proj_weight v_proj_weight static_k static_v average_attn_weights is_causal"
    )


MISTAKES = {
    "was expecting embedding dimension of 7, but got 6": {"embed_dim_to_check": 7},
    "embed_dim 6 not divisible by num_heads 4": {"num_heads": 4},
    "not divisible by num_heads 0": {"num_heads": 0},
    "query should be unbatched 2D or batched 3D": {"query": make((2, 3, 4, 6))},
    "expected `key` and `value` to be 3-D": {"key": make((S, E))},
    "expected `key_padding_mask` to be `None` or 2-D": {"key_padding_mask": PADDING[0]},
    "expected `attn_mask` to be `None`, 2-D or 3-D": {"attn_mask": MASK[0]},
    "The shape of the 2D attn_mask is": {"attn_mask": MASK[:2]},
    "The shape of the 3D attn_mask is": {"attn_mask": make((2, L, S))},
    "key shape .* does not match value shape": {"value": make((S + 1, N, E))},
    "sequence and batch dims .* do not match": SEPARATE | {"value": make((S + 1, N, 2))},
    "use_separate_proj_weight is False but in_proj_weight is None": {"in_proj_weight": None},
    "use_separate_proj_weight is True but k_proj": SEPARATE | {"k_proj_weight": None},
    "'in_proj_weight' must have shape": {"in_proj_weight": make((E, E))},
    "bias cannot be added to static key": CHOICES["bias of keys"] | CHOICES["static"],
    "bias_k and bias_v must both be given": {"bias_k": make((1, 1, E))},
    r"expecting static_k.size\(0\) of 6, but got 2": {"static_k": make((2, 4, 2))},
    r"expecting static_v.size\(2\) of 2, but got 3": {"static_v": make((6, S, 3))},
    "expecting key_padding_mask shape of": {"key_padding_mask": PADDING[:1]},
    "Need attn_mask if specifying the is_causal hint": {"is_causal": True},
    "samples of 'query'": {"key": make((S, 3, E)), "value": make((S, 3, E))},
}


@pytest.mark.parametrize("words", MISTAKES)
def test_mistakes(words):
    with pytest.raises(eagre.InvalidArgumentError, match=words) as caught:
        F.multi_head_attention_forward(**as_tensors(usual(**MISTAKES[words])))
    assert str(caught.value).startswith("multi_head_attention_forward(): ")


@pytest.mark.parametrize("name", ["attn_mask", "key_padding_mask"])
def test_masks_of_integers_are_refused(name):
    mask = {"attn_mask": MASK, "key_padding_mask": PADDING}[name].astype(np.int64)
    with pytest.raises(eagre.DTypeError, match=f"only bool and floating types of {name}"):
        F.multi_head_attention_forward(**as_tensors(usual(**{name: mask})))


def test_every_pair_of_choices_fits():
    names = ["padding", "bool mask", "bias of keys", "zeros", "no biases"]
    for pair in itertools.combinations(names, 2):
        given = usual(**{k: v for name in pair for k, v in CHOICES[name].items()})
        got, _ = F.multi_head_attention_forward(**as_tensors(given), need_weights=False)
        np.testing.assert_allclose(got, expected(**given)[0], rtol=1e-11, atol=1e-12)

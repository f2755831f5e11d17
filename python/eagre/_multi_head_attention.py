"""multi_head_attention_forward(): projections, masks and extra keys around attention."""

import math

import eagre._C as _C
from eagre._given import need_tensors
from eagre._torch_function import overridable as _overridable

_NAME = "multi_head_attention_forward"


def _require(holds, *words):
    if not holds:
        raise _C.InvalidArgumentError(f"{_NAME}(): {''.join(map(str, words))}")


def _check_ranks(query, key, value, key_padding_mask, attn_mask):
    rank = query.dim()
    _require(
        rank in (2, 3),
        "query should be unbatched 2D or batched 3D tensor but received ",
        f"{rank}-D query tensor",
    )
    kind = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
    _require(
        key.dim() == rank and value.dim() == rank,
        f"For {kind} `query`, expected `key` and `value` to be {rank}-D but found ",
        f"{key.dim()}-D and {value.dim()}-D tensors respectively",
    )
    if key_padding_mask is not None:
        _require(
            key_padding_mask.dim() == rank - 1,
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {rank - 1}-D but ",
            f"found {key_padding_mask.dim()}-D tensor instead",
        )
    if attn_mask is not None:
        _require(
            attn_mask.dim() in (2, 3),
            f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found ",
            f"{attn_mask.dim()}-D tensor instead",
        )


def _added(name, mask, dtype):
    """A mask as what is added to scores: one of bools says which keys are not seen."""
    if mask is None:
        return None
    if mask.dtype is _C.bool:
        return _C.zeros_like(mask, dtype=dtype).masked_fill(mask, -math.inf)
    if not mask.is_floating_point():
        raise _C.DTypeError(
            f"{_NAME}(): only bool and floating types of {name} are supported, but got {mask.dtype}"
        )
    return mask


def _projected(query, key, value, weights, bias):
    biases = (None, None, None) if bias is None else bias.chunk(3)
    if isinstance(weights, _C.Tensor):
        if query is key and key is value:
            return _C.linear(query, weights, bias).chunk(3, -1)
        weights = weights.chunk(3)
    inputs = (query, key, value)
    return [_C.linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]


def _weights_of(separate, combined, parts, width, key, value):
    """What the three inputs are multiplied with: one matrix, or one for each."""
    if not separate:
        _require(
            key.shape == value.shape,
            f"key shape {key.shape} does not match value shape ",
            value.shape,
        )
        _require(
            combined is not None, "use_separate_proj_weight is False but in_proj_weight is None"
        )
        _require(
            combined.shape == (3 * width, width),
            f"argument 'in_proj_weight' must have shape [{3 * width}, {width}], but got ",
            list(combined.shape),
        )
        return combined
    _require(
        key.shape[:2] == value.shape[:2],
        f"key's sequence and batch dims {key.shape[:2]} do not match value's ",
        value.shape[:2],
    )
    for name, part in zip(("q", "k", "v"), parts, strict=True):
        _require(
            part is not None, f"use_separate_proj_weight is True but {name}_proj_weight is None"
        )
    return parts


def _in_heads(rows, heads):
    """(L, N, E) as (N, heads, L, E / heads)."""
    length, batch, width = rows.shape
    return rows.reshape(length, batch, heads, width // heads).permute(1, 2, 0, 3)


def _given(name, static, batch, heads, depth):
    _require(
        static.dim() == 3 and static.size(0) == batch * heads,
        f"expecting {name}.size(0) of {batch * heads}, but got {static.size(0)}",
    )
    _require(
        static.size(2) == depth, f"expecting {name}.size(2) of {depth}, but got {static.size(2)}"
    )
    return static.reshape(batch, heads, static.size(1), depth)


def _with_key(mask):
    """A mask for one key more, which all see."""
    return None if mask is None else _C.cat([mask, _C.zeros_like(mask.narrow(-1, 0, 1))], -1)


def _four_dims(mask, batch, heads, queries, keys):
    """A mask of scores as it broadcasts to (N, heads, L, S)."""
    if mask is None:
        return None
    if mask.dim() == 2:
        _require(
            mask.shape == (queries, keys),
            f"The shape of the 2D attn_mask is {list(mask.shape)}, but should be ",
            (queries, keys),
        )
        return mask.reshape(1, 1, queries, keys)
    _require(
        mask.shape == (batch * heads, queries, keys),
        f"The shape of the 3D attn_mask is {list(mask.shape)}, but should be ",
        (batch * heads, queries, keys),
    )
    return mask.reshape(batch, heads, queries, keys)


@_overridable
def multi_head_attention_forward(
    query,
    key,
    value,
    embed_dim_to_check,
    num_heads,
    in_proj_weight,
    in_proj_bias,
    bias_k,
    bias_v,
    add_zero_attn,
    dropout_p,
    out_proj_weight,
    out_proj_bias,
    training=True,
    key_padding_mask=None,
    need_weights=True,
    attn_mask=None,
    use_separate_proj_weight=False,
    q_proj_weight=None,
    k_proj_weight=None,
    v_proj_weight=None,
    static_k=None,
    static_v=None,
    average_attn_weights=True,
    is_causal=False,
):
    """Attention of `num_heads` heads: `query` (L, N, E), `key` (S, N, E) and `value` are multiplied
    with the parts of `in_proj_weight` (or with a matrix each), every head sees its share of the
    columns, and what the heads found is multiplied with `out_proj_weight`. Without the dimension N
    it is one sample. `key_padding_mask` (N, S) hides keys of samples, `attn_mask` (L, S) or
    (N * num_heads, L, S) keys from queries; masks of numbers are added to scores. `bias_k` and
    `bias_v` are one more key and its value, `add_zero_attn` adds zeros as another. Gives the
    results, and the weights of values (N, L, S), the mean of all heads or those of each, or
    None."""
    need_tensors(_NAME, query=query, key=key, value=value)
    for name, mask in (("key_padding_mask", key_padding_mask), ("attn_mask", attn_mask)):
        if mask is not None:
            need_tensors(_NAME, **{name: mask})
    _check_ranks(query, key, value, key_padding_mask, attn_mask)
    _require(
        not is_causal or attn_mask is not None, "Need attn_mask if specifying the is_causal hint."
    )
    is_batched = query.dim() == 3
    if not is_batched:
        query, key, value = _unbatched(query, key, value)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    queries, batch, width = query.shape
    _require(
        width == embed_dim_to_check,
        f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}",
    )
    _require(
        num_heads > 0 and width % num_heads == 0,
        f"embed_dim {width} not divisible by num_heads {num_heads}",
    )
    _require(
        key.size(1) == batch and value.size(1) == batch,
        f"argument 'key' must have the {batch} samples of 'query', but got {key.size(1)} and ",
        value.size(1),
    )
    padding = _added("key_padding_mask", key_padding_mask, query.dtype)
    # The hint says what the mask is: without weights and padding attention knows it by itself.
    is_causal = is_causal and padding is None and not need_weights
    mask = None if is_causal else _added("attn_mask", attn_mask, query.dtype)

    parts = (q_proj_weight, k_proj_weight, v_proj_weight)
    weights = _weights_of(use_separate_proj_weight, in_proj_weight, parts, width, key, value)
    q, k, v = _projected(query, key, value, weights, in_proj_bias)
    if bias_k is not None and bias_v is not None:
        _require(static_k is None, "bias cannot be added to static key.")
        _require(static_v is None, "bias cannot be added to static value.")
        k = _C.cat([k, bias_k.expand(1, batch, width)])
        v = _C.cat([v, bias_v.expand(1, batch, width)])
        mask, padding = _with_key(mask), _with_key(padding)
    else:
        _require(bias_k is None and bias_v is None, "bias_k and bias_v must both be given, or none")

    depth = width // num_heads
    q = _in_heads(q, num_heads)
    k = (
        _in_heads(k, num_heads)
        if static_k is None
        else _given("static_k", static_k, batch, num_heads, depth)
    )
    v = (
        _in_heads(v, num_heads)
        if static_v is None
        else _given("static_v", static_v, batch, num_heads, depth)
    )
    if add_zero_attn:
        k = _C.cat([k, k.new_zeros((batch, num_heads, 1, depth))], 2)
        v = _C.cat([v, v.new_zeros((batch, num_heads, 1, depth))], 2)
        mask, padding = _with_key(mask), _with_key(padding)

    keys = k.size(2)
    mask = _four_dims(mask, batch, num_heads, queries, keys)
    if padding is not None:
        _require(
            padding.shape == (batch, keys),
            f"expecting key_padding_mask shape of {(batch, keys)}, but got {list(padding.shape)}",
        )
        padding = padding.reshape(batch, 1, 1, keys)
        mask = padding if mask is None else mask + padding
    if not training:
        dropout_p = 0.0

    found = None
    if need_weights:
        scores = (q * math.sqrt(1.0 / depth)) @ k.mT
        found = _C.softmax(scores if mask is None else scores + mask, -1)
        if dropout_p > 0.0:
            found = _C.dropout(found, dropout_p, True)
        heads = found @ v
    else:
        heads = _C.scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal)
    rows = heads.permute(2, 0, 1, 3).reshape(queries * batch, width)
    result = _C.linear(rows, out_proj_weight, out_proj_bias)
    result = result.reshape(queries, batch, result.size(-1))
    if found is not None and average_attn_weights:
        found = found.mean(1)
    if not is_batched:
        result = result.squeeze(1)
        found = None if found is None else found.squeeze(0)
    return result, found


def _unbatched(query, key, value):
    """With a batch of one; what is the same tensor stays the same."""
    first = query.unsqueeze(1)
    second = first if key is query else key.unsqueeze(1)
    return first, second, second if value is key else value.unsqueeze(1)

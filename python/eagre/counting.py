"""Distinct values and how often they appear."""

import eagre
from eagre.out_argument import with_out


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements in order, or with `dim` the distinct slices; with the place of each
    input among them and how often each appears, where asked for."""
    if dim is None:
        values = input.flatten()
        order = values.argsort(stable=True)
        return _group(values, values[order], order, input.shape, return_inverse, return_counts, 0)
    slices = input.movedim(dim, 0)
    order = eagre.arange(len(slices), device=input.device)
    columns = slices.reshape(len(slices), -1)
    # Sorted by the last column first: stable sorts keep what the earlier ones ordered.
    for k in range(columns.shape[1] - 1, -1, -1):
        order = order[columns[order, k].argsort(stable=True)]
    return _group(slices, slices[order], order, (len(slices),), return_inverse, return_counts, dim)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements without those that equal the one before."""
    if dim is None:
        values = input.flatten()
        return _group(values, values, None, input.shape, return_inverse, return_counts, 0)
    slices = input.movedim(dim, 0)
    return _group(slices, slices, None, (len(slices),), return_inverse, return_counts, dim)


def _group(values, ordered, order, shape, return_inverse, return_counts, dim):
    """Equal neighbours of `ordered` as one; `order` says where in the input each came from."""
    count = len(ordered)
    is_first = eagre.ones(count, dtype=eagre.bool, device=values.device)
    if count > 1:
        differs = ordered[1:] != ordered[:-1]
        is_first[1:] = differs if differs.dim() == 1 else differs.reshape(count - 1, -1).any(1)
    results = [ordered[is_first].movedim(0, dim)]
    if return_inverse:
        group = is_first.cumsum(0) - 1
        inverse = group if order is None else eagre.empty_like(group).scatter_(0, order, group)
        results.append(inverse.reshape(shape))
    if return_counts:
        starts = is_first.nonzero().flatten()
        ends = eagre.cat([starts[1:], starts.new_full((min(count, 1),), count)])
        results.append(ends - starts)
    return results[0] if len(results) == 1 else tuple(results)


def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on appears in a vector, or the sum of its weights."""
    if input.dim() != 1 or input.is_floating_point() or input.is_complex():
        raise RuntimeError(
            "bincount(): only 1-d tensors of integers that are not negative are supported"
        )
    if input.numel() != 0 and int(input.min()) < 0:
        raise RuntimeError(
            "bincount(): only 1-d tensors of integers that are not negative are supported"
        )
    if minlength < 0:
        raise RuntimeError(f"bincount(): minlength should be >= 0, but got {minlength}")
    if weights is not None and weights.shape != input.shape:
        raise RuntimeError(
            "bincount(): weights should be 1-d and have the same length as input, "
            f"{list(input.shape)}, but got {list(weights.shape)}"
        )
    size = max(int(input.max()) + 1 if input.numel() != 0 else 0, minlength)
    if weights is None:
        weights = eagre.ones_like(input, dtype=eagre.int64)
    elif not weights.is_floating_point():
        weights = weights.double()
    return weights.new_zeros(size).scatter_add(0, input.long(), weights)


@with_out
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    """Where numbers would be put into an ascending sequence so that it stays one: by halving."""
    if side not in (None, "left", "right"):
        raise RuntimeError(f"searchsorted(): side can only be 'left' or 'right' but got {side!r}")
    right = right if side is None else side == "right"
    values = eagre.as_tensor(input, device=sorted_sequence.device)
    if sorter is not None:
        sorted_sequence = sorted_sequence.gather(-1, sorter)
    _check_sequence(sorted_sequence, values)
    count = sorted_sequence.shape[-1]
    wanted = values.reshape(-1) if sorted_sequence.dim() == 1 else values
    first = eagre.zeros_like(wanted, dtype=eagre.int64)
    last = eagre.full_like(first, count)
    for _ in range(count.bit_length()):
        middle = (first + last) // 2
        probe = sorted_sequence.gather(-1, middle.clamp(max=count - 1))
        # Written so that a NaN, which nothing is greater than, comes last.
        goes_on = ~(probe > wanted if right else probe >= wanted) & (first < last)
        first = eagre.where(goes_on, middle + 1, first)
        last = eagre.where(goes_on, last, middle)
    return first.reshape(values.shape).to(eagre.int32 if out_int32 else eagre.int64)


def _check_sequence(sequence, values):
    if sequence.dim() == 0:
        raise RuntimeError(
            "searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if sequence.dim() > 1 and sequence.shape[:-1] != values.shape[:-1]:
        raise RuntimeError(
            "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions "
            "of boundaries tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(sequence.shape)} and input value tensor {list(values.shape)}"
        )


@with_out
def bucketize(input, boundaries, *, right=False, out_int32=False):
    """The number of the bucket, between ascending boundaries, that each element falls into."""
    if boundaries.dim() != 1:
        raise RuntimeError(
            f"bucketize(): boundaries tensor must be 1 dimension, but got dim({boundaries.dim()})"
        )
    return searchsorted(boundaries, input, right=right, out_int32=out_int32)


@with_out
def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Indices drawn with the probabilities that rows of weights give."""
    _check_weights(input, num_samples, replacement)
    weights = input.detach().double()
    if not replacement:
        # The largest of w / e, with e exponential, is distributed as w; the next as the rest.
        noise = eagre.rand(
            weights.shape, dtype=weights.dtype, generator=generator, device=input.device
        )
        race = weights / -(-noise).log1p()
        # A weight of zero never wins, not even where the noise is zero too.
        race = eagre.where(weights > 0, race, -1.0)
        return race.topk(num_samples, dim=-1).indices
    shares = weights.cumsum(-1)
    shape = (*weights.shape[:-1], num_samples)
    drawn = eagre.rand(shape, dtype=weights.dtype, generator=generator, device=input.device)
    return searchsorted(shares, drawn * shares[..., -1:], right=True).clamp(max=input.shape[-1] - 1)


def _check_weights(input, num_samples, replacement):
    if not input.is_floating_point():
        raise RuntimeError(
            f"multinomial(): expects a floating-point tensor of weights, got {input.dtype}"
        )
    if input.dim() not in (1, 2):
        raise RuntimeError(f"multinomial(): weights must have 1 or 2 dimensions, not {input.dim()}")
    if num_samples <= 0:
        raise RuntimeError(f"multinomial(): cannot sample {num_samples} elements")
    if not replacement and num_samples > input.shape[-1]:
        raise RuntimeError(
            f"multinomial(): cannot sample {num_samples} > {input.shape[-1]} elements without "
            "replacement"
        )
    if not bool((input.isfinite() & (input >= 0)).all()):
        raise RuntimeError("multinomial(): weights contain either `inf`, `nan` or element < 0")
    if not bool((input.sum(-1) > 0).all()):
        raise RuntimeError("multinomial(): invalid distribution (sum of weights <= 0)")

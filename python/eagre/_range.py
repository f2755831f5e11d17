"""range(): numbers up to and including the end, as old programs want them."""

import math
import warnings

import eagre


def range(
    start,
    end=None,
    step=1,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
):
    """range(start=0, end, step=1): the numbers from `start` to `end`, which is one of them if the
    steps meet it. Of the default dtype unless another is given. Deprecated: use arange()."""
    warnings.warn(
        "range(): torch.range is deprecated: it includes `end`, as Python's range() does not. "
        "Hint: arange() produces values in [start, end)",
        stacklevel=3,
    )
    if end is None:
        raise TypeError("range(): argument 'end' is missing; the arguments are: start, end, step")
    if step == 0:
        raise eagre.InvalidArgumentError("range(): step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise eagre.InvalidArgumentError(f"range(): unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise eagre.InvalidArgumentError(
            "range(): upper bound and lower bound inconsistent with step sign: from "
            f"{start} to {end} by {step}"
        )
    if dtype is None:
        dtype = eagre.get_default_dtype() if out is None else out.dtype
    if dtype is eagre.bool:
        raise NotImplementedError("range(): there are no ranges of bool")
    is_whole = all(isinstance(number, int) for number in (start, end, step))
    count = (end - start) // step + 1 if is_whole else math.floor((end - start) / step) + 1
    places = eagre.arange(count, dtype=eagre.int64 if is_whole else eagre.float64, device=device)
    values = (places * step + start).to(dtype)
    if out is not None:
        if out.numel() != count:  # else it keeps its shape, and is filled in order
            out.resize_(count)
        return out.copy_(values.view(out.shape))
    return values.requires_grad_() if requires_grad else values

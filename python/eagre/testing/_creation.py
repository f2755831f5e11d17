"""make_tensor: tensors of random numbers for tests."""

import eagre


def make_tensor(
    *shape,
    dtype,
    device="cpu",
    low=None,
    high=None,
    requires_grad=False,
    noncontiguous=False,
    exclude_zero=False,
    memory_format=None,
):
    """Numbers from `low` (included) to `high`, by default from -9 to 9, or 0 to 9 without signs."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = tuple(shape[0])
    if noncontiguous and memory_format is not None:
        raise ValueError("make_tensor(): noncontiguous and memory_format cannot both be given")
    low, high = _bounds(dtype, low, high)
    numel = eagre.Size(shape).numel()
    wide = (*shape[:-1], 2 * shape[-1]) if noncontiguous and shape and numel > 1 else shape
    result = _values(wide, dtype, low, high).to(device)
    if exclude_zero:
        result = eagre.where(result == 0, 1 if low <= 1 else low, result).to(dtype)
    if wide != shape:
        result = result[..., ::2]
    if memory_format is not None:
        result = result.contiguous(memory_format=memory_format)
    return result.requires_grad_() if requires_grad else result


def _bounds(dtype, low, high):
    least = -9 if dtype.is_floating_point or dtype.is_complex or dtype.is_signed else 0
    low = least if low is None else low
    high = (2 if dtype == eagre.bool else 10 if least == 0 else 9) if high is None else high
    if not (low <= high and low == low and high == high):
        raise ValueError(f"make_tensor(): low must be at most high, but got {low} and {high}")
    return low, high


def _values(shape, dtype, low, high):
    if dtype.is_complex:
        part = eagre.float64 if dtype == eagre.complex128 else eagre.float32
        return eagre.view_as_complex(_values((*shape, 2), part, low, high))
    if dtype.is_floating_point:
        wide = eagre.float64 if dtype == eagre.float64 else eagre.float32
        return (eagre.rand(shape, dtype=wide) * (high - low) + low).to(dtype)
    return eagre.randint(int(low), max(int(high), int(low) + 1), shape, dtype=eagre.int64).to(dtype)

"""Tensors of one value."""

from eagre._C import full, get_default_dtype


def _filled(size, value, dtype, device, requires_grad):
    # One tuple, or the sizes one by one.
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = size[0]
    dtype = get_default_dtype() if dtype is None else dtype
    return full(size, value, dtype=dtype, device=device, requires_grad=requires_grad)


def zeros(*size, dtype=None, device=None, requires_grad=False):
    """A tensor of shape `size` with every element 0."""
    return _filled(size, 0, dtype, device, requires_grad)


def ones(*size, dtype=None, device=None, requires_grad=False):
    """A tensor of shape `size` with every element 1."""
    return _filled(size, 1, dtype, device, requires_grad)

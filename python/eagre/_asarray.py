"""Tensors from what other libraries have: numbers, arrays, buffers."""

import warnings

import eagre


def as_tensor(data, dtype=None, device=None) -> eagre.Tensor:
    """`data` as a tensor, on its own memory where that is possible: of an array, or of a tensor,
    also one of another library."""
    if isinstance(data, eagre.Tensor):
        return data.to(dtype=dtype, device=device)
    if _has_buffer(data):
        return eagre.from_numpy(data).to(dtype=dtype, device=device)
    if hasattr(data, "__dlpack__"):
        return eagre.from_dlpack(data).to(dtype=dtype, device=device)
    return eagre.tensor(data, dtype=dtype, device=device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None) -> eagre.Tensor:
    """`obj` as a tensor: sharing memory, or with `copy=True` never, or with `copy=False` surely.
    A tensor keeps its history, unless `requires_grad` is False."""
    shares = True
    if isinstance(obj, eagre.Tensor):
        result = obj.detach() if requires_grad is False and obj.requires_grad else obj
    elif type(obj).__name__ == "PyCapsule" or hasattr(obj, "__dlpack__") and not _has_buffer(obj):
        result = eagre.from_dlpack(obj)
    elif _has_buffer(obj) and memoryview(obj).ndim != 0:
        shares = not memoryview(obj).readonly
        result = eagre.from_numpy(obj) if shares else eagre.tensor(obj)
    else:
        shares = False
        result = eagre.tensor(obj, dtype=dtype, device=device)
    converted = result.to(dtype=dtype, device=device)
    shares = shares and converted is result
    if copy is False and not shares:
        raise _cannot_alias(obj, result, converted)
    if copy and shares:
        converted = converted.clone()
    if requires_grad and not converted.requires_grad:
        converted.requires_grad_()
    return converted


def _cannot_alias(obj, result, converted):
    """Why copy=False cannot be kept."""
    message = (
        f"can't alias arbitrary sequence into a tensor, and a {type(obj).__name__} has no memory"
    )
    if hasattr(obj, "__array__") and not isinstance(obj, eagre.Tensor) and result.dim() == 0:
        message = "can't alias NumPy scalars. Either remove copy=False or turn it into an array"
        return eagre.InvalidArgumentError(f"asarray(): {message}")
    if result.device != converted.device:
        message = f"can't alias tensor from device '{result.device}' to '{converted.device}'"
    elif result.dtype != converted.dtype:
        message = f"can't alias tensor with dtype '{result.dtype}' into dtype '{converted.dtype}'"
    elif _has_buffer(obj):
        message = "can't alias memory that is read-only"
    return ValueError(f"asarray(): {message}. Hint: leave copy=False out")


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False) -> eagre.Tensor:
    """A tensor of one dimension on the memory of `buffer`, which is read as numbers of `dtype`."""
    try:
        view = memoryview(buffer).cast("B")
    except TypeError:
        raise ValueError(
            "frombuffer(): object does not implement Python buffer protocol. It is a "
            f"{type(buffer).__name__}"
        ) from None
    length, size = len(view), dtype.itemsize
    if length == 0 or count == 0:
        raise ValueError(
            f"frombuffer(): both buffer length ({length}) and count ({count}) must not be 0"
        )
    if not 0 <= offset < length:
        raise ValueError(
            f"frombuffer(): offset ({offset} bytes) must be non-negative and no greater than "
            f"buffer length ({length} bytes) minus 1"
        )
    if count < 0:
        if (length - offset) % size != 0:
            raise ValueError(
                f"frombuffer(): buffer length ({length - offset} bytes) after offset ({offset} "
                f"bytes) must be a multiple of element size ({size})"
            )
        count = (length - offset) // size
    if offset + count * size > length:
        raise ValueError(
            f"frombuffer(): requested buffer length ({count} * {size} bytes) after offset "
            f"({offset} bytes) must not be greater than actual buffer length ({length} bytes)"
        )
    view = view[offset : offset + count * size]
    if view.readonly:
        warnings.warn(
            "frombuffer(): The given buffer is not writable, so its values were copied instead of "
            "shared",
            stacklevel=3,
        )
        view = memoryview(bytearray(view))
    result = eagre.from_numpy(view)
    if result.data_ptr() % size != 0:
        raise ValueError(
            f"frombuffer(): the memory does not begin at a multiple of {size} bytes. Hint: "
            "eagre.frombuffer(bytearray(part), ...) reads a copy"
        )
    return result.view(dtype).requires_grad_(requires_grad)


def scalar_tensor(
    s, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False
) -> eagre.Tensor:
    """A 0-dim tensor that holds the number `s`, of the default dtype unless another is given."""
    return eagre.full(
        (),
        s,
        dtype=dtype or eagre.get_default_dtype(),
        device=device,
        requires_grad=requires_grad,
        layout=layout,
        pin_memory=pin_memory,
    )


def _has_buffer(obj):
    # What has a buffer but no dimensions in our sense stays with eagre.tensor().
    if isinstance(obj, (str, bytes, bytearray)):
        return False
    try:
        memoryview(obj)
    except (TypeError, ValueError, BufferError):
        return False
    return True


def wrap_array(self, array, context=None, return_scalar=False):
    """What NumPy's functions make of tensors is a tensor again."""
    return eagre.from_numpy(array)


def as_complex(self):
    """complex(tensor): the only element."""
    return complex(self.item())

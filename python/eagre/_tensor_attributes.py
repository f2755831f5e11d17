"""Where a tensor is and how it is kept: attributes that code for PyTorch asks for.

There are the CPU, `meta` and devices of plug-ins; there are no sparse, quantized or nested tensors.
"""

import eagre


def _on(kind):
    return property(lambda self: self.device.type == kind, doc=f"True on a device '{kind}'.")


def _never(doc):
    return property(lambda self: False, doc=f"False: {doc}.")


is_cpu = _on("cpu")
is_cuda = _on("cuda")
is_meta = _on("meta")
is_xpu = _on("xpu")
is_mps = _on("mps")
is_xla = _on("xla")
is_hpu = _on("hpu")
is_sparse = _never("there are no sparse tensors")
is_sparse_csr = _never("there are no sparse tensors")
is_quantized = _never("there are no quantized tensors")
is_nested = _never("there are no nested tensors")
is_mkldnn = _never("there is no other layout")
layout = property(lambda self: eagre.strided, doc="How elements are kept: always eagre.strided.")


def is_tensor(obj) -> bool:
    """True for tensors."""
    return isinstance(obj, eagre.Tensor)


def get_device(input) -> int:
    """The index of the device, -1 on the CPU."""
    device = input.device
    if device.type == "meta":
        return 0
    return -1 if device.type == "cpu" else device.index or 0


def typename(obj) -> str:
    """The name of a tensor's old type, or of the type of another object."""
    if isinstance(obj, eagre.Tensor):
        return obj.type()
    kind = type(obj)
    module = "" if kind.__module__ == "builtins" else kind.__module__ + "."
    return module + kind.__qualname__


def is_conj(input) -> bool:
    """False: conj() gives conjugated numbers, not a mark on the old ones."""
    return False


def is_neg(input) -> bool:
    """False: negative numbers are numbers, not a mark."""
    return False


def resolve_conj(input) -> eagre.Tensor:
    """The tensor itself: see is_conj()."""
    return input


def resolve_neg(input) -> eagre.Tensor:
    """The tensor itself: see is_neg()."""
    return input


def is_distributed(input) -> bool:
    """False."""
    return False


def is_pinned(self, device=None):
    """False: there is no pinned memory."""
    return False


def pin_memory(self, device=None):
    """There is no accelerator that pinned memory would serve."""
    raise RuntimeError("pin_memory(): there is no accelerator that pinned memory would serve")


def cuda(self, device=None, non_blocking=False, memory_format=None):
    """The tensor on a GPU, where a plug-in brings one."""
    return self.to("cuda" if device is None else device)


def to_sparse(self, *args, **kwargs):
    """There are no sparse tensors."""
    raise NotImplementedError("to_sparse(): there are no sparse tensors")


def to_dense(self, dtype=None, *, masked_grad=None):
    """The tensor itself, since there are no sparse tensors."""
    return self if dtype is None else self.to(dtype)


def dim_order(self, ambiguity_check=False):
    """The dimensions from the one with the largest steps in memory to that with the smallest.

    With `ambiguity_check` it is an error where strides leave the order open; with a list of memory
    formats, where more than one of these fits.
    """
    formats = () if isinstance(ambiguity_check, bool) else ambiguity_check
    if not isinstance(formats, list | tuple) or not all(
        isinstance(each, eagre.memory_format) for each in formats
    ):
        raise TypeError(
            "dim_order(): argument 'ambiguity_check' must be a bool or a list of memory formats, "
            f"but got {ambiguity_check!r}"
        )
    fitting = [each for each in formats if self.is_contiguous(memory_format=each)]
    if (formats and len(fitting) != 1) or (ambiguity_check is True and _is_ambiguous(self)):
        raise RuntimeError(
            "dim_order(): The tensor does not have unique dim order: sizes "
            f"{tuple(self.shape)} and strides {self.stride()} fit several"
        )
    if fitting == [eagre.channels_last]:
        return (0, *range(2, self.dim()), 1)
    if fitting:
        return tuple(range(self.dim()))
    return tuple(sorted(range(self.dim()), key=lambda dim: -self.stride(dim)))


def _is_ambiguous(tensor):
    """Could dimensions change places without a change in memory?"""
    return any(size == 1 for size in tensor.shape) or len(set(tensor.stride())) < tensor.dim()


def resize_as_(self, the_template, *, memory_format=None):
    """resize_() to the sizes of another tensor, and to its order in memory if it keeps that."""
    format = memory_format or eagre.contiguous_format
    if memory_format is eagre.preserve_format:
        format = _format_of(the_template)
    return self.resize_(the_template.shape, memory_format=format)


def _format_of(tensor):
    is_last = tensor.dim() == 4 and tensor.is_contiguous(memory_format=eagre.channels_last)
    if is_last and not tensor.is_contiguous():
        return eagre.channels_last
    return eagre.contiguous_format


def apply_(self, callable):
    """Replaces every element by what a function of Python says; slow, for the CPU only."""
    if self.requires_grad:
        raise RuntimeError("apply_(): a tensor that requires grad cannot be changed by a function")
    values = [callable(value) for value in self.flatten().tolist()]
    return self.copy_(eagre.tensor(values, dtype=self.dtype).reshape(self.shape))


def map_(self, tensor, callable):
    """Replaces every element by what a function says of it and the element of another tensor."""
    return _mapped("map_", self, (tensor,), callable)


def map2_(self, x, y, callable):
    """Replaces every element by what a function says of it and those of two other tensors."""
    return _mapped("map2_", self, (x, y), callable)


def _mapped(name, target, others, function):
    if any(tensor.requires_grad for tensor in (target, *others)):
        raise RuntimeError(
            f"{name}(): a tensor that requires grad cannot be changed by a function. Hint: detach()"
        )
    columns = (tensor.expand(target.shape).flatten().tolist() for tensor in (target, *others))
    values = [function(*row) for row in zip(*columns, strict=True)]
    return target.copy_(eagre.tensor(values, dtype=target.dtype).reshape(target.shape))


def fix_weakref(self):
    """Nothing: weak references to a tensor hold as long as its object is in use."""

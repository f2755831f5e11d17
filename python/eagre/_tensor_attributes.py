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


def is_tensor(obj):
    """True for tensors."""
    return isinstance(obj, eagre.Tensor)


def get_device(input):
    """The index of the device, -1 on the CPU."""
    device = input.device
    if device.type == "meta":
        return 0
    return -1 if device.type == "cpu" else device.index or 0


def typename(obj):
    """The name of a tensor's old type, or of the type of another object."""
    if isinstance(obj, eagre.Tensor):
        return obj.type()
    kind = type(obj)
    module = "" if kind.__module__ == "builtins" else kind.__module__ + "."
    return module + kind.__qualname__


def is_conj(input):
    """False: conj() gives conjugated numbers, not a mark on the old ones."""
    return False


def is_neg(input):
    """False: negative numbers are numbers, not a mark."""
    return False


def resolve_conj(input):
    """The tensor itself: see is_conj()."""
    return input


def resolve_neg(input):
    """The tensor itself: see is_neg()."""
    return input


def is_distributed(input):
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


def dim_order(self):
    """The dimensions from the one with the largest steps in memory to that with the smallest."""
    return tuple(sorted(range(self.dim()), key=lambda dim: -self.stride(dim)))


def resize_as_(self, the_template, *, memory_format=None):
    """resize_() to the sizes of another tensor."""
    return self.resize_(the_template.shape)


def apply_(self, callable):
    """Replaces every element by what a function of Python says; slow, for the CPU only."""
    if self.requires_grad:
        raise RuntimeError("apply_(): a tensor that requires grad cannot be changed by a function")
    values = [callable(value) for value in self.flatten().tolist()]
    return self.copy_(eagre.tensor(values, dtype=self.dtype).reshape(self.shape))


def map_(self, tensor, callable):
    """Replaces every element by what a function says of it and the element of another tensor."""
    if self.requires_grad or tensor.requires_grad:
        raise RuntimeError("map_(): a tensor that requires grad cannot be changed by a function")
    other = tensor.expand(self.shape).flatten().tolist()
    values = [callable(a, b) for a, b in zip(self.flatten().tolist(), other, strict=True)]
    return self.copy_(eagre.tensor(values, dtype=self.dtype).reshape(self.shape))

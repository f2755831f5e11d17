"""The functions that PyTorch's files call to make tensors, and the names that files have for what
is in this library."""

from collections import OrderedDict

import eagre
from eagre import _C
from eagre._files import storage_types
from eagre.nn.modules._names import PLACES
from eagre.nn.parameter import Parameter, _rebuild_uninitialized


def tensor(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    """A tensor on a storage of its dtype."""
    if not isinstance(storage, eagre.TypedStorage):
        raise TypeError(f"a tensor was expected on a typed storage, but got {type(storage)}")
    return _looking(storage.untyped(), storage.dtype, offset, size, stride, requires_grad, metadata)


def tensor_of_dtype(
    storage, offset, size, stride, requires_grad, hooks=None, dtype=None, metadata=None
):
    """A tensor of `dtype` on a storage of bytes."""
    if isinstance(storage, eagre.TypedStorage):
        storage = storage.untyped()
    if not isinstance(storage, eagre.UntypedStorage) or not isinstance(dtype, eagre.dtype):
        raise TypeError(
            f"a storage and a dtype were expected, but got {type(storage)} and {type(dtype)}"
        )
    return _looking(storage, dtype, offset, size, stride, requires_grad, metadata)


def old_tensor(storage, offset, size, stride):
    """A tensor of files that are older than gradients of tensors."""
    return tensor(storage, offset, size, stride)


def meta_tensor(dtype, size, stride, requires_grad):
    """A tensor without memory."""
    made = eagre.empty_strided(tuple(size), tuple(stride), dtype=dtype, device="meta")
    return made.requires_grad_() if requires_grad else made


def parameter(data, requires_grad=True, hooks=None):
    """A parameter."""
    return Parameter(data, requires_grad)


def parameter_with_state(data, requires_grad, hooks, state):
    """A parameter with attributes."""
    return set_attributes(Parameter(data, requires_grad), state)


def tensor_of_class(function, cls, arguments, state):
    """A tensor with attributes, of a class that derives from Tensor."""
    made = function(*arguments)
    if type(made) is not cls:
        made = _C.Tensor._make_subclass(cls, made.detach(), made.requires_grad)
    return set_attributes(made, state)


def set_attributes(target, state):
    """Puts attributes back: a dict, or that and those in __slots__."""
    attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    if getattr(type(target), "__setstate__", None) not in (None, _C.Tensor.__setstate__):
        target.__setstate__(state)
        return target
    for each in (attributes, slots):
        if each is not None and not isinstance(each, dict):
            raise TypeError(f"attributes are in a dict, but got {type(each)}")
    target.__dict__.update(attributes or {})
    for name, value in (slots or {}).items():
        setattr(target, name, value)
    return target


def layout(name):
    """A layout by its name."""
    if name != "torch.strided":
        raise ValueError(f"there is no layout {name!s:.40}")
    return eagre.strided


def _looking(storage, dtype, offset, size, stride, requires_grad, metadata):
    made = _C._tensor_on_storage(storage._bytes, dtype, offset, tuple(size), tuple(stride))
    # Conjugates and negatives of PyTorch may be notes at tensors; here they are computed.
    metadata = metadata or {}
    if metadata.get("conj"):
        made = made.conj().clone()
    if metadata.get("neg"):
        made = made.neg()
    return made.requires_grad_() if requires_grad else made


FUNCTIONS = {
    ("torch._utils", "_rebuild_tensor"): old_tensor,
    ("torch._utils", "_rebuild_tensor_v2"): tensor,
    ("torch._utils", "_rebuild_tensor_v3"): tensor_of_dtype,
    ("torch._utils", "_rebuild_meta_tensor_no_storage"): meta_tensor,
    ("torch._utils", "_rebuild_parameter"): parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): parameter_with_state,
    ("torch._tensor", "_rebuild_from_type_v2"): tensor_of_class,
    ("torch.serialization", "_get_layout"): layout,
}
_DTYPES = {
    ("torch", str(dtype).partition(".")[2]): dtype
    for dtype in (*storage_types.BY_DTYPE, _C.float8_e4m3fn, _C.float8_e5m2, _C.complex32,
                  _C.uint16, _C.uint32, _C.uint64)
}  # fmt: skip
CLASSES = {
    ("torch", "Size"): eagre.Size,
    ("torch", "device"): eagre.device,
    ("torch", "Tensor"): eagre.Tensor,
    ("torch.nn.parameter", "Parameter"): Parameter,
    ("collections", "OrderedDict"): OrderedDict,
}
# What files may name: a name to what is meant by it.
NAMED = {**FUNCTIONS, **_DTYPES, **CLASSES, **storage_types.BY_NAME}
# And how it is named, by its identity: some of it cannot be hashed, none of it goes away.
NAMES = {id(value): path for path, value in reversed(NAMED.items())}
NAMES[id(_rebuild_uninitialized)] = ("eagre.nn.parameter", "_rebuild_uninitialized")


def path_of(value):
    """(module, name) by which files name a function or class of this library; None of others."""
    path = NAMES.get(id(value))
    if path is None:
        module = getattr(value, "__module__", None)
        name = getattr(value, "__qualname__", getattr(value, "__name__", None))
        if not isinstance(module, str) or not isinstance(name, str):
            return None
        if module == "eagre" or module.startswith("eagre."):
            if module.startswith("eagre.nn.modules._") and name in PLACES:
                module = f"eagre.nn.modules.{PLACES[name]}"
            hidden = any(part.startswith("_") for part in module.split("."))
            path = (module if hidden else "torch" + module[len("eagre") :], name)
    return path

"""copy.deepcopy, copy.copy and pickle of tensors.

Tensors that share memory share it in the copy, too: what is copied or pickled is the storage, once,
and each tensor says how it looks at it.
"""

import copyreg
import weakref

from eagre import _C
from eagre.autograd.grad_mode import no_grad


def deep_copy(self, memo):
    """copy.deepcopy(tensor): a leaf with the same values, gradient and attributes."""
    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment, and this one is the result of an operator. Hint: "
            "tensor.detach().clone() copies its values"
        )
    with no_grad():
        made = _C._tensor_on_storage(_copied_storage(self, memo), *_geometry(self))
    made = _finished(type(self), made, self.requires_grad)
    memo[id(self)] = made  # before attributes, which may lead back here
    if self.grad is not None:
        made.grad = _C.Tensor.__deepcopy__(self.grad, memo)
    from copy import deepcopy

    if self.__dict__:
        made.__dict__ = deepcopy(self.__dict__, memo)
    for name, value in _slots(self).items():
        setattr(made, name, deepcopy(value, memo))
    return made


def reduced(self, protocol):
    """What pickle and copy.copy make the tensor from again."""
    _warn_of_hooks(self)
    arguments = (type(self), _StorageBytes.of(self), *_geometry(self), self.requires_grad)
    slots = _slots(self)
    state = (self.__dict__ or None, slots) if slots else self.__dict__ or None
    return (rebuilt, arguments) if state is None else (rebuilt, arguments, state)


def set_state(self, state):
    """tensor.__setstate__(state): the attributes that reduced() gave, alone or with those in
    __slots__; or a state of PyTorch's, (storage, offset, size, stride), (data, …) or
    (requires_grad, _, hooks)."""
    if isinstance(state, dict):
        self.__dict__.update(state)
        return
    if len(state) == 2:
        attributes, slots = state
        self.__dict__.update(attributes or {})
        for name, value in slots.items():
            setattr(self, name, value)
        return
    if not self.is_leaf:
        raise RuntimeError(
            "__setstate__ can be only called on leaf Tensors, and this one is the result of an "
            "operator"
        )
    if len(state) == 4:
        self.set_(*state)
        return
    if len(state) == 5:
        self.data, _, hooks, requires_grad, _ = state
    else:
        requires_grad, _, hooks = state
    self.requires_grad = requires_grad
    for hook in (hooks or {}).values():
        self.register_hook(hook)


def rebuilt(cls, storage, dtype, offset, size, stride, requires_grad):
    """The tensor from the pieces that reduced() returned."""
    made = _C._tensor_on_storage(storage.bytes, dtype, offset, size, stride)
    return _finished(cls, made, requires_grad)


def _finished(cls, tensor, requires_grad):
    if cls is not _C.Tensor:
        return _C.Tensor._make_subclass(cls, tensor, requires_grad)
    return tensor.requires_grad_() if requires_grad else tensor


def _warn_of_hooks(tensor):
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            import warnings

            warnings.warn(f"the hook {hook!r} of a tensor will not be serialized", stacklevel=4)


def _geometry(tensor):
    return tensor.dtype, tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride())


def _slots(tensor):
    names = copyreg._slotnames(type(tensor)) if type(tensor) is not _C.Tensor else ()
    return {name: getattr(tensor, name) for name in names if hasattr(tensor, name)}


def _place(storage_bytes):
    """Where a storage is: no two that live at the same time agree in it."""
    if storage_bytes.device.type == "meta" or storage_bytes.numel() == 0:
        return None
    return str(storage_bytes.device), storage_bytes.data_ptr()


def _copied_storage(tensor, memo):
    storage = _C._storage_bytes(tensor.detach())
    place = _place(storage)
    if place is None:
        return storage.clone()
    # The memo holds what was copied, so no other storage gets this address meanwhile.
    key = ("eagre.storage", place)
    if key not in memo:
        memo[key] = storage.clone()
    return memo[key]


class _StorageBytes:
    """The bytes of a storage on their way into a pickle. Picklers know objects again by identity,
    so there is one per storage at a time."""

    _living = weakref.WeakValueDictionary()

    def __init__(self, storage_bytes):
        self.bytes = storage_bytes

    @classmethod
    def of(cls, tensor):
        storage = _C._storage_bytes(tensor.detach())
        place = _place(storage)
        if place is None:
            return cls(storage)
        made = cls._living.get(place)
        if made is None or made.bytes.numel() != storage.numel():
            made = cls._living[place] = cls(storage)
        return made

    def __reduce_ex__(self, protocol):
        device = str(self.bytes.device)
        if device == "meta":
            return _StorageBytes._unpickled, (self.bytes.numel(), device)
        content = memoryview(self.bytes.cpu())
        if protocol >= 5:
            from pickle import PickleBuffer

            return _StorageBytes._unpickled, (PickleBuffer(content), device)
        return _StorageBytes._unpickled, (bytes(content), device)

    @staticmethod
    def _unpickled(content, device):
        if isinstance(content, int):
            return _StorageBytes(_C.empty(content, dtype=_C.uint8, device=device))
        content = memoryview(content).cast("B")
        storage = _C.empty(len(content), dtype=_C.uint8)
        if len(content):
            memoryview(storage)[:] = content
        return _StorageBytes(storage.to(device))

"""Writing pickles in which tensors are what PyTorch takes for tensors: calls of its functions, by
its names, on storages that lie beside the pickle."""

import io
import pickle
from collections import OrderedDict

import eagre
from eagre import _C
from eagre._files import rebuild, storage_types
from eagre._pickle import _place, _slots, _warn_of_hooks
from eagre.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter
from eagre.storage import TypedStorage, UntypedStorage

# Values of these very types are neither storages nor tensors.
_SIMPLE = (type(None), bool, int, float, str, tuple, list, dict)


class Storages:
    """The storages that a pickle refers to, each once, under keys "0", "1", …."""

    def __init__(self):
        self.contents = []
        self._known = {}

    def reference(self, content, dtype):
        """The persistent id of the storage whose bytes are the tensor `content`."""
        kind = storage_types.of(dtype)
        place = _place(content)
        key, known = self._known.get(place, (None, None)) if place else (None, None)
        if key is None:
            key = str(len(self.contents))
            self.contents.append(content)  # held until the end, so no other gets its address
            if place:
                self._known[place] = key, kind
        elif known is not kind:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as different "
                f"types, but got {known.path[1]} and {kind.path[1]}. Hint: save one, and view it "
                "after loading"
            )
        return "storage", kind, key, str(content.device), content.numel() // kind.itemsize


class _StorageOf:
    """The place of a tensor's storage in what it is made of."""

    def __init__(self, tensor):
        self.content = _C._storage_bytes(tensor.detach())
        self.dtype = tensor.dtype


class _Persistent:
    """What is the same with every pickle module."""

    _storages: Storages

    def persistent_id(self, value):
        """Storages are not in the pickle."""
        kind = type(value)
        if kind is _StorageOf:
            return self._storages.reference(value.content, value.dtype)
        if kind is UntypedStorage:
            return self._storages.reference(value._bytes, None)
        if kind is TypedStorage:
            return self._storages.reference(value.untyped()._bytes, value.dtype)
        return None

    def reducer_override(self, value):
        """Tensors as PyTorch's functions make them."""
        if isinstance(value, _C.Tensor):
            return _reduced(value)
        if value is eagre.strided:
            return rebuild.layout, ("torch.strided",)
        return NotImplemented


class _Pickler(_Persistent, pickle._Pickler):
    """Names what is of this library as PyTorch does. Pickle's own in C would import PyTorch to see
    whether the names are right."""

    def __init__(self, file, protocol, storages):
        super().__init__(file, protocol)
        self._storages = storages

    def save(self, value, save_persistent_id=True):
        """Values of simple types are written without asking anybody about them."""
        step = self.simple.get(type(value))
        if step is None:
            super().save(value, save_persistent_id)
            return
        known = self.memo.get(id(value))
        if known is None:
            step(self, value)
        else:
            self.write(self.get(known[0]))

    def save_global(self, value, name=None):
        """Writes the name of a class, function or dtype."""
        path = rebuild.path_of(value)
        if path is None:
            super().save_global(value, name)
            return
        module, name = path
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(value)

    def save_type(self, value):
        """Classes, but for those of None and its like."""
        if rebuild.path_of(value) is not None:
            self.save_global(value)
        else:
            super().save_type(value)

    def save_function(self, value):
        """Functions."""
        self.save_global(value)

    def save_storage_type(self, value):
        """Names that stand for themselves."""
        self.save_global(value)

    dispatch = pickle._Pickler.dispatch.copy()
    dispatch[type] = save_type
    dispatch[type(lambda: None)] = save_function
    dispatch[storage_types.StorageType] = save_storage_type
    simple = dict(zip(_SIMPLE, map(dispatch.get, _SIMPLE), strict=True))


def pickled(value, protocol, pickle_module, storages):
    """The pickle of `value` as bytes; its storages are put into `storages`."""
    content = io.BytesIO()
    if pickle_module is None or pickle_module is pickle:
        _Pickler(content, protocol, storages).dump(value)
        return content.getbuffer()

    # Others know functions and classes by names of their own, so this library alone reads them.
    class Pickler(_Persistent, pickle_module.Pickler):
        pass

    pickler = Pickler(content, protocol=protocol)
    pickler._storages = storages
    pickler.dump(value)
    return content.getbuffer()


def _reduced(tensor):
    """What makes a tensor again, as pickle's __reduce__ says it."""
    cls = type(tensor)
    if isinstance(tensor, (UninitializedParameter, UninitializedBuffer)):
        return NotImplemented
    if cls.__reduce_ex__ not in (_C.Tensor.__reduce_ex__, Parameter.__reduce_ex__):
        return NotImplemented  # the class says by itself how it is pickled
    if cls.__reduce__ is not _C.Tensor.__reduce__:
        return NotImplemented
    state, slots = tensor.__dict__, _slots(tensor)
    if slots:
        state = (state, slots)
    _warn_of_hooks(tensor)
    if cls is Parameter:
        arguments = (tensor.detach(), tensor.requires_grad, OrderedDict())
        if state:
            return rebuild.parameter_with_state, (*arguments, state)
        return rebuild.parameter, arguments
    function, arguments = _plain(tensor)
    if cls is _C.Tensor and not state:
        return function, arguments
    return rebuild.tensor_of_class, (function, cls, arguments, state)


def _plain(tensor):
    dtype, size, stride = tensor.dtype, tuple(tensor.shape), tuple(tensor.stride())
    needs = tensor.requires_grad
    if tensor.device.type == "meta":
        return rebuild.meta_tensor, (dtype, size, stride, needs)
    storage = _StorageOf(tensor)
    offset = tensor.storage_offset()
    if dtype in storage_types.BY_DTYPE:
        return rebuild.tensor, (storage, offset, size, stride, needs, OrderedDict())
    arguments = (storage, offset, size, stride, needs, OrderedDict(), dtype)
    return rebuild.tensor_of_dtype, arguments

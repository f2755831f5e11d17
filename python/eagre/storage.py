"""Storages: the memory behind tensors, as bytes or as numbers of one dtype."""

import eagre
from eagre import _C


class UntypedStorage:
    """The bytes behind a tensor. `storage[i]` is a byte; slices are copies."""

    def __init__(self, size=0, *, device=None):
        values = [0] * size if isinstance(size, int) else list(size)
        self._bytes = eagre.tensor(values, dtype=eagre.uint8, device=device)

    @classmethod
    def _of(cls, tensor):
        storage = cls.__new__(cls)
        storage._bytes = _C._storage_bytes(tensor)
        return storage

    def __len__(self):
        return self._bytes.numel()

    def __getitem__(self, index):
        part = self._bytes[index]
        return UntypedStorage(part.tolist()) if isinstance(index, slice) else part.item()

    def __setitem__(self, index, value):
        self._bytes[index] = value

    def __iter__(self):
        return iter(self._bytes.tolist())

    def __eq__(self, other):
        if not isinstance(other, UntypedStorage):
            return NotImplemented
        return self.data_ptr() == other.data_ptr() and len(self) == len(other)

    __hash__ = object.__hash__

    def __repr__(self):
        values = "\n ".join(str(value) for value in self._bytes.tolist())
        return (
            f" {values}\n[eagre.storage.UntypedStorage(device={self.device}) of size {len(self)}]"
        )

    def size(self):
        """The number of bytes."""
        return len(self)

    def nbytes(self):
        """The number of bytes."""
        return len(self)

    def element_size(self):
        """1."""
        return 1

    @property
    def device(self):
        """Where the memory is."""
        return self._bytes.device

    @property
    def is_cuda(self):
        """False."""
        return self.device.type == "cuda"

    @property
    def _cdata(self):
        return self.data_ptr()

    def data_ptr(self):
        """The address of the first byte."""
        return self._bytes.data_ptr()

    def tolist(self):
        """All bytes as ints."""
        return self._bytes.tolist()

    def fill_(self, value):
        """Sets every byte."""
        self._bytes.fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        """Takes over the bytes of another storage of the same size."""
        self._bytes.copy_(source._bytes)
        return self

    def clone(self):
        """A copy."""
        copy = UntypedStorage.__new__(UntypedStorage)
        copy._bytes = self._bytes.clone()
        return copy

    def cpu(self):
        """In host memory."""
        return self if self.device.type == "cpu" else UntypedStorage._of(self._bytes.cpu())

    def resize_(self, size):
        """Gives the storage so many bytes. It can only grow."""
        if size < len(self):
            raise NotImplementedError(
                f"resize_(): a storage of {len(self)} bytes cannot shrink to {size}"
            )
        self._bytes.resize_(size)
        return self

    def is_shared(self):
        """Is this memory shared between processes?"""
        return is_shared(self._bytes)

    def share_memory_(self):
        """Memory does not move under the tensors that look at it."""
        if not self.is_shared():
            raise NotImplementedError(
                "share_memory_(): memory does not move under the tensors that look at it. Hint: "
                "tensor.share_memory_() moves a tensor"
            )
        return self

    @classmethod
    def _new_shared(cls, size, *, device="cpu"):
        from eagre import _shared_memory

        if size == 0:
            return cls(0)
        return cls._of(_shared_memory.allocate(size))

    def is_pinned(self, device=None):
        """False."""
        return False

    def as_tensor(self, dtype):
        """A vector of `dtype` on this memory."""
        return _C._tensor_on_storage(self._bytes, dtype, 0, (len(self) // dtype.itemsize,), (1,))


class TypedStorage:
    """The memory behind a tensor as numbers of one dtype."""

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None):
        self.dtype = eagre.get_default_dtype() if dtype is None else dtype
        if wrap_storage is None:
            if args and not isinstance(args[0], int):
                wrap_storage = UntypedStorage._of(eagre.tensor(list(args[0]), dtype=self.dtype))
            else:
                wrap_storage = UntypedStorage((args[0] if args else 0) * self.dtype.itemsize)
        self._untyped_storage = wrap_storage

    def untyped(self):
        """The bytes."""
        return self._untyped_storage

    def as_tensor(self, dtype=None):
        """A vector on this memory."""
        return self._untyped_storage.as_tensor(dtype or self.dtype)

    def __len__(self):
        return len(self._untyped_storage) // self.dtype.itemsize

    def __getitem__(self, index):
        if not isinstance(index, int):
            raise RuntimeError("slices of a typed storage are only supported of its untyped() one")
        return self.as_tensor()[index].item()

    def __setitem__(self, index, value):
        self.as_tensor()[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __eq__(self, other):
        if not isinstance(other, TypedStorage):
            return NotImplemented
        return self._untyped_storage == other._untyped_storage and self.dtype is other.dtype

    __hash__ = object.__hash__

    def __repr__(self):
        values = "\n ".join(str(value) for value in self.tolist())
        return (
            f" {values}\n[eagre.storage.TypedStorage(dtype={self.dtype}, device={self.device}) "
            f"of size {len(self)}]"
        )

    def size(self):
        """The number of elements."""
        return len(self)

    def nbytes(self):
        """The number of bytes."""
        return len(self._untyped_storage)

    def element_size(self):
        """Bytes of one element."""
        return self.dtype.itemsize

    @property
    def device(self):
        """Where the memory is."""
        return self._untyped_storage.device

    @property
    def is_cuda(self):
        """False."""
        return self._untyped_storage.is_cuda

    def data_ptr(self):
        """The address of the first byte."""
        return self._untyped_storage.data_ptr()

    def tolist(self):
        """All numbers."""
        return self.as_tensor().tolist()

    def fill_(self, value):
        """Sets every element."""
        self.as_tensor().fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        """Takes over the numbers of another storage, converted."""
        self.as_tensor().copy_(source.as_tensor())
        return self

    def clone(self):
        """A copy."""
        return TypedStorage(wrap_storage=self._untyped_storage.clone(), dtype=self.dtype)

    def is_shared(self):
        """Is this memory shared between processes?"""
        return self._untyped_storage.is_shared()


def is_storage(obj):
    """True for storages."""
    return isinstance(obj, (UntypedStorage, TypedStorage))


# --- methods of Tensor ---


def untyped_storage(self):
    """The bytes behind this tensor."""
    return UntypedStorage._of(self)


def storage(self):
    """The memory behind this tensor, as numbers of its dtype."""
    return TypedStorage(wrap_storage=UntypedStorage._of(self), dtype=self.dtype)


def storage_type(self):
    """The type of storage()."""
    return TypedStorage


def is_shared(self):
    """Is the memory of this tensor shared between processes?"""
    import sys

    shared_memory = sys.modules.get("eagre._shared_memory")  # without it nothing was shared
    return shared_memory is not None and shared_memory.is_shared(self)


def share_memory_(self):
    """Moves the tensor into memory that processes share: those that are forked from now on, or that
    get it through eagre.multiprocessing, see what is written to it. Views that were taken before
    stay where they are."""
    from eagre import _shared_memory

    _shared_memory.move(self)
    return self


def set_(self, source=None, storage_offset=0, size=None, stride=None):
    """Looks at the memory of a tensor or storage: as the tensor does, or from `storage_offset` on
    with these sizes and strides. Without a source, at none."""
    if source is None:
        source = UntypedStorage(device=self.device)
    if size is None and isinstance(source, eagre.Tensor):
        return _C._set_to(self, source)
    if isinstance(source, TypedStorage):
        if source.dtype != self.dtype:
            raise RuntimeError(
                f"set_(): Expected a Storage of {self.dtype} or an UntypedStorage, but got one of "
                f"{source.dtype}"
            )
        source = source.untyped()
    elif isinstance(source, eagre.Tensor):
        source = untyped_storage(source)
    elif not isinstance(source, UntypedStorage):
        raise TypeError(
            f"set_(): argument 'source' must be a Tensor or a storage, but got {type(source)}"
        )
    if size is None:
        size = (len(source) // self.element_size() - storage_offset,)
    if stride is None:
        stride = eagre.empty(size, device="meta").stride()
    looks = _C._tensor_on_storage(source._bytes, self.dtype, storage_offset, size, stride)
    return _C._set_to(self, looks)


def is_set_to(self, tensor):
    """True if both tensors look at the same memory in the same way."""
    mine = untyped_storage(self)
    if mine.data_ptr() == 0:  # tensors without memory share none
        return self is tensor
    return (
        mine == untyped_storage(tensor)
        and self.storage_offset() == tensor.storage_offset()
        and self.shape == tensor.shape
        and self.stride() == tensor.stride()
    )

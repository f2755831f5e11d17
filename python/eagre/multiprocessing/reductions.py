"""How tensors are pickled for other processes: as handles of shared memory."""

from multiprocessing.reduction import ForkingPickler

from eagre import _C, _pickle, _shared_handles, _shared_memory
from eagre.nn.parameter import Buffer, Parameter

# Smaller tensors of loaders' workers go through the pipe with the message.
_SMALL = 2048

REFUSAL = (
    "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not "
    "support crossing process boundaries. If you just want to transfer the data, call detach() on "
    "the tensor before serializing (e.g., putting it on the queue)."
)


def init_reductions() -> None:
    """Registers the tensor classes with the pickler of multiprocessing."""
    for cls in (_C.Tensor, Parameter, Buffer):
        ForkingPickler.register(cls, reduce_tensor)


def reduce_tensor(tensor):
    """The tensor moves into shared memory, if it is not there, and a handle of that is sent."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(REFUSAL)
    if tensor.device.type != "cpu" or tensor.numel() == 0:
        return _pickle.reduced(tensor, 2)
    _pickle._warn_of_hooks(tensor)
    _shared_memory.move(tensor)
    arguments = (*_shared(tensor), tensor.requires_grad, True)
    state = tensor.__dict__ or None
    return (rebuild_tensor, arguments) if state is None else (rebuild_tensor, arguments, state)


def reduce_of_worker(tensor):
    """What a worker of a loader makes is nobody else's: it is copied, without what it is part of,
    and the receiver need not be able to send it on."""
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError(REFUSAL)
    if tensor.device.type != "cpu":
        return _pickle.reduced(tensor, 2)
    bare = tensor.detach()
    file = _shared_memory.file_of(_C._storage_bytes(bare))
    if file is not None:
        return rebuild_tensor, (*_shared(tensor), tensor.requires_grad, False)
    packed = bare.contiguous()
    size = packed.numel() * packed.element_size()
    start = packed.storage_offset() * packed.element_size()
    content = memoryview(_C._storage_bytes(packed))[start : start + size]
    shape = tuple(packed.shape)
    if size <= _SMALL:
        return rebuild_small, (
            type(tensor), bytes(content), packed.dtype, shape, tensor.requires_grad
        )  # fmt: skip
    handle = _shared_handles.send(_shared_memory.written(content), size)
    geometry = packed.dtype, 0, shape, tuple(packed.stride())
    return rebuild_tensor, (type(tensor), handle, size, *geometry, tensor.requires_grad, False)


def _shared(tensor):
    storage = _C._storage_bytes(tensor.detach())
    size = storage.numel()
    handle = _shared_handles.send(_shared_memory.file_of(storage), size)
    return (type(tensor), handle, size, *_pickle._geometry(tensor))


def rebuild_tensor(cls, handle, bytes_, dtype, offset, size, stride, requires_grad, keep_file):
    """The tensor on the memory of the handle."""
    storage = _shared_handles.receive(handle, bytes_, keep_file)
    made = _C._tensor_on_storage(storage, dtype, offset, size, stride)
    return _pickle._finished(cls, made, requires_grad)


def rebuild_small(cls, content, dtype, shape, requires_grad):
    """The tensor from its bytes."""
    made = _C.empty(shape, dtype=dtype)
    if content:
        memoryview(_C._storage_bytes(made))[:] = content
    return _pickle._finished(cls, made, requires_grad)

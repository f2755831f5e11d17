"""Writing in place to tensors that a graph has saved: they are copied right before the write."""

import contextlib
import threading
from collections import defaultdict
from weakref import WeakKeyDictionary, WeakValueDictionary

from eagre._C import _begin_write_watch, _end_write_watch, _memory_and_version
from eagre.autograd._saved_hooks import saved_tensors_hooks

_thread = threading.local()


class _Handle:
    """What a graph holds of a saved tensor; when the graph dies, so do the tensor and its copy."""

    __slots__ = ("__weakref__",)


class _MutationContext:
    """The tensors that graphs of the scope have saved: as they are, or as they were."""

    def __init__(self):
        self.original = WeakKeyDictionary()  # handle -> tensor that shares the memory
        self.cloned = WeakKeyDictionary()  # handle -> copy from before the first write
        # (memory, version) -> how it is looked at -> handle. A handle in here has its original,
        # which keeps the memory, so no other tensor can have the same key.
        self._unwritten = defaultdict(WeakValueDictionary)

    @property
    def tid_to_weakhandle(self):
        """Handles of what was not written yet, by its memory and version; PyTorch's name."""
        return self._unwritten

    def clear(self):
        """Forgets all tensors: what was recorded so far cannot run backward any more."""
        self.original.clear()
        self.cloned.clear()
        self._unwritten.clear()

    def _pack(self, tensor):
        looks = self._unwritten[_memory_and_version(tensor)]
        look = tensor.dtype, tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride())
        handle = looks.get(look)
        if handle is None:
            handle = looks[look] = _Handle()
            self.original[handle] = tensor
        return handle

    def _unpack(self, handle):
        tensor = self.cloned.get(handle)
        if tensor is None:
            tensor = self.original.get(handle)
        if tensor is None:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in "
                "which the graph was originally recorded."
            )
        return tensor

    def _before_write(self, tensor):
        looks = self._unwritten.pop(_memory_and_version(tensor), None)
        if looks is None:
            return
        for handle in looks.values():
            self.cloned[handle] = self.original.pop(handle).clone()


@contextlib.contextmanager
def allow_mutation_on_saved_tensors():
    """In this scope, tensors that were saved for backward may be written in place.

    They are copied before the first write, so that backward, which must run in the same scope,
    sees their old values. The scope gives an object that knows them: `original` and `cloned`, and
    clear(), which forgets them; the end of the scope does so too.
    """
    if getattr(_thread, "active", False):
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _MutationContext()
    with saved_tensors_hooks(context._pack, context._unpack):
        _begin_write_watch(context._before_write)
        _thread.active = True
        try:
            yield context
        finally:
            _thread.active = False
            _end_write_watch()
            context.clear()

"""Handles of hooks."""

import abc
import weakref

from eagre import _C

__all__ = ["RemovableHandle"]


class RemovableHandle(abc.ABC):
    """Takes a hook away again: what register_hook() returns is one. A program may make its own, of
    the dict that it keeps its hooks in: `hooks[handle.id] = hook`."""

    id: int
    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        dicts = [hooks_dict]
        if extra_dict is not None:
            dicts += extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self._dicts = [weakref.ref(each) for each in dicts]
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        """The hook is not called any more."""
        for reference in self._dicts:
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


RemovableHandle.register(_C._RemovableHandle)

"""Weak references to tensors, and dicts with tensors as keys that do not keep them alive.

They compare by identity: `==` of tensors compares elements.
"""

import collections.abc
import weakref

__all__ = [
    "TensorWeakRef",
    "WeakIdKeyDictionary",
    "WeakIdRef",
    "WeakTensorKeyDictionary",
]


class WeakIdRef(weakref.ref):
    """A weak reference that is equal to another one of the same living object."""

    __slots__ = ("_id",)

    def __init__(self, key, callback=None):
        super().__init__(key, callback)
        self._id = id(key)

    def __call__(self):
        return super().__call__()

    def __hash__(self):
        return self._id

    def __eq__(self, other):
        a, b = self(), other()
        return a is b if a is not None and b is not None else self is other


class TensorWeakRef:
    """A weak reference to a tensor."""

    def __init__(self, tensor):
        self.ref = WeakIdRef(tensor)

    def __call__(self):
        return self.ref()


class WeakIdKeyDictionary(collections.abc.MutableMapping):
    """A dict whose entries go with their keys, which are told apart by identity."""

    def __init__(self, dict=None, ref_type=WeakIdRef):
        self.ref_type = ref_type
        self.data = {}
        own = weakref.ref(self)

        def forget(reference):
            living = own()
            if living is not None:
                living.data.pop(reference, None)

        self._forget = forget
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self.data[self.ref_type(key)]

    def __setitem__(self, key, value):
        self.data[self.ref_type(key, self._forget)] = value

    def __delitem__(self, key):
        del self.data[self.ref_type(key)]

    def __contains__(self, key):
        try:
            return self.ref_type(key) in self.data
        except TypeError:  # what cannot be referred to weakly is not here
            return False

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"

    def copy(self):
        """Another one with the same entries."""
        return type(self)(self, ref_type=self.ref_type)

    __copy__ = copy

    def keyrefs(self):
        """The weak references to the keys."""
        return list(self.data)


WeakTensorKeyDictionary = WeakIdKeyDictionary

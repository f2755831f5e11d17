"""Lists and dicts of parameters, which may hold other things too."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping

from eagre import _C
from eagre._tensor_attributes import typename
from eagre.nn.modules.module import Module
from eagre.nn.parameter import Parameter

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


def _as_member(value):
    """Plain tensors become parameters."""
    if isinstance(value, _C.Tensor) and not isinstance(value, Parameter):
        return Parameter(value)
    return value


def _line(name, value, kind_of):
    if not isinstance(value, _C.Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    shape = "x".join(str(size) for size in value.shape)
    place = f" ({value.device})" if value.device.type not in ("cpu", "meta") else ""
    return f"  ({name}): {kind} containing: [{kind_of(value)} of size {shape}{place}]"


class ParameterList(Module):
    """A list whose parameters are known to the module that it belongs to. Tensors become
    parameters; other values stay what they are."""

    def __init__(self, values: Iterable | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def _name_of(self, index):
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return str(index % len(self))

    def __getitem__(self, idx) -> Any:
        if isinstance(idx, slice):
            made = type(self)()
            for i in range(*idx.indices(len(self))):
                made.append(self[i])
            return made
        return getattr(self, self._name_of(idx))

    def __setitem__(self, idx, param):
        setattr(self, self._name_of(idx), _as_member(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, parameters):
        return self.extend(parameters)

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value) -> Self:
        """Adds a value at the end."""
        self._size += 1
        self[len(self) - 1] = value
        return self

    def extend(self, values) -> Self:
        """Adds values at the end."""
        if not isinstance(values, Iterable) or isinstance(values, _C.Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                + type(values).__name__
            )
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return "\n".join(_line(i, one, lambda tensor: tensor.dtype) for i, one in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict whose parameters are known to the module that it belongs to. Tensors become
    parameters; other values stay what they are. It keeps the order in which they came."""

    def __init__(self, parameters=None) -> None:
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    @staticmethod
    def _attribute(key):
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is "
                f"not a string (type is '{type(key).__name__}'). Open an issue on "
                "github if you need non-string keys."
            )
        return key

    def __getitem__(self, key) -> Any:
        return getattr(self, self._attribute(key))

    def __setitem__(self, key, value):
        attribute = self._attribute(key)
        self._keys[key] = None
        setattr(self, attribute, _as_member(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._attribute(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        """Another with the same values."""
        return ParameterDict((key, self[key]) for key in self)

    def setdefault(self, key, default=None):
        """The value of `key`; `default`, which it then gets, if it has none."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Removes all."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key) -> Any:
        """Takes the value of `key` out and returns it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        """Takes the last key and value out and returns them."""
        key, _ = self._keys.popitem()
        self._keys[key] = None
        return key, self.pop(key)

    def get(self, key, default=None):
        """The value of `key`, or `default`."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys, default=None):
        """Another with these keys, which all have the value `default`."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> Any:
        """The keys."""
        return self._keys.keys()

    def items(self) -> Any:
        """Keys and values."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Any:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters) -> None:
        """Adds values, from a mapping or from pairs of keys and values."""
        if not isinstance(parameters, Iterable):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but "
                "got " + type(parameters).__name__
            )
        if isinstance(parameters, (Mapping, ParameterDict)):
            pairs = list(parameters.items())
            if isinstance(parameters, dict) and not hasattr(parameters, "move_to_end"):
                pairs.sort()
            for key, value in pairs:
                self[key] = value
            return
        for i, pair in enumerate(parameters):
            if not isinstance(pair, Iterable):
                raise TypeError(
                    f"ParameterDict update sequence element #{i} should be Iterable; "
                    f"is{type(pair).__name__}"
                )
            pair = tuple(pair)
            if len(pair) != 2:
                raise ValueError(
                    f"ParameterDict update sequence element #{i} has length {len(pair)}; 2 is "
                    "required"
                )
            self[pair[0]] = pair[1]

    def extra_repr(self) -> str:
        return "\n".join(_line(key, value, typename) for key, value in self.items())

    def __call__(self, input):
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other):
        made = other.copy()
        made.update(self)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

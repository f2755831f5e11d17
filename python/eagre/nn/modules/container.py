"""Modules that hold modules: one after the other, in a list, or by name."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from eagre.nn.modules._parameter_containers import ParameterDict, ParameterList
from eagre.nn.modules.module import Module, _indented

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

__all__ = [
    "Container",
    "ModuleDict",
    "ModuleList",
    "ParameterDict",
    "ParameterList",
    "Sequential",
]


class Container(Module):
    """An old name: a module with the modules given by name."""

    def __init__(self, **kwargs) -> None:
        super().__init__()
        import warnings

        warnings.warn(
            "nn.Container is deprecated. All of it's functionality is now implemented in "
            "nn.Module. Subclass that instead.",
            FutureWarning,
            stacklevel=2,
        )
        for name, module in kwargs.items():
            self.add_module(name, module)


class _Ordered(Module):
    """Modules under the names "0", "1", …"""

    def _name_of(self, index):
        """The name of the module at this index, which may be negative."""
        size = len(self)
        index = operator.index(index)
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of range")
        return next(islice(self._modules, index % size, None))

    def _renumber(self):
        modules = list(self._modules.values())
        self._modules.clear()
        self._modules.update((str(i), module) for i, module in enumerate(modules))

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __dir__(self):
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, module) -> Self:
        """Adds a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key) -> Any:
        """Takes the module at this index out and returns it."""
        module = self[key]
        del self[key]
        return module


class Sequential(_Ordered):
    """Calls modules one after the other, each with what the one before returned. Takes modules, or
    a dict of them.

    >>> eagre.nn.Sequential(eagre.nn.Flatten(), eagre.nn.ReLU())(eagre.tensor([[[1., -2.]]]))
    tensor([[1., 0.]])
    """

    def __init__(self, *args) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named = args[0].items()
        else:
            named = ((str(i), module) for i, module in enumerate(args))
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, idx) -> Any:
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._name_of(idx)]

    def __setitem__(self, idx, module):
        setattr(self, self._name_of(idx), module)

    def __delitem__(self, idx):
        if isinstance(idx, slice):
            for name in list(self._modules)[idx]:
                delattr(self, name)
        else:
            delattr(self, self._name_of(idx))
        self._renumber()

    def __add__(self, other):
        _expect_sequential("add", self, other)
        made = Sequential()
        for module in (*self, *other):
            made.append(module)
        return made

    def __iadd__(self, other):
        _expect_sequential("add", self, other)
        return self.extend(list(other))

    def __mul__(self, other):
        _expect_count(self, other)
        return Sequential(*(module for _ in range(other) for module in self))

    def __rmul__(self, other):
        return self.__mul__(other)

    def __imul__(self, other):
        _expect_count(self, other)
        modules = list(self)
        for _ in range(other - 1):
            self.extend(modules)
        return self

    def extend(self, sequential) -> Self:
        """Adds the modules of another sequence at the end."""
        for module in list(sequential):
            self.append(module)
        return self

    def insert(self, index, module) -> Any:
        """Puts a module in front of the one at this index."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        size = len(self)
        if not -size <= index <= size:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index if index >= 0 else index + size, module)
        self._modules.clear()
        self._modules.update((str(i), one) for i, one in enumerate(modules))
        return self


def _expect_sequential(verb, own, other):
    if not isinstance(other, Sequential):
        raise ValueError(
            f"{verb} operator supports only objects of Sequential class, but {type(other)} is "
            "given."
        )


def _expect_count(own, other):
    if not isinstance(other, int):
        raise TypeError(f"unsupported operand type(s) for *: {type(own)} and {type(other)}")
    if other <= 0:
        raise ValueError(f"Non-positive multiplication factor {other} for {type(own)}")


class ModuleList(_Ordered):
    """A list whose modules are known to the module that it belongs to."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, idx) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[self._name_of(idx)]

    def __setitem__(self, idx, module):
        setattr(self, self._name_of(idx), module)

    def __delitem__(self, idx):
        if isinstance(idx, slice):
            for name in list(self._modules)[idx]:
                delattr(self, name)
        else:
            delattr(self, self._name_of(idx))
        self._renumber()

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList([*self, *other])

    def insert(self, index, module) -> Any:
        """Puts a module in front of the one at this index."""
        modules = list(self)
        modules.insert(index, module)
        self._modules.clear()
        for i, one in enumerate(modules):
            self.add_module(str(i), one)

    def extend(self, modules) -> Self:
        """Adds modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                + type(modules).__name__
            )
        offset = len(self)
        for i, module in enumerate(list(modules)):
            self.add_module(str(offset + i), module)
        return self

    def __repr__(self) -> str:
        """Equal modules that follow each other are printed once."""
        texts = [repr(module) for module in self]
        if not texts:
            return f"{self._get_name()}()"
        lines, start = [], 0
        for i, text in enumerate(texts):
            if i + 1 < len(texts) and texts[i + 1] == text:
                continue
            count = i - start + 1
            place = f"({start}): " if count == 1 else f"({start}-{i}): {count} x "
            lines.append(place + _indented(text))
            start = i + 1
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"

    forward = Module.forward


class ModuleDict(Module):
    """A dict whose modules are known to the module that it belongs to."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key) -> Any:
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self) -> None:
        """Removes all modules."""
        self._modules.clear()

    def pop(self, key) -> Any:
        """Takes the module of this name out and returns it."""
        module = self[key]
        del self[key]
        return module

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Names and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules) -> None:
        """Adds modules, from a mapping or from pairs of names and modules."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                + type(modules).__name__
            )
        if isinstance(modules, (Mapping, ModuleDict)):
            for key, module in modules.items():
                self[key] = module
            return
        for i, pair in enumerate(modules):
            if not isinstance(pair, Iterable):
                raise TypeError(
                    f"ModuleDict update sequence element #{i} should be Iterable; "
                    f"is{type(pair).__name__}"
                )
            pair = tuple(pair)
            if len(pair) != 2:
                raise ValueError(
                    f"ModuleDict update sequence element #{i} has length {len(pair)}; 2 is required"
                )
            self[pair[0]] = pair[1]

    forward = Module.forward

"""Operators of users' libraries, by namespace and name: eagre.ops.my.op(x), as torch.ops has them.

They are registered in C++ (docs/custom-operators.md) and stay for the life of the process.
"""

import os as _os

from eagre import _C

__all__ = ["load_library"]

_namespaces = {}


def load_library(path):
    """Loads the operators of a shared library. Loading it again does nothing."""
    _C._load_library(_os.fsdecode(path))


def _names(namespace):
    prefix = f"{namespace}::"
    return [name.removeprefix(prefix) for name in _C._op_names() if name.startswith(prefix)]


class _Namespace:
    """The operators of one namespace."""

    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, name):
        if name.startswith("__"):  # a question of Python's, perhaps before there is a __name__
            raise AttributeError(name)
        if name not in _names(self.__name__):
            known = ", ".join(_names(self.__name__))
            raise AttributeError(
                f"there is no operator '{self.__name__}::{name}'; there are: {known}"
            )
        op = _C._find_op(f"{self.__name__}::{name}")
        setattr(self, name, op)  # the next time it is found without asking
        return op

    def __dir__(self):
        return _names(self.__name__)

    def __repr__(self):
        return f"<eagre.ops.{self.__name__}: {', '.join(_names(self.__name__))}>"


def _known():
    return sorted({name.partition("::")[0] for name in _C._op_names()})


def __getattr__(name):
    if name not in _known():
        raise AttributeError(
            f"module 'eagre.ops' has no namespace '{name}'. Hint: eagre.ops.load_library(path) "
            "loads the library that registers its operators"
        )
    return _namespaces.setdefault(name, _Namespace(name))


def __dir__():
    return [*__all__, *_known()]

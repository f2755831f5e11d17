"""Names of a module that are imported when they are asked for."""

import importlib

from eagre import _unsupported


def late(namespace, places, modules=()):
    """The __getattr__ of the module with this namespace: `places` says in which module below it a
    name stands, `modules` are such themselves. What is asked for stays; any other name is the error
    that explains it."""
    owner = namespace["__name__"]

    def find(name):
        if name in places:
            value = getattr(importlib.import_module(f"{owner}.{places[name]}"), name)
        elif name in modules:
            value = importlib.import_module(f"{owner}.{name}")
        else:
            raise _unsupported.error(owner, name)
        namespace[name] = value
        return value

    return find

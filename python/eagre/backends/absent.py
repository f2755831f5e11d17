"""A backend that is not there: its switches can be set, and change nothing."""

import sys
import types


class AbsentBackend(types.ModuleType):
    """A module whose `switches` are attributes of fixed types; others are unknown."""

    def __init__(self, name, doc, switches, **functions):
        super().__init__(name, doc)
        self.__dict__.update(switches, **functions)
        self.__dict__["_switches"] = switches

    def __setattr__(self, name, value):
        if not name.startswith("__") and name not in self._switches:
            raise AttributeError(
                f"{self.__name__} has no setting '{name}'; they are: {list(self._switches)}"
            )
        super().__setattr__(name, value)


def install(module_name, switches, **functions):
    """Puts such a module in the place of the one that is being imported."""
    module = sys.modules[module_name]
    backend = AbsentBackend(module_name, module.__doc__, switches, **functions)
    backend.__spec__, backend.__file__ = module.__spec__, module.__file__
    sys.modules[module_name] = backend

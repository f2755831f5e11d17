"""The classes of layers, by file; eagre.nn has them all."""

from eagre._late_names import late as _late
from eagre.nn.modules._names import MODULES as _MODULES
from eagre.nn.modules._names import PLACES as _PLACES

__all__ = sorted(_PLACES)


globals()["__getattr__"] = _late(globals(), _PLACES, _MODULES)  # unseen by type checkers

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.nn.modules._all import *  # noqa: F403


def __dir__():
    return [*__all__, *_MODULES]

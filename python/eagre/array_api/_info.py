"""What the namespace says of itself."""

import eagre
from eagre import _finfo
from eagre.array_api._dtypes import ALL, KINDS


class Info:
    def capabilities(self):
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 64,
        }

    def default_device(self):
        return eagre.get_default_device()

    def default_dtypes(self, *, device=None):
        floating = eagre.get_default_dtype()
        is_double = floating == eagre.float64
        return {
            "real floating": floating,
            "complex floating": eagre.complex128 if is_double else eagre.complex64,
            "integral": eagre.int64,
            "indexing": eagre.int64,
        }

    def devices(self):
        return (eagre.device("cpu"),)

    def dtypes(self, *, device=None, kind=None):
        if kind is None:
            chosen = ALL
        else:
            kinds = kind if isinstance(kind, tuple) else (kind,)
            chosen = [dtype for each in kinds for dtype in KINDS[each]]
        return {str(dtype).removeprefix("eagre."): dtype for dtype in chosen}


def _limits(function, name):
    """The function of eagre, for arrays too, and with a dtype that is one, not its name."""

    class Limits(function):
        __slots__ = ()

        def __init__(self, type, /):
            super().__init__(type.dtype if isinstance(type, eagre.Tensor) else type)
            self.dtype = getattr(eagre, self.dtype)

    Limits.__name__ = Limits.__qualname__ = name
    Limits.__doc__ = f"`{name}` of the array API standard."
    return Limits


finfo, iinfo = _limits(_finfo.finfo, "finfo"), _limits(_finfo.iinfo, "iinfo")


def __array_namespace_info__():  # noqa: N807  the name of the standard
    return Info()

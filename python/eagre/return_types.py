"""The types of results with names: `eagre.return_types.max` is that of `eagre.max(x, dim)`.

A type is made when its operator first returns, or when it is asked for here.
"""

from eagre import _C


def __getattr__(name):
    if name == "all_return_types":
        return [*_C._result_types().values()]
    try:
        return _C._result_types()[name]
    except KeyError:
        message = f"module {__name__!r} has no attribute {name!r}: no operator of this name "
        raise AttributeError(message + "returns several results with names") from None


def __dir__():
    return sorted({*globals(), *_C._result_types()})

"""Functions under the name by which layers of networks call them: `_VF.lstm` is `eagre.lstm`."""  # noqa: N999

import eagre


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(eagre, name)


def __dir__():
    return dir(eagre)

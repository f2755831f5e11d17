"""Process-wide switches."""

from eagre import _C


def set_flags(flags):
    """Sets switches of the library: set_flags({"kernel_fallback": False})."""
    for name, value in flags.items():
        _C._set_flag(name, value)


def get_flags(flags):
    """The values of switches, as a dict; `flags` is a name or a list of names."""
    names = [flags] if isinstance(flags, str) else flags
    return {name: _C._get_flag(name) for name in names}

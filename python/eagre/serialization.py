"""Files of tensors: save(), load(), what load() lets files name, and how it reads them."""

from __future__ import annotations

import enum
import mmap as _mmap

from eagre import storage as _storage
from eagre import types as _types
from eagre._files.allowed import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from eagre._files.inspection import get_unsafe_globals_in_checkpoint
from eagre._files.load import load
from eagre._files.places import default_restore_location, location_tag, register_package
from eagre._files.save import save

__all__ = [
    "DEFAULT_PROTOCOL",
    "MAP_PRIVATE",
    "MAP_SHARED",
    "LoadEndianness",
    "add_safe_globals",
    "clear_safe_globals",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "location_tag",
    "register_package",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
]

DEFAULT_PROTOCOL = 2
MAP_PRIVATE = _mmap.MAP_PRIVATE
MAP_SHARED = _mmap.MAP_SHARED
FileLike = _types.FileLike
Storage = _storage.UntypedStorage

_mmap_options = MAP_PRIVATE


class LoadEndianness(enum.Enum):
    """Orders of the bytes of a number."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


def get_default_load_endianness() -> LoadEndianness | None:
    """The order of bytes in files that do not say theirs: the machine's."""
    return


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Accepts the only order there is."""
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    if endianness is LoadEndianness.BIG:
        raise NotImplementedError(
            "set_default_load_endianness(): only files of little-endian machines are read"
        )


def get_crc32_options() -> bool:
    """True: files have check sums."""
    return True


def set_crc32_options(compute_crc32: bool) -> None:
    """Accepts True: files always have check sums, which cost little."""
    if not compute_crc32:
        import warnings

        warnings.warn("set_crc32_options(False): files have check sums all the same", stacklevel=2)


def get_default_mmap_options() -> int:
    """MAP_PRIVATE or MAP_SHARED: how load(mmap=True) maps files."""
    return _mmap_options


class set_default_mmap_options:  # noqa: N801  PyTorch's name
    """Says how load(mmap=True) maps files: MAP_PRIVATE, so that what is written to tensors is seen
    by this process alone, or MAP_SHARED, so that it is written to the file. As a context manager
    it does so within the block."""

    def __init__(self, flags: int) -> None:
        global _mmap_options
        if flags not in (MAP_PRIVATE, MAP_SHARED):
            raise ValueError(
                "Invalid argument in function set_default_mmap_options, expected mmap.MAP_PRIVATE "
                f"or mmap.MAP_SHARED, but got {flags}"
            )
        self._before, _mmap_options = _mmap_options, flags

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        global _mmap_options
        _mmap_options = self._before

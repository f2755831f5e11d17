"""load(): objects with tensors from files that save() or PyTorch wrote."""

from __future__ import annotations

import pickle
import warnings

import eagre
from eagre import _C
from eagre._files import legacy, weights_unpickler
from eagre._files.archive_reader import ArchiveReader, corrupt
from eagre._files.full_unpickler import full_unpickler
from eagre._files.places import Places
from eagre._files.sources import opened

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

    from eagre.types import FileLike


def load(
    f: FileLike,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """load(f, map_location=None, *, weights_only=True, mmap=None) -> object

    Reads what save() or PyTorch's save() wrote. `f` is a path, or a file object that can seek.
    With `weights_only`, the default, it reads tensors and plain data and runs no code that the file
    names; False runs any code, as Python's pickle does: only for files from a source you trust.
    `map_location` says where storages go: a device, a dict of devices, or a function of storage and
    location. With `mmap` the tensors lie over the file, which is read when they are.
    """
    weights_only = _choice(weights_only, pickle_module)
    places = Places(map_location)
    mapped, shared = bool(mmap), False
    if mapped:
        from eagre import serialization

        shared = serialization.get_default_mmap_options() == serialization.MAP_SHARED
    source, own = opened(f, mapped, shared)
    try:
        head = source.read(0, min(4, source.size))
        if len(head) == 0:
            raise EOFError("load(): the file is empty")
        if not weights_only:
            unpickle = full_unpickler(pickle_module or pickle, pickle_load_args)
        else:
            if pickle_load_args:
                warnings.warn("pickle_load_args only works if `weights_only=False`.", stacklevel=2)
            unpickle = weights_unpickler.load
        if head != b"PK\3\4":
            if mapped:
                raise RuntimeError(
                    "mmap can only be used with files that are zip archives. "
                    "Hint: save(load(f), f) writes one"
                )
            return legacy.load(source, places, unpickle)
        return _Archive(ArchiveReader(source), places, mapped, shared).load(unpickle)
    finally:
        source.close()
        if own is not None:
            own.close()


def _choice(weights_only, pickle_module):
    """True unless the caller says otherwise, or a variable of the environment as in PyTorch."""
    from os import environ

    def is_set(name):
        return environ.get(name, "0").lower() in ("1", "y", "yes", "true")

    forced = is_set("TORCH_FORCE_WEIGHTS_ONLY_LOAD")
    if forced:
        weights_only = True
    elif weights_only is None:
        weights_only = pickle_module is None and not is_set("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
    if weights_only and pickle_module is not None:
        raise RuntimeError(
            "Can not safely load weights when explicit pickle_module is specified. "
            "Hint: weights_only=False"
        )
    return weights_only


class _Archive:
    """An archive that is being loaded: each storage is read once."""

    def __init__(self, reader, places, mapped, shared):
        self._reader = reader
        self._places = places
        self._mapped = mapped
        self._shared = shared
        self._root = root_of(reader)
        self._storages = {}
        self._check_byteorder()

    def load(self, unpickle):
        content = self._reader.read(f"{self._root}/data.pkl")
        return unpickle(content, self._persistent)[0]

    def _check_byteorder(self):
        name = f"{self._root}/byteorder"
        if name not in self._reader:
            return
        order = bytes(self._reader.read(name)) if self._reader.size(name) < 16 else b""
        if order != b"little":
            raise ValueError(
                f"load(): the file has the byte order {order.decode(errors='replace')!r}, and only "
                "'little' is read. Hint: load and save it on a machine of that kind with PyTorch"
            )

    def _persistent(self, place):
        _, kind, key, location, count = place[:5]
        found = self._storages.get(key)
        if found is None:
            found = self._storages[key] = self._places.moved(
                self._read(key, count * kind.itemsize), location
            )
            if not isinstance(found, (eagre.UntypedStorage, eagre.TypedStorage)):
                raise TypeError(f"map_location gave no storage, but {type(found).__name__}")
        if isinstance(found, eagre.TypedStorage):
            found = found.untyped()
        if len(found) != count * kind.itemsize:
            raise corrupt(f"storage '{key}' has {len(found)} bytes in one place and "
                          f"{count * kind.itemsize} in another")  # fmt: skip
        if kind.dtype is None:
            return found
        return eagre.TypedStorage(wrap_storage=found, dtype=kind.dtype)

    def _read(self, key, size):
        name = f"{self._root}/data/{key}"
        there = self._reader.size(name)
        if there != size:
            raise corrupt(f"'{name}' has {there} bytes, but {size} are expected")
        if self._places.reads_nothing():
            content = _C.empty(size, dtype=_C.uint8, device="meta")
        else:
            content = self._reader.storage(name, check=not self._mapped)
            if self._shared:
                self._reader.forget_sum(name)
        return eagre.UntypedStorage._of(content)


def root_of(reader):
    """The folder that all records of an archive are in."""
    roots = [name[:-9] for name in reader.names() if name.endswith("/data.pkl")]
    roots = [root for root in roots if "/" not in root]
    if len(roots) != 1:
        raise corrupt(f"it has {len(roots)} records data.pkl where one is expected")
    if f"{roots[0]}/constants.pkl" in reader:
        raise RuntimeError(
            "load(): this is a TorchScript archive, a compiled program, and there is no compiler. "
            "Hint: save the state_dict() of the module with PyTorch"
        )
    return roots[0]

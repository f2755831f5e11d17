"""Where storages go that are loaded: what `map_location` says, or else where they were."""

from __future__ import annotations

import eagre
from eagre import _C

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

_registered: list[Any] = []


def register_package(priority: int, tagger: Any, deserializer: Any) -> None:
    """Adds functions that know where storages are and how they get there: `tagger(storage)` gives a
    location or None, `deserializer(storage, location)` a storage or None. Those with the lowest
    `priority` are asked first."""
    _registered.append((priority, tagger, deserializer))
    _registered.sort(key=lambda entry: entry[0])


def location_tag(storage: Any) -> str:
    """The name of the place where a storage is, as files have it."""
    for _, tagger, _ in _registered:
        location = tagger(storage)
        if location is not None:
            return location
    return str(storage.device)


def default_restore_location(storage: Any, location: str) -> Any:
    """The storage at the place `location` names."""
    for _, _, deserializer in _registered:
        moved = deserializer(storage, location)
        if moved is not None:
            return moved
    if location == "cpu":
        return storage
    try:
        device = eagre.device(location)
    except RuntimeError:
        raise RuntimeError(_nowhere(location)) from None
    return _at(storage, device)


def _nowhere(location):
    if location.partition(":")[0] == "cuda":
        return (
            "Attempting to deserialize object on a CUDA device but there is none. If you are "
            "running on a CPU-only machine, please use load() with "
            "map_location=eagre.device('cpu') to map your storages to the CPU."
        )
    return f"don't know how to restore data location of UntypedStorage (tagged with {location})"


def _at(storage, device):
    untyped = storage.untyped() if isinstance(storage, eagre.TypedStorage) else storage
    if untyped.device == device:
        return storage
    if device.type == "meta":
        content = _C.empty(len(untyped), dtype=_C.uint8, device=device)
    else:
        content = untyped._bytes.to(device)
    moved = eagre.UntypedStorage._of(content)
    if untyped is storage:
        return moved
    return eagre.TypedStorage(wrap_storage=moved, dtype=storage.dtype)


class Places:
    """`map_location` as given: a device or its name, a dict of locations, or a function."""

    def __init__(self, map_location):
        self._given = map_location
        if isinstance(map_location, int) and not isinstance(map_location, bool):
            map_location = eagre.device(map_location)
        if isinstance(map_location, (str, eagre.device)):
            self._wanted = lambda storage, _: default_restore_location(storage, str(map_location))
        elif map_location is None:
            self._wanted = default_restore_location
        elif isinstance(map_location, dict):
            self._wanted = lambda storage, location: default_restore_location(
                storage, map_location.get(location, location)
            )
        elif callable(map_location):
            self._wanted = self._as_function_says
        else:
            raise TypeError(
                "load(): argument 'map_location' must be a device, its name, a dict or a function, "
                f"but got {type(map_location).__name__}"
            )

    def reads_nothing(self):
        """Is all that is loaded without memory?"""
        given = self._given
        return isinstance(given, (str, eagre.device)) and str(given) == "meta"

    def moved(self, storage, location):
        """The storage where it belongs."""
        return self._wanted(storage, location)

    def _as_function_says(self, storage, location):
        moved = self._given(storage, location)
        return default_restore_location(storage, location) if moved is None else moved

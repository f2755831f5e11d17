"""Files of PyTorch before 1.6: five pickles, then the storages one after the other."""

import eagre
from eagre._files.archive_reader import corrupt

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001


def load(source, places, unpickle):
    """The object of such a file."""
    rest = _Rest(source)
    storages = {}

    def nothing(place):
        raise corrupt("it has a storage where none belongs")

    def later(place):
        """Storages come after the pickles that refer to them: they get their bytes then."""
        _, kind, key, location, count = place[:5]
        if len(place) == 6 and place[5] is not None:
            raise RuntimeError("load(): views of storages in files before PyTorch 0.4 are not read")
        size = count * kind.itemsize
        if size > source.size:
            raise corrupt(f"storage '{key}' would have {size} bytes, more than the file")
        if key not in storages:
            if sum(len(each[0]) for each in storages.values()) + size > source.size:
                raise corrupt("its storages would have more bytes than the file")
            content = eagre._C.empty(size, dtype=eagre.uint8)
            storages[key] = (eagre.UntypedStorage._of(content), kind, location)
        found = storages[key][0]
        if len(found) != size:
            raise corrupt(f"storage '{key}' has two sizes")
        return found if kind.dtype is None else eagre.TypedStorage(
            wrap_storage=found, dtype=kind.dtype
        )  # fmt: skip

    if rest.pickle(unpickle, nothing) != _MAGIC:
        raise corrupt("it is neither a zip archive nor a file of an old PyTorch")
    if rest.pickle(unpickle, nothing) != _PROTOCOL:
        raise corrupt("it is of an unknown version")
    system = rest.pickle(unpickle, nothing)
    if not isinstance(system, dict) or system.get("little_endian") is not True:
        raise corrupt("its byte order is not 'little'")
    result = rest.pickle(unpickle, later)
    keys = rest.pickle(unpickle, nothing)
    if not isinstance(keys, list) or set(map(str, keys)) != set(storages):
        raise corrupt("its list of storages is not what its tensors refer to")
    for key in keys:
        storage, kind, location = storages[key]
        rest.fill(storage, kind.itemsize)
        if location != "cpu" or places._given is not None:
            moved = places.moved(storage, location)
            if moved is not storage:
                raise NotImplementedError(
                    "load(): map_location is not there for files before PyTorch 1.6. "
                    "Hint: save(load(f), f) writes a new one"
                )
    return result


class _Rest:
    """What is left of the file."""

    def __init__(self, source):
        self._source = source
        self._at = 0
        self._content = b""
        self._begin = 0

    def pickle(self, unpickle, persistent_load):
        if not self._content:
            self._content = bytes(self._source.read(0, self._source.size))
        value, used = unpickle(self._content[self._at :], persistent_load)
        self._at += used
        return value

    def fill(self, storage, itemsize):
        """Reads the bytes of a storage: their number, then they."""
        count = int.from_bytes(self._content[self._at : self._at + 8], "little", signed=True)
        self._at += 8
        size = len(storage)
        if count * itemsize != size or self._at + size > len(self._content):
            raise corrupt("its storages end too early")
        if size:
            memoryview(storage._bytes)[:] = self._content[self._at : self._at + size]
        self._at += size

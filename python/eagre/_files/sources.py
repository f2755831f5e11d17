"""Where bytes of files are read from: a path, a file object, memory. All can be asked for any part,
and know their length, so that no claim of a file is believed beyond it."""

import io
import mmap
import os

import eagre
from eagre import _C


class FileSource:
    """A part of an open file, from `base` to the end."""

    def __init__(self, file):
        self._file = file
        self._base = file.tell()
        self.size = max(0, file.seek(0, io.SEEK_END) - self._base)
        file.seek(self._base)

    def read(self, offset, size):
        """`size` bytes from `offset` on."""
        self._file.seek(self._base + offset)
        content = bytearray()
        while len(content) < size:
            part = self._file.read(size - len(content))
            if not part:
                raise EOFError("the file ended while it was read")
            content += part
        return content

    def read_into(self, offset, target):
        """Fills the memoryview `target`."""
        self._file.seek(self._base + offset)
        if not hasattr(self._file, "readinto"):
            target[:] = self.read(offset, len(target))
            return
        while len(target):
            count = self._file.readinto(target)
            if not count:
                raise EOFError("the file ended while it was read")
            target = target[count:]

    def storage(self, offset, size, alignment=8):
        """The bytes as a vector of uint8 in memory of its own."""
        storage = _C.empty(size, dtype=_C.uint8, device="cpu")
        if size:
            self.read_into(offset, memoryview(storage))
        return storage

    def close(self):
        """Leaves the file at its end."""
        self._file.seek(self._base + self.size)


class MappedSource:
    """A file as memory. What is written to its tensors is seen by this process alone, unless
    `shared`."""

    def __init__(self, path, shared=False):
        with open(path, "r+b" if shared else "rb") as file:
            self.size = os.fstat(file.fileno()).st_size
            access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
            self._memory = memoryview(
                mmap.mmap(file.fileno(), 0, access=access) if self.size else bytearray()
            )

    def read(self, offset, size):
        """`size` bytes from `offset` on."""
        return bytes(self._memory[offset : offset + size])

    def storage(self, offset, size, alignment=8):
        """The bytes, in place if tensors may lie there."""
        if size == 0:
            return _C.empty(0, dtype=_C.uint8, device="cpu")
        content = self._memory[offset : offset + size]
        if offset % alignment:
            storage = _C.empty(size, dtype=_C.uint8, device="cpu")
            memoryview(storage)[:] = content
            return storage
        return eagre.frombuffer(content, dtype=eagre.uint8)

    def write(self, offset, content):
        """Changes the file, if it is shared."""
        self._memory[offset : offset + len(content)] = content

    def close(self):
        """The memory stays for as long as tensors need it."""


def is_path(file):
    """Is it a name of a file?"""
    return isinstance(file, (str, bytes, os.PathLike))


def opened(file, mapped=False, shared=False):
    """The source for a path or a file object, and the file to close afterwards, or None."""
    if is_path(file):
        if mapped:
            return MappedSource(file, shared), None
        own = open(file, "rb", buffering=0)  # noqa: SIM115  the caller closes it
        return FileSource(own), own
    if mapped:
        raise ValueError("f must be a file path in order to use the mmap argument")
    for method in ("read", "seek", "tell"):
        if not hasattr(file, method):
            raise AttributeError(
                f"'{type(file).__name__}' object has no attribute '{method}'. You can only load "
                "from a file that is seekable. Hint: io.BytesIO(content) is one"
            )
    return FileSource(file), None

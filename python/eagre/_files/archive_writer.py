"""Writing archives: zip files whose records are not compressed and begin at multiples of 64 bytes,
so that they can be mapped."""

import struct
import zlib

from eagre._files.atomic import write_all

ALIGNMENT = 64
# Sizes and offsets from here on are put into fields of 64 bits, and this into the plain ones.
LARGE = 0xFFFFFFFF
_ELSEWHERE = 0xFFFFFFFF

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_VERSION = 45  # the first that knows 64 bits
_UTF8 = 0x800
_DATE = 0x21  # the first of January 1980: the same tensors give the same bytes
_PADDING = b"FB"  # the kind of extra field that PyTorch pads with


class ArchiveWriter:
    """Writes records one after the other; nothing is read back or changed afterwards, so `file` may
    be a pipe. All names get `root` and a slash before them."""

    def __init__(self, file, root):
        self._file = file
        self._root = root
        self._offset = 0
        self._entries = []

    def write(self, name, content):
        """Adds a record. `content`: anything with a buffer; it is not copied."""
        content = memoryview(content)
        size = content.nbytes
        name = f"{self._root}/{name}".encode()
        crc = zlib.crc32(content)
        offset = self._offset
        fields = struct.pack("<2H2Q", 1, 16, size, size) if size >= LARGE else b""
        begin = offset + _LOCAL.size + len(name) + len(fields) + 4
        gap = -begin % ALIGNMENT
        fields += _PADDING + struct.pack("<H", gap) + b"Z" * gap
        short = _plain(size)
        header = _LOCAL.pack(
            b"PK\3\4", _VERSION, _UTF8, 0, 0, _DATE, crc, short, short, len(name), len(fields)
        )
        self._put(header + name + fields)
        self._put(content)
        self._entries.append((name, crc, size, offset))

    def fingerprint(self):
        """Bytes that say what the records are called, and what is in them."""
        names = b"".join(name for name, *_ in self._entries)
        return names, struct.pack(f"<{len(self._entries)}I", *(crc for _, crc, *_ in self._entries))

    def finish(self):
        """Writes the table of records; without it there is no archive."""
        begin = self._offset
        for entry in self._entries:
            self._put(_central(*entry))
        size, count = self._offset - begin, len(self._entries)
        if begin >= LARGE or size >= LARGE or count >= 0xFFFF:
            end = self._offset
            record = struct.pack(
                "<Q2H2I4Q", 44, _VERSION, _VERSION, 0, 0, count, count, size, begin
            )
            self._put(b"PK\6\6" + record)
            self._put(b"PK\6\7" + struct.pack("<IQI", 0, end, 1))
        few, small = min(count, 0xFFFF), (_plain(size), _plain(begin))
        self._put(b"PK\5\6" + struct.pack("<4H2IH", 0, 0, few, few, *small, 0))

    def _put(self, content):
        write_all(self._file, content)
        self._offset += memoryview(content).nbytes


def _plain(number):
    return number if number < LARGE else _ELSEWHERE


def _central(name, crc, size, offset):
    wide = b"".join(
        [struct.pack("<2Q", size, size) if size >= LARGE else b""]
        + [struct.pack("<Q", offset) if offset >= LARGE else b""]
    )
    fields = struct.pack("<2H", 1, len(wide)) + wide if wide else b""
    short = _plain(size)
    header = _CENTRAL.pack(
        b"PK\1\2", _VERSION, _VERSION, _UTF8, 0, 0, _DATE, crc, short, short, len(name),
        len(fields), 0, 0, 0, 0, _plain(offset),
    )  # fmt: skip
    return header + name + fields

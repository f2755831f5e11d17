"""Reading archives: zip files whose records are not compressed. Every number in a file is checked
against its length before anything is made of it."""

import struct
import zlib

_END = struct.Struct("<4s4H2IH")
_WIDE_END = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_LOCAL = struct.Struct("<4s5H3I2H")
_WIDE = 0xFFFFFFFF


def corrupt(problem):
    """The error for files that are not what they should be."""
    return RuntimeError(
        f"load(): failed reading zip archive: {problem}. Hint: the file is corrupted or not "
        "complete; it may not have been saved or copied to its end"
    )


class ArchiveReader:
    """The records of an archive by name."""

    def __init__(self, source):
        self._source = source
        self._places = _checked(source)

    def names(self):
        """All names, in the order of the file."""
        return list(self._places)

    def __contains__(self, name):
        return name in self._places

    def size(self, name):
        """Bytes of a record."""
        return self._place(name)[1]

    def read(self, name):
        """The bytes of a (small) record."""
        offset, size, crc, _ = self._place(name)
        content = self._source.read(offset, size)
        _check_sum(name, content, crc)
        return content

    def storage(self, name, check=True):
        """The bytes of a record as a vector of uint8."""
        offset, size, crc, _ = self._place(name)
        storage = self._source.storage(offset, size)
        if check and size:
            _check_sum(name, memoryview(storage), crc)
        return storage

    def forget_sum(self, name):
        """Takes the check sum of a record out of the file, before its bytes are changed."""
        for offset in self._place(name)[3]:
            self._source.write(offset, bytes(4))

    def _place(self, name):
        if name not in self._places:
            raise corrupt(f"there is no record '{name}'")
        return self._places[name]


def _check_sum(name, content, crc):
    # Zero is what writers put that do not compute it.
    if crc and zlib.crc32(content) != crc:
        raise corrupt(f"the bytes of '{name}' do not have the check sum that the file gives")


def _checked(source):
    table, size, count = _find_table(source)
    if count > size // _CENTRAL.size:
        raise corrupt(f"a table of {size} bytes cannot have {count} records")
    content = source.read(table, size)
    places, order, at = {}, [], 0
    for _ in range(count):
        entry = table + at
        name, local, length, crc, at = _entry(content, at)
        if name in places:
            raise corrupt(f"two records are called '{name}'")
        begin = _begin_of_data(source, name, local, table)
        if length > table - begin:
            raise corrupt(f"'{name}' would have {length} bytes, more than the file has for it")
        places[name] = (begin, length, crc, (entry + 16, local + 14))
        order.append((local, begin + length, name))
    if at != size:
        raise corrupt(f"its table has {size - at} bytes too many")
    order.sort()
    for (_, end, before), (local, _, name) in zip(order, order[1:], strict=False):
        if local < end:
            raise corrupt(f"records '{before}' and '{name}' overlap")
    return places


def _find_table(source):
    """Offset and size of the table of records, and how many there are."""
    tail = min(source.size, _END.size + 0xFFFF)
    content = source.read(source.size - tail, tail)
    at = len(content) - _END.size
    while at >= 0:
        at = content.rfind(b"PK\5\6", 0, at + 4)
        if at < 0 or _END.unpack_from(content, at)[7] == len(content) - at - _END.size:
            break
        at -= 1
    if at < 0:
        raise corrupt("it has no table of records at its end")
    end = source.size - tail + at
    _, disk, first, here, count, size, table, _ = _END.unpack_from(content, at)
    wide = source.read(end - _LOCATOR.size, _LOCATOR.size) if end >= _LOCATOR.size else b""
    if wide[:4] == b"PK\6\7":
        _, _, place, _ = _LOCATOR.unpack(wide)
        if place > end - _LOCATOR.size - _WIDE_END.size:
            raise corrupt("its table of records lies outside of it")
        mark, _, _, _, disk, first, here, count, size, table = _WIDE_END.unpack(
            source.read(place, _WIDE_END.size)
        )
        if mark != b"PK\6\6":
            raise corrupt("its table of records is not where it should be")
        end = place
    if disk or first or here != count:
        raise corrupt("it is a part of an archive in several files")
    if table + size != end:
        raise corrupt("its table of records is not where it should be")
    return table, size, count


def _entry(content, at):
    """Name, offset of the local header, length, check sum, and where the next entry begins."""
    if at + _CENTRAL.size > len(content):
        raise corrupt("its table of records ends too early")
    (mark, _, _, flags, method, _, _, crc, packed, length, name_size, extra_size, comment_size,
     _, _, _, local) = _CENTRAL.unpack_from(content, at)  # fmt: skip
    at += _CENTRAL.size
    end = at + name_size + extra_size + comment_size
    if mark != b"PK\1\2" or end > len(content):
        raise corrupt("its table of records is damaged")
    try:
        name = content[at : at + name_size].decode()
    except UnicodeDecodeError:
        raise corrupt("the name of a record is not UTF-8") from None
    extra = content[at + name_size : at + name_size + extra_size]
    length, packed, local = _widened(name, extra, [length, packed, local])
    if flags & 0x2041:
        raise corrupt(f"'{name}' is encrypted")
    if method or packed != length:
        raise corrupt(f"'{name}' is compressed, and such records are not read")
    return name, local, length, crc, end


def _widened(name, extra, numbers):
    """Numbers that do not fit into 32 bits are in an extra field, in this order."""
    if _WIDE not in numbers:
        return numbers
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == 1 and at + 4 + size <= len(extra) and size >= 8 * numbers.count(_WIDE):
            wide = iter(struct.unpack_from(f"<{size // 8}Q", extra, at + 4))
            return [next(wide) if number == _WIDE else number for number in numbers]
        at += 4 + size
    raise corrupt(f"the size of '{name}' is not given")


def _begin_of_data(source, name, local, limit):
    """Where the bytes of a record begin: after its local header, which must be of the same name."""
    if local + _LOCAL.size > limit:
        raise corrupt(f"'{name}' lies outside of the file")
    header = _LOCAL.unpack(source.read(local, _LOCAL.size))
    begin = local + _LOCAL.size + header[9] + header[10]
    if header[0] != b"PK\3\4" or header[9] != len(name.encode()) or begin > limit:
        raise corrupt(f"'{name}' is not where the table says")
    if source.read(local + _LOCAL.size, header[9]) != name.encode() or header[3]:
        raise corrupt(f"'{name}' is not where the table says")
    return begin

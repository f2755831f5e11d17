"""The opcodes of pickles that data needs, each as a function of the reader; others are refused."""

import struct

from eagre._files.pickle_keys import RefusedError
from eagre._files.pickle_reader import MARK, Reader

_BYTE, _SHORT, _INT = struct.Struct("<B"), struct.Struct("<H"), struct.Struct("<i")
_COUNT, _LONG_COUNT, _FLOAT = struct.Struct("<I"), struct.Struct("<Q"), struct.Struct(">d")


def _text(size):
    def step(reader):
        reader.push(str(reader.take(reader.number(size)), "utf-8", "surrogatepass"))

    return step


def _old_text(size):
    """Strings of Python 2."""

    def step(reader):
        count = reader.number(size)
        if count < 0:
            raise RefusedError("a string has a negative length")
        reader.push(str(reader.take(count), "utf-8"))

    return step


def _bytes(size, make=bytes):
    return lambda reader: reader.push(make(reader.take(reader.number(size))))


def _long(size):
    def step(reader):
        count = reader.number(size)
        if count < 0:
            raise RefusedError("an integer has a negative length")
        reader.push(int.from_bytes(reader.take(count), "little", signed=True))

    return step


def _tuple(count):
    return lambda reader: reader.push(tuple(reader.several(count)) if count else ())


STEPS = [None] * 256
for _code, _step in {
    b"\x80": Reader.protocol,
    b"\x95": lambda reader: reader.number(_LONG_COUNT),  # a frame
    b"(": lambda reader: reader.push(MARK),
    b"0": lambda reader: reader.stack.pop() if reader.stack else reader.pop(),
    b"1": Reader.items,
    b"2": lambda reader: reader.push(reader.top()),
    b"N": lambda reader: reader.push(None),
    b"\x88": lambda reader: reader.push(True),
    b"\x89": lambda reader: reader.push(False),
    b"J": lambda reader: reader.push(reader.number(_INT)),
    b"K": lambda reader: reader.push(reader.byte()),
    b"M": lambda reader: reader.push(reader.number(_SHORT)),
    b"\x8a": _long(_BYTE),
    b"\x8b": _long(_INT),
    b"G": lambda reader: reader.push(reader.number(_FLOAT)),
    b"X": _text(_COUNT),
    b"\x8c": _text(_BYTE),
    b"\x8d": _text(_LONG_COUNT),
    b"T": _old_text(_INT),
    b"U": _old_text(_BYTE),
    b"B": _bytes(_COUNT),
    b"C": _bytes(_BYTE),
    b"\x8e": _bytes(_LONG_COUNT),
    b"\x96": _bytes(_LONG_COUNT, bytearray),
    b"]": lambda reader: reader.push([]),
    b"}": lambda reader: reader.push({}),
    b"\x8f": lambda reader: reader.push(set()),
    b")": _tuple(0),
    b"\x85": _tuple(1),
    b"\x86": _tuple(2),
    b"\x87": _tuple(3),
    b"t": lambda reader: reader.push(tuple(reader.items())),
    b"a": lambda reader: reader.append([reader.pop()]),
    b"e": lambda reader: reader.append(reader.items()),
    b"s": lambda reader: reader.set_items(reader.several(2)),
    b"u": lambda reader: reader.set_items(reader.items()),
    b"\x90": lambda reader: reader.add_items(reader.items()),
    b"\x91": Reader.frozen,
    b"q": lambda reader: reader.remember(reader.byte()),
    b"r": lambda reader: reader.remember(reader.number(_COUNT)),
    b"\x94": lambda reader: reader.remember(len(reader.memo)),
    b"h": lambda reader: reader.recall(reader.byte()),
    b"j": lambda reader: reader.recall(reader.number(_COUNT)),
    b"c": lambda reader: reader.find(reader.line(), reader.line()),
    b"\x93": Reader.stack_global,
    b"R": Reader.call,
    b"\x81": Reader.new_object,
    b"b": Reader.build,
    b"Q": Reader.persistent,
}.items():
    STEPS[_code[0]] = _step

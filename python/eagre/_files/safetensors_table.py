"""The table at the beginning of a safetensors file: which tensor has which bytes."""

import json
import math
import struct

import eagre

# What the format allows: more would have to be read before anything is known of it.
LONGEST = 100_000_000

DTYPES = {
    "BOOL": eagre.bool,
    "U8": eagre.uint8,
    "I8": eagre.int8,
    "F8_E5M2": eagre.float8_e5m2,
    "F8_E4M3": eagre.float8_e4m3fn,
    "I16": eagre.int16,
    "U16": eagre.uint16,
    "F16": eagre.float16,
    "BF16": eagre.bfloat16,
    "I32": eagre.int32,
    "U32": eagre.uint32,
    "F32": eagre.float32,
    "F64": eagre.float64,
    "I64": eagre.int64,
    "U64": eagre.uint64,
    "C64": eagre.complex64,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class SafetensorError(RuntimeError):
    """A file is not what the format says, or a tensor cannot be in one."""


class Entry:
    """Where a tensor is: `begin` counts from the beginning of the file."""

    def __init__(self, dtype_name, shape, begin, size):
        self.dtype_name = dtype_name
        self.dtype = DTYPES[dtype_name]
        self.shape = shape
        self.begin = begin
        self.size = size


def read_table(source):
    """The entries by name, in the order of their bytes, and the metadata."""
    if source.size < 8:
        raise SafetensorError(f"a file of {source.size} bytes has no header: it takes 8 or more")
    (length,) = struct.unpack("<Q", source.read(0, 8))
    if length > LONGEST:
        raise SafetensorError(f"the header is too large: {length} bytes, and {LONGEST} are allowed")
    if length > source.size - 8:
        raise SafetensorError(
            f"the header would have {length} bytes, but the file has {source.size - 8} after its "
            "length"
        )
    table = _parsed(bytes(source.read(8, length)))
    metadata = table.pop("__metadata__", None)
    if metadata is not None and not (
        isinstance(metadata, dict) and all(isinstance(text, str) for text in metadata.values())
    ):
        raise SafetensorError("the metadata must be texts by name")
    entries = {name: _entry(name, fields, 8 + length) for name, fields in table.items()}
    entries = dict(sorted(entries.items(), key=lambda item: (item[1].begin, item[1].size)))
    _check_cover(entries, 8 + length, source.size)
    return entries, metadata


def _parsed(text):
    if not text.startswith(b"{"):
        raise SafetensorError("the header must begin with '{'")
    try:
        return json.loads(text.decode(), object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError) as error:
        raise SafetensorError(f"the header is not valid JSON: {error}") from None


def _without_doubles(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def _is_size(value):
    return type(value) is int and 0 <= value < 2**63


def _entry(name, fields, data):
    if not isinstance(fields, dict) or fields.keys() != {"dtype", "shape", "data_offsets"}:
        raise SafetensorError(f"tensor '{name}' must have dtype, shape and data_offsets")
    dtype, shape, offsets = fields["dtype"], fields["shape"], fields["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise SafetensorError(f"tensor '{name}' has a dtype that is not there: {dtype!r:.40}")
    if not isinstance(shape, list) or not all(map(_is_size, shape)):
        raise SafetensorError(f"tensor '{name}' has a shape that is not a list of sizes")
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_size, offsets)):
        raise SafetensorError(f"tensor '{name}' must have two data_offsets")
    begin, end = offsets
    size = math.prod(shape) * DTYPES[dtype].itemsize
    if end - begin != size:
        raise SafetensorError(
            f"tensor '{name}' of shape {shape} and dtype {dtype} has {size} bytes, but its offsets "
            f"are {begin} and {end}"
        )
    return Entry(dtype, shape, data + begin, size)


def _check_cover(entries, begin, end):
    """All bytes belong to one tensor each."""
    at = begin
    for name, entry in entries.items():
        if entry.begin != at:
            what = "overlaps the one before it" if entry.begin < at else "leaves a hole before it"
            raise SafetensorError(f"tensor '{name}' {what}")
        at += entry.size
    if at != end:
        raise SafetensorError(
            f"the tensors have {at - begin} bytes, but there are {end - begin} after the header"
        )


def made_table(tensors, metadata):
    """The bytes before the data, and the names in the order of their data: those of larger elements
    first, so that all are aligned."""
    if metadata is not None and not (
        isinstance(metadata, dict)
        and all(isinstance(text, str) for pair in metadata.items() for text in pair)
    ):
        raise TypeError("save(): argument 'metadata' must be a dict of texts")
    names = sorted(tensors, key=lambda name: (-tensors[name].dtype.itemsize, name))
    table = {} if metadata is None else {"__metadata__": metadata}
    at = 0
    for name in names:
        tensor = tensors[name]
        end = at + tensor.numel() * tensor.dtype.itemsize
        table[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [at, end],
        }
        at = end
    text = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > LONGEST:
        raise SafetensorError(f"the header would have {len(text)} bytes, and {LONGEST} are allowed")
    return struct.pack("<Q", len(text)) + text, names

"""What a DLPack capsule says is checked before it is believed."""

import ctypes

import pytest

import eagre


class Array(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("array", Array), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

MEMORY = (ctypes.c_float * 4)(1, 2, 3, 4)
ADDRESS = ctypes.addressof(MEMORY)
KEPT = []  # what capsules point at


def capsule(shape=(4,), strides=None, *, data=ADDRESS, rank=None, offset=0):
    numbers = (ctypes.c_int64 * max(len(shape or ()), 1))(*(shape or ()))
    steps = (ctypes.c_int64 * len(strides))(*strides) if strides is not None else None
    array = Array(
        data=data, device_type=1, device_id=0, code=2, bits=32, lanes=1, byte_offset=offset
    )
    array.rank = len(shape or ()) if rank is None else rank
    if shape is not None:
        array.shape = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64))
    if steps is not None:
        array.strides = ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64))
    managed = Managed(array=array)
    KEPT.append((managed, numbers, steps))
    return new_capsule(ctypes.addressof(managed), b"dltensor", None)


def test_good_ones_are_read():
    assert eagre.from_dlpack(capsule()).tolist() == [1, 2, 3, 4]
    assert eagre.from_dlpack(capsule((2,), (2,))).tolist() == [1, 3]
    assert eagre.from_dlpack(capsule((3,), offset=4)).tolist() == [2, 3, 4]
    assert eagre.from_dlpack(capsule((0, 3), data=None)).shape == (0, 3)
    assert eagre.from_dlpack(capsule(())).item() == 1


BAD = {
    "no memory": ({"data": None}, "memory for its elements"),
    "no shape": ({"shape": None, "rank": 2}, "says its shape"),
    "a rank below 0": ({"rank": -1}, "0 to .* dimensions"),
    "a huge rank": ({"rank": 2**31 - 1}, "0 to .* dimensions"),
    "a negative size": ({"shape": (-1,)}, "negative"),
    "too many elements": ({"shape": (2**40, 2**40)}, "more elements than can be counted"),
    "strides that overflow": ({"shape": (3, 3), "strides": (2**62, 2**62)}, "not too large"),
    "an offset out of memory": ({"offset": 2**64 - 4}, "ends within memory"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_ones_are_refused(name):
    options, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        eagre.from_dlpack(capsule(**options))

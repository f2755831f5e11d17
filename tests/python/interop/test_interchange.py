"""Tensors from and for other libraries: arrays, buffers, DLPack."""

import array
import gc
import warnings
import weakref

import numpy as np
import pytest

import eagre

DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip


# --- as_tensor, asarray ---


def test_as_tensor_shares_what_it_can():
    x = eagre.ones(2, requires_grad=True)
    assert eagre.as_tensor(x) is x
    assert eagre.as_tensor(x, dtype=eagre.float64).grad_fn is not None
    source = np.zeros(2)
    eagre.as_tensor(source)[0] = 5
    assert source[0] == 5
    assert eagre.as_tensor([1, 2], dtype=eagre.float32).tolist() == [1.0, 2.0]
    assert eagre.as_tensor(3).dim() == 0
    eagre.as_tensor(array.array("d", [1.0])).mul_(2)


def test_asarray_copies_when_told_and_only_then():
    source = np.zeros(2)
    eagre.asarray(source)[0] = 1
    eagre.asarray(source, copy=True)[0] = 2
    assert source[0] == 1
    x = eagre.ones(2, requires_grad=True)
    assert eagre.asarray(x) is x
    assert not eagre.asarray(x, requires_grad=False).requires_grad
    assert eagre.asarray(x, requires_grad=True) is x
    assert eagre.asarray(x, copy=True).data_ptr() != x.data_ptr()
    assert eagre.asarray([1.0], requires_grad=True).is_leaf
    for data, options in [([1, 2], {}), (source, {"dtype": eagre.float32}), (3, {})]:
        with pytest.raises(ValueError, match="copy=False"):
            eagre.asarray(data, copy=False, **options)
    read_only = np.zeros(2)
    read_only.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eagre.asarray(read_only)


# --- frombuffer ---


def test_frombuffer_shares_writable_memory():
    memory = bytearray(np.asarray([1.0, 2.0, 3.0], np.float32).tobytes())
    x = eagre.frombuffer(memory, dtype=eagre.float32, offset=4, count=2)
    assert x.tolist() == [2.0, 3.0]
    x[0] = 7
    assert np.frombuffer(memory, np.float32).tolist() == [1.0, 7.0, 3.0]
    assert eagre.frombuffer(memory, dtype=eagre.float32, requires_grad=True).requires_grad


def test_frombuffer_copies_read_only_memory():
    with pytest.warns(UserWarning, match="The given buffer is not writable"):
        x = eagre.frombuffer(b"\x01\x00\x02\x00", dtype=eagre.int16)
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("size", "options", "message"),
    [
        (0, {}, "must not be 0"),
        (4, {"count": 0}, "must not be 0"),
        (4, {"offset": 4}, "offset"),
        (4, {"offset": -1}, "offset"),
        (5, {}, "multiple of element size"),
        (4, {"count": 2}, "must not be greater"),
    ],
)
def test_frombuffer_refuses_what_does_not_fit(size, options, message):
    with pytest.raises(ValueError, match=message):
        eagre.frombuffer(bytearray(size), dtype=eagre.float32, **options)


# --- DLPack ---


@pytest.mark.parametrize("name", DTYPES)
def test_dlpack_with_numpy_both_ways(name):
    x = eagre.tensor([[0, 1], [1, 0]], dtype=getattr(eagre, name))
    there = np.from_dlpack(x)
    assert there.dtype == name and there.tolist() == x.tolist()
    assert there.__array_interface__["data"][0] == x.data_ptr()
    back = eagre.from_dlpack(there)
    assert back.dtype is x.dtype and back.data_ptr() == x.data_ptr()


def test_dlpack_keeps_strides_and_bfloat16():
    x = eagre.arange(6.0).reshape(2, 3).t()
    assert eagre.from_dlpack(x).stride() == (1, 3)
    half = eagre.ones(2, dtype=eagre.bfloat16)
    assert eagre.from_dlpack(half).dtype is eagre.bfloat16
    assert eagre.from_dlpack(np.zeros((0, 3))).shape == (0, 3)
    assert eagre.from_dlpack(np.full((), 2.0)).item() == 2


def test_dlpack_memory_lives_as_long_as_needed():
    class Watched(np.ndarray):
        pass

    source = np.ones(3).view(Watched)
    alive = weakref.ref(source)
    x = eagre.from_dlpack(source)
    del source
    gc.collect()
    assert alive() is not None and x.tolist() == [1.0, 1.0, 1.0]
    view = x[1:]
    del x
    view.add_(1)
    assert alive() is not None
    del view
    gc.collect()
    eagre.zeros(1)  # what ended is let go by the next that holds the lock
    assert alive() is None
    there = np.from_dlpack(eagre.ones(3))
    assert there.tolist() == [1.0, 1.0, 1.0]


def test_dlpack_capsules_are_used_once():
    x = eagre.ones(2)
    for capsule in (x.__dlpack__(), x.__dlpack__(max_version=(1, 0)), eagre.to_dlpack(x)):
        assert eagre.from_dlpack(capsule).data_ptr() == x.data_ptr()
        with pytest.raises(TypeError, match="consumed"):
            eagre.from_dlpack(capsule)
    assert "versioned" not in repr(x.__dlpack__())
    assert "versioned" in repr(x.__dlpack__(max_version=(1, 0)))
    with pytest.raises(TypeError, match="__dlpack__"):
        eagre.from_dlpack(3)


def test_dlpack_copy():
    x = eagre.ones(2)
    assert eagre.from_dlpack(x.__dlpack__(copy=True)).data_ptr() != x.data_ptr()
    assert eagre.from_dlpack(x, copy=True).data_ptr() != x.data_ptr()
    assert eagre.from_dlpack(x, copy=False).data_ptr() == x.data_ptr()


def test_dlpack_of_read_only_arrays():
    source = np.ones(2)
    source.flags.writeable = False
    with pytest.warns(UserWarning, match="read-only"):
        x = eagre.from_dlpack(source)
    x[0] = 5
    assert source[0] == 1
    with pytest.raises(BufferError, match="read-only"):
        eagre.from_dlpack(source, copy=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eagre.from_dlpack(source, copy=True)


def test_dlpack_refuses():
    x = eagre.ones(2, requires_grad=True)
    with pytest.raises(BufferError, match="detach"):
        x.__dlpack__()
    with pytest.raises(BufferError, match="meta"):
        eagre.ones(2, device="meta").__dlpack__()
    with pytest.raises(BufferError, match="meta"):
        eagre.ones(2, device="meta").__dlpack_device__()
    with pytest.raises(BufferError, match="device"):
        eagre.ones(2).__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError, match="stream"):
        eagre.ones(2).__dlpack__(stream="s")
    with pytest.raises(BufferError, match="stream"):
        eagre.ones(2).__dlpack__(stream=2)
    with pytest.raises(ValueError, match="negative strides"):
        eagre.from_dlpack(np.arange(3)[::-1])
    assert x.__dlpack_device__() == (1, 0)


def test_utils_dlpack_is_the_same():
    from eagre.utils import dlpack

    assert dlpack.from_dlpack is eagre.from_dlpack and dlpack.to_dlpack is eagre.to_dlpack


def test_numpy_by_force():
    x = eagre.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="requires grad"):
        x.numpy()
    assert x.numpy(force=True).tolist() == [1.0, 1.0]
    assert x.numpy(force=True).__array_interface__["data"][0] == x.data_ptr()

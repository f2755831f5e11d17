"""NumPy in and out: shared memory, lifetimes, refusals."""

import gc
import sys
import weakref

import numpy as np
import pytest

import eagre


def test_from_numpy_shares():
    array = np.arange(6.0).reshape(2, 3)
    tensor = eagre.from_numpy(array)
    array[0, 0] = 10
    assert tensor.tolist()[0][0] == 10
    tensor.add_(1)
    assert array[1, 2] == 6
    assert tensor.data_ptr() == array.ctypes.data


def test_numpy_shares():
    tensor = eagre.zeros(3)
    array = tensor.numpy()
    tensor.add_(2)
    assert array.tolist() == [2, 2, 2]
    array[1] = 7
    assert tensor.tolist() == [2, 7, 2]


@pytest.mark.parametrize("dtype", [np.bool_, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)])
def test_round_trip(dtype, shape):
    array = np.ones(shape, dtype)
    back = eagre.from_numpy(array).numpy()
    assert back.dtype == array.dtype and back.shape == shape
    np.testing.assert_array_equal(back, array)


def test_strides_survive():
    array = np.arange(24.0).reshape(4, 6)[::2, ::3]
    tensor = eagre.from_numpy(array)
    assert tensor.stride() == (12, 3)
    assert tensor.T.numpy().strides == (24, 96)
    np.testing.assert_array_equal(tensor.T.numpy(), array.T)


def test_the_tensor_keeps_the_array_alive():
    array = np.ones(1000)
    holder = weakref.ref(array)
    tensor = eagre.from_numpy(array)
    view = tensor.transpose(0, 0)
    del array, tensor
    gc.collect()
    assert holder() is not None and view.sum().item() == 1000
    del view
    gc.collect()
    assert holder() is None


def test_the_array_keeps_the_memory_alive():
    tensor = eagre.ones(1000)
    array = tensor.numpy()
    del tensor
    eagre.zeros(1000)  # would reuse the memory
    assert array.sum() == 1000


def test_exported_memory_is_not_stolen():
    x = eagre.ones(3, requires_grad=True)
    seen = []
    (x * 2).sum().backward()
    seen.append(x.grad.numpy())
    (x * 2).sum().backward()
    assert seen[0].tolist() == [4, 4, 4]  # accumulation in place is visible, as in PyTorch


def test_graph_keeps_a_saved_array():
    array = np.ones(3)
    references = sys.getrefcount(array)
    x = eagre.from_numpy(array)
    w = eagre.ones(3, dtype=eagre.float64, requires_grad=True)
    y = (w * x).sum()
    del x
    assert sys.getrefcount(array) > references
    y.backward()
    del y
    eagre.zeros(1)
    gc.collect()
    assert sys.getrefcount(array) == references
    assert w.grad.tolist() == [1, 1, 1]


def test_read_only_arrays_are_copied_with_a_warning():
    array = np.ones(3)
    array.flags.writeable = False
    with pytest.warns(UserWarning, match="not writable"):
        tensor = eagre.from_numpy(array)
    tensor.add_(1)
    assert array.tolist() == [1, 1, 1]


def test_asarray_and_buffers():
    tensor = eagre.tensor([[1, 2], [3, 4]])
    assert np.asarray(tensor).tolist() == [[1, 2], [3, 4]]
    assert np.array(tensor, dtype=np.float32).dtype == np.float32
    view = memoryview(tensor)
    assert (view.format, view.shape, view.strides) == ("l", (2, 2), (16, 8))
    assert tensor.__array__(np.float64).dtype == np.float64


def test_numpy_functions_do_not_make_object_arrays():
    assert np.sum(np.asarray(eagre.ones(3))) == 3
    for made in (np.add(np.ones(3), eagre.ones(3)), np.ones(3) + eagre.ones(3)):
        assert isinstance(made, eagre.Tensor) and made.tolist() == [2.0, 2.0, 2.0]
    assert isinstance(np.sin(eagre.ones(3)), eagre.Tensor)


@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
@pytest.mark.parametrize("make", [eagre.tensor, eagre.from_numpy])
def test_dates_are_refused(make, kind):
    with pytest.raises(TypeError, match=rf"'ndarray' must be an array of booleans.*{kind}\[D\]"):
        make(np.array([1], dtype=f"{kind}[D]"))


IN_PLACE = ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="]


@pytest.mark.parametrize("operator", IN_PLACE)
def test_arrays_are_not_replaced_by_tensors(operator):
    """`array += tensor` would give its name to a tensor and leave the array as it is."""
    dtype = np.float64 if operator in ("/=", "@=", "**=") else np.int64
    array, tensor = (
        np.ones(3, dtype),
        eagre.ones(3, dtype=eagre.from_numpy(np.ones(1, dtype)).dtype),
    )
    kept = array
    names = {"array": array, "tensor": tensor}
    with pytest.raises(TypeError, match="numpy.ndarray"):
        exec(f"array {operator} tensor", names)
    assert names["array"] is kept and (kept == 1).all()
    assert type(eval(f"array {operator[:-1]} tensor", names)) is eagre.Tensor
    # Nothing is changed in place here.
    exec(f"tensor {operator[:-1]} array", names)
    number = dtype(2)
    if operator != "@=":
        exec(f"number {operator} tensor", names | {"number": number})
        exec(f"number {operator} tensor", names | {"number": 2})

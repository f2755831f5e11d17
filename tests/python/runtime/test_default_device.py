"""Where new tensors are made."""

import threading

import pytest

import eagre


def test_a_with_statement_chooses_the_device():
    assert eagre.get_default_device() == eagre.device("cpu")
    with eagre.device("meta") as device:
        assert device == eagre.get_default_device()
        assert eagre.zeros(2).device.type == "meta"
        with eagre.device("cpu"):
            assert eagre.zeros(2).device.type == "cpu"
        assert eagre.randn(2).device.type == "meta"
        assert eagre.full((2,), 1, device="cpu").device.type == "cpu"
    assert eagre.zeros(2).device.type == "cpu"


def test_it_belongs_to_the_thread():
    eagre.set_default_device("meta")
    try:
        seen = []
        thread = threading.Thread(target=lambda: seen.append(eagre.zeros(1).device.type))
        thread.start()
        thread.join()
        assert seen == ["cpu"]
        assert eagre.zeros(1).device.type == "meta"
    finally:
        eagre.set_default_device("cpu")


def test_bad_devices():
    with pytest.raises(eagre.InvalidArgumentError, match="'gpu'"):
        eagre.set_default_device("gpu")
    with pytest.raises(eagre.DTypeError, match="set_default_device.*'device'"):
        eagre.set_default_device(1)
    with pytest.raises(eagre.InvalidArgumentError, match="without being entered"):
        eagre.device("cpu").__exit__(None, None, None)


class TestMeta:
    """Tensors without data run any operator: shapes, dtypes and errors are those of the CPU."""

    def test_shapes_and_dtypes(self):
        a = eagre.zeros(2, 3, device="meta")
        b = eagre.zeros(3, 4, device="meta")
        result = (a @ b).sum(1) * 2
        assert (tuple(result.shape), result.device.type) == ((2,), "meta")
        assert (a == 1).dtype is eagre.bool
        assert a.t().reshape(6).shape == (6,)
        a += 1
        a[0] = 5

    def test_errors_are_the_same(self):
        a = eagre.zeros(2, 3, device="meta")
        with pytest.raises(eagre.InvalidArgumentError, match="'other'"):
            a @ a
        with pytest.raises(eagre.InvalidArgumentError, match="broadcast"):
            a + eagre.zeros(2, device="meta")

    def test_gradients_have_shapes(self):
        x = eagre.zeros(2, 3, device="meta", requires_grad=True)
        (x * x).sum().backward()
        assert x.grad.shape == (2, 3)

    def test_there_is_no_data(self):
        a = eagre.zeros(2, device="meta")
        for act in (a.tolist, a.sum().item, lambda: a.to("cpu"), a.numpy):
            with pytest.raises(eagre.Error):
                act()
        assert "device='meta'" in repr(a) and "size=(2,)" in repr(a)


def test_there_is_one_cpu():
    assert eagre.zeros(2).to("cpu:5").device == eagre.device("cpu")
    assert (eagre.zeros(2, device="cpu:5") + eagre.zeros(2)).device.type == "cpu"

"""Attributes and questions of tensors: shape, parts of complex numbers, transposes, kinds."""

import pytest

import eagre


def test_parts_transposes_and_kinds():
    z = eagre.tensor([[1 + 2j, 3 - 1j]])
    assert z.real.tolist() == [[1, 3]] and z.imag.tolist() == [[2, -1]]
    assert z.real.data_ptr() == z.data_ptr()
    z.imag = 0
    z.real = eagre.tensor([5.0, 6.0])
    assert z.tolist() == [[5, 6]]
    x = eagre.ones(2, 3, 4)
    assert x.real is x or x.real.data_ptr() == x.data_ptr()
    with pytest.raises(RuntimeError, match="imag"):
        _ = x.imag
    assert (x.nbytes, x.itemsize, x.nelement(), x.ndimension()) == (96, 4, 24, 3)
    assert x.mT.shape == x.mH.shape == (2, 4, 3)
    w = eagre.tensor([[1j, 2.0]])
    assert w.H.tolist() == w.mH.tolist() == [[-1j], [2]] and w.mT.tolist() == [[1j], [2]]
    assert eagre.tensor(1j).H.item() == -1j
    for name, shape in [("H", (2, 3, 4)), ("H", (3,)), ("mT", (3,)), ("mH", ())]:
        with pytest.raises(RuntimeError, match=rf"{name} is for matrices"):
            getattr(eagre.zeros(shape), name)
    assert x.type_as(eagre.ones(1, dtype=eagre.int32)).dtype is eagre.int32
    assert (z.is_complex(), z.is_floating_point(), z.is_signed()) == (True, False, True)
    assert not eagre.ones(1, dtype=eagre.uint8).is_signed() and eagre.is_signed(x)
    assert not eagre.ones(1, dtype=eagre.bool).is_signed() and eagre.numel(x) == 24


def test_reversed_dimensions_are_warned_of():
    with pytest.warns(UserWarning, match="deprecated"):
        assert eagre.ones(2, 3, 4).T.shape == (4, 3, 2)


def test_the_transpose_of_a_vector_is_a_view_of_its_own():
    x = eagre.ones(3)
    x.t().unsqueeze_(0)
    assert x.shape == (3,) and x.T is not x


def test_shape_strides_and_device():
    x = eagre.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert x.shape == (2, 3) and x.size() == (2, 3) and x.size(1) == 3 and x.size(-2) == 2
    assert (x.ndim, x.dim(), x.numel(), len(x)) == (2, 2, 6, 2)
    assert x.stride() == (3, 1) and x.T.stride() == (1, 3) and x.stride(0) == 3
    assert x.is_contiguous() and not x.T.is_contiguous() and x.T.contiguous().is_contiguous()
    assert x.element_size() == 4 and x.data_ptr() == x.T.data_ptr()
    assert x.device == eagre.device("cpu") and str(x.device) == "cpu" and x.device.index is None
    assert x.T.T.tolist() == x.tolist() and eagre.tensor([1.0]).T.shape == (1,)


def test_operators_of_python_2():
    x = eagre.tensor([1.0, 4.0])
    assert x.__div__(2).tolist() == [0.5, 2.0]
    assert x.__rdiv__(2).tolist() == [2.0, 0.5]
    assert eagre.tensor(3.5).__long__() == 3
    assert eagre.tensor(3.5).__nonzero__() is True
    y = x.clone()
    assert y.__idiv__(2) is y
    assert y.tolist() == [0.5, 2.0]

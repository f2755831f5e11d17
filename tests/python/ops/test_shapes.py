"""Functions about shapes, most without a record (python/eagre/_shapes.py)."""

import numpy as np
import pytest

import eagre


def test_broadcasting():
    assert eagre.broadcast_shapes((2, 1), (3,), 3) == (2, 3)
    assert isinstance(eagre.broadcast_shapes((2,)), eagre.Size)
    with pytest.raises(RuntimeError, match="mismatch"):
        eagre.broadcast_shapes((2,), (3,))
    a, b = eagre.broadcast_tensors(eagre.ones(2, 1), eagre.ones(3))
    assert a.shape == b.shape == (2, 3)
    assert eagre.ones(3).broadcast_to((2, 3)).shape == (2, 3)


def test_unravel_index():
    places = eagre.unravel_index(eagre.tensor([0, 7, 19]), (4, 5))
    assert [p.tolist() for p in places] == [list(p) for p in np.unravel_index([0, 7, 19], (4, 5))]


def test_shapes_are_of_ints():
    with pytest.raises(RuntimeError, match="should be of type ints"):
        eagre.broadcast_shapes(1.1)
    with pytest.raises(TypeError, match="'indices' to be integer"):
        eagre.unravel_index(eagre.tensor(0.5), (2, 2))
    with pytest.raises(TypeError, match="'shape' to be int or sequence"):
        eagre.unravel_index(eagre.tensor([1]), eagre.tensor([1, 2]))
    with pytest.raises(TypeError, match="'shape' sequence to only contain ints"):
        eagre.unravel_index(eagre.tensor([1]), (1, 2.0))
    with pytest.raises(ValueError, match="cannot have negative values"):
        eagre.unravel_index(eagre.tensor(0), (2, -3))


def test_strides_of_new_dimensions_are_those_of_unsqueeze():
    x = eagre.zeros(5)
    assert x.expand(1, 1, 5).stride() == x.unsqueeze(0).unsqueeze(1).stride() == (5, 5, 1)
    assert eagre.zeros(4, 1, 3).expand(1, 4, 1, 3).stride() == (12, 3, 3, 1)
    assert eagre.zeros([]).expand(1, 3).stride() == (0, 0)
    assert eagre.zeros(3, 1).expand(1, 2, 3, 4).stride() == (0, 0, 1, 0)


def test_strides_of_single_places_do_not_count():
    x = eagre.rand(3, 2, 1).transpose(1, 2).contiguous()
    assert eagre.view_as_complex(x).shape == (3, 1)
    y = eagre.zeros(1, 4).as_strided((1, 4), (3, 1))
    assert y.view(eagre.float64).shape == (1, 2)


def test_expanded_tensors_are_filled():
    x = eagre.ones(1)
    x.expand(3).fill_(4)
    assert x.tolist() == [4]
    x.expand(3, 3).zero_()
    assert x.tolist() == [0]
    with pytest.raises(RuntimeError, match="clone"):
        x.expand(3).add_(1)


def test_what_overlaps_with_gaps_is_copied_first():
    m = eagre.arange(9.0).reshape(3, 3)
    m.select(1, 0).add_(m[1])
    assert m.tolist() == [[3, 1, 2], [7, 4, 5], [11, 7, 8]]
    with pytest.raises(RuntimeError, match="clone"):
        m[:2].add_(m[1:])


def test_the_order_of_dimensions_is_kept_where_there_are_gaps():
    x = eagre.zeros(4, 3, 8, 8).contiguous(memory_format=eagre.channels_last)[..., ::2, ::2]
    for like in (x.clone(memory_format=eagre.preserve_format), eagre.zeros_like(x)):
        assert like.is_contiguous(memory_format=eagre.channels_last)
    assert eagre.empty_like(eagre.zeros(2, 3, 4)[:, :, ::2].permute(2, 0, 1)).stride() == (1, 6, 2)


def test_resizing_with_a_memory_format():
    x = eagre.zeros(0).resize_(2, 3, 4, 4, memory_format=eagre.channels_last)
    assert x.is_contiguous(memory_format=eagre.channels_last)
    y = eagre.zeros(0).resize_as_(x, memory_format=eagre.preserve_format)
    assert y.stride() == x.stride()
    assert eagre.zeros(0).resize_as_(x).is_contiguous()
    with pytest.raises(RuntimeError, match="preserve_format"):
        y.resize_(2, memory_format=eagre.preserve_format)


def test_norms_below_one_have_gradients_at_zero():
    x = eagre.zeros(1, 2, requires_grad=True)
    eagre.cdist(x, eagre.tensor([[1.0, 0.0]]), p=0.5).sum().backward()
    assert x.grad.isfinite().all()


def test_empty_tensors_in_another_order():
    x = eagre.empty_permuted((2, 3, 4), (2, 0, 1), dtype=eagre.int64, requires_grad=False)
    assert (x.shape, x.stride(), x.dtype) == ((2, 3, 4), (3, 1, 6), eagre.int64)
    assert x.dim_order() == (2, 0, 1)
    with pytest.raises(RuntimeError, match="physical_layout"):
        eagre.empty_permuted((2, 3), (0, 0))


def test_an_out_that_is_resized_has_the_order_of_a_new_result():
    x = eagre.rand(2, 3, 4).permute(2, 0, 1)
    out = eagre.empty(0)
    assert eagre.exp(x, out=out).stride() == x.stride() == (1, 12, 4)
    assert eagre.allclose(out, x.exp())

"""permute_copy and similar: the copying forms of views."""

import pytest

import eagre

COPIES = {
    "alias_copy": ((), lambda x: x),
    "as_strided_copy": (((2, 2), (1, 3), 1), lambda x: x.as_strided((2, 2), (1, 3), 1)),
    "diagonal_copy": ((1,), lambda x: x.diagonal(1)),
    "expand_copy": (((4, 2, 3),), lambda x: x.expand(4, 2, 3)),
    "narrow_copy": ((1, 1, 2), lambda x: x[:, 1:3]),
    "permute_copy": (((1, 0),), lambda x: x.permute(1, 0)),
    "select_copy": ((1, 2), lambda x: x[:, 2]),
    "slice_copy": ((1, 0, 3, 2), lambda x: x[:, 0:3:2]),
    "split_copy": ((2, 1), lambda x: x.split(2, 1)),
    "split_with_sizes_copy": (([1, 2], 1), lambda x: x.split([1, 2], 1)),
    "squeeze_copy": ((), lambda x: x),
    "t_copy": ((), lambda x: x.t()),
    "transpose_copy": ((0, 1), lambda x: x.t()),
    "unbind_copy": ((), lambda x: x.unbind()),
    "unfold_copy": ((1, 2, 1), lambda x: x.unfold(1, 2, 1)),
    "unsqueeze_copy": ((0,), lambda x: x[None]),
    "view_copy": (((3, 2),), lambda x: x.view(3, 2)),
}


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


# Row: PyTorch I15
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_has_the_values_and_gradients_of_the_view_and_its_own_memory(name):
    arguments, view = COPIES[name]
    x = eagre.arange(6.0).reshape(2, 3).requires_grad_()
    copied, viewed = getattr(eagre, name)(x, *arguments), view(x)
    assert isinstance(copied, tuple) == isinstance(viewed, tuple)
    for a, b in zip(as_tuple(copied), as_tuple(viewed), strict=True):
        assert a.equal(b) and not a._is_view() and a.is_contiguous()
        assert a.data_ptr() != b.data_ptr()
    of_copy = eagre.autograd.grad(sum((a**2).sum() for a in as_tuple(copied)), x)
    of_view = eagre.autograd.grad(sum((a**2).sum() for a in as_tuple(viewed)), x)
    assert of_copy[0].equal(of_view[0])
    with eagre.no_grad():
        as_tuple(copied)[0].zero_()
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_copies_without_a_gradient_of_their_own():
    x = eagre.ones(2, 2, requires_grad=True)
    assert not eagre.detach_copy(x).requires_grad
    numbers = eagre.view_as_complex_copy(x)
    assert numbers.tolist() == [1 + 1j, 1 + 1j]
    assert eagre.view_as_real_copy(numbers).equal(x)
    assert x.narrow_copy(0, 0, 1).shape == (1, 2)


def test_out():
    target = eagre.empty(0)
    assert eagre.permute_copy(eagre.ones(2, 3), (1, 0), out=target) is target
    assert target.shape == (3, 2)

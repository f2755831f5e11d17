"""The layout contract: a gradient lies in memory as its leaf does."""

import pytest

import eagre


def strides_after_backward(leaf, gradient):
    leaf.requires_grad_()
    (leaf * 1).backward(gradient)
    assert (leaf.grad == gradient).all()
    return leaf.grad.stride()


# Row: PyTorch C4
@pytest.mark.parametrize("accumulated", [False, True])
def test_a_dense_leaf_gives_its_strides(accumulated):
    leaf = eagre.randn(3, 2).t()
    leaf.requires_grad_()
    gradient = eagre.randn(2, 3)
    if accumulated:
        (leaf * 1).backward(gradient)
    (leaf * 1).backward(gradient)
    assert leaf.grad.stride() == leaf.stride() == (1, 2)


# Row: PyTorch C4
def test_channels_last():
    leaf = eagre.randn(2, 3, 4, 5).contiguous(memory_format=eagre.channels_last)
    assert strides_after_backward(leaf, eagre.randn(2, 3, 4, 5)) == leaf.stride()


def test_a_contiguous_leaf_gets_rows_from_columns():
    assert strides_after_backward(eagre.randn(2, 3), eagre.randn(3, 2).t()) == (3, 1)


# Row: PyTorch C4
def test_a_leaf_with_holes_gets_rows():
    leaf = eagre.empty_strided((2, 3), (8, 2)).copy_(eagre.randn(2, 3))
    assert strides_after_backward(leaf, eagre.randn(3, 2).t()) == (3, 1)


def test_the_strides_of_dimensions_of_size_one_do_not_matter():
    leaf = eagre.empty_strided((3, 1), (1, 7)).copy_(eagre.randn(3, 1))
    strides_after_backward(leaf, eagre.randn(3, 1))


@pytest.mark.filterwarnings("ignore")  # of the cycle that leaf and gradient make
def test_the_contract_holds_with_create_graph():
    leaf = eagre.randn(3, 2).t().requires_grad_()
    (leaf * leaf).backward(eagre.randn(2, 3), create_graph=True)
    assert leaf.grad.stride() == (1, 2) and leaf.grad.requires_grad


# Row: PyTorch C2
def test_the_gradient_that_the_user_gave_is_not_taken():
    leaf = eagre.randn(3, requires_grad=True)
    gradient = eagre.ones(3)
    leaf.view(3).backward(gradient)
    leaf.grad.add_(1)
    assert gradient.tolist() == [1.0, 1.0, 1.0]
    assert leaf.grad is not gradient and not leaf.grad._is_view()


def test_the_contract_can_be_switched_off():
    class Rows(eagre.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def backward(ctx, gradient):
            return eagre.ones(2, 3)

    policy = eagre.autograd.enforce_grad_layout_policy
    x = eagre.ones(3, 2).t().requires_grad_()

    def strides():
        x.grad = None
        Rows.apply(x).backward()
        return x.grad.stride()

    with policy(False):
        assert strides() == (3, 1)
    assert strides() == x.stride() == (1, 2)
    assert policy(False)(strides)() == (3, 1)
    assert strides() == (1, 2)

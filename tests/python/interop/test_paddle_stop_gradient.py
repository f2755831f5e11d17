"""Paddle's words: stop_gradient, persistable, inplace_version, and the flag that retains all."""

import pytest

import eagre


@pytest.fixture
def retain_all():
    eagre.set_flags({"retain_grad_for_all_tensor": True})
    yield
    eagre.set_flags({"retain_grad_for_all_tensor": False})


def leaf(*values):
    return eagre.tensor(values, requires_grad=True)


# Row: Paddle B1
def test_stop_gradient_is_the_opposite_of_requires_grad():
    x = eagre.tensor([1.0, 2.0])
    assert x.stop_gradient
    x.stop_gradient = False
    assert x.requires_grad
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_an_interior_tensor_that_stops_cuts_the_graph():
    x = leaf(2.0)
    y = x * 3
    y.stop_gradient = True
    z = y * x
    z.backward()
    assert x.grad.tolist() == [6.0]
    assert y.is_leaf
    assert y.grad_fn is None


# Row: Paddle B1, Paddle D2
def test_the_users_word_wins_over_a_recorded_write():
    x, y = leaf(2.0), eagre.tensor([1.0])
    y.stop_gradient = True
    y.add_(x)
    assert y.tolist() == [3.0]
    assert y.stop_gradient
    assert not y.requires_grad
    plain = eagre.tensor([1.0])  # about which nothing was said
    plain.add_(x)
    assert not plain.stop_gradient


def test_the_users_word_wins_over_a_write_through_a_view():
    x, y = leaf(2.0), eagre.zeros(3)
    y.stop_gradient = True
    y[1:2].copy_(x)
    assert y.tolist() == [0.0, 2.0, 0.0]
    assert y.stop_gradient


def test_a_view_that_stops_and_starts_again():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    view = y[1:]
    view.stop_gradient = True
    assert not view.requires_grad
    assert not (view * 2).requires_grad
    view.stop_gradient = False
    (view * view).sum().backward()
    assert x.grad.tolist() == [0.0, 16.0, 24.0]


def test_false_takes_it_back():
    x = leaf(2.0)
    y = x * 3
    y.stop_gradient = True
    y.stop_gradient = False  # a leaf now
    (y * 5).backward()
    assert y.grad.tolist() == [5.0]
    assert x.grad is None
    y = eagre.tensor([1.0])
    y.stop_gradient = True
    y.requires_grad_()
    with eagre.no_grad():
        y.detach_()
    y.add_(x)
    assert y.requires_grad


def test_bad_values_are_refused():
    x, whole = leaf(1.0), eagre.tensor([1, 2])
    for value in (1, None, "yes"):
        with pytest.raises(TypeError, match="stop_gradient must be a bool"):
            x.stop_gradient = value
        with pytest.raises(TypeError, match="persistable must be a bool"):
            x.persistable = value
    with pytest.raises(TypeError, match="must be a bool, but got nothing"):
        del x.stop_gradient
    with pytest.raises(RuntimeError, match="floating point"):
        whole.stop_gradient = False
    whole.stop_gradient = True


# Row: Paddle B1
def test_persistable_is_a_mark():
    x = eagre.zeros(2)
    assert not x.persistable
    x.persistable = True
    assert x.persistable
    assert not (x + 1).persistable
    x.persistable = False
    assert not x.persistable


# Row: PyTorch H4
def test_inplace_version_counts_writes_until_it_is_reset():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y * y
    y.zero_()
    assert y.inplace_version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward(retain_graph=True)
    y._reset_inplace_version()
    assert y.inplace_version == 0
    z.sum().backward()  # the user said that the new values are the ones to use
    assert x.grad.tolist() == [0.0, 0.0]


@pytest.mark.usefixtures("retain_all")
def test_every_result_keeps_its_gradient():
    x = leaf(2.0)
    y = x * 3
    z = y.exp()
    parts = eagre.cat([y, z]).split(1)
    w = y.clone()
    w.mul_(2)
    total = parts[0] + parts[1] + w
    total.backward()
    assert y.grad.tolist() == [pytest.approx(3 + z.item())]
    assert z.grad.tolist() == [1.0]
    assert w.grad.tolist() == [1.0]
    assert parts[0].grad.tolist() == [1.0]
    assert total.grad.tolist() == [1.0]


def test_without_the_flag_results_keep_nothing():
    x = leaf(2.0)
    y = x * 3
    y.exp().backward()
    assert not y.retains_grad

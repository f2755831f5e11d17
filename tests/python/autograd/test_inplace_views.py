"""In-place operators on views and on tensors that have views: values, histories and refusals.

Most cases run the same function twice: once with in-place writes, once written without them. Their
results and gradients must agree.
"""

import numpy as np
import pytest
from compare_writes import assert_same, leaf

import eagre

# --- writes through a view ---


# Row: PyTorch I2
def test_a_write_through_a_slice_reaches_the_gradient_of_the_base():
    def written(x):
        y = x * 2
        y[1:].mul_(3)
        return y

    def pure(x):
        return eagre.cat([x[:1] * 2, x[1:] * 6])

    assert_same(written, pure, leaf(4))


# Row: PyTorch I2
def test_the_view_itself_has_the_new_history():
    def written(x):
        y = x * 2
        view = y[1:]
        view.exp_()
        return view * y[0]

    assert_same(written, lambda x: (x[1:] * 2).exp() * (x[0] * 2), leaf(4))


def test_a_view_of_a_view():
    def written(x):
        y = x * 3
        y.view(6)[2:5].view(3, 1).mul_(2)
        return y

    def pure(x):
        y = (x * 3).reshape(6)
        return eagre.cat([y[:2], y[2:5] * 2, y[5:]]).reshape(2, 3)

    assert_same(written, pure, leaf(2, 3))


# Row: PyTorch H7
def test_the_written_value_gets_its_gradient():
    def written(x, z):
        y = x * 1
        y[1] = z
        y[0].add_(z, alpha=2)
        return y

    def pure(x, z):
        return eagre.stack([x[0] + 2 * z, z, x[2]])

    assert_same(written, pure, leaf(3, 2), leaf(2, seed=1))


# Row: PyTorch I1, PyTorch I2, PyTorch I4
def test_a_base_without_gradient_gets_one():
    z = leaf(2)
    base = eagre.zeros(4, dtype=eagre.float64)
    other = base[:3]
    base[1:3].add_(z)
    assert base.requires_grad and other.requires_grad and not other.is_leaf
    assert base.grad_fn.name() == "CopySlices"
    other.sum().backward()
    assert z.grad.tolist() == [1.0, 1.0]


# Row: PyTorch I2
@pytest.mark.parametrize(
    "look",
    [
        lambda t: t.t(),
        lambda t: t[:, ::2],
        lambda t: t.diagonal(),
        lambda t: t[1],
        lambda t: t.unsqueeze(0),
        lambda t: t.permute(1, 0)[1:],
        lambda t: t.as_strided((2, 2), (3, 1), 1),
    ],
    ids=["t", "steps", "diagonal", "select", "unsqueeze", "permute", "as_strided"],
)
@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_every_kind_of_view_can_be_written(look, layout):
    def base_of(x):
        y = x * 2
        return y if layout == "rows" else (x.t().contiguous() * 2).t().contiguous()

    marked = eagre.zeros(3, 3, dtype=eagre.float64)
    look(marked).add_(1)

    def written(x):
        y = base_of(x)
        look(y).mul_(3)
        return y

    assert_same(written, lambda x: x * 2 * (1 + 2 * marked), leaf(3, 3))


def test_a_transposed_base():
    def written(x):
        base = x.t() * 2  # lies in columns
        assert not base.is_contiguous()
        base[0].mul_(2)
        return base

    def pure(x):
        return eagre.stack([x[:, 0] * 4, x[:, 1] * 2])

    assert_same(written, pure, leaf(3, 2))


def test_second_derivatives():
    x = leaf(3)

    def written(x):
        y = x * x
        y[:2].mul_(x[0])
        y[1:].exp_()
        return y.sum()

    def pure(x):
        squares = x * x
        return squares[0] * x[0] + (squares[1] * x[0]).exp() + squares[2].exp()

    for function in (written, pure):
        (first,) = eagre.autograd.grad(function(x), x, create_graph=True)
        (second,) = eagre.autograd.grad((first * first).sum(), x)
        if function is written:
            expected = second
    np.testing.assert_allclose(expected.numpy(), second.numpy())


# Row: PyTorch O2
def test_complex_numbers_written_by_their_parts():
    def written(x):
        z = eagre.complex(x[0], x[1]) * 1
        eagre.view_as_real(z)[..., 0].mul_(3)
        return eagre.view_as_real(z)

    def pure(x):
        return eagre.stack([x[0] * 3, x[1]], -1)

    if not hasattr(eagre, "complex"):
        pytest.skip("there is no complex() yet")
    assert_same(written, pure, leaf(2, 3))


# --- writes to a base that has views ---


# Row: PyTorch I3
def test_views_made_before_a_write_to_the_base_see_it():
    def written(x):
        y = x * 2
        view = y[1:]
        y.mul_(x)
        return view

    assert_same(written, lambda x: (x * 2 * x)[1:], leaf(4))


def test_two_views_of_one_base():
    def written(x):
        y = x * 1
        left, right = y[:3], y[1:]
        left.mul_(2)
        right.mul_(5)
        return left + right

    def pure(x):
        y = x * eagre.tensor([2.0, 10.0, 10.0, 5.0], dtype=eagre.float64)
        return y[:3] + y[1:]

    assert_same(written, pure, leaf(4))


# Row: PyTorch I3
def test_a_write_without_recording_keeps_the_gradient_of_the_view():
    x = leaf(3)
    y = x * 2
    view = y[1:]
    with eagre.no_grad():
        y.zero_()
    view.sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 2.0]


# Row: PyTorch I3
def test_the_history_of_a_view_is_made_anew_when_asked_for_without_recording():
    x = leaf(3)
    y = x * 2
    view = y[1:]
    y.mul_(2)
    with eagre.no_grad():
        assert view.grad_fn.name() == "AsStridedBackward0"


# Row: PyTorch H5
def test_earlier_users_keep_the_old_history():
    x = leaf(3)
    y = x * 2
    before = y[1:] + 0
    y[1:].mul_(10)
    (gradient,) = eagre.autograd.grad(before.sum(), x)
    assert gradient.tolist() == [0.0, 2.0, 2.0]


# Row: PyTorch F3
def test_a_saved_view_that_was_written_is_noticed():
    x = leaf(3)
    y = x.exp()
    saved = y[1:] * y[1:]
    y.mul_(2)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation(.|\n)*mul_\(\)"):
        saved.sum().backward()


# --- refusals ---


# Row: PyTorch I5
def test_a_view_of_a_leaf_cannot_be_written():
    x = leaf(3)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        x[1:].mul_(2)
    with eagre.no_grad():
        x[1:].mul_(0)
    assert x.tolist()[1:] == [0.0, 0.0]


# Row: PyTorch A6
def test_a_view_that_is_a_leaf_itself_cannot_be_written():
    base = eagre.ones(3)
    view = base[1:].requires_grad_()
    with pytest.raises(RuntimeError, match=r"mul_\(\): a leaf Variable that requires grad"):
        view.mul_(2)
    assert base.tolist() == [1.0, 1.0, 1.0] and view.is_leaf


# Row: PyTorch I6, PyTorch I10
@pytest.mark.parametrize(
    "parts", [lambda t: t.split(2), lambda t: t.unbind(0), lambda t: t.chunk(2)]
)
def test_one_of_several_views_cannot_be_written(parts):
    y = leaf(4) * 1
    part = parts(y)[0]
    with pytest.raises(RuntimeError, match="returns multiple views"):
        part.mul_(2)
    with pytest.raises(RuntimeError, match="returns multiple views"):
        part.view(-1).mul_(2)


# Row: PyTorch I7
def test_views_made_without_recording_cannot_be_written_with_it():
    y = leaf(4) * 1
    with eagre.no_grad():
        view = y[1:]
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        view.mul_(2)
    y.mul_(2)
    with pytest.raises(
        RuntimeError, match="its base or another view of its base has been modified"
    ):
        view * 2
    assert "grad_fn=<Invalid>" in repr(view)


def test_a_refused_write_has_changed_nothing():
    x = leaf(3)
    before, version = x.tolist(), x._version
    with pytest.raises(RuntimeError):
        x[1:].mul_(2)
    assert x.tolist() == before and x._version == version

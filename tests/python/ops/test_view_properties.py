"""Broadcasting and chains of views over random shapes, against NumPy: values, strides, writes that
reach the base, gradients."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.lib.stride_tricks import as_strided

import eagre

SETTINGS = settings(deadline=None, max_examples=500, derandomize=True)


def count(shape):
    return np.arange(1.0, 1 + np.prod(shape, dtype=int)).reshape(shape)


# --- broadcasting ---


@SETTINGS
@given(npst.mutually_broadcastable_shapes(num_shapes=3, max_dims=5, min_side=0, max_side=3))
def test_three_operands_broadcast(shapes):
    a, b, c = (count(shape) * (i + 1) for i, shape in enumerate(shapes.input_shapes))
    x, y, z = map(eagre.tensor, (a, b, c))
    result = eagre.addcmul(x, y, z)
    assert tuple(result.shape) == shapes.result_shape
    np.testing.assert_array_equal(result.numpy(), a + b * c)
    np.testing.assert_array_equal(eagre.where(x > y, y, z).numpy(), np.where(a > b, b, c))
    np.testing.assert_array_equal(eagre.maximum(x, z).numpy(), np.maximum(a, c))


@SETTINGS
@given(
    npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3),
    npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3),
)
def test_what_numpy_refuses_is_refused(left, right):
    a, b = count(left), count(right)
    x, y = eagre.tensor(a), eagre.tensor(b)
    try:
        expected = a + b
    except ValueError:
        with pytest.raises(eagre.InvalidArgumentError, match=r"add\(\)"):
            x + y
        expected = None
    else:
        np.testing.assert_array_equal((x + y).numpy(), expected)
    if expected is not None and expected.shape == left:
        assert x.add_(y) is x
        np.testing.assert_array_equal(x.numpy(), expected)
    else:  # the target of a write does not grow
        with pytest.raises(eagre.InvalidArgumentError, match=r"add_?\(\)"):
            x.add_(y)
        np.testing.assert_array_equal(x.numpy(), a)


@SETTINGS
@given(
    npst.mutually_broadcastable_shapes(
        num_shapes=1, base_shape=(2, 3, 2), max_dims=4, min_side=1, max_side=3
    )
)
def test_expand(shapes):
    a = count(shapes.input_shapes[0])
    view = eagre.tensor(a).expand(shapes.result_shape)
    np.testing.assert_array_equal(view.numpy(), np.broadcast_to(a, shapes.result_shape))


# --- views: each step draws its arguments and gives the tensor's view and the array's ---


def any_dim(draw, array, extra=0):
    """A dimension, and perhaps the same counted from the end."""
    rank = array.ndim + extra
    assume(rank > 0)
    dim = draw(st.integers(0, rank - 1))
    return dim, draw(st.sampled_from([dim, dim - rank]))


def transpose(draw, t, a):
    (i, dim0), (j, dim1) = any_dim(draw, a), any_dim(draw, a)
    return t.transpose(dim0, dim1), a.swapaxes(i, j)


def permute(draw, t, a):
    order = draw(st.permutations(range(a.ndim)))
    return t.permute(order), a.transpose(order)


def movedim(draw, t, a):
    (i, source), (j, destination) = any_dim(draw, a), any_dim(draw, a)
    return t.movedim(source, destination), np.moveaxis(a, i, j)


def select(draw, t, a):
    i, dim = any_dim(draw, a)
    assume(a.shape[i] > 0)
    index = draw(st.integers(-a.shape[i], a.shape[i] - 1))
    return t.select(dim, index), a[(slice(None),) * i + (index, ...)]


def slices(draw, t, a):
    keys = [
        slice(draw(st.none() | st.integers(-4, 4)), draw(st.none() | st.integers(-4, 5)),
              draw(st.none() | st.integers(1, 3)))
        for _ in range(draw(st.integers(0, a.ndim)))
    ]  # fmt: skip
    return t[tuple(keys)], a[(*keys, ...)]


def narrow(draw, t, a):
    i, dim = any_dim(draw, a)
    start = draw(st.integers(0, a.shape[i]))
    length = draw(st.integers(0, a.shape[i] - start))
    return t.narrow(dim, start, length), a[(slice(None),) * i + (slice(start, start + length),)]


def unsqueeze(draw, t, a):
    i, dim = any_dim(draw, a, 1)
    return t.unsqueeze(dim), np.expand_dims(a, i)


def squeeze(draw, t, a):
    ones = tuple(i for i, size in enumerate(a.shape) if size == 1)
    if draw(st.booleans()):
        return t.squeeze(), a.squeeze()
    i, dim = any_dim(draw, a)
    return t.squeeze(dim), a.squeeze(i) if i in ones else a


def split(draw, t, a):
    i, dim = any_dim(draw, a)
    assume(a.shape[i] > 0)
    size = draw(st.integers(1, a.shape[i]))
    parts = np.split(a, range(size, a.shape[i], size), axis=i)
    which = draw(st.integers(0, len(parts) - 1))
    found = t.split(size, dim)
    assert len(found) == len(parts)
    return found[which], parts[which]


def unbind(draw, t, a):
    i, dim = any_dim(draw, a)
    assume(a.shape[i] > 0)
    which = draw(st.integers(0, a.shape[i] - 1))
    return t.unbind(dim)[which], np.moveaxis(a, i, 0)[which, ...]


def diagonal(draw, t, a):
    assume(a.ndim >= 2)
    i, j = draw(st.permutations(range(a.ndim)))[:2]
    offset = draw(st.integers(-3, 3))
    rows = max(0, min(a.shape[i] + min(offset, 0), a.shape[j] - max(offset, 0)))
    inner = a[tuple(
        slice(-offset, None) if d == i and offset < 0 and rows
        else slice(offset, None) if d == j and offset > 0 and rows else slice(None)
        for d in range(a.ndim))]  # fmt: skip
    kept = [d for d in range(a.ndim) if d not in (i, j)]
    view = as_strided(
        inner,
        [*(a.shape[d] for d in kept), rows],
        [*(a.strides[d] for d in kept), a.strides[i] + a.strides[j]],
    )
    return t.diagonal(offset, i, j), view


def unfold(draw, t, a):
    i, dim = any_dim(draw, a)
    size = draw(st.integers(0, a.shape[i]))
    step = draw(st.integers(1, 3))
    windows = (a.shape[i] - size) // step + 1
    strides = list(a.strides)
    strides[i] *= step
    shape = [*a.shape[:i], windows, *a.shape[i + 1 :], size]
    return t.unfold(dim, size, step), as_strided(a, shape, [*strides, a.strides[i]])


def expand(draw, t, a):
    shape = [draw(st.integers(1, 3)) if size == 1 else size for size in a.shape]
    shape = [*(draw(st.integers(1, 2)) for _ in range(draw(st.integers(0, 1)))), *shape]
    wide = np.broadcast_to(a, shape)
    return t.expand(shape), as_strided(a, wide.shape, wide.strides)  # one that may be written


def view(draw, t, a):
    """Two dimensions become one, or one becomes two, where the strides permit it."""
    assume(a.ndim > 0)
    i = draw(st.integers(0, a.ndim - 1))
    divisors = [d for d in range(1, a.shape[i] + 1) if a.shape[i] % d == 0]
    if i + 1 < a.ndim and draw(st.booleans()):
        shape = [*a.shape[:i], a.shape[i] * a.shape[i + 1], *a.shape[i + 2 :]]
    else:
        assume(divisors)
        first = draw(st.sampled_from(divisors))
        shape = [*a.shape[:i], first, a.shape[i] // first, *a.shape[i + 1 :]]
    other = a.view()
    try:
        other.shape = shape
    except AttributeError:  # it would have to be copied
        with pytest.raises(eagre.InvalidArgumentError, match=r"view\(\)"):
            t.view(shape)
        np.testing.assert_array_equal(t.reshape(shape).detach().numpy(), a.reshape(shape))
        return t, a
    return t.view(shape), other


STEPS = [transpose, permute, movedim, select, slices, narrow, unsqueeze, squeeze, split, unbind,
         diagonal, unfold, expand, view]  # fmt: skip


def places(base, a):
    """Where in the base the elements of its view lie, counted in row-major order."""
    offset = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    numbers = np.arange(base.size)
    return as_strided(numbers[offset // 8 :], a.shape, a.strides) if a.size else numbers[:0]


@SETTINGS
@given(st.data())
def test_chains_of_views(data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4))
    array = count(shape)
    leaf = eagre.tensor(array, requires_grad=True)
    base = leaf * 1
    t, a = base, array
    for step in data.draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=5)):
        t, a = step(data.draw, t, a)
    assert tuple(t.shape) == a.shape
    np.testing.assert_array_equal(t.detach().numpy(), a)
    if a.size:
        for size, ours, theirs in zip(a.shape, t.stride(), a.strides, strict=True):
            assert size == 1 or ours * 8 == theirs

    where = places(array, a)
    (gradient,) = eagre.autograd.grad(t.sum(), leaf, retain_graph=True)
    times = np.bincount(where.reshape(-1), minlength=array.size).reshape(shape)
    np.testing.assert_array_equal(gradient.numpy(), times)

    t, base = t.detach(), base.detach()
    if times.max() > 1:  # one place twice: such a write has no meaning
        with pytest.raises(eagre.InvalidArgumentError, match=r"mul_?\(\)"):
            t.mul_(-2)
        np.testing.assert_array_equal(base.numpy(), array)
    else:
        t.mul_(-2)
        a *= -2
        np.testing.assert_array_equal(base.numpy(), array)
        base.add_(1)
        array += 1
        np.testing.assert_array_equal(t.numpy(), a)

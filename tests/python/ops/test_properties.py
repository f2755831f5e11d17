"""Properties over random inputs: agreement with NumPy on whatever shapes and strides come up."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import eagre

SHAPES = npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
NUMBERS = st.floats(-100, 100, width=32)


@st.composite
def looks(draw, shape):
    """A tensor of this shape, perhaps as a look at larger or transposed memory, and its array."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.integers(1, 3)) for _ in shape]
    base_shape = [shape[i] * steps[i] for i in order]
    base = draw(npst.arrays(np.float64, base_shape, elements=NUMBERS))
    array = base.transpose(np.argsort(order) if order else [])
    array = array[tuple(slice(None, None, step) for step in steps)]
    return eagre.from_numpy(array) if array.ndim else eagre.tensor(array), array


@st.composite
def pairs(draw):
    shapes = draw(
        npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=4)
    )
    return [draw(looks(shape)) for shape in shapes.input_shapes]


@settings(deadline=None, max_examples=150)
@given(pairs())
def test_binary_operators(pair):
    (x, a), (y, b) = pair
    np.testing.assert_array_equal((x + y).numpy(), a + b)
    np.testing.assert_array_equal((x * y).numpy(), a * b)
    np.testing.assert_array_equal((x + 2 * y).tolist(), (a + 2 * b).tolist())


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_sums(data):
    shape = data.draw(SHAPES)
    x, a = data.draw(looks(shape))
    dims = data.draw(st.lists(st.integers(0, max(len(shape) - 1, 0)), unique=True)) if shape else []
    keepdim = data.draw(st.booleans())
    expected = a.sum(tuple(dims) or None, keepdims=keepdim)
    np.testing.assert_allclose(x.sum(dims, keepdim).numpy(), expected, rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_gradients_have_the_shape_of_their_tensor(data):
    (x, _), (y, _) = data.draw(pairs())
    x, y = x.clone().requires_grad_(), y.clone().requires_grad_()
    (x * y + x).sum().backward()
    for tensor in (x, y):
        assert tensor.grad.shape == tensor.shape and tensor.grad.dtype is tensor.dtype
    np.testing.assert_allclose(
        (x.grad * x.detach()).sum().item(),
        (x * y + x).detach().sum().item(),
        rtol=1e-9,
        atol=1e-6,
    )


@settings(deadline=None, max_examples=100)
@given(SHAPES.flatmap(lambda shape: npst.arrays(np.float64, shape, elements=NUMBERS)))
def test_lists_round_trip(array):
    data = array.tolist()
    tensor = eagre.tensor(data, dtype=eagre.float64)
    if array.size:  # a list of empty lists ends at the first 0
        assert tensor.shape == array.shape
    assert tensor.tolist() == data
    assert repr(tensor).startswith("tensor(")

"""What a tensor is to autograd: flags, leaves, .grad, .data, detach, versions."""

import warnings

import pytest

import eagre


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# --- requires_grad, leaves ---


# Row: PyTorch A1
def test_only_floating_and_complex_tensors_can_require_grad():
    for dtype in (eagre.float16, eagre.float32, eagre.float64, eagre.complex64):
        assert eagre.zeros(2, dtype=dtype, requires_grad=True).requires_grad
    for dtype in (eagre.int64, eagre.bool):
        assert not eagre.zeros(2, dtype=dtype, requires_grad=False).requires_grad
        with pytest.raises(RuntimeError, match="floating point and complex"):
            eagre.zeros(2, dtype=dtype, requires_grad=True)
        with pytest.raises(RuntimeError, match="floating point and complex"):
            eagre.zeros(2, dtype=dtype).requires_grad_()


# Row: PyTorch A2
def test_requires_grad_can_be_switched_off_on_leaves_only():
    x = leaf(1.0)
    y = x * 2
    assert y.requires_grad_() is y
    with pytest.raises(RuntimeError, match="leaf"):
        y.requires_grad_(False)
    for wanted in (False, True):
        with pytest.raises(RuntimeError, match="leaf"):
            y.requires_grad = wanted
    assert not x.requires_grad_(False).requires_grad
    with pytest.raises(TypeError, match="bool"):
        x.requires_grad = 1


# Row: PyTorch A2
def test_a_leaf_whose_flag_is_switched_off_gets_no_gradient_from_older_graphs():
    x, w = leaf(1.0), leaf(3.0)
    y = x * w
    x.requires_grad_(False)
    y.backward(retain_graph=True)
    assert x.grad is None and w.grad.tolist() == [1.0]
    x.requires_grad_()
    y.backward(retain_graph=True)
    assert x.grad.tolist() == [3.0]
    z = x + 1
    x.requires_grad_(False)
    x.mul_(w)  # now it is a result, and z knows nothing of that
    with pytest.raises(RuntimeError, match="moved into the graph interior"):
        z.backward()


# Row: PyTorch A3
def test_an_output_requires_grad_if_an_input_does_and_the_mode_is_on():
    x, y = leaf(1.0), eagre.ones(1)
    assert (x + y).requires_grad and not (y + y).requires_grad
    with eagre.no_grad():
        assert not (x + y).requires_grad


# Row: PyTorch A3
def test_integer_outputs_never_require_grad():
    x = leaf(1.0, 3.0, 2.0)
    assert not x.argmax().requires_grad and not (x > 1).requires_grad
    values, indices = x.sort()
    assert values.requires_grad and not indices.requires_grad


# Row: PyTorch A4
def test_leaves_have_no_grad_fn():
    x = leaf(1.0)
    with eagre.no_grad():
        without = x * 2
    for tensor in (x, eagre.ones(1), (x * 2).detach(), without):
        assert tensor.is_leaf and tensor.grad_fn is None and tensor.output_nr == 0
    assert not (x * 2).is_leaf


# Row: PyTorch A5
def test_writing_a_recorded_value_makes_a_leaf_a_result():
    x, y = leaf(2.0), eagre.ones(1)
    y.mul_(x)
    assert not y.is_leaf and y.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [1.0]


# Row: PyTorch A6
def test_a_leaf_that_requires_grad_is_not_written_in_place():
    x = leaf(2.0)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        x.mul_(2)
    with eagre.no_grad():
        x.mul_(2)
    assert x.tolist() == [4.0] and x.is_leaf and x.requires_grad


# --- .grad ---


# Row: PyTorch A7
def test_reading_grad_of_a_result_warns_unless_it_is_retained():
    y = leaf(2.0) * 2
    with pytest.warns(UserWarning, match="retain_grad"):
        assert y.grad is None
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.grad is None


# Row: PyTorch A8
def test_grad_is_assigned_only_what_fits():
    x = leaf(1.0, 2.0)
    x.grad = eagre.ones(2)
    x.grad = None
    with pytest.raises(TypeError, match="Tensor or None, but got int"):
        x.grad = 3
    with pytest.raises(RuntimeError, match="its own grad"):
        x.grad = x
    with pytest.raises(RuntimeError, match="shape"):
        x.grad = eagre.ones(3)
    with pytest.raises(RuntimeError, match="dtype float64"):
        x.grad = eagre.ones(2, dtype=eagre.float64)
    assert x.grad is None


# Row: PyTorch A9
def test_deleting_grad_clears_it_and_other_attributes_stay():
    x = leaf(1.0)
    x.grad = eagre.ones(1)
    del x.grad
    assert x.grad is None
    for name in ("data", "requires_grad", "grad_fn", "shape", "retains_grad"):
        with pytest.raises((RuntimeError, AttributeError)):
            delattr(x, name)
    assert x.requires_grad and x.tolist() == [1.0]


# Row: PyTorch A10
def test_grad_dtype_is_what_gradients_are_cast_to():
    x = leaf(1.0, 2.0)
    assert x.grad_dtype is eagre.float32
    x.grad_dtype = eagre.float64
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.dtype is eagre.float64 and x.grad.tolist() == [6.0, 6.0]
    with pytest.raises(RuntimeError, match="already a gradient"):
        x.grad_dtype = eagre.float32
    x.grad = None
    x.grad_dtype = eagre.float32
    with pytest.raises(RuntimeError, match="dtype"):
        x.grad = eagre.ones(2, dtype=eagre.float64)


# Row: PyTorch A10
def test_grad_dtype_none_takes_any_gradient():
    x = leaf(1.0, 2.0)
    x.grad_dtype = None
    assert x.grad_dtype is None
    x.backward(eagre.ones(2, dtype=eagre.float64))
    assert x.grad.dtype is eagre.float64
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


# Row: PyTorch A10
def test_grad_dtype_is_for_leaves_and_dtypes():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="leaf"):
        (x * 2).grad_dtype = eagre.float64
    with pytest.raises(TypeError, match="dtype or None, but got int"):
        x.grad_dtype = 3
    with pytest.raises(ValueError, match="floating-point"):
        x.grad_dtype = eagre.int64


# --- detach, .data ---


# Row: PyTorch A11, PyTorch H1, PyTorch I13
def test_detach_shares_memory_and_version():
    x = leaf(1.0)
    y = x * 2
    z = y.detach()
    assert not z.requires_grad and not z._is_view() and z.data_ptr() == y.data_ptr()
    z.add_(1)
    assert y._version == z._version == 1


# Row: PyTorch A11, PyTorch H1
def test_a_write_to_a_detached_tensor_is_noticed_by_backward():
    x = leaf(1.0)
    y = x * 2
    z = y * y
    y.detach().zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


# Row: PyTorch A12
def test_detach_in_place_makes_a_leaf():
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    assert y.detach_() is y
    assert y.is_leaf and not y.requires_grad and y.grad_fn is None and not y.retains_grad
    assert not x.detach_().requires_grad


# Row: PyTorch A12
def test_views_cannot_be_detached_in_place_but_their_base_can():
    x = leaf(1.0, 2.0)
    y = x * 2
    view = y[0]
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        view.detach_()
    y.detach_()
    assert not y.requires_grad and view.requires_grad and view.grad_fn is not None
    view.backward()
    assert x.grad.tolist() == [2.0, 0.0]


# Row: PyTorch A13, PyTorch H1
def test_data_shares_memory_and_hides_writes_from_autograd():
    x = leaf(1.0, 2.0)
    y = x * x
    data = x.data
    assert not data.requires_grad and data.data_ptr() == x.data_ptr() and data._version == 0
    data.mul_(10)
    assert data._version == 1 and x._version == 0
    y.sum().backward()
    assert x.grad.tolist() == [20.0, 40.0]  # what was written is used, silently


# Row: PyTorch A14
def test_setting_data_keeps_identity_version_and_flags():
    x = leaf(1.0, 2.0)
    with eagre.no_grad():
        x.add_(1)
    version = x._version
    fresh = eagre.ones(3)
    x.data = fresh
    assert x.requires_grad and x.is_leaf and x.shape == (3,) and x._version == version
    assert x.data_ptr() == fresh.data_ptr()
    fresh.add_(1)
    assert x._version == version and x.tolist() == [2.0, 2.0, 2.0]
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


# Row: PyTorch A14
def test_setting_data_may_change_the_dtype():
    x = leaf(1.0)
    x.data = eagre.ones(2, dtype=eagre.float64)
    (x * 3).sum().backward()
    assert x.dtype is x.grad.dtype is eagre.float64 and x.grad.tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="floating point or complex"):
        x.data = eagre.ones(2, dtype=eagre.int64)
    with pytest.raises(TypeError, match="must be a Tensor, but got int"):
        x.data = 3


def test_setting_data_leaves_older_views_and_aliases_their_memory():
    x = eagre.ones(100_000)
    view, alias = x[1:], x.detach()
    x.data = eagre.zeros(5)
    later = x.detach()
    x.data = eagre.zeros(6)
    del x
    eagre.full((100_000,), 7.0)  # would take the memory if it were free
    assert view.sum().item() == 99_999.0 and alias.sum().item() == 100_000.0
    assert later.tolist() == [0.0] * 5 and later._version == 0


def test_training_by_setting_data():
    x = leaf(4.0)
    for _ in range(3):
        x.grad = None
        (x * x).sum().backward()
        x.data = x.data - 0.25 * x.grad
    assert x.tolist() == [0.5]


# --- introspection ---


# Row: PyTorch A15
def test_output_nr_counts_the_outputs_of_one_node():
    values, indices = leaf(3.0, 1.0).sort()
    parts = leaf(1.0, 2.0, 3.0).split(1)
    assert values.output_nr == 0 and [part.output_nr for part in parts] == [0, 1, 2]
    assert all(part.grad_fn == parts[0].grad_fn for part in parts)


# Row: PyTorch A17
def test_numpy_of_a_tensor_that_requires_grad_is_refused():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="detach"):
        x.numpy()
    assert x.detach().numpy().tolist() == [1.0]
    with eagre.no_grad():
        assert x.numpy().tolist() == memoryview(x).tolist() == [1.0]


# Row: PyTorch A18
def test_casts_are_differentiable_and_give_gradients_in_the_leafs_dtype():
    x = leaf(1.0)
    (x.to(eagre.float64) * 3).sum().backward()
    assert x.grad.dtype is eagre.float32 and x.grad.tolist() == [3.0]


# Row: PyTorch A19
def test_a_parameter_may_get_memory_of_another_shape_between_iterations():
    parameter = leaf(1.0, 2.0, 3.0)
    for size in (2, 1):
        with eagre.no_grad():
            parameter.set_(parameter[1:])
        parameter.grad = None
        eagre.cat((parameter, parameter)).sum().backward()
        assert parameter.is_leaf and parameter.grad.tolist() == [2.0] * size


# Row: PyTorch A19
def test_a_graph_from_before_a_parameter_changed_its_shape_is_refused():
    parameter = leaf(1.0, 2.0, 3.0)
    old = (parameter * 2).sum()
    with eagre.no_grad():
        parameter.set_(parameter[1:])
    with pytest.raises(RuntimeError, match=r"\[3\].*\[2\]"):
        old.backward()


def test_memory_of_a_parameter_is_not_replaced_where_gradients_are_recorded():
    with pytest.raises(RuntimeError, match="geometry of a tensor that requires grad"):
        leaf(1.0).set_(eagre.ones(2))
    with pytest.raises(RuntimeError, match="geometry of a tensor that requires grad"):
        (leaf(1.0) * 2).set_(eagre.ones(2))


# --- names of the past ---


# Row: PyTorch A20
def test_volatile_warns_that_it_is_gone():
    x = eagre.ones(1)
    with pytest.warns(UserWarning, match="volatile was removed: it is always False"):
        assert x.volatile is False
    with pytest.warns(UserWarning, match="volatile was removed and now has no effect"):
        x.volatile = True
    with pytest.warns(UserWarning, match="always False"):
        assert x.volatile is False


# Row: PyTorch A20
def test_a_variable_is_a_tensor():
    variable = eagre.autograd.Variable
    x = eagre.ones(2, requires_grad=True)
    y = variable(x)
    assert type(y) is eagre.Tensor and not y.requires_grad and y.data_ptr() == x.data_ptr()
    assert variable(x, requires_grad=True).requires_grad
    assert isinstance(x, variable) and not isinstance(1, variable)
    with pytest.warns(UserWarning, match="volatile was removed and now has no effect"):
        variable(x, volatile=True)
    with pytest.raises(TypeError, match="must be a Tensor, but got int"):
        variable(1)


# Row: PyTorch A20
@pytest.mark.parametrize("name", ["creator", "reinforce"])
def test_names_that_were_removed_are_no_attributes(name):
    with pytest.raises(AttributeError, match=name):
        getattr(eagre.ones(1), name)
    with pytest.raises(AttributeError, match="saved_variables"):
        eagre.ones(1, requires_grad=True).exp().grad_fn.saved_variables  # noqa: B018

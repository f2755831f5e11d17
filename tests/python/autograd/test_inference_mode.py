"""Inference mode and the tensors made in it."""

import pytest

import eagre


def inference_tensor():
    with eagre.inference_mode():
        return eagre.ones(3)


# Row: PyTorch A4, PyTorch J4
def test_tensors_made_in_the_mode_are_inference_tensors():
    x = eagre.ones(3, requires_grad=True)
    with eagre.inference_mode():
        assert eagre.is_inference_mode_enabled() and not eagre.is_grad_enabled()
        y = x * 2
        assert y.is_inference() and not y.requires_grad and y.is_leaf
        assert not x.is_inference()
    assert not eagre.is_inference_mode_enabled() and eagre.is_grad_enabled()
    assert not (x * 2).is_inference()


# Row: PyTorch J4
def test_modes_nest_and_restore_exactly():
    with eagre.no_grad(), eagre.inference_mode():
        with eagre.inference_mode(False):
            assert eagre.is_grad_enabled() and not eagre.ones(1).is_inference()
        with eagre.enable_grad():
            x = eagre.ones(1, requires_grad=True)
            assert not (x * 2).requires_grad
        assert eagre.is_inference_mode_enabled()
    assert eagre.is_grad_enabled()
    with eagre.no_grad():
        with eagre.inference_mode():
            pass
        assert not eagre.is_grad_enabled()


@pytest.mark.parametrize("decorator", [eagre.inference_mode, eagre.inference_mode()])
def test_decorators(decorator):
    @decorator
    def double(x):
        return x * 2

    assert double(eagre.ones(2, requires_grad=True)).is_inference()
    assert not eagre.is_inference_mode_enabled()


# Row: PyTorch J4
def test_inference_tensors_have_no_version():
    with pytest.raises(RuntimeError, match="do not track version counter"):
        _ = inference_tensor()._version


# Row: PyTorch J5
def test_functional_operators_outside_make_normal_tensors():
    x = inference_tensor()
    y = x + 1
    assert not y.is_inference()
    y.mul_(2)
    assert y.tolist() == [4.0, 4.0, 4.0]


# Row: PyTorch J5
def test_views_of_inference_tensors_stay_inference_tensors():
    view = inference_tensor()[1:]
    assert view.is_inference() and not view._is_view() and view._base is None
    assert inference_tensor().detach().is_inference()


# Row: PyTorch J5
@pytest.mark.parametrize(
    "write",
    [
        lambda t: t.add_(1),
        lambda t: t.add_(eagre.ones(3)),
        lambda t: t.zero_(),
        lambda t: t.__setitem__(0, 5.0),
        lambda t: t[1:].mul_(2),
        lambda t: eagre.add(eagre.ones(3), 1, out=t),
    ],
)
def test_writes_outside_are_refused(write):
    x = inference_tensor()
    with pytest.raises(RuntimeError, match="outside InferenceMode is not allowed"):
        write(x)
    assert x.tolist() == [1.0, 1.0, 1.0]
    with eagre.inference_mode():
        x.add_(1)
    assert x.tolist() == [2.0, 2.0, 2.0]


# Row: PyTorch F13, PyTorch J5
def test_inference_tensors_cannot_be_saved_but_may_take_part():
    x, y = inference_tensor(), eagre.ones(3, requires_grad=True)
    assert (x + y).requires_grad  # nothing is saved
    with pytest.raises(RuntimeError, match="cannot be saved for backward"):
        x * y
    (x.clone() * y).sum().backward()
    assert y.grad.tolist() == [1.0, 1.0, 1.0]


def test_requires_grad_cannot_be_set_outside():
    with pytest.raises(RuntimeError, match="outside InferenceMode is not allowed"):
        inference_tensor().requires_grad_()


# Row: PyTorch I7
def test_views_made_in_the_mode_cannot_be_written_with_recording():
    base = eagre.ones(3, requires_grad=True) * 1
    with eagre.inference_mode():
        view = base[1:]
        assert not view.is_inference()
    with pytest.raises(RuntimeError, match="created in inference mode"):
        view.mul_(2)


# Row: PyTorch H2
def test_normal_tensors_written_in_the_mode_advance_their_version():
    x = eagre.ones(3, requires_grad=True)
    y = x * 1
    z = y * y
    with eagre.inference_mode():
        y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


# Row: PyTorch J8
def test_the_mode_belongs_to_the_thread():
    import threading

    seen = []
    with eagre.inference_mode():
        thread = threading.Thread(target=lambda: seen.append(eagre.ones(1).is_inference()))
        thread.start()
        thread.join()
    assert seen == [False]


# Row: PyTorch J4
def test_outputs_in_the_mode_never_require_grad():
    with eagre.inference_mode():
        x = eagre.ones(1, requires_grad=True)
        assert x.requires_grad and not (x * 2).requires_grad and not x[:].requires_grad


# Row: PyTorch J5
def test_an_inference_tensor_can_be_a_leaf_that_receives_gradients():
    with eagre.inference_mode():
        x = eagre.ones(3, requires_grad=True)
    y = x + 1
    assert y.requires_grad and not y.is_leaf and not y.is_inference()
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


# Row: PyTorch I10
def test_views_of_views_made_in_the_mode_cannot_be_written_either():
    base = eagre.ones(3, requires_grad=True) * 1
    with eagre.inference_mode():
        view = base[1:]
    with pytest.raises(RuntimeError, match="created in inference mode"):
        view[:1].mul_(2)
    with eagre.no_grad():
        part = view[:1]
    with pytest.raises(RuntimeError, match="created in inference mode"):
        part.mul_(2)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.transpose_(0, 1),
        lambda x: x.squeeze_(),
        lambda x: x.unsqueeze_(0),
        lambda x: x.t_(),
        lambda x: x.as_strided_((1,), (1,)),
        lambda x: x.set_(eagre.ones(1)),
    ],
)
def test_changes_of_the_look_outside_are_refused(change):
    with eagre.inference_mode():
        x = eagre.ones(1, 2)
        change(eagre.ones(1, 2))
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside"):
        change(x)


def test_views_outside_of_an_inference_leaf_have_no_history():
    with eagre.inference_mode():
        x = eagre.ones(1, 2, requires_grad=True)
        assert x.resize_(1, 1).requires_grad
    for view in (x.view(-1), x[0], x.t(), x.unbind()[0]):
        assert view.is_inference() and view.is_leaf and not view.requires_grad
    assert (x * 2).requires_grad


def test_transforms_differentiate_in_the_mode():
    weight = eagre.tensor([2.0, 3.0])
    with eagre.inference_mode():
        x, inside = eagre.tensor([1.0, 2.0]), eagre.tensor([2.0, 3.0])

        def f(x):
            y = x * x
            y[:1].mul_(inside[:1])
            return (y * weight * inside).sum()

        assert eagre.func.grad(f)(x).tolist() == [16.0, 36.0]
        assert eagre.func.vjp(f, x)[1](eagre.tensor(1.0))[0].tolist() == [16.0, 36.0]
        assert eagre.func.jacrev(lambda x: x**2)(x).tolist() == [[2.0, 0.0], [0.0, 4.0]]
        assert eagre.func.hessian(lambda x: (x**3).sum())(x).diagonal().tolist() == [6.0, 12.0]
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved"):
        weight.requires_grad_() * inside

"""backward(), grad(), modes, and errors that name the line of the forward call."""

import inspect

import pytest

import eagre


def line():
    return inspect.currentframe().f_back.f_lineno


def test_backward_accumulates():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    (x * x).sum().backward()
    assert x.grad.tolist() == [4.0, 8.0]
    del x.grad
    assert x.grad is None
    x.grad = eagre.ones(2)
    (x * 1).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_backward_with_a_gradient():
    x = eagre.ones(2, requires_grad=True)
    (x * 2).backward(eagre.tensor([1.0, 3.0]))
    (x * 2).backward(gradient=eagre.tensor([1.0, 3.0]))
    assert x.grad.tolist() == [4.0, 12.0]


def test_grad():
    x = eagre.ones(2, requires_grad=True)
    y = eagre.ones(2, requires_grad=True)
    z = (x * y * 3).sum()
    gx, gy = eagre.autograd.grad(z, [x, y], retain_graph=True)
    assert gx.tolist() == gy.tolist() == [3.0, 3.0] and x.grad is None
    unused = eagre.ones(1, requires_grad=True)
    assert eagre.autograd.grad(z, (x, unused), allow_unused=True)[1] is None
    outputs = [x * 1, y * 2]
    weights = [eagre.tensor([1.0, 2.0]), None]
    with pytest.raises(eagre.AutogradError, match="output\\[1\\]"):
        eagre.autograd.grad(outputs, x, grad_outputs=weights)


def test_backward_of_several():
    x = eagre.ones(1, requires_grad=True)
    eagre.autograd.backward([x * 2, x * 3])
    assert x.grad.tolist() == [5.0]
    eagre.autograd.backward((x * 2,), grad_tensors=[eagre.tensor([2.0])])
    assert x.grad.tolist() == [9.0]


def test_second_order():
    x = eagre.tensor(2.0, requires_grad=True)
    (first,) = eagre.autograd.grad(x * x * x, x, create_graph=True)
    (second,) = eagre.autograd.grad(first, x, create_graph=True)
    (third,) = eagre.autograd.grad(second, x)
    assert (first.item(), second.item(), third.item()) == (12.0, 12.0, 6.0)


# Row: PyTorch J1, PyTorch J3
def test_modes():
    x = eagre.ones(1, requires_grad=True)
    with eagre.no_grad():
        assert not eagre.is_grad_enabled() and not (x * 2).requires_grad
        with eagre.enable_grad():
            assert (x * 2).requires_grad
        x.add_(1)  # leaves may be changed here
    assert eagre.is_grad_enabled() and (x * 2).requires_grad
    mode = eagre.no_grad()
    with mode, mode:
        assert not eagre.is_grad_enabled()
    assert eagre.is_grad_enabled()
    with eagre.set_grad_enabled(False):
        assert not eagre.is_grad_enabled()
    assert eagre.is_grad_enabled()
    mode = eagre.set_grad_enabled(False)
    assert repr(mode) == "eagre.autograd.grad_mode.set_grad_enabled(mode=False)"
    assert not eagre.is_grad_enabled()
    eagre.set_grad_enabled(True)


# Row: PyTorch J1, PyTorch J3
def test_modes_as_decorators():
    @eagre.no_grad()
    def with_parentheses():
        """doc"""
        return eagre.is_grad_enabled()

    @eagre.no_grad
    def without():
        return eagre.is_grad_enabled()

    @eagre.set_grad_enabled(False)
    def set_for_the_call():
        raise ValueError(eagre.is_grad_enabled())

    assert eagre.is_grad_enabled()
    assert with_parentheses() is False and without() is False
    assert with_parentheses.__doc__ == "doc"
    with pytest.raises(ValueError, match="False"):
        set_for_the_call()
    assert eagre.is_grad_enabled()


def test_detach_and_requires_grad():
    x = eagre.ones(2)
    assert x.requires_grad_() is x and x.requires_grad
    x.requires_grad = False
    assert not x.requires_grad
    y = x.requires_grad_() * 2
    z = y.detach()
    assert not z.requires_grad and z.data_ptr() == y.data_ptr() and not y.is_leaf
    z.add_(1)
    assert y._version == 1


# Row: PyTorch F3, PyTorch L8
def test_in_place_error_names_both_lines():
    x = eagre.ones(2, requires_grad=True)
    y = x * 1
    forward = line() + 1
    z = y * y
    changed = line() + 1
    y.add_(1)
    with pytest.raises(eagre.AutogradError) as caught:
        z.sum().backward()
    here = f"{__file__}:"
    function = "in test_in_place_error_names_both_lines"
    assert f"changed by add_() at {here}{changed} {function}" in str(caught.value)
    assert f"MulBackward0, recorded at {here}{forward} {function}" in str(caught.value)


class Model:
    def forward(self, x):
        return x.exp()


def test_second_backward_names_the_forward_line():
    x = eagre.ones(2, requires_grad=True)
    y = Model().forward(x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="retain_graph=True") as caught:
        y.backward()
    expected = inspect.getsourcelines(Model.forward)[1] + 1
    assert f"{__file__}:{expected} in Model.forward" in str(caught.value)


def test_lines_of_comprehensions_lambdas_generators_and_multi_line_calls():
    x = eagre.ones(1, requires_grad=True)

    def broken(make):
        y = x * 1
        z = make(y)
        y.mul_(2)
        with pytest.raises(eagre.AutogradError) as caught:
            z.sum().backward()
        text = str(caught.value)
        return int(text.rpartition("recorded at ")[2].split(":")[1].split()[0])

    def generator(y):
        yield y * y

    assert broken(lambda y: y * y) == line()
    assert broken(lambda y: [a * a for a in [y]][0]) == line()
    assert broken(lambda y: next(generator(y))) == line() - 4
    start = line()
    got = broken(
        lambda y: eagre.mul(
            y,
            y,
        )
    )
    assert got == start + 2


def test_large_tensors_release_the_lock_and_keep_the_line():
    x = eagre.ones(300, 300, requires_grad=True)
    y = x * 1
    forward = line() + 1
    z = y * y
    y.add_(1)
    with pytest.raises(eagre.AutogradError, match=f":{forward} in "):
        z.sum().backward()


def test_frames_of_the_package_are_skipped():
    leaf = eagre.ones(2)
    made = line() + 1
    view = eagre.zeros(2, requires_grad=True) * leaf
    leaf.add_(1)
    with pytest.raises(eagre.AutogradError, match=f":{made} in "):
        eagre.autograd.backward(view.sum())


def test_code_that_is_made_at_run_time():
    x = eagre.ones(1, requires_grad=True)
    for i in range(50):
        scope = {"x": x}
        exec(compile(f"y = x * 1\nz = y * y\ny.add_({i})", f"<made {i}>", "exec"), scope)
        with pytest.raises(eagre.AutogradError, match=f"<made {i}>:2 in <module>"):
            scope["z"].sum().backward()


# Row: PyTorch J2
def test_no_grad_decorates_generators():
    seen = []

    @eagre.no_grad()
    def numbers():
        seen.append(eagre.is_grad_enabled())
        got = yield 1
        seen.append((got, eagre.is_grad_enabled()))
        try:
            yield 2
        except ValueError:
            seen.append(eagre.is_grad_enabled())
            yield 3
        return 4

    generator = numbers()
    assert next(generator) == 1
    assert eagre.is_grad_enabled()
    assert generator.send("x") == 2
    assert generator.throw(ValueError()) == 3
    with pytest.raises(StopIteration) as end:
        next(generator)
    assert end.value.value == 4
    assert seen == [False, ("x", False), False]
    assert eagre.is_grad_enabled()


# Row: PyTorch J3
def test_set_grad_enabled_may_be_entered_again():
    mode = eagre.set_grad_enabled(False)
    for _ in range(3):
        with mode:
            assert not eagre.is_grad_enabled()
        assert eagre.is_grad_enabled()


def test_a_bad_first_gradient_names_the_forward_line():
    x = eagre.tensor([1.0], requires_grad=True)
    y = x * 2  # the forward line
    with pytest.raises(eagre.Error, match="recorded at .*test_backward.py"):
        y.backward(eagre.ones(1, device="meta"))


# Row: PyTorch J1
def test_decorating_a_class_warns_and_makes_its_objects_in_the_mode():
    with pytest.warns(FutureWarning, match="no_grad makes the class .Recorder."):

        @eagre.no_grad()
        class Recorder:
            def __init__(self):
                self.mode = eagre.is_grad_enabled()

    assert Recorder().mode is False and eagre.is_grad_enabled()


# Row: PyTorch J2
def test_a_generator_that_is_closed_early_ends_in_its_mode():
    modes = []

    @eagre.no_grad()
    def numbers():
        try:
            yield 1
        finally:
            modes.append(eagre.is_grad_enabled())

    generator = numbers()
    next(generator)
    generator.close()
    assert modes == [False] and eagre.is_grad_enabled()


# Row: PyTorch J3
def test_setting_the_mode_as_a_decorator_does_not_leak_it():
    @eagre.set_grad_enabled(False)
    def inside():
        return eagre.is_grad_enabled()

    assert eagre.is_grad_enabled() and inside() is False and eagre.is_grad_enabled()


# Row: PyTorch J3
def test_modes_take_bools_and_end_once():
    for mode in (eagre.set_grad_enabled, eagre.inference_mode):
        for bad in ("x", 3, None):
            with pytest.raises(TypeError, match="must be bool"):
                mode(bad)
    assert eagre.is_grad_enabled()
    with pytest.raises(RuntimeError, match="not entered"):
        eagre.no_grad().__exit__(None, None, None)
    decorator = eagre.set_grad_enabled(False)
    first, second = decorator(eagre.is_grad_enabled), decorator(eagre.is_grad_enabled)
    assert (first(), second(), eagre.is_grad_enabled()) == (False, False, True)


def test_a_bad_element_of_a_list_is_named():
    x = eagre.ones(1, requires_grad=True)
    with pytest.raises(TypeError, match="'inputs'.*list whose element 1 is int"):
        eagre.autograd.grad(x * 2, [x, 3])
    with pytest.raises(TypeError, match="'grad_outputs'.*list whose element 0 is float"):
        eagre.autograd.grad(x * 2, [x], [3.0])

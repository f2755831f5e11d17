"""What a graph saves, how little that is, and the hooks that see it."""

import threading

import pytest

import eagre
from eagre.autograd import grad
from eagre.autograd.graph import disable_saved_tensors_hooks, saved_tensors_hooks


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def saved_by(function):
    """What `function` returns, and the tensors that it saves for backward."""
    saved = []

    def pack(tensor):
        saved.append(tensor)
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        return function(), saved


# --- inputs and outputs ---


# Row: PyTorch F1
def test_inputs_and_outputs_are_saved_without_a_copy():
    x = leaf(1.0, 2.0)
    square, inputs = saved_by(lambda: x * x)
    result, outputs = saved_by(x.exp)
    assert square.requires_grad and [t.data_ptr() for t in inputs] == [x.data_ptr()] * 2
    assert [t.data_ptr() for t in outputs] == [result.data_ptr()]
    assert outputs[0] is not result


# Row: PyTorch F1
def test_a_saved_output_shares_the_version_of_the_result():
    y = leaf(1.0).exp()
    y.detach().add_(1)
    with pytest.raises(RuntimeError, match="ExpBackward0 saved as 'result' is at version 1"):
        y.backward()


# Row: PyTorch F1
def test_a_saved_output_comes_back_with_its_history():
    x = leaf(0.0)
    y = (x * 3).exp()
    (first,) = grad(y, x, create_graph=True)
    (second,) = grad(first, x)
    assert first.tolist() == [3.0] and second.tolist() == [9.0]


# Row: PyTorch A15
def test_a_saved_tensor_knows_which_output_it_was():
    x = leaf(2.0, 5.0)
    _, second = (x * 1).split(1)
    (first,) = grad(second * second * second, second, create_graph=True)
    (gradient,) = grad(first, x)
    assert second.output_nr == 1 and gradient.tolist() == [0.0, 30.0]


X, PLAIN = leaf(1.0, 2.0), eagre.ones(2)
MATRIX, PLAIN_MATRIX = eagre.ones(2, 2, requires_grad=True), eagre.ones(2, 2)


# Row: PyTorch F2, Paddle B24
@pytest.mark.parametrize(
    ("function", "count"),
    [
        (lambda: X + PLAIN, 0),
        (lambda: X.sum(), 0),
        (lambda: X.view(2, 1)[0], 0),
        (lambda: X * PLAIN, 1),
        (lambda: X * X, 2),
        (lambda: X / PLAIN, 1),
        (lambda: PLAIN / X, 2),
        (lambda: X.exp(), 1),
        (lambda: X[[0, 1]], 1),  # the index, not what is indexed
        (lambda: MATRIX @ PLAIN_MATRIX, 1),
        (lambda: PLAIN_MATRIX @ MATRIX, 1),
        (lambda: MATRIX @ MATRIX, 2),
        (lambda: PLAIN * PLAIN, 0),
    ],
)
def test_only_what_the_needed_formulas_read_is_saved(function, count):
    assert len(saved_by(function)[1]) == count


# Row: PyTorch F2, Paddle B24
def test_a_product_does_not_save_the_operand_whose_partner_needs_no_gradient():
    _, saved = saved_by(lambda: MATRIX @ PLAIN_MATRIX)
    assert [t.data_ptr() for t in saved] == [PLAIN_MATRIX.data_ptr()]


# Row: PyTorch F2
def test_memory_that_no_formula_needs_is_freed_during_the_forward():
    x = eagre.ones(1000, 100, requires_grad=True)
    before = eagre.cpu.memory_stats()["allocated"]
    y = x + 1
    for _ in range(10):
        y = y + 1
    assert eagre.cpu.memory_stats()["allocated"] < before + 2 * 400_000 and y.requires_grad


# Row: PyTorch F3
def test_the_error_of_a_changed_tensor_says_shape_versions_and_who_saved_it():
    y = leaf(1.0, 2.0) * 1
    z = y * y
    y.add_(1)
    y.add_(1)
    message = r"float32 tensor of shape \[2\] that MulBackward0 saved .* 2; expected version 0"
    with pytest.raises(RuntimeError, match=message):
        z.sum().backward()


# --- hooks ---


# Row: PyTorch F7
def test_numbers_do_not_pass_through_hooks():
    assert saved_by(lambda: X * 2.0)[1] == []


# Row: PyTorch F7
def test_the_version_of_what_hooks_keep_is_not_checked():
    x = leaf(1.0, 2.0)
    y = x * 1
    z, _ = saved_by(lambda: y * y)
    y.add_(1)
    z.sum().backward()  # the hook kept the tensor itself, which holds the new values
    assert x.grad.tolist() == [4.0, 6.0]


# Row: PyTorch F7
def test_the_backward_of_a_backward_saves_again():
    x = leaf(2.0)
    cube, saved = saved_by(lambda: x * x * x)
    (first,), again = saved_by(lambda: grad(cube, x, create_graph=True))
    assert len(saved) == 4 and len(again) > 0
    assert grad(first, x)[0].tolist() == [12.0]


# Row: PyTorch F7, Paddle defect 10
def test_hooks_belong_to_the_thread():
    def in_another_thread():
        thread = threading.Thread(target=lambda: X * X)
        thread.start()
        thread.join()

    assert saved_by(in_another_thread)[1] == []


# Row: Paddle defect 10
def test_a_hook_that_fails_leaves_modes_and_tensors_as_they_were():
    x = leaf(2.0)

    def fail(tensor):
        raise KeyError("mine")

    with pytest.raises(KeyError), saved_tensors_hooks(fail, fail):
        x * x
    assert eagre.is_grad_enabled()
    with saved_tensors_hooks(lambda t: t, fail):
        y = x * x
    with pytest.raises(KeyError):
        y.backward()
    assert eagre.is_grad_enabled() and x.tolist() == [2.0]
    (x * x).backward()
    assert x.grad.tolist() == [4.0]


def test_a_pack_hook_may_not_write_to_what_it_packs():
    y = leaf(1.0) * 1
    with (
        saved_tensors_hooks(lambda t: t.mul_(2), lambda t: t),
        pytest.raises(RuntimeError, match="pack hook is modifying its input in place"),
    ):
        y * y


# Row: PyTorch F8
def test_the_innermost_message_of_disabled_hooks_counts():
    with disable_saved_tensors_hooks("outer"):
        with disable_saved_tensors_hooks("inner"), pytest.raises(RuntimeError, match="inner"):
            saved_by(lambda: X * X)
        with pytest.raises(RuntimeError, match="outer"):
            saved_by(lambda: X * X)
    assert len(saved_by(lambda: X * X)[1]) == 2


# Row: PyTorch F8
def test_hooks_cannot_be_disabled_while_some_are_active():
    with (
        saved_tensors_hooks(lambda t: t, lambda t: t),
        pytest.raises(RuntimeError, match="not here"),
        disable_saved_tensors_hooks("not here"),
    ):
        pass


# --- detached in place ---


# Row: PyTorch F11
@pytest.mark.parametrize("create_graph", [False, True])
def test_an_input_that_was_detached_in_place_cannot_be_used(create_graph):
    x = leaf(1.0)
    y = x.exp()
    z = y * y
    y.detach_()
    with pytest.raises(RuntimeError, match="saved tensor that has been detached in-place"):
        grad(z, x, create_graph=create_graph)


# Row: PyTorch F11
def test_an_input_stays_detached_when_it_becomes_a_leaf():
    x = leaf(1.0)
    y = x.exp()
    z = y * x
    y.detach_().requires_grad_()
    with pytest.raises(RuntimeError, match="saved tensor that has been detached in-place"):
        grad(z, x)


# Row: PyTorch F11
def test_an_output_that_was_detached_in_place_is_fine():
    x = leaf(0.0)
    y = x.exp()
    node = y.grad_fn
    y.detach_()
    assert node._saved_result.grad_fn == node
    assert node(eagre.ones(1)).tolist() == [1.0]


# Row: PyTorch F11
def test_what_had_no_history_when_it_was_saved_may_be_detached():
    x, number, other = leaf(2.0), eagre.tensor([3.0]), leaf(5.0)
    y, z = x * number, x * other
    number.detach_()
    other.detach_()
    assert grad(y, x, create_graph=True)[0].tolist() == [3.0]
    assert grad(z, x)[0].tolist() == [5.0]


# Row: PyTorch F11
def test_a_tensor_that_was_detached_before_it_was_saved_is_fine():
    x = leaf(2.0)
    y = (x * 3).detach_()
    z = y * x
    y.detach_()
    (gradient,) = grad(z, x, create_graph=True)
    assert gradient.tolist() == [6.0]
    y.mul_(x)  # a new history, which the next node saves
    w = y * x
    assert grad(w, x, retain_graph=True)[0].tolist() == [24.0]
    y.detach_()
    with pytest.raises(RuntimeError, match="saved tensor that has been detached in-place"):
        grad(w, x)


def test_a_quotient_may_be_written_after_it_was_used():
    a, b = eagre.ones(2, requires_grad=True), eagre.full((2,), 2.0, requires_grad=True)
    y = a / b
    y += 1
    y.sum().backward()
    assert b.grad.tolist() == [-0.25, -0.25]


def test_what_was_saved_of_a_tensor_that_got_other_memory_is_refused():
    w = eagre.ones(3, requires_grad=True)
    x = eagre.ones(3)
    y = w * x
    x.set_(eagre.zeros(3))
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation(.|\n)*set_\(\)"):
        y.sum().backward()

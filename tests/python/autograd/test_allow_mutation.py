"""allow_mutation_on_saved_tensors: saved tensors are copied before they are written."""

import gc
import math
import threading

import pytest

import eagre
from eagre.autograd.graph import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    saved_tensors_hooks,
)


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


OUTSIDE = "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"


def write_by_operator(tensor):
    tensor.sin_()


def write_by_index(tensor):
    tensor[0] = 7.0


def write_through_a_view(tensor):
    tensor.view(2, 1).mul_(3)


def write_as_out(tensor):
    with eagre.no_grad():
        eagre.add(eagre.ones(2), 1, out=tensor)


def write_without_recording(tensor):
    with eagre.no_grad():
        tensor.zero_()


def write_through_an_alias(tensor):
    tensor.detach().copy_(eagre.zeros(2))


def write_by_a_composite(tensor):
    tensor.clamp_(0.0, 0.5)


# Row: PyTorch F12
@pytest.mark.parametrize(
    "write",
    [
        write_by_operator,
        write_by_index,
        write_through_a_view,
        write_as_out,
        write_without_recording,
        write_through_an_alias,
        write_by_a_composite,
    ],
)
def test_backward_sees_the_values_from_before_the_write(write):
    a = leaf(1.0, 2.0)
    with allow_mutation_on_saved_tensors():
        b = a.clone()
        out = (b**2).sum()
        write(b)
        out.backward()
    assert a.grad.tolist() == [2.0, 4.0]


# Row: PyTorch F12
def test_a_tensor_is_copied_once_however_often_it_is_saved_and_written():
    a = leaf(1.0, 2.0)
    with allow_mutation_on_saved_tensors() as context:
        b = a.clone()
        square, cube = (b**2).sum(), (b**3).sum()
        assert (len(context.original), len(context.cloned)) == (1, 0)
        b.sin_()  # which saves what it overwrites, too
        b.zero_()
        assert len(context.cloned) == 1
        (square + cube).backward()
    assert a.grad.tolist() == [5.0, 16.0]


# Row: PyTorch F12
def test_every_version_has_a_copy_of_its_own():
    a = leaf(2.0)
    with allow_mutation_on_saved_tensors() as context:
        b = a.clone()
        first = b**2
        with eagre.no_grad():
            b.mul_(10)
        second = b**2
        with eagre.no_grad():
            b.zero_()
        assert len(context.cloned) == 2
        (first + second).backward()
    assert a.grad.tolist() == [2 * 2.0 + 2 * 20.0]


# Row: PyTorch F12
def test_different_looks_at_one_memory():
    a = leaf(1.0, 2.0)
    with allow_mutation_on_saved_tensors():
        b = a.clone()
        out = (b**2).sum() + b[1] ** 3
        b.zero_()
        out.backward()
    assert a.grad.tolist() == [2.0, 4.0 + 12.0]


# Row: PyTorch F12
def test_outputs_that_are_saved_may_be_written():
    a = leaf(1.0)
    with allow_mutation_on_saved_tensors():
        b = a.exp()
        c = b * 1
        b.zero_()
        c.backward()
    assert a.grad.tolist() == pytest.approx([math.e])


# Row: PyTorch F12
def test_gradients_of_gradients():
    a = leaf(2.0)
    with allow_mutation_on_saved_tensors():
        b = a.clone()
        out = b**3
        b.zero_()
        (first,) = eagre.autograd.grad(out, a, create_graph=True)
        (second,) = eagre.autograd.grad(first, a)
    assert (first.tolist(), second.tolist()) == ([12.0], [12.0])


# Row: PyTorch F12
def test_gradients_that_grow_in_place_may_be_saved():
    x, w = leaf(3.0), leaf(2.0)
    with allow_mutation_on_saved_tensors():
        (x * 5).backward()
        out = w * x.grad
        (x * 7).backward()  # adds to x.grad
        out.backward()
    assert x.grad.tolist() == [12.0] and w.grad.tolist() == [5.0]


# Row: PyTorch F12
def test_tensors_die_with_their_graph():
    a = leaf(1.0)
    with allow_mutation_on_saved_tensors() as context:
        b = a.clone()
        out = b**2
        b.zero_()
        kept = a.exp()
        assert (len(context.original), len(context.cloned)) == (1, 1)
        del out, b, kept
        gc.collect()
        eagre.ones(1)  # what ended without the interpreter is dropped at the next call
        assert (len(context.original), len(context.cloned)) == (0, 0)


# Row: PyTorch F12
def test_memory_that_is_used_again_is_not_mistaken_for_what_was_saved():
    a = leaf(1.0)
    with allow_mutation_on_saved_tensors():
        outs = []
        for i in range(20):
            b = a * (i + 1.0)
            outs.append(b**2)
            with eagre.no_grad():
                b.zero_()
            del b  # its memory is free for the next
        sum(outs).backward()
    assert a.grad.tolist() == [sum(2.0 * (i + 1) ** 2 for i in range(20))]


# Row: PyTorch F12
def test_backward_must_run_in_the_same_scope():
    def record():
        b = leaf(1.0).clone()
        out = b**2
        b.sin_()
        return out

    with allow_mutation_on_saved_tensors():
        out, other = record(), record()
    with pytest.raises(AssertionError, match=OUTSIDE):
        out.backward()
    with allow_mutation_on_saved_tensors(), pytest.raises(AssertionError, match=OUTSIDE):
        other.backward()


# Row: PyTorch F12
def test_clear_forgets_what_was_saved():
    with allow_mutation_on_saved_tensors() as context:
        out = leaf(1.0).exp()
        context.clear()
        with pytest.raises(AssertionError, match=OUTSIDE):
            out.backward()


# Row: PyTorch F12
def test_what_was_saved_before_is_not_protected():
    b = leaf(1.0).clone()
    out = b**2
    with allow_mutation_on_saved_tensors():
        b.sin_()
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.backward()


# Row: PyTorch F12
def test_scopes_cannot_be_nested():
    with (
        allow_mutation_on_saved_tensors(),
        pytest.raises(RuntimeError, match="contexts cannot be nested"),
        allow_mutation_on_saved_tensors(),
    ):
        pass
    with allow_mutation_on_saved_tensors():  # that did not break anything
        leaf(1.0).exp().backward()


def test_scopes_are_hooks_and_end_with_errors():
    with (
        disable_saved_tensors_hooks("not here"),
        pytest.raises(RuntimeError, match="not here"),
        allow_mutation_on_saved_tensors(),
    ):
        pass
    with pytest.raises(KeyError), allow_mutation_on_saved_tensors():
        raise KeyError
    b = leaf(1.0).clone()
    out = b**2
    b.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()
    packed = []
    with (
        allow_mutation_on_saved_tensors() as context,
        saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t),
    ):
        leaf(1.0).exp()
    assert len(packed) == 1 and not context.original


def test_scopes_belong_to_their_thread():
    seen = []

    def elsewhere():
        b = leaf(1.0).clone()
        out = b**2
        b.zero_()
        try:
            out.backward()
        except RuntimeError as error:
            seen.append(str(error))

    with allow_mutation_on_saved_tensors():
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert "modified by an inplace operation" in seen[0]

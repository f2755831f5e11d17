"""eagre.utils.checkpoint: functions that are computed again in backward."""

import contextlib
import threading

import pytest

import eagre
from eagre.autograd import Function, grad
from eagre.utils.checkpoint import (
    CheckpointError,
    GraphExecGroup,
    checkpoint,
    checkpoint_sequential,
    create_selective_checkpoint_contexts,
    detach_variable,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def counted(function):
    def call(*args, **kwargs):
        call.count += 1
        return function(*args, **kwargs)

    call.count = 0
    return call


def wave(x):
    return x.sin().exp()


def slope(x):
    (result,) = grad(wave(x).sum(), x)
    return result.tolist()


# --- both kinds ---


# Row: PyTorch G1, PyTorch G2
@pytest.mark.parametrize("use_reentrant", [False, True])
def test_gradients_are_the_same(use_reentrant):
    x = leaf(0.5, 1.0)
    weight = leaf(2.0)
    function = counted(lambda x: (wave(x) * weight, x.detach()))
    y, z = checkpoint(function, x, use_reentrant=use_reentrant)
    assert z.requires_grad is use_reentrant  # which does not see what happens inside
    y.sum().backward()
    assert x.grad.tolist() == [2 * value for value in slope(leaf(0.5, 1.0))]
    assert weight.grad.item() == pytest.approx(wave(x).sum().item())
    assert function.count == 2


# Row: PyTorch G7
@pytest.mark.parametrize("use_reentrant", [False, True])
def test_random_numbers_are_the_same(use_reentrant):
    seen = []

    def noise(x):
        mask = eagre.rand(8)
        seen.append(mask.tolist())
        return (x * mask).exp()

    eagre.manual_seed(3)
    y = checkpoint(noise, eagre.ones(8, requires_grad=True), use_reentrant=use_reentrant)
    after = eagre.rand(3).tolist()
    state = eagre.get_rng_state()
    y.sum().backward()
    assert seen[0] == seen[1]
    assert eagre.get_rng_state().tolist() == state.tolist()
    eagre.manual_seed(3)
    eagre.rand(8)
    assert eagre.rand(3).tolist() == after
    y = checkpoint(
        noise,
        eagre.ones(8, requires_grad=True),
        use_reentrant=use_reentrant,
        preserve_rng_state=False,
    )
    y.sum().backward()
    assert seen[2] != seen[3]


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_without_recording(use_reentrant):
    function = counted(wave)
    with eagre.no_grad():
        assert not checkpoint(function, leaf(1.0), use_reentrant=use_reentrant).requires_grad
    assert function.count == 1


def test_the_default_is_to_be_named():
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        checkpoint(wave, leaf(1.0))


# --- by a backward call in backward ---


# Row: PyTorch G1
def test_reentrant_is_for_whole_graphs():
    x = leaf(1.0)
    message = "incompatible with .grad"
    with pytest.raises(RuntimeError, match=message):
        grad(checkpoint(wave, x, use_reentrant=True), x)
    with pytest.raises(RuntimeError, match=message):
        checkpoint(wave, x, use_reentrant=True).backward(inputs=[x])
    checkpoint(wave, x, use_reentrant=True).backward()
    assert x.grad.tolist() == slope(leaf(1.0))


# Row: PyTorch G1
def test_reentrant_needs_something_to_do():
    x = leaf(1.0)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        assert not checkpoint(wave, x.detach(), use_reentrant=True).requires_grad
    with pytest.raises(RuntimeError, match="this checkpoint.. is not necessary"):
        checkpoint(lambda x: x.detach(), x, use_reentrant=True).backward()
    with pytest.raises(ValueError, match="Unexpected keyword arguments: y"):
        checkpoint(wave, x, use_reentrant=True, y=1)
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        checkpoint(wave, x, use_reentrant=True, debug=True)
    with pytest.raises(RuntimeError, match="Only tuple of tensors is supported"):
        detach_variable([x])


# --- by hooks on saved tensors ---


# Row: PyTorch G2
def test_any_structure():
    def function(pair, scale=1.0, *, options):
        first, second = pair
        return {"sum": (first * second).exp() * scale * options["by"], "name": "mine"}

    x, y = leaf(0.5), leaf(0.25)
    by = leaf(2.0)
    result = checkpoint(function, [x, y], 3.0, options={"by": by}, use_reentrant=False)
    assert result["name"] == "mine"
    found = grad(result["sum"], [x, y, by])
    expected = grad(function([x, y], 3.0, options={"by": by})["sum"], [x, y, by])
    assert [g.item() for g in found] == [g.item() for g in expected]


# Row: PyTorch G2
def test_derivatives_of_any_order():
    x = leaf(0.5)
    y = checkpoint(wave, x, use_reentrant=False)
    z = wave(x)
    for _ in range(3):
        (y,) = grad(y, x, create_graph=True)
        (z,) = grad(z, x, create_graph=True)
        assert y.item() == pytest.approx(z.item())


# Row: PyTorch G2
def test_nested():
    inner, outer = (
        counted(wave),
        counted(lambda x: checkpoint(inner, x * 2, use_reentrant=False).sin()),
    )
    x = leaf(0.5)
    checkpoint(outer, x, use_reentrant=False).backward()
    other = leaf(0.5)
    wave(other * 2).sin().backward()
    assert x.grad.item() == pytest.approx(other.grad.item())
    assert outer.count == 2 and inner.count == 3


# Row: PyTorch G2
def test_hooks_on_parameters_are_called_once():
    seen = []
    weight = leaf(2.0)
    weight.register_hook(lambda g: seen.append(g.item()))
    checkpoint(lambda x: (x * weight).exp(), leaf(0.5), use_reentrant=False).backward()
    assert len(seen) == 1


# Row: PyTorch G2
def test_several_backward_calls():
    function = counted(wave)
    x = leaf(0.5)
    y = checkpoint(function, x, use_reentrant=False)
    y.backward(retain_graph=True)
    y.backward()
    assert function.count == 3 and x.grad.item() == pytest.approx(2 * slope(leaf(0.5))[0])


def test_inputs_that_changed_are_found():
    x = eagre.tensor([0.5])
    weight = leaf(2.0)
    y = checkpoint(lambda x: (x * weight).exp(), x, use_reentrant=False)
    x += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_backward_inside_of_the_function():
    def function(x):
        (g,) = grad((x**3).sum(), x, create_graph=True)
        return (g * x).exp()

    x, other = leaf(0.5), leaf(0.5)
    checkpoint(function, x, use_reentrant=False).backward()
    function(other).backward()
    assert x.grad.item() == pytest.approx(other.grad.item())


# Row: PyTorch G3
def test_early_stop():
    reached = []

    def function(x):
        y = x.exp()
        reached.append("end")
        return y

    def runs(**options):
        reached.clear()
        x = leaf(1.0)
        checkpoint(function, x, use_reentrant=False, **options).backward()
        return len(reached)

    assert runs() == 1
    assert runs(early_stop=False) == 2
    with set_checkpoint_early_stop(False):
        assert runs() == 2
        with set_checkpoint_early_stop(True):
            assert runs(early_stop=False) == 1
        assert runs(early_stop=True) == 2
    assert runs() == 1


# Row: PyTorch G4
def test_functions_that_do_something_else_the_second_time():
    def changing(at_first, later):
        calls = []

        def function(x):
            calls.append(1)
            return (at_first if len(calls) == 1 else later)(x)

        return function

    def run(at_first, later, **options):
        y = checkpoint(changing(at_first, later), leaf(1.0, 2.0), use_reentrant=False, **options)
        y.sum().backward()

    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        run(lambda x: x.exp().sin(), lambda x: x.exp() * 2)
    with pytest.raises(CheckpointError, match="trying to save more tensors during recomputation"):
        run(lambda x: x.exp(), lambda x: x.exp().sin(), early_stop=False)
    with pytest.raises(CheckpointError, match="different metadata than during") as error:
        run(lambda x: x.sin(), lambda x: x[:1].sin())
    assert "debug=True" in str(error.value)
    with pytest.raises(CheckpointError, match="saved at .*test_checkpoint.py:"):
        run(lambda x: x.sin(), lambda x: x[:1].sin(), debug=True)
    with set_checkpoint_debug_enabled(True), pytest.raises(CheckpointError, match="saved at"):
        run(lambda x: x.sin(), lambda x: x[:1].sin())
    with pytest.raises(ValueError, match="determinism_check should be one of"):
        run(wave, wave, determinism_check="wrong")
    with pytest.raises(
        RuntimeError, match="did not return a float32 tensor"
    ):  # the node's own check
        run(lambda x: x.sin(), lambda x: x[:1].sin(), determinism_check="none")


class Twice(Function):
    """Asks for what it saved twice."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.exp())
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        ctx.saved_tensors  # noqa: B018
        return g * ctx.saved_tensors[0]


# Row: PyTorch G5
def test_each_tensor_is_unpacked_once_in_a_call():
    y = checkpoint(Twice.apply, leaf(1.0), use_reentrant=False)
    with pytest.raises(CheckpointError, match="already unpacked once"):
        y.backward()
    function = counted(lambda x: x.exp())
    y = checkpoint(function, leaf(1.0), use_reentrant=False)
    for expected in (2, 3):  # outside of backward each look computes it again
        assert y.grad_fn._saved_result.item() == pytest.approx(2.7182817)
        assert function.count == expected


# Row: PyTorch G6
def test_what_was_saved_comes_back_as_the_same_object():
    seen = []

    class Keep(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(y)
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            seen.extend(ctx.saved_tensors)
            return g, None

    x, plain, parameter = leaf(1.0), eagre.ones(1), leaf(2.0)
    for y in (plain, parameter):
        checkpoint(Keep.apply, x, y, use_reentrant=False).backward()
        assert seen.pop() is y


def test_contexts():
    seen = []

    @contextlib.contextmanager
    def scope(name):
        seen.append(f"{name} begins")
        try:
            yield
        finally:
            seen.append(f"{name} ends")

    def context_fn():
        return scope("forward"), scope("again")

    checkpoint(wave, leaf(1.0), use_reentrant=False, context_fn=context_fn).backward()
    assert seen == ["forward begins", "forward ends", "again begins", "again ends"]
    seen.clear()
    with pytest.raises(ZeroDivisionError):
        checkpoint(lambda x: 1 / 0, leaf(1.0), use_reentrant=False, context_fn=context_fn)
    assert seen == ["forward begins", "forward ends"]
    with pytest.raises(RuntimeError, match="suppressed an exception"):
        checkpoint(
            lambda x: 1 / 0,
            leaf(1.0),
            use_reentrant=False,
            context_fn=lambda: (contextlib.suppress(ZeroDivisionError), contextlib.nullcontext()),
        )
    with pytest.raises(ValueError, match="debug=True is incompatible"):
        checkpoint(wave, leaf(1.0), use_reentrant=False, context_fn=context_fn, debug=True)


# Row: PyTorch G9
def test_backward_calls_that_share_one_run():
    function = counted(lambda x, y: (x.exp(), y.exp()))
    x, y = leaf(1.0), leaf(2.0)
    first, second = checkpoint(function, x, y, use_reentrant=False)
    with GraphExecGroup():
        first.backward()
        second.backward()
        assert function.count == 2
        with pytest.raises(RuntimeError, match="cannot be nested"), GraphExecGroup():
            pass
    assert x.grad is not None and y.grad is not None
    first, _ = checkpoint(function, x, y, use_reentrant=False)
    with GraphExecGroup(), pytest.raises(CheckpointError, match="must not overlap"):
        first.backward(retain_graph=True)
        first.backward()


def test_in_transforms():
    def function(x):
        return (x.sin() * x.exp()).sum()

    def checked(x):
        return checkpoint(function, x, use_reentrant=False)

    batch = eagre.arange(6.0).reshape(2, 3) / 6
    expected = eagre.stack([eagre.func.grad(function)(x) for x in batch])
    assert eagre.vmap(eagre.func.grad(checked))(batch).tolist() == expected.tolist()
    batch.requires_grad_()
    eagre.vmap(checked)(batch).sum().backward()
    assert batch.grad.tolist() == expected.tolist()
    second = eagre.func.hessian(checked)(batch[0].detach())
    assert second.tolist() == eagre.func.hessian(function)(batch[0].detach()).tolist()


# Row: PyTorch G8
def test_there_are_no_policies_per_operator():
    with pytest.raises(NotImplementedError, match="computes all of its function again"):
        create_selective_checkpoint_contexts([])


def test_from_several_threads():
    x = leaf(0.5)
    y = checkpoint(wave, x, use_reentrant=False)
    results = []

    def work():
        for _ in range(20):
            results.append(grad(y, x, retain_graph=True)[0].item())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [results[0]] * 60


def test_as_a_decorator():
    @checkpoint(use_reentrant=False)
    def function(x, *, by=1.0):
        return x.exp() * by

    x = leaf(0.0)
    function(x, by=3.0).backward()
    assert x.grad.item() == 3.0
    with pytest.raises(ValueError, match="Unexpected keyword arguments: wrong"):
        checkpoint(use_reentrant=False, wrong=1)


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_chains(use_reentrant):
    functions = [counted(lambda x: x.sin()), counted(lambda x: x.exp()), counted(lambda x: x * 2)]
    x = leaf(0.5)
    checkpoint_sequential(functions, 2, x, use_reentrant=use_reentrant).backward()
    assert x.grad.item() == pytest.approx(2 * slope(leaf(0.5))[0])
    # Computing the first again is early at its end, and the last part is kept.
    assert [function.count for function in functions] == [2, 1, 1]
    with pytest.raises(ValueError, match="Unexpected keyword arguments"):
        checkpoint_sequential(functions, 2, x, use_reentrant=use_reentrant, wrong=1)
    with pytest.warns(UserWarning, match="passed explicitly"):
        checkpoint_sequential(functions, 2, x)


def test_memory_is_given_up():
    from eagre import cpu

    def chain(x):
        for _ in range(20):
            x = x.sin()
        return x

    def held(run):
        x = eagre.ones(50000, requires_grad=True)
        before = cpu.memory_allocated()
        y = run(x)
        after = cpu.memory_allocated()
        assert y.requires_grad
        return after - before

    assert held(lambda x: checkpoint(chain, x, use_reentrant=False)) < held(chain) / 5


def test_nothing_to_call():
    with pytest.raises(TypeError, match="must be callable, but got None"):
        checkpoint(None, eagre.ones(2), use_reentrant=False)

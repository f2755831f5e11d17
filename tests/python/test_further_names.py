"""Names of PyTorch that programs use around tensors: compiler, types, handles, checks."""

import gc

import pytest

import eagre
from eagre.func import jvp, linearize, vmap
from eagre.utils.hooks import RemovableHandle
from eagre.utils.weak import TensorWeakRef, WeakIdKeyDictionary, WeakTensorKeyDictionary


def test_the_compiler_leaves_functions_as_they_are():
    from eagre import compiler

    def f(x):
        return x + 1

    assert not compiler.is_compiling() and not compiler.is_dynamo_compiling()
    assert not compiler.is_exporting() and compiler.list_backends() == []
    assert compiler.disable(f) is f and compiler.disable(recursive=False)(f) is f
    assert compiler.allow_in_graph(f) is f and compiler.assume_constant_result(f) is f
    assert compiler.substitute_in_graph(len)(f) is f and compiler.nonstrict_trace(f) is f
    with compiler.set_stance("force_eager"):
        assert compiler.set_stance("force_eager")(f)(1) == 2
    compiler.reset()
    compiler.cudagraph_mark_step_begin()
    assert set(compiler.__all__) <= set(dir(compiler))


def test_types_are_for_annotations():
    from eagre.types import Device, FileLike, Number, Storage

    assert isinstance(1.5, Number) and isinstance("cpu", Device) and isinstance("a", FileLike)
    assert isinstance(eagre.ones(1).storage(), Storage)


def test_functional_is_a_second_place():
    import eagre.functional as second

    assert second.einsum is eagre.einsum and second.split is eagre.split
    assert all(callable(getattr(second, name)) for name in dir(second))
    with pytest.raises(AttributeError):
        _ = second.no_such_name


def test_modules_of_utils_are_there_without_an_import():
    assert eagre.utils.hooks.RemovableHandle is RemovableHandle
    assert eagre.utils.checkpoint.checkpoint and "weak" in dir(eagre.utils)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = eagre.utils.no_such_name


# --- handles ---


def test_handles_of_tensors_are_removable_handles():
    x = eagre.ones(2, requires_grad=True)
    first, second = x.register_hook(lambda g: g * 2), x.register_hook(lambda g: g * 3)
    assert isinstance(first, RemovableHandle) and first.id != second.id
    first.remove()
    x.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_program_makes_handles_of_its_own():
    class Hooks(dict):
        pass

    hooks, flags = Hooks(), Hooks()
    handle = RemovableHandle(hooks, extra_dict=flags)
    hooks[handle.id], flags[handle.id] = "hook", True
    with handle:
        assert len(hooks) == 1
    assert not hooks and not flags
    handle.remove()
    other = RemovableHandle(hooks)
    assert other.id != handle.id
    del hooks
    other.remove()


# --- weak references ---


@pytest.mark.parametrize("kind", [WeakIdKeyDictionary, WeakTensorKeyDictionary])
def test_dicts_with_tensors_as_keys(kind):
    x, y = eagre.ones(2), eagre.ones(2)
    table = kind({x: 1})
    table[y] = 2
    assert (table[x], table[y], len(table), x in table) == (1, 2, 2, True)
    assert sorted(table.values()) == [1, 2] and set(map(id, table)) == {id(x), id(y)}
    assert eagre.ones(2) not in table and 3 not in table
    copied = table.copy()
    del table[x]
    del y
    gc.collect()
    assert len(table) == 0 and len(copied) == 1 and copied[x] == 1


def test_a_weak_reference_to_a_tensor():
    x = eagre.ones(2)
    weak = TensorWeakRef(x)
    assert weak() is x
    del x
    assert weak() is None


# --- checks ---


def test_asserts():
    eagre._assert(True, "fine")
    eagre._assert(eagre.ones(1) == 1, "fine")
    with pytest.raises(AssertionError, match="too bad"):
        eagre._assert(eagre.ones(1) == 2, "too bad")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("_check", RuntimeError),
        ("_check_index", IndexError),
        ("_check_value", ValueError),
        ("_check_type", TypeError),
        ("_check_not_implemented", NotImplementedError),
    ],
)
def test_checks(name, error):
    check = getattr(eagre, name)
    check(True)
    with pytest.raises(error, match="of mine"):
        check(False, lambda: "text of mine")
    with pytest.raises(error, match="Expected cond to be True"):
        check(False)
    with pytest.raises(TypeError, match="cond must be a bool"):
        check(1)
    with pytest.raises(TypeError, match="callable"):
        check(False, "text")


def test_sizes_are_checked():
    eagre._check_is_size(3, max=3)
    for bad in (-1, 4):
        with pytest.raises(RuntimeError):
            eagre._check_is_size(bad, max=3)


# --- linearize ---


def test_what_vjp_pulls_back_is_differentiable_by_what_it_is_given():
    x, weight = eagre.tensor([0.5, 1.0]), eagre.ones(2, requires_grad=True)
    _, pull_back = eagre.func.vjp(lambda x: x**2, x)
    pull_back(weight).sum().backward()
    assert weight.grad.tolist() == [1.0, 2.0]


def test_linearize_runs_the_function_once():
    calls = []

    def f(x):
        calls.append(1)
        return x.sin() * x

    x = eagre.tensor([0.5, 1.0, 2.0])
    output, derivative = linearize(f, x)
    assert output.allclose(f(x)) and len(calls) == 2
    for direction in (eagre.ones(3), eagre.tensor([1.0, -2.0, 0.5])):
        expected = jvp(f, (x,), (direction,))[1]
        calls.clear()
        assert derivative(direction).allclose(expected) and not calls


def test_linearize_with_trees_and_several_arguments():
    def f(a, b):
        return {"product": a["x"] * b, "square": b**2}

    a, b = {"x": eagre.tensor([1.0, 2.0])}, eagre.tensor([3.0, 4.0])
    output, derivative = linearize(f, a, b)
    moved = derivative({"x": eagre.ones(2)}, eagre.zeros(2))
    assert output["square"].tolist() == [9.0, 16.0]
    assert moved["product"].tolist() == [3.0, 4.0] and moved["square"].tolist() == [0.0, 0.0]
    directions = {"x": eagre.eye(2)}, eagre.zeros(2, 2)
    assert vmap(derivative)(*directions)["product"].tolist() == [[3.0, 0.0], [0.0, 4.0]]


def test_directions_of_linearize_look_like_its_arguments():
    _, derivative = linearize(lambda x: x * 2, eagre.ones(3))
    with pytest.raises(RuntimeError, match="same python structure"):
        derivative(eagre.ones(3), eagre.ones(3))
    with pytest.raises(RuntimeError, match=r"shape \[3\] and dtype eagre.float32"):
        derivative(eagre.ones(2))

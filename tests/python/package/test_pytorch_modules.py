"""Modules of PyTorch that programs use around tensors: compiler, types, functional, utils."""

import warnings

import pytest

import eagre
from eagre.utils.hooks import RemovableHandle


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


def test_compile_is_the_identity_and_says_so_once(monkeypatch):
    from eagre import _settings as settings

    monkeypatch.setattr(settings, "_said", False)

    def function(x):
        return x

    with pytest.warns(UserWarning, match="no compiler"):
        assert eagre.compile(function) is function
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert eagre.compile(function, mode="max-autotune", fullgraph=True) is function
        assert eagre.compile(dynamic=True)(function) is function


def test_trees():
    from eagre.utils import _pytree as pytree

    tree = {"a": [1, (2, 3)], "b": 4}
    leaves, spec = pytree.tree_flatten(tree)
    assert leaves == [1, 2, 3, 4] and spec.num_leaves == 4
    assert pytree.tree_unflatten(leaves, spec) == tree
    assert pytree.tree_map(lambda x, y: x + y, tree, tree) == {"a": [2, (4, 6)], "b": 8}
    assert pytree.tree_structure(tree) == spec != pytree.tree_structure([1])
    with pytest.raises(ValueError, match="length 1"):
        pytree.tree_unflatten([1], spec)

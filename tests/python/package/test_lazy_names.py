"""Names whose modules are imported late: all of them are there, and the start stays cheap."""

import subprocess
import sys

import pytest

import eagre
from eagre import _unsupported as unsupported


@pytest.mark.parametrize("name", sorted(eagre._FUNCTIONS))
def test_function(name):
    value = getattr(eagre, name)
    assert value.__doc__ and name in dir(eagre) and name in eagre.__all__


@pytest.mark.parametrize("name", sorted(eagre._METHODS))
def test_method(name):
    value = getattr(eagre.Tensor, name)
    assert value.__doc__
    assert not name.startswith("__") or callable(value)


@pytest.mark.parametrize("name", sorted(eagre._OF_METHODS))
def test_function_of_a_method(name):
    assert getattr(eagre, name) is getattr(eagre.Tensor, name) and name in eagre.__all__


@pytest.mark.parametrize("name", sorted(eagre._MODULES))
def test_module(name):
    assert getattr(eagre, name).__name__ == f"eagre.{name}"


def test_what_is_not_there_says_why():
    with pytest.raises(AttributeError, match="'onnx': graphs are not exported yet"):
        _ = eagre.onnx
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'$"):
        _ = eagre.no_such_name
    assert not any(hasattr(eagre, name) for name in unsupported.REASONS)


def test_import_is_cheap():
    code = (
        "import sys; import eagre; "
        "big = {'numpy', 'inspect', 'typing', 'dataclasses', 're', 'pickle', 'eagre._shapes', "
        "'eagre._files', 'eagre.cuda', "
        "'eagre.utils.data', 'eagre.multiprocessing', 'multiprocessing', 'ctypes'}; "
        "print(sorted(big & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_a_method_that_is_there_is_not_replaced():
    with pytest.raises(eagre.InternalError, match="item"):
        eagre._C._add_lazy_methods({"item": ("eagre._shapes", "trace")})


def test_tab_completion_shows_what_is_public():
    modules = [
        eagre,
        eagre.nn,
        eagre.nn.functional,
        eagre.func,
        eagre.autograd,
        eagre.autograd.graph,
    ]
    for module in [*modules, eagre.viz, eagre.flags, eagre.random, eagre.utils.checkpoint]:
        shown = {name for name in dir(module) if not name.startswith("__")}
        assert shown <= {*module.__all__, *getattr(module, "_LAZY_MODULES", ())}, module
        assert all(hasattr(module, name) for name in dir(module)), module
    assert "TYPE_CHECKING" not in dir(eagre) and "__version__" in dir(eagre)


def test_help_of_an_in_place_method_stands_by_itself():
    assert "written into this tensor" in eagre.Tensor.add_.__doc__
    assert "The sum `input + alpha * other`" in eagre.Tensor.add_.__doc__
    assert ">>>" not in eagre.Tensor.add_.__doc__


def test_warnings_name_the_line_of_the_call(monkeypatch):
    monkeypatch.setattr("eagre._settings._said", False)
    calls = (
        lambda: eagre.compile(abs),
        lambda: eagre.range(1, 2),
        lambda: eagre.frombuffer(b"1234", dtype=eagre.int32),
    )
    for call in calls:
        with pytest.warns(UserWarning) as caught:
            call()
        assert caught[0].filename == __file__

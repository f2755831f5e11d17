"""Operators that libraries of users register in C++, called from Python."""

import copy
import re
from pathlib import Path

import child
import pytest
from plugins import PLUGINS, SIM

import eagre

EMA = PLUGINS / "ema.so"
KINDS = PLUGINS / "ops_kinds.so"

pytestmark = pytest.mark.skipif(not EMA.exists(), reason="built with the C++ tests")


@pytest.fixture(scope="module")
def ema():
    eagre.ops.load_library(EMA)
    return eagre.ops.filters.ema


@pytest.fixture(scope="module")
def kinds():
    eagre.load_library(str(KINDS))
    return eagre.ops.kinds


def test_calls_by_position_and_name(ema):
    x = eagre.ones(3)
    for y in (ema(x, 0.5), ema(x, decay=0.5), ema(input=x, decay=0.5), ema(decay=0.5, input=x)):
        assert y.tolist() == [0.5, 0.75, 0.875]
    assert ema(x)[0].item() == pytest.approx(0.1)


def test_it_is_an_object_that_says_what_it_is(ema):
    assert eagre.ops.filters.ema is ema
    assert eagre.ops.filters is eagre.ops.filters
    assert dir(eagre.ops.filters) == ["ema"]
    assert "filters" in dir(eagre.ops)
    assert "load_library" in dir(eagre.ops)
    assert repr(ema) == ("<eagre operator filters::ema(Tensor input, float decay=0.9) -> Tensor>")
    assert repr(eagre.ops.filters) == "<eagre.ops.filters: ema>"
    assert (ema.__name__, ema.name) == ("ema", "filters::ema")
    assert ema.schema == "filters::ema(Tensor input, float decay=0.9) -> Tensor"
    assert ema.__doc__.startswith(ema.schema)
    assert "exponential moving average" in ema.__doc__


def test_gradients_of_every_order(ema):
    x = eagre.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = ema(x, 0.5)
    assert y.grad_fn.name() == "filters::EmaBackward"
    (g,) = eagre.autograd.grad((y * y).sum(), x, create_graph=True)
    (h,) = eagre.autograd.grad(g.sum(), x)
    # The Jacobian is lower triangular with 1/2 on the diagonal, 1/4 below, and so on.
    j = eagre.tensor([[0.5, 0, 0], [0.25, 0.5, 0], [0.125, 0.25, 0.5]])
    assert h.tolist() == (2 * j.T @ j).sum(0).tolist()
    with eagre.no_grad():
        assert not ema(x).requires_grad


def test_meta_tensors(ema):
    assert ema(eagre.empty(2, 3, device="meta")).shape == (2, 3)


def test_names_that_are_not_there(ema):
    with pytest.raises(AttributeError, match="no namespace 'nothing'.*load_library"):
        _ = eagre.ops.nothing
    with pytest.raises(AttributeError, match=r"no operator 'filters::fir'; there are: ema"):
        _ = eagre.ops.filters.fir
    assert not hasattr(eagre.ops.filters, "__wrapped__")
    assert copy.copy(eagre.ops.filters).ema(eagre.ones(1), 0).item() == 1


X = "tensor"


@pytest.mark.parametrize(
    ("args", "keywords", "kind", "message"),
    [
        ((), {}, TypeError, "filters::ema(): argument 'input' is missing"),
        ((X, 0.5, 1), {}, TypeError, "at most 2 arguments"),
        ((X,), {"rate": 1}, TypeError, "there is no argument 'rate'"),
        ((X, 0.5), {"decay": 0.5}, TypeError, "'decay' is given twice"),
        ((1.0,), {}, TypeError, "'input' must be a Tensor, but got float"),
        ((None,), {}, TypeError, "'input' must be a Tensor, but got None"),
        ((X, "a"), {}, TypeError, "'decay' must be a number, but got str"),
        ((X, 1j), {}, TypeError, "'decay' must be a real number"),
        ((X, 1.5), {}, ValueError, "filters::ema(): argument 'decay' must be a number from 0"),
    ],
)
def test_wrong_arguments(ema, args, keywords, kind, message):
    args = [eagre.ones(2) if a is X else a for a in args]
    with pytest.raises(kind, match=re.escape(message)):
        ema(*args, **keywords)


def test_arguments_of_every_kind(kinds):
    text = eagre.ops.kinds.describe
    one = eagre.ones(1)

    def seen(*args, **keywords):
        return text(*args, **keywords).item()

    full = seen([one, one], 3, flag=True, mode="abc", number=2, sizes=(4, 5), to=eagre.float64)
    assert full == 2 + 3 + 100 + 3000 + 2 + 9
    assert text([], 0, to=eagre.int64).dtype is eagre.int64
    assert seen([], 0, maybe=one, limit=0.5) == 10000.5
    assert seen([], 0, maybe=None, limit=None) == 0
    with pytest.raises(TypeError, match="at most 2 arguments can be given by position"):
        text([], 0, True)
    for bad in ({"flag": 1}, {"mode": 3}, {"sizes": [1.5]}, {"to": 3}, {"limit": "x"}):
        with pytest.raises(TypeError, match=f"argument '{next(iter(bad))}'"):
            text([], 0, **bad)
    with pytest.raises(TypeError, match="at position 1"):
        text([one, 2], 0)


def test_several_results_are_tuples(kinds):
    x = eagre.tensor([3.0, 1.0], requires_grad=True)
    named = kinds.halves(x)
    assert type(named).__name__ == "kinds::halves"
    assert named.low is named[0]
    assert [t.tolist() for t in named] == [[1.5, 0.5], [1.5, 0.5]]
    plain = kinds.twins(x)
    assert type(plain) is tuple
    assert len(plain) == 2
    (named.low + named.high).sum().backward()
    assert x.grad.tolist() == [1, 1]


def test_exceptions_of_kernels(kinds):
    for what, kind in [
        ("runtime_error", RuntimeError),
        ("invalid_argument", ValueError),
        ("out_of_range", IndexError),
    ]:
        with pytest.raises(kind, match=f"the kernel's own {what}"):
            kinds.throws(what)
    with pytest.raises(RuntimeError, match="in the kernel of kinds::throws"):
        kinds.throws("an operator")


def test_errors_in_the_gradient_name_the_line(kinds):
    y = kinds.bad_gradient(eagre.ones(2, requires_grad=True))  # this line
    with pytest.raises(RuntimeError, match="incorrect number of gradients") as caught:
        y.sum().backward()
    assert "kinds::BadGradientBackward" in str(caught.value)
    assert f"{Path(__file__).name}:" in str(caught.value)


def test_loading():
    with pytest.raises(eagre.NotFoundError, match=r"cannot load .*nowhere\.so"):
        eagre.load_library("/nowhere.so")
    with pytest.raises(ValueError, match="no function eagre_register_ops"):
        eagre.ops.load_library(PLUGINS / "ops_no_function.so")
    with pytest.raises(ValueError, match="unknown type 'Tenser'"):
        eagre.ops.load_library(PLUGINS / "ops_bad_signature.so")
    with pytest.raises(AttributeError):
        _ = eagre.ops.from_bad
    with pytest.raises(TypeError):
        eagre.load_library(3)


def test_on_a_device():
    code = f"""
        import warnings
        import eagre
        eagre.load_device_plugin({str(SIM)!r})
        eagre.load_library({str(EMA)!r})
        x = eagre.ones(2, device="sim", requires_grad=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            y = eagre.ops.filters.ema(x, 0.5)
        print(y.device, y.tolist(), [str(w.message).partition(" and")[0] for w in caught])
    """
    expected = "sim:0 [0.5, 0.75] ['filters::ema() has no kernel on sim:0']"
    assert child.run(code)[0] == expected


def test_threads_call_at_the_same_time():
    code = f"""
        import threading
        import eagre
        eagre.load_library({str(EMA)!r})
        x = eagre.ones(1000, requires_grad=True)
        def work():
            for _ in range(50):
                eagre.ops.filters.ema(x, 0.5).sum().backward()
        threads = [threading.Thread(target=work) for _ in range(4)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        print(round(x.grad[0].item()))
    """
    assert child.run(code)[0] == "200"

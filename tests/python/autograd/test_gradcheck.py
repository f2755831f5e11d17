"""gradcheck and gradgradcheck: options and what they find."""

import pytest

import eagre
from eagre.autograd import Function, GradcheckError, gradcheck, gradgradcheck


def double(*values):
    return eagre.tensor(list(values), dtype=eagre.float64, requires_grad=True)


class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 3


class WrongTwice(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x.detach() ** 2


# Row: PyTorch N4
@pytest.mark.parametrize("fast_mode", [False, True])
def test_right_gradients(fast_mode):
    x = double(0.5, -1.0, 2.0)
    assert gradcheck(lambda a: a.sin(), x, fast_mode=fast_mode)
    assert gradcheck(
        lambda a, n, b: (a.sin() * n + b, a.exp()),
        (x, 3, eagre.ones(3)),
        fast_mode=fast_mode,
        check_forward_ad=True,
        check_batched_grad=True,
        check_batched_forward_grad=True,
        check_grad_dtypes=True,
    )
    assert gradgradcheck(lambda a: a.sin() * a, x, fast_mode=fast_mode, check_fwd_over_rev=True)
    assert gradgradcheck(lambda a: a.sin(), x, eagre.ones(3, dtype=eagre.float64))
    assert gradgradcheck(lambda a: a.exp(), x, gen_non_contig_grad_outputs=True)


# Row: PyTorch N4
@pytest.mark.parametrize("fast_mode", [False, True])
def test_wrong_gradients(fast_mode):
    x = double(0.5, -1.0)
    with pytest.raises(
        GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"
    ):
        gradcheck(Wrong.apply, x, fast_mode=fast_mode)
    assert not gradcheck(Wrong.apply, x, fast_mode=fast_mode, raise_exception=False)
    assert gradcheck(WrongTwice.apply, x, fast_mode=fast_mode)
    with pytest.raises(GradcheckError):
        gradgradcheck(WrongTwice.apply, x, fast_mode=fast_mode)
    assert issubclass(GradcheckError, RuntimeError)


# Row: PyTorch N4
def test_what_is_not_a_finding_is_raised():
    x = double(1.0)
    with pytest.raises(ZeroDivisionError):
        gradcheck(lambda a: 1 / 0, x, raise_exception=False)
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(lambda a: a, x.detach())
    with pytest.raises(RuntimeError, match="stride 0"):
        gradcheck(lambda a: a, x.detach().expand(3).requires_grad_())
    with pytest.warns(UserWarning, match="not a double precision"):
        gradcheck(lambda a: a * 2, eagre.ones(1, requires_grad=True), atol=1.0)


# Row: PyTorch N4
@pytest.mark.parametrize(
    ("check", "options", "message"),
    [
        (gradcheck, {"check_backward_ad": False}, "at least one of check_forward_ad"),
        (
            gradcheck,
            {"check_forward_ad": True, "check_backward_ad": False, "check_batched_grad": True},
            "check_batched_grad=True requires check_backward_ad",
        ),
        (gradcheck, {"check_batched_forward_grad": True}, "requires check_forward_ad"),
        (gradgradcheck, {"check_rev_over_rev": False}, "at least one of check_fwd_over_rev"),
        (
            gradgradcheck,
            {"check_rev_over_rev": False, "check_fwd_over_rev": True},
            "check_undefined_grad=True requires check_rev_over_rev",
        ),
    ],
)
def test_options_that_do_not_go_together(check, options, message):
    with pytest.raises(AssertionError, match=message):
        check(lambda a: a, double(1.0), **options)


def test_there_are_no_sparse_tensors():
    with pytest.raises(NotImplementedError, match="sparse"):
        gradcheck(lambda a: a, double(1.0), masked=True)


def test_the_module_and_the_function_have_one_name():
    from eagre.autograd.gradcheck import GradcheckError as InModule

    assert InModule is GradcheckError and callable(eagre.autograd.gradcheck)


def test_inputs_are_moved_in_place():
    x = eagre.tensor([1.0, 2.0], dtype=eagre.float64, requires_grad=True)
    version = x._version
    assert gradcheck(lambda _: x * x, (x,)) and gradcheck(lambda _: x * x, (x,), fast_mode=True)
    assert x.tolist() == [1.0, 2.0] and x._version == version


@pytest.mark.parametrize("fast_mode", [True, False])
def test_results_that_change_their_kind(fast_mode):
    x = eagre.ones(1, dtype=eagre.float64, requires_grad=True)
    for what, other in (("shape", lambda x: eagre.cat([x, x])), ("dtype", lambda x: x.float())):
        with pytest.raises(AssertionError, match=f"the same {what} when inputs are perturbed"):
            gradcheck(lambda x, f=other: f(x) if x.item() >= 1 else x, (x,), fast_mode=fast_mode)


def test_results_that_require_no_gradient():
    x = eagre.ones(1, dtype=eagre.float64, requires_grad=True)
    assert gradcheck(lambda x: (x * 2, x.detach()), (x,))
    assert gradcheck(lambda x: (), (x,))
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        gradcheck(lambda x: x.detach() * 2, (x,))


def test_parts_of_complex_results_are_named():
    def wrong(x):
        y = x.clone()
        y.register_hook(lambda g: g + 1e-2)
        return y

    x = eagre.ones(2, dtype=eagre.complex128, requires_grad=True)
    with pytest.raises(RuntimeError, match="the imaginary part of complex outputs only"):
        gradcheck(wrong, (x,))


def test_given_gradients_are_differentiated_only_if_they_ask():
    x = eagre.ones(1, dtype=eagre.float64, requires_grad=True)
    counts = []

    class Count(Function):
        @staticmethod
        def forward(ctx, g):
            counts.append(g.requires_grad)
            return g.clone()

        @staticmethod
        def backward(ctx, g):
            return g

    def f(x):
        y = x * x
        y.register_hook(Count.apply)
        return y

    assert gradgradcheck(f, (x,), (eagre.ones(1, dtype=eagre.float64),))
    assert not any(counts)


def test_how_often_jvp_is_called():
    calls = []

    class Twice(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x.clone(), y.clone()

        @staticmethod
        def jvp(ctx, x, y):
            calls.append(1)
            return x.clone(), y.clone()

    x, y = (eagre.ones(1, dtype=eagre.float64, requires_grad=True) for _ in range(2))
    options = {"check_forward_ad": True, "check_backward_ad": False}
    for more, expected in (
        ({"check_undefined_grad": False}, 2),
        ({}, 6),
        ({"check_batched_forward_grad": True}, 12),
    ):
        calls.clear()
        gradcheck(Twice.apply, (x, y), **options, **more)
        assert len(calls) == expected


def test_a_module_that_stands_where_the_function_was():
    import inspect
    import sys

    module = sys.modules["eagre.autograd.gradcheck"]
    x = eagre.ones(1, dtype=eagre.float64, requires_grad=True)
    assert module(lambda x: x * 2, (x,)) is True
    assert inspect.signature(module) == inspect.signature(module.gradcheck)


def test_jacobians_as_matrices():
    x = eagre.ones(2, dtype=eagre.float64, requires_grad=True)
    from eagre.autograd.gradcheck import get_analytical_jacobian, get_numerical_jacobian

    with pytest.warns(FutureWarning, match="private API"):
        (found,) = get_numerical_jacobian(lambda given: given[0] * 3, (x,), eps=1e-6)
    assert eagre.allclose(found, 3 * eagre.eye(2, dtype=eagre.float64))
    with pytest.warns(FutureWarning, match="private API"):
        (found,), repeats, *fits = get_analytical_jacobian((x,), x * 3)
    assert found.tolist() == [[3.0, 0.0], [0.0, 3.0]] and repeats and fits == [True, True]
    with (
        pytest.warns(FutureWarning),
        pytest.raises(ValueError, match="Expected grad_out to be 1.0"),
    ):
        get_analytical_jacobian((x,), x * 3, grad_out=2.0)

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

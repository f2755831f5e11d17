"""Comparing gradients with differences of values: the test of every function of your own.

An import of this module under another name (`torch.autograd.gradcheck`, for who made `torch` mean
this package) binds the module where the function was. So it can be called like the function.
"""

import sys
import types

from eagre import _C

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """The gradients are wrong; other errors are those of the function."""


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
) -> bool:
    """Are the gradients of `func` those of its values, at `inputs`?

    Inputs that require gradients are varied by `eps`; they should be of double precision. With
    `fast_mode` only along one random direction. Forward mode, batches of gradients and others are
    looked at when asked for. Returns True, or raises GradcheckError (False without
    `raise_exception`).
    """
    _require(
        check_forward_ad or check_backward_ad,
        "Expected at least one of check_forward_ad or check_backward_ad to be True",
    )
    _require(
        check_backward_ad or not check_batched_grad,
        "Setting check_batched_grad=True requires check_backward_ad to be True",
    )
    _require(
        check_forward_ad or not check_batched_forward_grad,
        "Setting check_batched_forward_grad=True requires check_forward_ad to be True",
    )
    _refuse_masked(masked)
    call = _Call(func, inputs)
    problem = _C._gradcheck(
        call,
        call.tensors,
        eps,
        atol,
        rtol,
        nondet_tol,
        check_undefined_grad,
        check_grad_dtypes,
        check_batched_grad,
        check_batched_forward_grad,
        check_forward_ad,
        check_backward_ad,
        fast_mode,
        None,
        False,
    )
    return _result(problem, raise_exception)


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
) -> bool:
    """The same for the gradients of the gradients, by `inputs` and by `grad_outputs`.

    Those are random numbers if none are given.
    """
    _require(
        check_fwd_over_rev or check_rev_over_rev,
        "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True",
    )
    _require(
        check_rev_over_rev or not check_undefined_grad,
        "Setting check_undefined_grad=True requires check_rev_over_rev to be True",
    )
    _require(
        check_rev_over_rev or not check_batched_grad,
        "Setting check_batched_grad=True requires check_rev_over_rev to be True",
    )
    _refuse_masked(masked)
    call = _Call(func, inputs)
    problem = _C._gradgradcheck(
        call,
        call.tensors,
        eps,
        atol,
        rtol,
        nondet_tol,
        check_undefined_grad,
        check_grad_dtypes,
        check_batched_grad,
        False,
        check_fwd_over_rev,
        check_rev_over_rev,
        fast_mode,
        None if grad_outputs is None else _tuple_of(grad_outputs),
        gen_non_contig_grad_outputs,
    )
    return _result(problem, raise_exception)


class _Call:
    """The function as one of tensors only, which returns a tuple of tensors."""

    def __init__(self, func, inputs):
        self.func = func
        self.kinds = None  # shapes and dtypes of the first results
        self.inputs = _tuple_of(inputs)
        self.places = [i for i, x in enumerate(self.inputs) if isinstance(x, _C.Tensor)]
        self.tensors = tuple(self.inputs[i] for i in self.places)

    def __call__(self, *tensors):
        given = list(self.inputs)
        for place, tensor in zip(self.places, tensors, strict=True):
            given[place] = tensor
        results = _tuple_of(self.func(*given))
        results = tuple(result for result in results if isinstance(result, _C.Tensor))
        self._check_kinds(results)
        return results

    def _check_kinds(self, results):
        kinds = [(result.shape, result.dtype) for result in results]
        before, self.kinds = self.kinds, kinds
        if before is None or before == kinds:
            return
        for what, place in (("shape", 0), ("dtype", 1)):
            if [kind[place] for kind in before] != [kind[place] for kind in kinds]:
                raise AssertionError(  # as PyTorch does
                    f"Expected `func` to return outputs with the same {what} when inputs are "
                    f"perturbed, but got {before} and {kinds}"
                )


def _tuple_of(given):
    if isinstance(given, tuple):
        return given
    return tuple(given) if isinstance(given, list) else (given,)


def _require(condition, message):
    if not condition:
        raise AssertionError(message)  # as PyTorch does


def _refuse_masked(masked):
    if masked:
        raise NotImplementedError("gradcheck(): masked=True is for sparse tensors: there are none")


def _result(problem, raise_exception):
    if problem is None:
        return True
    if raise_exception:
        raise GradcheckError(problem)
    return False


def __getattr__(name):
    if name in ("get_analytical_jacobian", "get_numerical_jacobian"):
        from eagre.autograd import _jacobians

        return getattr(_jacobians, name.split("_")[1])
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class _CallableModule(types.ModuleType):
    def __call__(self, *args, **kwargs):
        return gradcheck(*args, **kwargs)

    __wrapped__ = staticmethod(gradcheck)  # whose signature is shown


sys.modules[__name__].__class__ = _CallableModule

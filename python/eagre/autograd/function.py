"""Functions whose gradient the user writes: subclass Function, call it by apply()."""

import collections
import warnings

from eagre._C import Tensor, _FunctionBase, _set_function_support

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]


class FunctionCtx(_FunctionBase):
    """Where forward of a Function leaves things for backward; both are handed it.

    It has whatever attributes forward gives it; tensors that are arguments or results belong into
    save_for_backward(). It is the grad_fn of the results.
    """

    @property
    def input_grad_buffers(self):
        """Sums to which backward may add a gradient itself, for every argument: none."""
        return (None,) * len(self.needs_input_grad)

    def set_output_grad_dtype(self, *dtypes):
        """Not there: gradients come to backward in the dtype of their output."""
        raise NotImplementedError(
            "set_output_grad_dtype(): gradients always have the dtype of their output. "
            "Hint: cast them in backward"
        )

    def mark_shared_storage(self, *pairs):
        """Does nothing, as in PyTorch: shared memory is found without it."""
        warnings.warn(
            "mark_shared_storage is deprecated. Tensors with shared storages are automatically "
            "tracked. Note that calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )


class BackwardCFunction(FunctionCtx):
    """The class of contexts; every Function has a subclass of it."""

    def apply(self, *gradients):
        """Calls backward of the Function with these gradients."""
        function = self._forward_cls
        is_vjp = function.vjp is not Function.vjp
        given = (list(gradients),) if function.boxed_grads_call else gradients
        return (function.vjp if is_vjp else function.backward)(self, *given)

    def apply_jvp(self, *tangents):
        """Calls jvp of the Function with these tangents."""
        return self._forward_cls.jvp(self, *tangents)


class FunctionMeta(type):
    """Gives every Function the class of its contexts, which is the name of its node."""

    def __init__(cls, name, bases, namespace):
        own = {"_forward_cls": cls, "__module__": namespace.get("__module__")}
        cls._backward_cls = type(f"{name}Backward", (cls._context_cls,), own)
        super().__init__(name, bases, namespace)


class Function(FunctionCtx, metaclass=FunctionMeta):
    """A function with a gradient of its own.

    Subclasses have static methods: forward(ctx, *args), or forward(*args) and
    setup_context(ctx, inputs, output); backward(ctx, *grad_outputs), which returns a gradient (or
    None) for every argument of forward; and for forward mode jvp(ctx, *tangents), which returns a
    tangent for every result. They are called by apply(*args).

    >>> class Exp(eagre.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         result = x.exp()
    ...         ctx.save_for_backward(result)
    ...         return result
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         (result,) = ctx.saved_tensors
    ...         return grad_output * result
    >>> x = eagre.tensor([0.0, 1.0], requires_grad=True)
    >>> Exp.apply(x).sum().backward()
    >>> x.grad
    tensor([1.0000, 2.7183])
    """

    _context_cls = BackwardCFunction
    # For vmap: forward, backward and jvp are made of operators, so that they can run on samples
    # that stand for all. The alternative is a static method vmap.
    generate_vmap_rule = False
    # backward(ctx, grads) gets one list, from which it may take gradients to free them early.
    boxed_grads_call = False
    # backward may ask for ctx.saved_tensors once; then they belong to it alone.
    clear_saved_tensors_on_access = False

    def __init__(self, *args, **kwargs):
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use "
            "new-style autograd function with static forward method, and call it by apply()."
        )

    @staticmethod
    def forward(*args, **kwargs):
        """Computes the results; subclasses write it."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Saves what backward needs, if forward does not take the context itself."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """A gradient for every argument of forward from those of its results."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    # PyTorch's second name, for who defines jvp.
    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """A tangent for every result of forward from those of its arguments."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    @staticmethod
    def vmap(info, in_dims, *args):
        """The results for whole batches: a pair (output, out_dims)."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod "
            "or set generate_vmap_rule=True."
        )


class InplaceFunction(Function):
    """PyTorch's class for functions of old that may write in place."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """PyTorch's class for functions of old with nested arguments; not there."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(
            "NestedIOFunction: functions with methods that are not static are gone. Hint: subclass "
            "Function, and take the tensors out of nested arguments before apply()"
        )


def once_differentiable(fn):
    """Marks a backward that cannot be differentiated in turn: that becomes an error.

    It runs without recording, so it may use what is not differentiable.
    """
    fn._is_once_differentiable = True
    return fn


# What a static method vmap is told about the vmap that calls it.
VmapInfo = collections.namedtuple("VmapInfo", ["batch_size", "randomness"])


def _bound_arguments(forward, skipped, args, kwargs):
    """Arguments of `forward` by position, with its defaults; and those that have only a name."""
    import inspect

    parameters = inspect.signature(forward).parameters.values()
    known = {p.name for p in parameters if p.kind is not p.POSITIONAL_ONLY}
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        for name in kwargs:  # first, as in a call: it is why another argument is missing
            if name not in known:
                raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    for parameter, _ in zip(parameters, (*(None,) * skipped, *args), strict=False):
        if parameter.name in kwargs and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            raise TypeError(f"forward() got multiple values for argument '{parameter.name}'")
    bound = inspect.signature(forward).bind(*(None,) * skipped, *args, **kwargs)
    bound.apply_defaults()
    for name, value in bound.kwargs.items():
        if isinstance(value, Tensor):
            raise TypeError(
                f"forward(): the tensor '{name}' can be given by name only, so backward could not "
                "return its gradient. Hint: let forward take it by position too"
            )
    return bound.args[skipped:], bound.kwargs


_set_function_support(Function, _bound_arguments, VmapInfo)


def __dir__():
    return __all__

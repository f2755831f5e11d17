"""Tensors that modules know by their class: parameters, which are trained, and buffers."""

from __future__ import annotations

from eagre import _C

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter"]


class _ParameterMeta(_C._TensorMeta):
    """Tensors of other classes count as instances when they carry the mark of the class."""

    def __instancecheck__(self, instance):
        if super().__instancecheck__(instance):
            return True
        return isinstance(instance, _C.Tensor) and getattr(instance, self._mark, False)


class Parameter(_C.Tensor, metaclass=_ParameterMeta):
    """A tensor that is a parameter of a module: it requires a gradient unless told otherwise.

    Results of operators on parameters are plain tensors.
    """

    _mark = "_is_param"
    _printed_name = "tensor"
    __torch_function__ = _C._disabled_torch_function_impl

    def __new__(cls, data=None, requires_grad=True) -> Parameter:
        if data is None:
            data = _C.empty(0)
        if type(data) in (_C.Tensor, Parameter):
            return _C.Tensor._make_subclass(cls, data, requires_grad)
        if not isinstance(data, _C.Tensor):
            hint = ""
            if hasattr(data, "__dlpack__"):
                hint = ". Hint: eagre.from_dlpack(data) makes a tensor on the same memory"
            kind = f"{type(data).__module__}.{type(data).__qualname__}"
            raise TypeError(f"Parameter(): argument 'data' must be a Tensor, but got {kind}{hint}")
        # Instances of users' classes stay what they are, and carry a mark.
        marked = data.detach().requires_grad_(requires_grad)
        if type(marked) is not type(data):
            raise RuntimeError(
                f"Parameter(): detach() of a {type(data).__name__} must return one, but returned a "
                f"{type(marked).__name__}. Hint: let its __torch_function__ keep the class"
            )
        marked._is_param = True
        return marked

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        with _C.DisableTorchFunctionSubclass():
            values = self.detach().clone(memory_format=_C.preserve_format)
        memo[id(self)] = made = type(self)(values, self.requires_grad)
        return made

    def __repr__(self):
        text = super().__repr__()
        # As PyTorch, which says it of classes of users, but leaves out that it is no plain tensor.
        return "Parameter containing:\n" + (
            text if type(self) is Parameter else f"Parameter({text})"
        )

    def __reduce_ex__(self, protocol):
        state = self.__dict__ or None
        return _rebuild, (type(self), self.detach(), self.requires_grad), state


class Buffer(_C.Tensor, metaclass=_ParameterMeta):
    """A tensor that belongs to a module and is saved with it, but is no parameter."""

    _mark = "_is_buffer"
    __torch_function__ = _C._disabled_torch_function_impl

    def __new__(cls, data=None, *, persistent=True) -> Buffer:
        if data is None:
            data = _C.empty(0)
        made = data.detach().requires_grad_(data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def _rebuild(cls, data, requires_grad):
    return _C.Tensor._make_subclass(cls, data, requires_grad)


class UninitializedParameter(Parameter):
    """Parameters without a shape, for modules that learn it from their first input."""

    def __new__(cls, *args, **kwargs):
        raise NotImplementedError(
            f"{cls.__name__}: parameters without a shape are not supported. "
            "Hint: give the module its sizes and use Parameter"
        )


class UninitializedBuffer(UninitializedParameter):
    """Buffers without a shape."""

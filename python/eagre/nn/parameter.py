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

    def __repr__(self) -> str:
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


# What may be asked of a tensor without a shape.
_ALLOWED = frozenset(
    [
        "copy_",
        "cpu",
        "cuda",
        "data",
        "detach",
        "device",
        "dtype",
        "__deepcopy__",
        "__get__",
        "__set__",
        "grad",
        "grad_fn",
        "half",
        "bfloat16",
        "float",
        "double",
        "int",
        "long",
        "short",
        "char",
        "byte",
        "bool",
        "is_complex",
        "is_floating_point",
        "is_leaf",
        "is_meta",
        "is_cuda",
        "requires_grad",
        "requires_grad_",
        "share_memory_",
        "to",
        "type",
        "untyped_storage",
    ]
)


class _Uninitialized:
    """Of tensors whose shape is not known yet: all else that is asked of them is refused."""

    def materialize(self, shape, device=None, dtype=None):
        """Gets a shape, and values that are whatever was in the memory; is then a plain parameter,
        or buffer."""
        with _C.DisableTorchFunctionSubclass():
            device = self.data.device if device is None else device
            dtype = self.data.dtype if dtype is None else dtype
            self.data = _C.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually "
            "happens in `load_state_dict` when trying to load an uninitialized parameter into an "
            "initialized one. Hint: call the module once before"
        )

    def share_memory_(self):
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. "
            "Hint: call the module once before module.share_memory()"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(
                self.requires_grad, device=self.data.device, dtype=self.data.dtype
            )
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return _rebuild_uninitialized, (
            type(self),
            self.requires_grad,
            self.data.device,
            self.data.dtype,
        )

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if name not in _ALLOWED:
            raise ValueError(
                f"Attempted to use an uninitialized parameter in {func}. This error happens when "
                "you are using a `LazyModule` or explicitly manipulating "
                f"`torch.nn.parameter.{cls.__name__}` objects. Hint: call the module once, with "
                "any input, before such functions"
            )
        return _C._disabled_torch_function_impl(func, types, args, kwargs or {})


class UninitializedParameter(_Uninitialized, Parameter):
    """A parameter without a shape, for modules that learn it from their first input."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None) -> UninitializedParameter:
        data = _C.empty(0, device=device, dtype=dtype)
        return _C.Tensor._make_subclass(cls, data, requires_grad)


class UninitializedBuffer(_Uninitialized, _C.Tensor):
    """A buffer without a shape."""

    cls_to_become = _C.Tensor

    def __new__(
        cls, requires_grad=False, device=None, dtype=None, persistent=True
    ) -> UninitializedBuffer:
        data = _C.empty(0, device=device, dtype=dtype)
        made = _C.Tensor._make_subclass(cls, data, requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def is_lazy(tensor):
    """Does it have no shape yet?"""
    return isinstance(tensor, _Uninitialized)


def _rebuild_uninitialized(cls, requires_grad, device, dtype):
    return cls(requires_grad, device=device, dtype=dtype)

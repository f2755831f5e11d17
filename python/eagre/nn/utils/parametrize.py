"""Parameters that are functions of others: module.weight is then computed when it is asked for."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import contextmanager, suppress

from eagre import _C
from eagre.autograd.grad_mode import no_grad
from eagre.nn.modules.container import ModuleDict, ModuleList
from eagre.nn.modules.module import Module
from eagre.nn.parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]

_caching = {"depth": 0, "values": {}}


@contextmanager
def cached():
    """A scope in which what a parametrization gives is computed once."""
    _caching["depth"] += 1
    try:
        yield
    finally:
        _caching["depth"] -= 1
        if not _caching["depth"]:
            _caching["values"] = {}


def _register_parameter_or_buffer(module, name, value):
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, the first one first, and what the tensor is computed
    from: `original`, or `original0`, `original1`, …"""

    unsafe: bool

    def __init__(self, modules: Sequence[Module], original, unsafe=False) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with no_grad():
            new = original
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        new = module.right_inverse(new)
        if not isinstance(new, (_C.Tensor, Sequence)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, _C.Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            _check_same(original, new, "dtype")
            _check_same(original, new, "device")
            if new is not original:
                original.data = new.detach()
            _register_parameter_or_buffer(self, "original", original)
        else:
            for i, one in enumerate(new):
                if not isinstance(one, _C.Tensor):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, "
                        f"tuple...). Got element {i} of the sequence with type "
                        f"{type(one).__name__}."
                    )
                if isinstance(original, Parameter):
                    one = Parameter(one, original.requires_grad)
                one.requires_grad_(original.requires_grad)
                _register_parameter_or_buffer(self, f"original{i}", one)
        if not unsafe:
            with no_grad():
                self._check_result(self(), shape, dtype)

    @staticmethod
    def _check_result(value, shape, dtype):
        if not isinstance(value, _C.Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(value).__name__}.")
        for name, wanted in (("dtype", dtype), ("shape", shape)):
            found = getattr(value, name)
            if found != wanted:
                raise ValueError(
                    f"Registering a parametrization may not change the {name} of the tensor, "
                    f"unless `unsafe` flag is enabled.\nunparametrized {name}: {wanted}\n"
                    f"parametrized {name}: {found}"
                )

    def right_inverse(self, value):
        """Sets the originals so that the parametrizations give `value`."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                value = module.right_inverse(value)
            if self.is_tensor:
                if not isinstance(value, _C.Tensor):
                    raise ValueError(
                        f"`right_inverse` should return a tensor. Got {type(value).__name__}"
                    )
                if value.dtype != self.original.dtype:
                    raise ValueError(
                        "The tensor returned by `right_inverse` has dtype "
                        f"{value.dtype} while `original` has dtype {self.original.dtype}"
                    )
                self.original.data = value.detach()
                return
            if not isinstance(value, Sequence):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors. "
                    f"Got {type(value).__name__}."
                )
            if len(value) != self.ntensors:
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors of length "
                    f"{self.ntensors}. Got a sequence of length {len(value)}."
                )
            for i, one in enumerate(value):
                original = getattr(self, f"original{i}")
                if not isinstance(one, _C.Tensor):
                    raise ValueError(
                        f"`right_inverse` must return a sequence of tensors. Got element {i} of "
                        f"type {type(one).__name__}"
                    )
                if original.dtype != one.dtype:
                    raise ValueError(
                        f"Tensor {i} returned by `right_inverse` has dtype {one.dtype} while "
                        f"`original{i}` has dtype {original.dtype}"
                    )
                original.data = one.detach()

    def forward(self):
        if self.is_tensor:
            value = self[0](self.original)
        else:
            value = self[0](*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for module in list(self)[1:]:
            value = module(value)
        return value


def _check_same(original, new, name):
    if getattr(original, name) != getattr(new, name):
        raise ValueError(
            f"When `right_inverse` outputs one tensor, it may not change the {name}.\n"
            f"original.{name}: {getattr(original, name)}\n"
            f"right_inverse(original).{name}: {getattr(new, name)}"
        )


def _refuse_pickle(self):
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict()"
    )


def _deep_copy(self, memo):
    if id(self) not in memo:
        # A class of its own: what is removed from one is not removed from the other.
        cls = type(self)
        made = memo[id(self)] = cls.__new__(type(cls.__name__, cls.__bases__, dict(vars(cls))))
        made.__dict__ = copy.deepcopy(self.__dict__, memo)
    return memo[id(self)]


def _inject_new_class(module):
    """Gives the module a class of its own, which can have properties."""
    cls = type(module)
    members = {"__getstate__": _refuse_pickle, "parametrized_class": cls}
    if not hasattr(cls, "__deepcopy__"):
        members["__deepcopy__"] = _deep_copy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _inject_property(module, tensor_name):
    cls = type(module)

    def get(self):
        if _caching["depth"]:
            key = (id(self), tensor_name)
            if key not in _caching["values"]:
                _caching["values"][key] = self.parametrizations[tensor_name]()
            return _caching["values"][key]
        return self.parametrizations[tensor_name]()

    def assign(self, value):
        self.parametrizations[tensor_name].right_inverse(value)

    setattr(cls, tensor_name, property(get, assign))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False) -> Module:
    """Makes a parameter or buffer what `parametrization` computes from it. A parametrization with
    right_inverse() is asked for what to begin with, and makes assignments possible.

    >>> class Symmetric(eagre.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).T
    >>> layer = eagre.nn.Linear(3, 3)
    >>> made = eagre.nn.utils.parametrize.register_parametrization(layer, "weight", Symmetric())
    >>> bool((layer.weight == layer.weight.T).all())
    True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        present = module.parametrizations[tensor_name]
        if not unsafe:
            with no_grad():
                _check_another(getattr(module, tensor_name), parametrization)
        present.append(parametrization)
        present.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element "
            f"with name '{tensor_name}'"
        )
    return module


def _check_another(value, parametrization):
    """One more parametrization: it, and its inverse, keep shape and dtype."""
    result = parametrization(value)
    if not isinstance(result, _C.Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(result).__name__}.")
    for name in ("dtype", "shape"):
        if getattr(result, name) != getattr(value, name):
            raise ValueError(
                f"Registering a parametrization may not change the {name} of the tensor, unless "
                f"the `unsafe` flag is enabled.\nmodule.{name}: {getattr(value, name)}\n"
                f"parametrization(module).{name}: {getattr(result, name)}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(result)
    except NotImplementedError:
        return
    if not isinstance(back, _C.Tensor):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}"
        )
    for name in ("dtype", "shape"):
        if getattr(back, name) != getattr(value, name):
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {name} "
                f"as the tensor, unless the `unsafe` flag is enabled.\nmodule.{name}: "
                f"{getattr(value, name)}\nreturned {name}: {getattr(back, name)}"
            )


def is_parametrized(module, tensor_name=None) -> bool:
    """Is any of its tensors parametrized, or this one?"""
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(module, tensor_name, leave_parametrized=True) -> Module:
    """Makes it a plain parameter or buffer again, with the value that it has now, or without
    `leave_parametrized` the one that it is computed from."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    present = module.parametrizations[tensor_name]
    if present.is_tensor:
        original = present.original
        if leave_parametrized:
            with no_grad():
                value = getattr(module, tensor_name)
            original.data = value.detach()
    else:
        if not leave_parametrized:
            raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor "
                "that is parametrized in terms of a sequence of tensors."
            )
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register_parameter_or_buffer(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    """Its class, without what parametrizations added."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Gives one module the parametrizations of another, and the tensors that they begin with."""
    if not is_parametrized(from_module):
        return to_module
    names = [tensor_name] if tensor_name is not None else list(from_module.parametrizations)
    for name in names:
        present = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, copy.deepcopy(getattr(from_module, name)))
        for one in present:
            register_parametrization(to_module, name, one)
        target = to_module.parametrizations[name]
        if hasattr(present, "original"):
            target.original = present.original
        else:
            i = 0
            while hasattr(present, f"original{i}"):
                setattr(target, f"original{i}", getattr(present, f"original{i}"))
                i += 1
    return to_module

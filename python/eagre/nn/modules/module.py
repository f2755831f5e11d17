"""Module: what layers and networks derive from."""

from __future__ import annotations

import sys
from types import ModuleType

from eagre import _C
from eagre._tensor_attributes import typename
from eagre.nn.modules import _registration_hooks as _shared
from eagre.nn.modules._module_convert import ConvertMethods
from eagre.nn.modules._module_hooks import HookMethods, new_hook_dicts
from eagre.nn.modules._module_state import (
    EXTRA_STATE_KEY_SUFFIX,
    IncompatibleKeys,
    StateMethods,
)
from eagre.nn.modules._module_walk import WalkMethods
from eagre.nn.modules._registration_hooks import (
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    replaced,
)
from eagre.nn.parameter import Buffer, Parameter

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Self

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

# Names that programs import, though they are private.
_EXTRA_STATE_KEY_SUFFIX = EXTRA_STATE_KEY_SUFFIX
_IncompatibleKeys = IncompatibleKeys
_global_backward_hooks = _shared.global_backward_hooks
_global_backward_pre_hooks = _shared.global_backward_pre_hooks
_global_buffer_registration_hooks = _shared.global_buffer_registration_hooks
_global_forward_hooks = _shared.global_forward_hooks
_global_forward_hooks_always_called = _shared.global_forward_hooks_always_called
_global_forward_hooks_with_kwargs = _shared.global_forward_hooks_with_kwargs
_global_forward_pre_hooks = _shared.global_forward_pre_hooks
_global_module_registration_hooks = _shared.global_module_registration_hooks
_global_parameter_registration_hooks = _shared.global_parameter_registration_hooks

_C._set_module_hooks(
    _global_backward_hooks,
    _global_backward_pre_hooks,
    _global_forward_hooks,
    _global_forward_pre_hooks,
)


class _Globals(ModuleType):
    """This file as a module. Calls look at the dicts of hooks themselves, so a program that assigns
    another to one of the names above changes what is in them."""

    def __setattr__(self, name, value):
        present = vars(self).get(name)
        if name.startswith("_global_") and isinstance(present, dict):
            items = list(value.items())
            present.clear()
            present.update(items)
        else:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Globals


def _forward_unimplemented(self, *input):
    """What calls compute; every class of modules has its own."""
    raise NotImplementedError(
        f'Module [{type(self).__name__}] is missing the required "forward" function'
    )


class _CallSignature:
    """inspect.signature() of a module, whose call is in C, says what it says of a call in Python.
    A class that has a __call__() of its own has that one's."""

    def __get__(self, module, owner):
        if module is None or type(module).__call__ is not _C._ModuleBase.__call__:
            return None
        from inspect import Parameter as Argument
        from inspect import Signature

        kinds = {"args": Argument.VAR_POSITIONAL, "kwargs": Argument.VAR_KEYWORD}
        return Signature([Argument(name, kind) for name, kind in kinds.items()])


class Module(HookMethods, StateMethods, WalkMethods, ConvertMethods, _C._ModuleBase):
    """A function with parameters: a layer, or a network of layers.

    A class of modules calls super().__init__(), assigns parameters and modules to attributes, and
    defines forward(). Calls and lookups of attributes are in C (python/src/nn/module_object.cpp):
    a call without hooks runs forward() at once, any other runs _call_impl().
    """

    dump_patches = False
    _version = 1
    call_super_init = False
    _compiled_call_impl = None
    __signature__ = _CallSignature()

    def __init__(self, *args, **kwargs) -> None:
        if not self.call_super_init and (args or kwargs):
            name = f"{type(self).__name__}.__init__()"
            if kwargs:
                raise TypeError(f"{name} got an unexpected keyword argument '{next(iter(kwargs))}'")
            raise TypeError(f"{name} takes 1 positional argument but {len(args) + 1} were given")
        self.__dict__.update(
            training=True,
            _parameters={},
            _buffers={},
            _non_persistent_buffers_set=set(),
            **new_hook_dicts(),
            _modules={},
        )
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    forward = _forward_unimplemented

    def __init_subclass__(cls, **keywords) -> None:
        super().__init_subclass__(**keywords)
        _C._prepare_module_class(cls)

    # --- what belongs to a module ---

    def register_buffer(self, name, tensor, persistent=True) -> None:
        """Adds a tensor that is no parameter; it is part of state_dict() if it is `persistent`."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, _C.Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = replaced(_global_buffer_registration_hooks, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param) -> None:
        """Adds a parameter; None for one that the module could have, but has not."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, self._parameters)
        if param is None:
            self._parameters[name] = None
            return
        if not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                "created explicitly: what follows from other tensors is computed in forward()"
            )
        self._parameters[name] = replaced(_global_parameter_registration_hooks, self, name, param)

    def add_module(self, name, module) -> None:
        """Adds a module; None for one that this could have, but has not."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name, self._modules)
        self._modules[name] = replaced(_global_module_registration_hooks, self, name, module)

    def register_module(self, name, module) -> None:
        """add_module()."""
        self.add_module(name, module)

    def _check_name(self, kind, name, present):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in present:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def _set_member(self, name, value):
        # What __setattr__ (in C) does where the value or the name is that of a member.
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, own, own["_buffers"], own["_modules"])
            self.register_parameter(name, value)
            return
        if parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
            return
        modules = own.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, own, own["_parameters"], own["_buffers"])
            modules[name] = replaced(_global_module_registration_hooks, self, name, value)
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            modules[name] = replaced(_global_module_registration_hooks, self, name, value)
            return
        buffers = own.get("_buffers")
        if isinstance(value, Buffer) or (buffers is not None and name in buffers):
            self._set_buffer(name, value, buffers)
        else:
            object.__setattr__(self, name, value)

    def _set_buffer(self, name, value, buffers):
        if value is not None and not isinstance(value, _C.Tensor):
            raise TypeError(
                f"cannot assign '{typename(value)}' as buffer '{name}' "
                "(torch.nn.Buffer, torch.Tensor or None expected)"
            )
        if buffers is None:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        if isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
        else:
            buffers[name] = replaced(_global_buffer_registration_hooks, self, name, value)

    def _forget(self, name, *dicts):
        for each in dicts:
            each.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def _remove_member(self, name):
        if name in self._parameters:
            del self._parameters[name]
        elif name in self._buffers:
            del self._buffers[name]
            self._non_persistent_buffers_set.discard(name)
        else:
            del self._modules[name]

    # --- modes and gradients ---

    def train(self, mode=True) -> Self:
        """All modules from here on in training mode, or with False in that of evaluation."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """train(False)."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True) -> Self:
        """Whether the parameters get gradients."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True) -> None:
        """Without gradients; with `set_to_none=False` they are filled with zeros."""
        if getattr(self, "_is_replica", False):
            import warnings

            warnings.warn(
                "Calling .zero_grad() from a module created with nn.DataParallel() has no effect.",
                stacklevel=2,
            )
        for parameter in self.parameters():
            gradient = parameter.grad
            if gradient is None:
                continue
            if set_to_none:
                parameter.grad = None
                continue
            if gradient.grad_fn is not None:
                gradient.detach_()
            else:
                gradient.requires_grad_(False)
            gradient.zero_()

    def compile(self, *args, **kwargs) -> None:
        """Leaves the module as it is: operators run as they are called."""
        from eagre._settings import compile

        compile(self._call_impl, *args, **kwargs)

    # --- copies, and what is printed ---

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        # States of older programs know fewer hooks.
        for name, value in new_hook_dicts().items():
            self.__dict__.setdefault(name, value)
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    def _replicate_for_data_parallel(self):
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self) -> str:
        """What is printed of the module itself, in its parentheses."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [
            f"({name}): {_indented(repr(module))}" for name, module in self._modules.items()
        ]
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not children:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"

    def __dir__(self):
        names = {*dir(type(self)), *self.__dict__}
        names.update(self._parameters, self._modules, self._buffers)
        return sorted(name for name in names if not name[0].isdigit())


def _indented(text):
    return text.replace("\n", "\n  ")


def _addindent(s_, numSpaces):  # noqa: N803  as programs call it
    """The text with spaces in front of all lines but the first."""
    return s_.replace("\n", "\n" + " " * numSpaces)

"""Hooks of all modules: they run before those of the module that is called."""

import weakref
from collections import OrderedDict

from eagre.utils.hooks import RemovableHandle

__all__ = [
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

global_buffer_registration_hooks = OrderedDict()
global_module_registration_hooks = OrderedDict()
global_parameter_registration_hooks = OrderedDict()
global_backward_pre_hooks = OrderedDict()
global_backward_hooks = OrderedDict()
global_forward_pre_hooks = OrderedDict()
global_forward_hooks = OrderedDict()
global_forward_hooks_always_called = OrderedDict()
global_forward_hooks_with_kwargs = OrderedDict()

# Are the hooks of gradients of the full kind? None before the first one.
backward_kind = {"is_full": None}


def added(hooks, hook, *, prepend=False, beside=()):
    """The handle of `hook`, which is now among `hooks`; its number is marked in the dicts beside
    them."""
    handle = RemovableHandle(hooks, extra_dict=list(beside))
    hooks[handle.id] = hook
    for marks in beside:
        marks[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class HookWithModule:
    """A hook that is also given the module, which it does not keep alive; it can be copied."""

    def __init__(self, hook, module=None) -> None:
        self.hook = hook
        self.with_module = module is not None
        self._module = weakref.ref(module) if module is not None else None
        self.__name__ = getattr(hook, "__name__", type(hook).__name__)
        self.__doc__ = hook.__doc__

    @property
    def module(self):
        return None if self._module is None else self._module()

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        return {"hook": self.hook, "with_module": self.with_module, "module": self.module}

    def __setstate__(self, state):
        if state["with_module"] and state["module"] is None:
            raise RuntimeError("You are trying to revive the hook of a dead Module!")
        self.__init__(state["hook"], state["module"] if state["with_module"] else None)


def register_module_buffer_registration_hook(hook):
    """hook(module, name, buffer) runs when a module gets a buffer, and may return another."""
    return added(global_buffer_registration_hooks, hook)


def register_module_module_registration_hook(hook):
    """hook(module, name, submodule) runs when a module gets a submodule, and may return another."""
    return added(global_module_registration_hooks, hook)


def register_module_parameter_registration_hook(hook):
    """hook(module, name, parameter) runs when a module gets a parameter, and may return another."""
    return added(global_parameter_registration_hooks, hook)


def register_module_forward_pre_hook(hook):
    """hook(module, args) runs before forward() of every module, and may return other arguments."""
    return added(global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """hook(module, args, output) runs after forward() of every module, and may return another
    output."""
    marks = []
    if with_kwargs:
        marks.append(global_forward_hooks_with_kwargs)
    if always_call:
        marks.append(global_forward_hooks_always_called)
    return added(global_forward_hooks, hook, beside=marks)


def register_module_backward_hook(hook):
    """hook(module, grad_input, grad_output), with gradients of the last operator only."""
    _choose_backward_kind(False)
    return added(global_backward_hooks, hook)


def register_module_full_backward_pre_hook(hook):
    """hook(module, grad_output) runs before the backward pass of every module."""
    return added(global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook):
    """hook(module, grad_input, grad_output) runs when gradients of a module's inputs are there."""
    _choose_backward_kind(True)
    return added(global_backward_hooks, hook)


def _choose_backward_kind(is_full):
    if backward_kind["is_full"] not in (None, is_full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module "
            "hook. Please use only one of them."
        )
    backward_kind["is_full"] = is_full


def replaced(hooks, module, name, value):
    """What a module is really given: `value`, or what the last hook returned for it."""
    for hook in hooks.values():
        other = hook(module, name, value)
        if other is not None:
            value = other
    return value

"""Hooks of optimizers: around steps, and around writing and reading checkpoints."""

import functools
from collections import OrderedDict

from eagre.utils.hooks import RemovableHandle

# Attributes of an optimizer that hold hooks by their numbers.
KINDS = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)

_before_all = OrderedDict()
_after_all = OrderedDict()


def register(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Calls hook(optimizer, args, kwargs) before the steps of all optimizers."""
    return register(_before_all, hook)


def register_optimizer_step_post_hook(hook):
    """Calls hook(optimizer, args, kwargs) after the steps of all optimizers."""
    return register(_after_all, hook)


def registration(kind, calls):
    """The method of Optimizer that adds a hook of this kind."""
    if kind.startswith("_optimizer_step"):

        def method(self, hook):
            return register(getattr(self, kind), hook)
    else:

        def method(self, hook, prepend=False):
            return register(getattr(self, kind), hook, prepend)

    method.__name__ = "register" + kind.removeprefix("_optimizer").removesuffix("s")
    method.__qualname__ = f"Optimizer.{method.__name__}"
    method.__doc__ = f"Calls {calls} The handle that it returns takes the hook away."
    return method


def with_hooks(step):
    """`step` of a class with the hooks around it, once where it calls the step of its base."""

    @functools.wraps(step)
    def hooked(self, *args, **kwargs):
        self._opt_called = True  # for schedules, which come after
        if type(self).step is not hooked:
            return step(self, *args, **kwargs)
        args = (self, *args)  # hooks see what the function gets
        if _before_all or self._optimizer_step_pre_hooks:
            for hook in (*_before_all.values(), *self._optimizer_step_pre_hooks.values()):
                changed = hook(self, args, kwargs)
                if changed is not None:
                    args, kwargs = _arguments(hook, changed)
        result = step(*args, **kwargs)
        if _after_all or self._optimizer_step_post_hooks:
            for hook in (*self._optimizer_step_post_hooks.values(), *_after_all.values()):
                hook(self, args, kwargs)
        return result

    hooked.hooked = True
    return hooked


def _arguments(hook, changed):
    if isinstance(changed, tuple) and len(changed) == 2:
        return changed
    raise RuntimeError(
        f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
    )

"""Hooks of one module: how they are registered, and the long way of a call, which runs them."""

from __future__ import annotations

import warnings
from collections import OrderedDict

from eagre import _C
from eagre.nn.modules import _registration_hooks as shared
from eagre.nn.modules._registration_hooks import HookWithModule, added

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.utils.hooks import RemovableHandle


class HookMethods:
    """The methods of Module that are about hooks."""

    __slots__ = ()

    def register_full_backward_pre_hook(self, hook, prepend=False) -> RemovableHandle:
        """hook(module, grad_output) runs when the gradients of the outputs are there; it may return
        others."""
        return added(self._backward_pre_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook) -> RemovableHandle:
        """hook(module, grad_input, grad_output), with gradients of the last operator only: use
        register_full_backward_hook()."""
        self._choose_backward_kind(False)
        return added(self._backward_hooks, hook)

    def register_full_backward_hook(self, hook, prepend=False) -> RemovableHandle:
        """hook(module, grad_input, grad_output) runs when the gradients of the inputs are there; it
        may return others for them."""
        self._choose_backward_kind(True)
        return added(self._backward_hooks, hook, prepend=prepend)

    def _choose_backward_kind(self, is_full):
        if self._is_full_backward_hook not in (None, is_full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a "
                "single Module. Please use only one of them."
            )
        self._is_full_backward_hook = is_full

    def _get_backward_hooks(self):
        """Those of the full kind, and those of the old one."""
        full, old = [], []
        (full if shared.backward_kind["is_full"] is True else old).extend(
            shared.global_backward_hooks.values()
        )
        (full if self._is_full_backward_hook is True else old).extend(self._backward_hooks.values())
        return full, old

    def _get_backward_pre_hooks(self):
        return [*shared.global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()]

    def _maybe_warn_non_full_backward_hook(self, inputs, result, grad_fn):
        reason = _why_old_hook_is_wrong(inputs, result, grad_fn)
        if reason is not None:
            warnings.warn(
                f"Using a non-full backward hook when the forward {reason} is deprecated and will "
                "be removed in future versions. This hook will be missing some grad_input. Please "
                "use register_full_backward_hook to get the documented behavior.",
                FutureWarning,
                stacklevel=4,
            )

    def register_forward_pre_hook(
        self, hook, *, prepend=False, with_kwargs=False
    ) -> RemovableHandle:
        """hook(module, args) runs before forward(), and may return other arguments. With
        `with_kwargs` it is hook(module, args, kwargs), and returns both."""
        marks = [self._forward_pre_hooks_with_kwargs] if with_kwargs else []
        return added(self._forward_pre_hooks, hook, prepend=prepend, beside=marks)

    def register_forward_hook(
        self, hook, *, prepend=False, with_kwargs=False, always_call=False
    ) -> RemovableHandle:
        """hook(module, args, output) runs after forward(), and may return another output; with
        `with_kwargs` it is hook(module, args, kwargs, output). With `always_call` it also runs
        when an exception ends the call."""
        marks = [self._forward_hooks_with_kwargs] if with_kwargs else []
        if always_call:
            marks.append(self._forward_hooks_always_called)
        return added(self._forward_hooks, hook, prepend=prepend, beside=marks)

    def _register_state_dict_hook(self, hook):
        """hook(module, state_dict, prefix, local_metadata) runs after state_dict(), and may return
        another."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously "
                "registered via register_state_dict_post_hook"
            )
        return added(self._state_dict_hooks, hook)

    def register_state_dict_post_hook(self, hook) -> RemovableHandle:
        """hook(module, state_dict, prefix, local_metadata) runs after state_dict(), whose result it
        may change in place."""
        hook._from_public_api = True
        return added(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook) -> RemovableHandle:
        """hook(module, prefix, keep_vars) runs before state_dict()."""
        return added(self._state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        wrapped = HookWithModule(hook, self if with_module else None)
        return added(self._load_state_dict_pre_hooks, wrapped)

    def register_load_state_dict_pre_hook(self, hook) -> RemovableHandle:
        """hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
        error_msgs) runs before values are copied."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook) -> RemovableHandle:
        """hook(module, incompatible_keys) runs after values were copied; it may change the keys in
        place, and raise."""
        return added(self._load_state_dict_post_hooks, hook)

    def _wrapped_call_impl(self, *args, **kwargs):
        return self._call_impl(*args, **kwargs)

    def _call_impl(self, *args, **kwargs):
        """A call of the module with all hooks there may be."""
        called = set()
        try:
            return self._call_with_hooks(args, kwargs, called)
        except Exception:
            self._run_always_called(args, kwargs, called)
            raise

    def _call_with_hooks(self, args, kwargs, called):
        full, old = self._get_backward_hooks()
        before = self._get_backward_pre_hooks()
        args, kwargs = self._run_forward_pre_hooks(args, kwargs)
        gradients = None
        if full or before:
            from eagre.utils.hooks import BackwardHook

            gradients = BackwardHook(self, full, before)
            args = gradients.setup_input_hook(args)
        result = self.forward(*args, **kwargs)
        result = self._run_forward_hooks(args, kwargs, result, called)
        if gradients is not None:
            if not isinstance(result, (_C.Tensor, tuple)):
                warnings.warn(
                    "For backward hooks to be called, module output should be a Tensor or a tuple "
                    f"of Tensors but received {type(result)}",
                    stacklevel=4,
                )
            result = gradients.setup_output_hook(result)
        if old:
            self._add_old_backward_hooks(old, args, result)
        return result

    def _run_forward_pre_hooks(self, args, kwargs):
        own = self._forward_pre_hooks
        for number, hook in (*shared.global_forward_pre_hooks.items(), *own.items()):
            if number in self._forward_pre_hooks_with_kwargs:
                both = hook(self, args, kwargs)
                if both is None:
                    continue
                if not (isinstance(both, tuple) and len(both) == 2):
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple "
                        f"of (new_args, new_kwargs), but got {both}."
                    )
                args, kwargs = both
            else:
                other = hook(self, args)
                if other is not None:
                    args = other if isinstance(other, tuple) else (other,)
        return args, kwargs

    def _after_forward(self):
        """All hooks that run after forward(): number, hook, does it take keywords, is it always
        called?"""
        for number, hook in shared.global_forward_hooks.items():
            with_kwargs = number in shared.global_forward_hooks_with_kwargs
            yield number, hook, with_kwargs, number in shared.global_forward_hooks_always_called
        for number, hook in self._forward_hooks.items():
            always = number in self._forward_hooks_always_called
            yield number, hook, number in self._forward_hooks_with_kwargs, always

    def _run_forward_hooks(self, args, kwargs, result, called):
        for number, hook, with_kwargs, always in tuple(self._after_forward()):
            if always:
                called.add(number)
            given = (args, kwargs) if with_kwargs else (args,)
            other = hook(self, *given, result)
            if other is not None:
                result = other
        return result

    def _run_always_called(self, args, kwargs, called):
        for number, hook, with_kwargs, always in tuple(self._after_forward()):
            if not always or number in called:
                continue
            given = (args, kwargs) if with_kwargs else (args,)
            try:
                hook(self, *given, None)
            except Exception as error:
                warnings.warn(
                    "module forward hook with ``always_call=True`` raised an exception that was "
                    f"silenced as another error was raised in forward: {error}",
                    stacklevel=3,
                )

    def _add_old_backward_hooks(self, hooks, args, result):
        value = result
        while not isinstance(value, _C.Tensor):
            if isinstance(value, dict):
                value = next((one for one in value.values() if isinstance(one, _C.Tensor)), None)
            else:
                value = value[0] if isinstance(value, (list, tuple)) and value else None
            if value is None:
                return
        node = value.grad_fn
        if node is not None:
            for hook in hooks:
                node.register_hook(HookWithModule(hook, self))
            self._maybe_warn_non_full_backward_hook(args, result, node)


def _why_old_hook_is_wrong(inputs, result, node):
    """What of a call the last operator's gradients do not show, or None."""
    if not isinstance(result, _C.Tensor) and not (
        isinstance(result, tuple) and all(isinstance(one, _C.Tensor) for one in result)
    ):
        return "does not return a single Tensor or a tuple of Tensors"
    if not isinstance(inputs, _C.Tensor) and not (
        isinstance(inputs, tuple) and all(isinstance(one, _C.Tensor) for one in inputs)
    ):
        return "does not take as input a single Tensor or a tuple of Tensors"
    results = result if isinstance(result, tuple) else (result,)
    nodes = {one.grad_fn for one in results} - {None}
    if len(nodes) > 1 or (len(nodes) == 1 and node not in nodes):
        return "outputs are generated by different autograd Nodes"
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    own = {one.grad_fn for one in inputs if one.grad_fn is not None}
    following = {edge[0] for edge in node.next_functions if edge[0] is not None}
    # Leaves, such as parameters, are not in between.
    between = [one for one in following - own if not hasattr(one, "variable")]
    return "contains multiple autograd Nodes" if between or own - following else None


def new_hook_dicts():
    """What the state of a module says of hooks."""
    return {
        "_backward_pre_hooks": OrderedDict(),
        "_backward_hooks": OrderedDict(),
        "_is_full_backward_hook": None,
        "_forward_hooks": OrderedDict(),
        "_forward_hooks_with_kwargs": OrderedDict(),
        "_forward_hooks_always_called": OrderedDict(),
        "_forward_pre_hooks": OrderedDict(),
        "_forward_pre_hooks_with_kwargs": OrderedDict(),
        "_state_dict_hooks": OrderedDict(),
        "_state_dict_pre_hooks": OrderedDict(),
        "_load_state_dict_pre_hooks": OrderedDict(),
        "_load_state_dict_post_hooks": OrderedDict(),
    }

"""Handles of hooks."""

import abc
import warnings
import weakref
from collections import OrderedDict

from eagre import _C

__all__ = ["BackwardHook", "RemovableHandle"]


class RemovableHandle(abc.ABC):
    """Takes a hook away again: what register_hook() returns is one. A program may make its own, of
    the dict that it keeps its hooks in: `hooks[handle.id] = hook`."""

    id: int
    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        extra = extra_dict if isinstance(extra_dict, list) else [extra_dict]
        self.extra_dict_ref = tuple(weakref.ref(one) for one in extra if one is not None)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self):
        """The hook is not called any more."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        return self.hooks_dict_ref(), self.id, tuple(one() for one in self.extra_dict_ref)

    def __setstate__(self, state):
        # What is copied with the dicts, for instance a module, has a handle for their copies. Those
        # that were gone already are empty ones now.
        hooks, self.id, *extra = state
        self.hooks_dict_ref = _reference(hooks)
        self.extra_dict_ref = tuple(_reference(one) for ones in extra for one in ones)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def _reference(hooks):
    return weakref.ref(OrderedDict() if hooks is None else hooks)


RemovableHandle.register(_C._RemovableHandle)


class BackwardHook:
    """The hooks that one call of a module runs in its backward pass: `user_pre_hooks` when the
    gradients of all outputs are there, `user_hooks` when those of all inputs are.

    Inputs and outputs that require grad go through a node of their own, whose gradients these are.
    """

    def __init__(self, module, user_hooks, user_pre_hooks):
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs = None
        self.inputs = None  # places of the inputs that are tensors, and how many inputs there are
        self.output_places = None
        self.outputs = None

    def setup_input_hook(self, args):
        """The arguments, with tensors that lead to a node."""
        args, places = self._through_node(self._watch_inputs, args)
        self.inputs = (places, len(args))
        return args

    def setup_output_hook(self, result):
        """The result, with tensors that lead to a node."""
        is_tuple = isinstance(result, tuple)
        values = result if is_tuple else (result,)
        self.outputs = len(values)
        values, places = self._through_node(self._watch_outputs, values)
        self.output_places = places
        return values if is_tuple else values[0]

    def _through_node(self, watch, values):
        places = [i for i, value in enumerate(values) if isinstance(value, _C.Tensor)]
        tensors = [values[i] for i in places]
        if not (_C.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)):
            return values, None
        from eagre.nn.modules._functions import BackwardHookFunction

        passed = BackwardHookFunction.apply(*tensors)
        passed = passed if isinstance(passed, tuple) else (passed,)
        node = next((tensor.grad_fn for tensor in passed if tensor.grad_fn is not None), None)
        if node is None:
            raise RuntimeError(
                "Error while setting up backward hooks. Please open an issue with a code sample "
                "to reproduce this."
            )
        watch(node)
        kind, values = type(values), list(values)
        for place, tensor in zip(places, passed, strict=True):
            values[place] = tensor
        return (kind(*values) if hasattr(kind, "_fields") else tuple(values)), places

    def _watch_outputs(self, node):
        def before(gradients):
            self.grad_outputs = self._spread(gradients, self.output_places, self.outputs)
            for hook in self.user_pre_hooks:
                others = hook(self.module, self.grad_outputs)
                if others is not None:
                    self.grad_outputs = self._checked(others, self.outputs, "Backward pre hook")
            own = self.grad_outputs
            places, count = self.inputs
            if places is None:
                # No input has a gradient: these hooks run now.
                if self.user_hooks:
                    warnings.warn(
                        "Full backward hook is firing when gradients are computed with respect to "
                        "module outputs since no inputs require gradients",
                        stacklevel=2,
                    )
                for hook in self.user_hooks:
                    others = hook(self.module, (None,) * count, own)
                    nothing = isinstance(others, tuple) and all(one is None for one in others)
                    if others is not None and not nothing:
                        raise RuntimeError(
                            "Backward hook for Modules where no input requires gradient should "
                            "always return None or None for all gradients."
                        )
                self.grad_outputs = None
            return tuple(own[place] for place in self.output_places)

        node.register_prehook(before)

    def _watch_inputs(self, node):
        def after(gradients, _):
            if self.grad_outputs is None:
                return None  # the gradients of outputs were not asked for
            places, count = self.inputs
            found = self._spread(gradients, places, count)
            changed = False
            for hook in self.user_hooks:
                others = hook(self.module, found, self.grad_outputs)
                if others is not None:
                    found, changed = self._checked(others, count, "Backward hook"), True
            self.grad_outputs = None
            return tuple(found[place] for place in places) if changed else None

        node.register_hook(after)

    @staticmethod
    def _spread(gradients, places, count):
        spread = [None] * count
        for place, gradient in zip(places, gradients, strict=True):
            spread[place] = gradient
        return tuple(spread)

    @staticmethod
    def _checked(gradients, count, who):
        if not isinstance(gradients, tuple):
            gradients = (gradients,)
        if len(gradients) != count:
            raise RuntimeError(
                f"{who} returned an invalid number of grad_input, got {len(gradients)}, but "
                f"expected {count}"
            )
        return gradients

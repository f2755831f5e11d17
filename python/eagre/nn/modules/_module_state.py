"""state_dict() of modules, and the way back."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

from eagre import _C
from eagre.autograd.grad_mode import no_grad
from eagre.nn.parameter import Parameter, is_lazy

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

EXTRA_STATE_KEY_SUFFIX = "_extra_state"


class IncompatibleKeys(
    namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])  # noqa: PYI024
):
    """What load_state_dict() returns."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


# Printed, and pickled, under PyTorch's name.
IncompatibleKeys.__name__ = IncompatibleKeys.__qualname__ = "_IncompatibleKeys"
IncompatibleKeys.__module__ = "eagre.nn.modules.module"


class StateMethods:
    """The methods of Module that are about its state."""

    __slots__ = ()

    def get_extra_state(self) -> Any:
        """What the module saves besides tensors. One that has such a thing defines this and
        set_extra_state()."""
        raise RuntimeError(_no_extra_state("get_extra_state"))

    def set_extra_state(self, state) -> None:
        """Takes what get_extra_state() gave."""
        raise RuntimeError(_no_extra_state("set_extra_state"))

    def _has_own(self, method):
        return getattr(type(self), method, None) is not getattr(StateMethods, method)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        """Parameters and buffers of this module alone, into `destination`."""
        for name, value in self._parameters.items():
            if value is not None:
                destination[prefix + name] = value if keep_vars else value.detach()
        for name, value in self._buffers.items():
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if keep_vars else value.detach()
        if self._has_own("get_extra_state"):
            destination[prefix + EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False) -> dict[str, Any]:
        """All parameters and persistent buffers by name. They share memory with the module's, and
        with `keep_vars` are the very same."""
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module."
                "state_dict for details.",
                FutureWarning,
                stacklevel=2,
            )
            given = dict(zip(("destination", "prefix", "keep_vars"), args, strict=False))
            destination = given.get("destination", destination)
            prefix = given.get("prefix", prefix)
            keep_vars = given.get("keep_vars", keep_vars)
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            other = hook(self, destination, prefix, local)
            if other is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = other
        return destination

    def _load_from_state_dict(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        """Copies what is below `prefix` into this module alone; writes down what does not fit."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        transient = self._non_persistent_buffers_set
        kept = {name: value for name, value in self._buffers.items() if name not in transient}
        own = {
            name: value for name, value in {**self._parameters, **kept}.items() if value is not None
        }
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, value in own.items():
            key = prefix + name
            if key in state_dict:
                problem = self._take(name, value, key, state_dict[key], assign)
                if problem is not None:
                    error_msgs.append(problem)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA_STATE_KEY_SUFFIX
        if self._has_own("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if not key.startswith(prefix) or key == extra:
                    continue
                first, dot, _ = key[len(prefix) :].partition(".")
                if first not in (self._modules if dot else own):
                    unexpected_keys.append(key)

    def _take(self, name, target, key, source, assign):
        """Copies one tensor, or puts it in place with `assign`. Returns what is wrong with it."""
        if not isinstance(source, _C.Tensor):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                f"object from checkpoint but received {type(source)}"
            )
        lazy = is_lazy(target)
        if not lazy and target.dim() == 0 and not is_lazy(source) and source.shape == (1,):
            source = source[0]  # before PyTorch 0.4 there were no 0-dim tensors
        # The shape of a tensor that has none is an error of its own.
        if not lazy and source.shape != target.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {source.shape} from "
                f"checkpoint, the shape in current model is {target.shape}."
            )
        if not lazy and target.is_meta and not source.is_meta and not assign:
            warnings.warn(
                f"for {key}: copying from a non-meta parameter in the checkpoint to a meta "
                "parameter in the current model, which is a no-op. (Did you mean to pass "
                "`assign=True` to assign items in the state dictionary to their corresponding key "
                "in the module instead of copying them in place?)",
                stacklevel=5,
            )
        try:
            with no_grad():
                if not assign:
                    target.copy_(source)
                    return None
                if isinstance(target, Parameter):
                    if isinstance(source, Parameter):
                        source.requires_grad_(target.requires_grad)
                    else:
                        source = Parameter(source, requires_grad=target.requires_grad)
                setattr(self, name, source)
        except Exception as error:
            shapes = ["uninitialized" if is_lazy(one) else one.shape for one in (target, source)]
            return (
                f'While copying the parameter named "{key}", whose dimensions in the model are '
                f"{shapes[0]} and whose dimensions in the checkpoint are {shapes[1]}, an exception "
                f"occurred : {error.args}."
            )
        return None

    def load_state_dict(self, state_dict, strict=True, assign=False) -> IncompatibleKeys:
        """Copies the tensors of `state_dict` into this module and those below it. With `strict` its
        keys must be those of state_dict(). With `assign` the module takes the tensors themselves.
        Returns the keys that were missing, and those nobody asked for."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata
        missing, unexpected, errors = [], [], []

        _load(self, state_dict, "", metadata, assign, (missing, unexpected, errors))
        if strict:
            for kind, keys in (("Unexpected", unexpected), ("Missing", missing)):
                if keys:
                    listed = ", ".join(f'"{key}"' for key in keys)
                    errors.insert(0, f"{kind} key(s) in state_dict: {listed}. ")
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}"
            )
        return IncompatibleKeys(missing, unexpected)


def _load(module, state, prefix, metadata, assign, found):
    """Loads what is below `prefix` into a module and those below it; `found` are the lists of
    missing keys, unexpected ones, and errors."""
    local = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        local["assign_to_params_buffers"] = assign
    module._load_from_state_dict(state, prefix, local, True, *found)
    for name, child in module._modules.items():
        if child is not None:
            below = f"{prefix}{name}."
            part = {key: value for key, value in state.items() if key.startswith(below)}
            _load(child, part, below, metadata, assign, found)
    keys = IncompatibleKeys(found[0], found[1])
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to "
                "return new values, if incompatible_keys need to be modified, it should be done "
                "inplace."
            )


def _no_extra_state(method):
    return (
        f"Reached a code path in Module.{method}() that should never be called. A module with "
        "extra state defines get_extra_state() and set_extra_state()"
    )

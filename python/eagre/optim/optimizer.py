"""What every optimizer is: groups of parameters, their states, hooks, and what a checkpoint holds.

A checkpoint has PyTorch's shape, so that either library reads the other's."""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from copy import deepcopy

from eagre._C import Tensor
from eagre.optim import _hooks, _states
from eagre.optim._hooks import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "Optimizer",
    "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook",
]


class _RequiredParameter:
    """The default of an option that every group must give."""

    def __repr__(self):
        return "<required parameter>"


required = _RequiredParameter()


class Optimizer:
    """Base of all optimizers. `params` are tensors, pairs (name, tensor), or dicts that have them
    as "params" beside options of their own; `defaults` are the options of the other groups."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "step" in vars(cls):
            cls.step = _hooks.with_hooks(cls.step)

    def __init__(self, params, defaults) -> None:
        self.defaults = defaults
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {params.type()}"
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        if isinstance(params, set):
            warnings.warn(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead.",
                FutureWarning,
                stacklevel=3,
            )
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_hooks(self):
        for name in _hooks.KINDS:
            self.__dict__.setdefault(name, OrderedDict())

    def __getstate__(self):
        return {
            "defaults": self.defaults,
            "state": self.state,
            "param_groups": self.param_groups,
        }

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._make_hooks()

    def __repr__(self):
        text = type(self).__name__ + " ("
        for index, group in enumerate(self.param_groups):
            text += f"\nParameter Group {index}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"

    def step(self, closure=None) -> Any:
        """Changes the parameters by their gradients. `closure` computes the loss anew and returns
        it."""
        raise NotImplementedError

    def zero_grad(self, set_to_none=True) -> None:
        """Takes the gradients of all parameters away, or fills them with zeros."""
        for group in self.param_groups:
            for parameter in group["params"]:
                gradient = parameter.grad
                if gradient is None:
                    continue
                if set_to_none:
                    parameter.grad = None
                else:
                    if gradient.grad_fn is not None:
                        gradient.detach_()
                    else:
                        gradient.requires_grad_(False)
                    gradient.zero_()

    def add_param_group(self, param_group) -> None:
        """Adds parameters with options of their own, for instance layers that are trained from
        now on."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        parameters = param_group["params"]
        if isinstance(parameters, Tensor):
            parameters = [parameters]
        elif isinstance(parameters, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        parameters, names = _without_names(list(parameters))
        param_group["params"] = parameters
        if names is not None:
            param_group["param_names"] = names
        for parameter in parameters:
            self._check_parameter(parameter)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            param_group.setdefault(name, default)
        if len({id(parameter) for parameter in parameters}) != len(parameters):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters: each step "
                "changes them more than once",
                stacklevel=3,
            )
        self._check_names(param_group)
        known = {id(each) for group in self.param_groups for each in group["params"]}
        if not known.isdisjoint(map(id, parameters)):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def _check_parameter(self, parameter):
        if not isinstance(parameter, Tensor):
            raise TypeError(
                "optimizer can only optimize Tensors, but one of the params is "
                + type(parameter).__name__
            )
        if self.defaults.get("differentiable"):
            return
        if not (parameter.is_leaf or parameter.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")

    def _check_names(self, group):
        if self.param_groups and ("param_names" in group) != (
            "param_names" in self.param_groups[0]
        ):
            without = "without" if "param_names" not in group else "with"
            raise ValueError(
                "all optimizer param groups should be with/without names. "
                f"cannot add param group {without} names to the optimizer"
            )

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint holds: "state" by the number of each parameter, and "param_groups",
        which have numbers for parameters. The tensors are those of the optimizer, not copies."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers, groups = {}, []
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[id(parameter)] for parameter in group["params"]]
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        result = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    def load_state_dict(self, state_dict) -> None:
        """Takes over what state_dict() returned. Parameters are matched by their order; states
        take the dtype and the device of their parameters."""
        state_dict = dict(state_dict)
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for own, loaded in zip(self.param_groups, groups, strict=True):
            if len(own["params"]) != len(loaded["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of "
                    "optimizer's group"
                )
        owners = {}  # a parameter and its group, by number
        for own, loaded in zip(self.param_groups, groups, strict=True):
            for number, parameter in zip(loaded["params"], own["params"], strict=True):
                owners[number] = (parameter, own)
            loaded["params"] = own["params"]
            if "param_names" in own and "param_names" not in loaded:
                loaded["param_names"] = own["param_names"]
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in owners:
                parameter, group = owners[key]
                state[parameter] = _states.converted(value, parameter, group)
            else:
                state[key] = value
        self.__setstate__({"state": state, "param_groups": groups})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    register_step_pre_hook = _hooks.registration(
        "_optimizer_step_pre_hooks", "hook(optimizer, args, kwargs) before each step."
    )
    register_step_post_hook = _hooks.registration(
        "_optimizer_step_post_hooks", "hook(optimizer, args, kwargs) after each step."
    )
    register_state_dict_pre_hook = _hooks.registration(
        "_optimizer_state_dict_pre_hooks", "hook(optimizer) before state_dict()."
    )
    register_state_dict_post_hook = _hooks.registration(
        "_optimizer_state_dict_post_hooks",
        "hook(optimizer, state_dict) after state_dict(); what it returns replaces the result.",
    )
    register_load_state_dict_pre_hook = _hooks.registration(
        "_optimizer_load_state_dict_pre_hooks",
        "hook(optimizer, state_dict) before load_state_dict(); what it returns is loaded.",
    )
    register_load_state_dict_post_hook = _hooks.registration(
        "_optimizer_load_state_dict_post_hooks", "hook(optimizer) after load_state_dict()."
    )


def _without_names(entries):
    """The tensors, and their names where all entries are pairs (name, tensor)."""
    named = [isinstance(entry, tuple) for entry in entries]
    if not any(named):
        return entries, None
    if not all(named):
        raise ValueError(
            "all optimizer params should be with/without names. Some param names are missing"
        )
    return [tensor for _, tensor in entries], [name for name, _ in entries]

"""States of parameters: how loaded ones follow their parameters, and the counters of steps."""

import eagre
from eagre._C import Tensor

# Numbers that each parameter has in a tensor of its own; once they were plain numbers.
_NUMBERS = ("step", "eta", "mu", "mu_product")

# Options that came later: what checkpoints without them meant.
_ADDED = {
    "amsgrad": False,
    "capturable": False,
    "centered": False,
    "decoupled_weight_decay": False,
    "differentiable": False,
    "foreach": None,
    "fused": None,
    "maximize": False,
    "momentum": 0,
    "nesterov": False,
}


def counter(value=0.0):
    """A tensor for a number of one parameter, on the CPU."""
    is_double = eagre.get_default_dtype() is eagre.float64
    return eagre.tensor(float(value), dtype=eagre.float64 if is_double else eagre.float32)


def converted(value, parameter, group, key=None):
    """A loaded state, or a part of it, with the dtype and the device of its parameter."""
    if isinstance(value, Tensor):
        if key == "step":
            if group.get("capturable") or group.get("fused"):
                return value.to(dtype=eagre.float32, device=parameter.device)
            return value
        if key in _NUMBERS:
            return value  # as exact as it was, whatever the dtype of the parameter
        if parameter.is_floating_point():
            return value.to(dtype=parameter.dtype, device=parameter.device)
        return value.to(device=parameter.device)
    if isinstance(value, dict):
        return {name: converted(each, parameter, group, name) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(converted(each, parameter, group) for each in value)
    return value


def complete(optimizer):
    """Gives groups and states of an old checkpoint what it lacks."""
    for group in optimizer.param_groups:
        for name, default in _ADDED.items():
            if name in optimizer.defaults:
                group.setdefault(name, default)
        for parameter in group["params"]:
            state = optimizer.state.get(parameter, {})
            for name in _NUMBERS:
                if name in state and not isinstance(state[name], Tensor):
                    state[name] = counter(state[name])

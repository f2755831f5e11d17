"""Weights as a length times a direction (the old way, by a hook)."""

from __future__ import annotations

import warnings

from eagre import _C
from eagre.nn.parameter import Parameter, is_lazy

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.nn.modules.module import Module

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


def norm_except(v, dim):
    """The norm over all dimensions but `dim`, which stays; over all if that is None."""
    if dim is None or dim == -1:
        return _C.norm(v)
    dims = [i for i in range(v.dim()) if i != dim % v.dim()]
    return _C._linalg_vector_norm(v, 2, dims, True) if dims else v.abs()


class WeightNorm:
    """The hook in front of a call."""

    def __init__(self, name, dim) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module):
        """The weight from its length and direction."""
        g = getattr(module, self.name + "_g")
        v = getattr(module, self.name + "_v")
        return v * (g / norm_except(v, self.dim))

    @staticmethod
    def apply(module, name, dim):
        """Splits the weight of a module."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(
                    f"Cannot register two weight_norm hooks on the same parameter {name}"
                )
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. "
                "Make sure to run the dummy forward before applying weight normalization"
            )
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except(weight, made.dim).data))
        module.register_parameter(name + "_v", Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        """Makes the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"]
        del module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module, name="weight", dim=0) -> Module:
    """Makes a weight the product of name_g, its length, and the direction of name_v. nn.utils.
    parametrizations.weight_norm() is the newer way."""
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of "
        "`torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name="weight") -> Module:
    """Takes weight_norm() away again."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")

"""Optimizers whose step goes through the groups: the lists of tensors that a group's arithmetic
takes are made here.

A class says how the state of a parameter starts (`_new_state`) and hands the lists to the function
of its arithmetic (`_update_group`)."""

from __future__ import annotations

from eagre._C import Tensor, view_as_complex, view_as_real
from eagre.autograd.grad_mode import enable_grad, set_grad_enabled
from eagre.optim import _states
from eagre.optim.optimizer import Optimizer

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any


class GroupedOptimizer(Optimizer):
    def __init__(self, params, defaults) -> None:
        _check_switches(defaults)
        super().__init__(params, defaults)

    def __setstate__(self, state):
        super().__setstate__(state)
        _states.complete(self)

    def step(self, closure=None) -> Any:
        """Changes the parameters by their gradients. `closure` computes the loss anew and returns
        it, as step() then does."""
        loss = None
        with set_grad_enabled(self.defaults.get("differentiable", False)):
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                parameters = [each for each in group["params"] if each.grad is not None]
                if parameters:
                    self._update_group(group, Lists(self, group, parameters))
        return loss

    def _new_state(self, parameter, group):
        return {}

    def _update_group(self, group, lists):
        raise NotImplementedError


class Lists:
    """Parameters of a group that have gradients, the gradients, and the states by name. Complex
    tensors are lists of pairs of reals here."""

    def __init__(self, optimizer, group, parameters) -> None:
        self._own = parameters
        self._is_complex = any(each.is_complex() for each in parameters)
        self.states = []
        gradients = [each.grad for each in parameters]
        if group.get("fused"):
            _check_fused(parameters)
        for parameter, gradient in zip(parameters, gradients, strict=True):
            if gradient.is_sparse:
                raise RuntimeError(f"{type(optimizer).__name__} does not support sparse gradients")
            state = optimizer.state.get(parameter)
            if not state:
                state = optimizer._new_state(parameter, group)
                if state:
                    optimizer.state[parameter] = state
            elif group.get("differentiable"):
                # The graph of the step before holds the old values.
                for name, value in state.items():
                    if isinstance(value, Tensor):
                        state[name] = value.clone()
            self.states.append(state)
        self.params = self._real(parameters)
        self.grads = self._real(gradients)

    def __call__(self, name):
        """The states of this name."""
        return self._real([state[name] for state in self.states])

    def keep(self, name, tensors):
        """Stores states that the arithmetic made."""
        for parameter, state, tensor in zip(self._own, self.states, tensors, strict=True):
            if state[name] is None:
                state[name] = view_as_complex(tensor) if parameter.is_complex() else tensor

    def _real(self, tensors):
        if not self._is_complex:
            return tensors
        return [
            view_as_real(each) if isinstance(each, Tensor) and each.is_complex() else each
            for each in tensors
        ]


def _check_fused(parameters):
    for parameter in parameters:
        if parameter.device.type == "meta" or not parameter.is_floating_point():
            raise RuntimeError(
                "`fused=True` requires all the params to be floating point Tensors with data, but "
                f"one is {parameter.dtype} on {parameter.device}"
            )


def _check_switches(options):
    if options.get("fused"):
        if options.get("differentiable"):
            raise RuntimeError("`fused` does not support `differentiable`")
        if options.get("foreach"):
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

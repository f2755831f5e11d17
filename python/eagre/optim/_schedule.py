"""What every schedule of learning rates is: it counts epochs, and writes the rates into groups."""

from __future__ import annotations

import warnings
from contextlib import contextmanager

from eagre._C import Tensor
from eagre.autograd.grad_mode import no_grad
from eagre.optim.optimizer import Optimizer

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

_ORDER = "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler."
)


def copied(value):
    """A rate that does not change with the group's own tensor."""
    return value.detach().clone() if isinstance(value, Tensor) else value


def write(group, key, value):
    """Sets an option of a group; a tensor keeps its identity."""
    if isinstance(group[key], Tensor):
        with no_grad():
            group[key].copy_(value) if isinstance(value, Tensor) else group[key].fill_(value)
    else:
        group[key] = value


def for_each_group(name, value, optimizer):
    """One value per group, of one value or of a list of them."""
    groups = optimizer.param_groups
    if isinstance(value, list | tuple):
        if len(value) != len(groups):
            raise ValueError(
                f"{name} must have the same length as optimizer.param_groups. "
                f"{name} has {len(value)} values, param_groups has {len(groups)}."
            )
        return [copied(each) for each in value]
    return [copied(value) for _ in groups]


class LRScheduler:
    """Base of schedules. A class gives get_lr(), the rates of the epoch `last_epoch`; where it has
    _get_closed_form_lr() too, step(epoch) may jump."""

    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1) -> None:
        self.optimizer = checked_optimizer(optimizer)
        groups = optimizer.param_groups
        if last_epoch == -1:
            for group in groups:
                group.setdefault("initial_lr", copied(group["lr"]))
        for index, group in enumerate(groups):
            if "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{index}] when resuming "
                    "scheduler with last_epoch >= 0. Load the state of the optimizer first, or "
                    "leave last_epoch out for a new training."
                )
        self.base_lrs = [copied(group["initial_lr"]) for group in groups]
        self.last_epoch = last_epoch
        _watch(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {key: value for key, value in vars(self).items() if key != "optimizer"}

    def load_state_dict(self, state_dict) -> None:
        """Takes over what state_dict() returned."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The rates that the last step wrote, by group."""
        return self._last_lr

    def get_lr(self):
        """The rates of the epoch `last_epoch`, by group."""
        raise NotImplementedError

    def step(self, epoch=None) -> None:
        """Goes on to the next epoch, or to that one. Call it after the step of the optimizer."""
        if self._step_count == 1:
            _warn_of_order(self.optimizer)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        with self._within_step():
            if epoch is None:
                self.last_epoch += 1
                rates = self.get_lr()
            else:
                self.last_epoch = epoch
                closed = getattr(self, "_get_closed_form_lr", None)
                rates = self.get_lr() if closed is None else closed()
        for group, rate in zip(self.optimizer.param_groups, rates, strict=False):
            write(group, "lr", rate)
        self._remember()

    def _remember(self):
        self._last_lr = [copied(group["lr"]) for group in self.optimizer.param_groups]

    @contextmanager
    def _within_step(self):
        self._get_lr_called_within_step = True
        try:
            yield
        finally:
            self._get_lr_called_within_step = False

    def _rates(self):
        """The rates as they are, which may be tensors of the groups."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def _warn_outside_of_step(self):
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use "
                "`get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )


def checked_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
    return optimizer


def _watch(optimizer):
    """From now on the optimizer tells whether it stepped, and what its step was."""
    if "_scheduled_step" not in vars(optimizer):
        step = optimizer.step
        optimizer._scheduled_step = getattr(step, "__func__", step)
        # A step that a program put there itself says nothing.
        optimizer._opt_called = not hasattr(step, "hooked")


def _warn_of_order(optimizer):
    step = optimizer.step
    if getattr(step, "__func__", step) is not getattr(optimizer, "_scheduled_step", None):
        message = (
            "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
            "initialization. Please, make sure to call `optimizer.step()` before "
            f"`lr_scheduler.step()`. See more details at {_ORDER}"
        )
    elif not optimizer._opt_called:
        message = (
            "Detected call of `lr_scheduler.step()` before `optimizer.step()`: the first value of "
            "the schedule is skipped. Call them in the opposite order. See more details at "
            f"{_ORDER}"
        )
    else:
        return
    warnings.warn(message, UserWarning, stacklevel=3)

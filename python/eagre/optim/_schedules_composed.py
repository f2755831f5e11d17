"""Schedules of schedules: one after the other, or all together."""

from __future__ import annotations

from bisect import bisect_right

from eagre.optim._plateau import ReduceLROnPlateau
from eagre.optim._schedule import LRScheduler, copied, write

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any


def _check(kind, schedulers, optimizer):
    for index, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{kind} at index {index} should have `optimizer` as its attribute.")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(
                f"{kind} does not support `ReduceLROnPlateau` scheduler as it requires additional "
                f"kwargs to be specified when calling `step`, but got one at index {index} in the "
                "given schedulers sequence."
            )
        if scheduler.optimizer is not optimizer:
            raise ValueError(
                f"{kind} expects all schedulers to belong to the same optimizer, but got scheduler "
                f"{type(scheduler).__name__} at index {index} has {scheduler.optimizer}, which is "
                f"different from {type(optimizer).__name__}."
            )


class _Composed(LRScheduler):
    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer, with the states of the schedules."""
        state = super().state_dict()
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict) -> None:
        """Takes over what state_dict() returned."""
        state = dict(state_dict)
        parts = state.pop("_schedulers")
        self.__dict__.update(state)
        for scheduler, part in zip(self._schedulers, parts, strict=True):
            scheduler.load_state_dict(part)


class SequentialLR(_Composed):
    """One schedule after the other; the next one starts at its milestone."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1) -> None:
        if len(schedulers) < 1:
            raise ValueError("SequentialLR expects at least one scheduler, but got no scheduler.")
        _check("SequentialLR", schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones to be equal to {len(milestones)}"
            )
        self.optimizer = optimizer
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        # Each schedule took its first step when it was made: only the first one's counts.
        for group in optimizer.param_groups:
            write(group, "lr", copied(group["initial_lr"]))
        self.recursive_undo()
        schedulers[0]._initial_step()
        self._last_lr = schedulers[0].get_last_lr()

    def recursive_undo(self, sched=None):
        """Takes the first steps of the schedules back, also of those within schedules."""
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for each in scheduler._schedulers:
                self.recursive_undo(each)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:
        """Goes on to the next epoch."""
        self.last_epoch += 1
        index = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[index]
        if index > 0 and self._milestones[index - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def _initial_step(self):
        # Within another sequence: the epoch counts, as it does in PyTorch.
        self.step()

    def _update_lr(self, epoch=None):
        if epoch is None:
            self.step()
            return
        self.last_epoch = epoch
        self._schedulers[0]._update_lr(epoch)
        self._last_lr = self._schedulers[0].get_last_lr()


class ChainedScheduler(_Composed):
    """All schedules step together, each on the rates that the one before it left."""

    def __init__(self, schedulers, optimizer=None) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                "ChainedScheduler expects at least one scheduler to be chained, but got no "
                "scheduler."
            )
        optimizer = optimizer or getattr(schedulers[0], "optimizer", None)
        _check("ChainedScheduler", schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._remember()

    def step(self) -> None:
        """Goes on to the next epoch."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._remember()

    def _initial_step(self):
        for scheduler in self._schedulers:
            scheduler._initial_step()
        self._remember()

    def _update_lr(self, epoch=None):
        for scheduler in self._schedulers:
            scheduler._update_lr(epoch)
        self._remember()

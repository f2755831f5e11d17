"""Schedules that go up and down: warm restarts, cycles, and one cycle."""

from __future__ import annotations

import types
from math import cos, floor, log, pi

from eagre.optim._schedule import LRScheduler, checked_optimizer, copied, for_each_group, write

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any


class CosineAnnealingWarmRestarts(LRScheduler):
    """Falls by half a cosine, and starts anew after T_0 epochs, then T_0 * T_mult, and so on
    (Loshchilov and Hutter 2017)."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1) -> None:  # noqa: N803
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, float | int):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_of_step()
        part = (1 + cos(pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * part for base in self.base_lrs]

    def step(self, epoch=None) -> None:
        """Goes on to the next epoch, or to that one, which may have a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        elif epoch < self.T_0:
            self.T_i = self.T_0
            self.T_cur = epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            restarts = int(log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            passed = self.T_0 * (self.T_mult**restarts - 1) / (self.T_mult - 1)
            self.T_cur = epoch - passed
            self.T_i = self.T_0 * self.T_mult**restarts
        self.last_epoch = floor(epoch)
        with self._within_step():
            rates = self.get_lr()
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            write(group, "lr", rate)
        self._remember()


def _uses_beta1(optimizer):
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError(
            "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
        )
    return "betas" in optimizer.defaults


def _set_momentum(group, momentum, use_beta1):
    if use_beta1:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


class CyclicLR(LRScheduler):
    """Up and down between two rates, batch by batch (Smith 2017)."""

    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None,
        mode="triangular", gamma=1.0, scale_fn=None, scale_mode="cycle", cycle_momentum=True,
        base_momentum=0.8, max_momentum=0.9, last_epoch=-1,
    ) -> None:  # fmt: skip
        self.optimizer = checked_optimizer(optimizer)
        groups = optimizer.param_groups
        base_lrs = for_each_group("base_lr", base_lr, optimizer)
        if last_epoch == -1:
            for group, rate in zip(groups, base_lrs, strict=True):
                write(group, "lr", rate)
        self.max_lrs = for_each_group("max_lr", max_lr, optimizer)
        step_size_up = float(step_size_up)
        step_size_down = step_size_up if step_size_down is None else float(step_size_down)
        self.total_size = step_size_up + step_size_down
        self.step_ratio = step_size_up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        by_iterations = scale_fn is None and mode == "exp_range"
        self.scale_mode = "iterations" if by_iterations else scale_mode
        if scale_fn is None and not by_iterations:
            self.scale_mode = "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_beta1(optimizer)
            self.base_momentums = for_each_group("base_momentum", base_momentum, optimizer)
            self.max_momentums = for_each_group("max_momentum", max_momentum, optimizer)
            if last_epoch == -1:
                for group, lowest, highest in zip(
                    groups, self.base_momentums, self.max_momentums, strict=True
                ):
                    _set_momentum(group, copied(lowest), self.use_beta1)
                    group["max_momentum"] = highest
                    group["base_momentum"] = lowest
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x):
        """How much of the height a cycle, or a batch, has."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self):
        self._warn_outside_of_step()
        cycle = floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        if place <= self.step_ratio:
            height = place / self.step_ratio
        else:
            height = (place - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, lowest, highest in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                _set_momentum(group, highest - (highest - lowest) * height, self.use_beta1)
        return [
            lowest + (highest - lowest) * height
            for lowest, highest in zip(self.base_lrs, self.max_lrs, strict=True)
        ]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; of a function nothing, of a callable object its
        attributes."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        is_object = function is not None and not isinstance(function, types.FunctionType)
        state["_scale_fn_custom"] = dict(vars(function)) if is_object else None
        return state

    def load_state_dict(self, state_dict) -> None:
        """Takes over what state_dict() returned."""
        state = dict(state_dict)
        attributes = state.pop("_scale_fn_custom", None)
        super().load_state_dict(state)
        if attributes is not None and self._scale_fn_custom is not None:
            self._scale_fn_custom.__dict__.update(attributes)


class OneCycleLR(LRScheduler):
    """Up to the highest rate and down far below the first, in a fixed number of steps (Smith and
    Topin 2019)."""

    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None,
        pct_start=0.3, anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85,
        max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
        last_epoch=-1,
    ) -> None:  # fmt: skip
        self.optimizer = checked_optimizer(optimizer)
        self.total_steps = _total_steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_func_type = anneal_strategy
        groups = optimizer.param_groups
        max_lrs = for_each_group("max_lr", max_lr, optimizer)
        if last_epoch == -1:
            for group, highest in zip(groups, max_lrs, strict=True):
                group["initial_lr"] = highest / div_factor
                group["max_lr"] = highest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = _uses_beta1(optimizer)
            lowest = for_each_group("base_momentum", base_momentum, optimizer)
            highest = for_each_group("max_momentum", max_momentum, optimizer)
            if last_epoch == -1:
                for group, low, high in zip(groups, lowest, highest, strict=True):
                    _set_momentum(group, copied(high), self.use_beta1)
                    group["max_momentum"] = high
                    group["base_momentum"] = low
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_of_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start = 0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is self._schedule_phases[-1]:
                break
            start = end
        part = (step - start) / (end - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                first, last = group[phase["start_momentum"]], group[phase["end_momentum"]]
                _set_momentum(group, self._between(first, last, part), self.use_beta1)
        return rates

    def _between(self, start, end, part):
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (cos(pi * part) + 1)


def _total_steps(total_steps, epochs, steps_per_epoch):
    if total_steps is not None:
        _check_positive(total_steps=total_steps)
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    _check_positive(epochs=epochs, steps_per_epoch=steps_per_epoch)
    return epochs * steps_per_epoch


def _check_positive(**counts):
    for name, count in counts.items():
        if not isinstance(count, int) or count <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {count}")


def _phases(total_steps, part, has_three):
    ends = [part * total_steps - 1, total_steps - 1]
    rates = ["initial_lr", "max_lr", "min_lr"]
    momenta = ["max_momentum", "base_momentum", "max_momentum"]
    if has_three:
        ends.insert(1, 2 * part * total_steps - 2)
        rates.insert(2, "initial_lr")
        momenta.append("max_momentum")
    return [
        {
            "end_step": end,
            "start_lr": rates[index],
            "end_lr": rates[index + 1],
            "start_momentum": momenta[index],
            "end_momentum": momenta[index + 1],
        }
        for index, end in enumerate(ends)
    ]

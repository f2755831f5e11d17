"""Averages of models along their training (Izmailov et al. 2018), and their schedule."""

import importlib
from copy import deepcopy
from math import cos, pi

import eagre
from eagre.autograd.grad_mode import no_grad
from eagre.optim._schedule import LRScheduler, checked_optimizer, for_each_group

__all__ = [
    "SWALR",
    "AveragedModel",  # noqa: F822  below
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def get_ema_avg_fn(decay=0.999):
    """How one tensor follows: its average times `decay`, and the rest of the new one."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """How one tensor follows: the mean of all so far."""

    @no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay=0.999):
    """The same as get_ema_avg_fn() of lists, in place."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list, current_param_list, num_averaged):
        for average, current in zip(ema_param_list, current_param_list, strict=True):
            if average.is_floating_point() or average.is_complex():
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    """The same as get_swa_avg_fn() of lists, in place."""

    @no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        weight = 1 / (float(num_averaged) + 1)
        for average, current in zip(averaged_param_list, current_param_list, strict=True):
            if average.is_floating_point() or average.is_complex():
                average.lerp_(current, weight)
            else:
                average.copy_(average + (current - average) * weight)

    return swa_update


def _averaged_model():
    from eagre import nn

    class AveragedModel(nn.Module):
        """A copy of a model, whose parameters are averages of those that update_parameters() saw.
        `use_buffers` averages buffers too; else they are copied."""

        def __init__(
            self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False
        ) -> None:
            super().__init__()
            if avg_fn is not None and multi_avg_fn is not None:
                raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
            self.module = deepcopy(model)
            if device is not None:
                self.module = self.module.to(device)
            self.register_buffer("n_averaged", eagre.tensor(0, dtype=eagre.long, device=device))
            self.avg_fn = avg_fn
            self.multi_avg_fn = multi_avg_fn
            self.use_buffers = use_buffers

        def forward(self, *args, **kwargs):
            return self.module(*args, **kwargs)

        def update_parameters(self, model) -> None:
            """Takes the parameters of the model into the averages."""
            own, new = self._averaged(self.module), self._averaged(model)
            averages = [each.detach() for each in own]
            current = [
                each.detach().to(average.device)
                for each, average in zip(new, averages, strict=True)
            ]
            count = self.n_averaged
            if count == 0:
                for average, each in zip(averages, current, strict=True):
                    average.copy_(each)
            elif self.avg_fn is not None:
                for average, each in zip(averages, current, strict=True):
                    average.copy_(self.avg_fn(average, each, count.to(average.device)))
            else:
                (self.multi_avg_fn or get_swa_multi_avg_fn())(averages, current, count)
            if not self.use_buffers:
                pairs = zip(self.module.buffers(), model.buffers(), strict=True)
                for buffer, each in pairs:
                    buffer.detach().copy_(each.detach().to(buffer.device))
            self.n_averaged += 1

        def _averaged(self, model):
            tensors = list(model.parameters())
            return tensors + list(model.buffers()) if self.use_buffers else tensors

    AveragedModel.__module__ = __name__
    AveragedModel.__qualname__ = "AveragedModel"
    return AveragedModel


def __getattr__(name):
    if name != "AveragedModel":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    model = globals()[name] = _averaged_model()  # modules are imported when it is asked for
    return model


@no_grad()
def update_bn(loader, model, device=None):
    """Computes the means and variances of the layers of batch normalization anew, from the inputs
    that `loader` gives; of a tuple or list the first is the input."""
    layers = importlib.import_module("eagre.nn.modules.batchnorm")
    momenta = {}
    for module in model.modules():
        if isinstance(module, layers._BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None  # the mean of all batches
    for batch in loader:
        batch = batch[0] if isinstance(batch, list | tuple) else batch
        model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes to the rate `swa_lr` in `anneal_epochs` epochs and stays there."""

    def __init__(
        self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1
    ) -> None:
        checked_optimizer(optimizer)
        rates = for_each_group("swa_lr", swa_lr, optimizer)
        for rate, group in zip(rates, optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_of_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._part(step - 1), self._part(step)
        rates = []
        for group in self.optimizer.param_groups:
            rate, goal = group["lr"], group["swa_lr"]
            first = goal if before == 1 else (rate - goal * before) / (1 - before)
            rates.append(goal * now + first * (1 - now))
        return rates

    def _part(self, step):
        part = max(0, min(1, step / max(1, self.anneal_epochs)))
        return part if self._anneal_strategy == "linear" else (1 - cos(pi * part)) / 2

"""Schedules whose rates are compared with PyTorch's: what runs, on either library."""

EPOCHS = 14
MEASURES = [5, 4, 4.1, 4.2, 4.3, 3, 3, 3, 3, 3, 3, 3, 2.9999, 2.5]

SINGLE = {
    "lambda": lambda s, o: s.LambdaLR(o, lambda epoch: 0.9**epoch),
    "lambdas": lambda s, o: s.LambdaLR(o, [lambda epoch: 0.9**epoch, lambda epoch: epoch + 1]),
    "multiplicative": lambda s, o: s.MultiplicativeLR(o, lambda epoch: 1 - 0.05 * epoch),
    "step": lambda s, o: s.StepLR(o, 3, gamma=0.5),
    "multistep": lambda s, o: s.MultiStepLR(o, [2, 2, 7], gamma=0.5),
    "constant": lambda s, o: s.ConstantLR(o, factor=0.3, total_iters=4),
    "linear": lambda s, o: s.LinearLR(o, start_factor=0.2, end_factor=0.8, total_iters=6),
    "exponential": lambda s, o: s.ExponentialLR(o, 0.8),
    "polynomial": lambda s, o: s.PolynomialLR(o, total_iters=9, power=2.0),
    "cosine": lambda s, o: s.CosineAnnealingLR(o, 5, eta_min=0.01),
    "restarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, eta_min=0.02),
    "restarts-longer": lambda s, o: s.CosineAnnealingWarmRestarts(o, 2, T_mult=2),
    "cyclic": lambda s, o: s.CyclicLR(o, 0.1, [0.5, 1.0], step_size_up=3, step_size_down=2),
    "cyclic-2": lambda s, o: s.CyclicLR(o, 0.1, 0.5, step_size_up=2, mode="triangular2"),
    "cyclic-exp": lambda s, o: s.CyclicLR(
        o, 0.1, 0.5, step_size_up=3, mode="exp_range", gamma=0.9, base_momentum=0.7
    ),
    "cyclic-own": lambda s, o: s.CyclicLR(
        o, 0.1, 0.5, step_size_up=3, scale_fn=lambda x: 1 / (1 + x), scale_mode="iterations",
        cycle_momentum=False,
    ),
    "onecycle": lambda s, o: s.OneCycleLR(o, [0.5, 1.0], total_steps=16),
    "onecycle-three": lambda s, o: s.OneCycleLR(
        o, 0.5, epochs=4, steps_per_epoch=5, anneal_strategy="linear", three_phase=True,
        pct_start=0.4, div_factor=5.0, final_div_factor=50.0, base_momentum=0.6,
    ),
    "sequential": lambda s, o: s.SequentialLR(
        o, [s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.8), s.StepLR(o, 2)], [3, 9]
    ),
    "sequential-cosine": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.1, total_iters=4), s.CosineAnnealingLR(o, 8)], [4]
    ),
    "sequential-nested": lambda s, o: s.SequentialLR(
        o,
        [
            s.SequentialLR(o, [s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.8)], [2]),
            s.CosineAnnealingWarmRestarts(o, 3),
        ],
        [6],
    ),
    "chained": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.8)]),
    "swa": lambda s, o: s.SWALR(o, 0.02, anneal_epochs=5),
    "swa-linear": lambda s, o: s.SWALR(o, [0.02, 1.0], anneal_epochs=7, anneal_strategy="linear"),
    "swa-at-once": lambda s, o: s.SWALR(o, 0.02, anneal_epochs=0),
    "plateau": lambda s, o: s.ReduceLROnPlateau(o, patience=1, factor=0.5),
    "plateau-cooldown": lambda s, o: s.ReduceLROnPlateau(
        o, patience=0, cooldown=2, min_lr=[0.2, 0.01], factor=0.5
    ),
    "plateau-max": lambda s, o: s.ReduceLROnPlateau(
        o, mode="max", threshold=0.2, threshold_mode="abs", patience=2
    ),
}  # fmt: skip

JUMPS = ["step", "multistep", "constant", "linear", "exponential", "polynomial", "cosine", "lambda",
         "restarts-longer"]  # fmt: skip


class Names:
    """The schedules of a library, SWALR among them."""

    def __init__(self, torch):
        self.torch = torch

    def __getattr__(self, name):
        optim = self.torch.optim
        return getattr(optim.swa_utils if name == "SWALR" else optim.lr_scheduler, name)


def optimizer(torch, kind="SGD", is_tensor=False):
    rates = [0.5, 0.05]
    if is_tensor:
        rates = [torch.tensor(rate, dtype=torch.float64) for rate in rates]
    groups = [{"params": [torch.zeros(2).requires_grad_()], "lr": rate} for rate in rates]
    options = {"momentum": 0.9} if kind == "SGD" else {}
    return getattr(torch.optim, kind)(groups, **options)


def row(optimizer):
    values = []
    for group in optimizer.param_groups:
        momentum = group["momentum"] if "momentum" in group else group["betas"][0]
        values += [float(f"{float(value):.12g}") for value in (group["lr"], momentum)]
    return values


def advance(scheduler, epoch):
    if type(scheduler).__name__ == "ReduceLROnPlateau":
        scheduler.step(MEASURES[epoch])
    else:
        scheduler.step()


def run(torch, name, kind="SGD", is_tensor=False):
    """Rate and momentum of each group, by epoch."""
    made = optimizer(torch, kind, is_tensor)
    scheduler = SINGLE[name](Names(torch), made)
    rows = [row(made)]
    for epoch in range(EPOCHS):
        made.step()
        advance(scheduler, epoch)
        rows.append(row(made))
    return scheduler, rows


def jump(torch, name):
    made = optimizer(torch)
    scheduler = SINGLE[name](Names(torch), made)
    rows = []
    for epoch in (4, 1, 11):
        made.step()
        scheduler.step(epoch)
        rows.append(row(made))
    return rows

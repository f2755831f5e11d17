"""Checks of the options of optimizers."""

from eagre._C import Tensor


def check_rate(lr):
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")


def check_not_negative(**options):
    for name, value in options.items():
        if not value >= 0.0:
            what = "epsilon" if name == "eps" else name
            raise ValueError(f"Invalid {what} value: {value}")


def check_betas(betas):
    for index, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {index}: {beta}")

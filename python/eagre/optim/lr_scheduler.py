"""Schedules of learning rates."""

from eagre.optim._plateau import ReduceLROnPlateau
from eagre.optim._schedule import EPOCH_DEPRECATION_WARNING, LRScheduler  # noqa: F401  as programs ask
from eagre.optim._schedules import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from eagre.optim._schedules_composed import ChainedScheduler, SequentialLR
from eagre.optim._schedules_cyclic import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

_LRScheduler = LRScheduler  # the name of older programs

"""Optimizers, and schedules of their learning rates."""

from eagre import _unsupported
from eagre.optim import lr_scheduler, swa_utils
from eagre.optim._adafactor import Adafactor
from eagre.optim._muon import Muon
from eagre.optim._swap import swap_in_optimizer_params_and_state
from eagre.optim.adadelta import Adadelta
from eagre.optim.adagrad import Adagrad
from eagre.optim.adam import Adam
from eagre.optim.adamax import Adamax
from eagre.optim.adamw import AdamW
from eagre.optim.asgd import ASGD
from eagre.optim.lbfgs import LBFGS
from eagre.optim.nadam import NAdam
from eagre.optim.optimizer import Optimizer
from eagre.optim.radam import RAdam
from eagre.optim.rmsprop import RMSprop
from eagre.optim.rprop import Rprop
from eagre.optim.sgd import SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
    "swap_in_optimizer_params_and_state",
    "swa_utils",
]

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


def __dir__():
    return __all__

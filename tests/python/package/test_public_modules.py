"""Every module that users can see has a name of PyTorch, or is one of ours that docs/ lists."""

import importlib
import pkgutil
import re
from pathlib import Path

import eagre

DOCS = Path(__file__).resolve().parents[3] / "docs" / "coming-from-pytorch.md"

NAMES = (
    "__config__ __future__ accelerator autograd autograd.anomaly_mode autograd.forward_ad "
    "autograd.function autograd.functional autograd.grad_mode autograd.gradcheck autograd.graph "
    "autograd.profiler autograd.variable backends compiler cpu cuda func functional linalg "
    "multiprocessing multiprocessing.reductions multiprocessing.spawn nn "
    "nn.functional nn.attention nn.common_types nn.grad nn.init nn.modules nn.parallel "
    "nn.parameter nn.utils nn.utils.clip_grad nn.utils.convert_parameters nn.utils.fusion "
    "nn.utils.init nn.utils.memory_format nn.utils.parametrizations nn.utils.parametrize "
    "nn.utils.prune nn.utils.rnn nn.utils.stateless ops optim optim.adadelta optim.adagrad "
    "optim.adam optim.adamax optim.adamw optim.asgd optim.lbfgs optim.lr_scheduler optim.nadam "
    "optim.optimizer optim.radam optim.rmsprop optim.rprop optim.sgd optim.swa_utils "
    "overrides random return_types serialization special "
    "storage testing types utils utils.checkpoint utils.data "
    "utils.data.dataloader utils.data.dataset utils.data.distributed utils.data.sampler "
    "utils.dlpack utils.hooks utils.weak version"
)
LAYERS = (
    "activation adaptive batchnorm channelshuffle container conv distance dropout flatten fold "
    "instancenorm lazy linear linear_cross_entropy_options loss module normalization padding "
    "pixelshuffle pooling rnn sparse transformer upsampling utils"
)
PYTORCH = {*NAMES.split(), *(f"nn.modules.{name}" for name in LAYERS.split())}


def is_public(name):
    parts = name.split(".")
    return not any(part.startswith("_") and not part.endswith("__") for part in parts)


def modules():
    found = pkgutil.walk_packages(eagre.__path__, "eagre.")
    return {module.name.removeprefix("eagre.") for module in found}


def documented():
    section = DOCS.read_text().split("## Modules of our own")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def test_public_modules_are_known():
    public = {name for name in modules() if is_public(name)}
    assert public == PYTORCH | documented()
    assert documented() == {"array_api", "flags", "safetensors", "viz"}


def test_backends_are_modules():
    backends = importlib.import_module("eagre.backends")
    for name in backends.__all__:
        module = importlib.import_module(f"eagre.backends.{name}")
        assert module is getattr(backends, name) and module.__doc__
        assert module.__spec__.name == module.__name__ == f"eagre.backends.{name}"

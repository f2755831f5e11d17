"""Names of PyTorch that are not there give the reason, however they are asked for."""

import importlib.util
import sys

import pytest

import eagre
from eagre import _unsupported as unsupported

SPELLINGS = [
    ("import eagre; eagre.optim.SparseAdam", AttributeError, "no sparse tensors"),
    ("from eagre.optim import SparseAdam", ImportError, "no sparse tensors"),
    ("import eagre; eagre.profiler", AttributeError, "profiler"),
    ("import eagre.profiler", ModuleNotFoundError, "profiler"),
    ("from eagre import profiler", ImportError, "profiler"),
    ("from eagre import onnx", ImportError, "not exported"),
    ("import eagre.nn as nn; nn.qat", AttributeError, "quantized"),
    ("from eagre.nn import quantized", ImportError, "quantized"),
    ("import eagre.nn.quantized", ModuleNotFoundError, "quantized"),
    ("from eagre.nn.parallel import replicate", ImportError, "several devices"),
    ("from eagre.nn.attention import bias", ImportError, "one way"),
    (
        "import eagre.nn.functional as F; F.adaptive_log_softmax",
        AttributeError,
        "docs/operators.md",
    ),
    ("import eagre; eagre.linalg.eigh", AttributeError, "eigenvalues"),
    ("from eagre.linalg import svd", ImportError, "singular values"),
    ("import eagre; eagre.utils.tensorboard", AttributeError, "TensorBoard"),
    ("import eagre.utils.tensorboard", ModuleNotFoundError, "TensorBoard"),
    ("from eagre.utils.tensorboard import SummaryWriter", ImportError, "TensorBoard"),
    ("from eagre.cuda.amp import autocast", ImportError, "amp"),
    ("from eagre.cuda import amp", ImportError, "amp"),
    ("import eagre; eagre.while_loop", AttributeError, "docs/operators.md"),
    ("from eagre import hann_window", ImportError, "docs/operators.md"),
    ("import eagre; eagre.ones(2).pinverse()", AttributeError, "singular values"),
    ("import eagre; eagre.ones(2).while_loop(0)", AttributeError, "docs/operators.md"),
    ("import eagre; eagre.Tensor.svd", AttributeError, "singular values"),
    ("import eagre.fx", ModuleNotFoundError, "compiler"),
    ("from eagre.library import Library", ImportError, "custom-operators"),
    ("import eagre; eagre.nested", AttributeError, "nested"),
    ("import eagre.utils.benchmark", ModuleNotFoundError, "tools"),
    ("from eagre.utils import cpp_extension", ImportError, "custom-operators"),
    ("import eagre; eagre.mps", AttributeError, "plug-ins"),
]


@pytest.mark.parametrize(("code", "kind", "reason"), SPELLINGS, ids=[row[0] for row in SPELLINGS])
def test_reason(code, kind, reason):
    with pytest.raises(kind, match=reason):
        exec(code, {})


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import eagre; eagre.onse", AttributeError),
        ("import eagre.nothing", ModuleNotFoundError),
        ("from eagre import nothing", ImportError),
        ("import eagre; eagre.nn.nothing", AttributeError),
        ("import eagre; eagre.func.nothing", AttributeError),
    ],
)
def test_other_names_are_errors_as_always(code, kind):
    with pytest.raises(kind) as caught:
        exec(code, {})
    assert "not there yet" not in str(caught.value)
    assert importlib.util.find_spec("eagre.nothing") is None


def test_methods_that_are_not_there_are_nowhere_listed():
    tensor = eagre.ones(2)
    for name in unsupported.METHODS - {"gradient"}:  # which is Paddle's
        assert not hasattr(tensor, name) and not hasattr(eagre.Tensor, name)
        assert name not in dir(tensor) and name not in dir(eagre.Tensor)


def test_a_class_may_define_what_is_not_there():
    class WithValues(eagre.Tensor):
        def eig(self):
            return 3

    tensor = eagre.ones(2).as_subclass(WithValues)
    assert tensor.eig() == 3 and "eig" in dir(tensor) and "eig" in dir(WithValues)


def test_private_names_need_no_reason():
    assert unsupported.reason("nn.functional.__wrapped__") is None
    assert unsupported.reason("linalg._private") is None


def test_no_other_name_is_guessed():
    with pytest.raises(AttributeError) as caught:
        exec("import eagre; eagre.onnx", {})
    assert caught.value.name == "onnx" and caught.value.obj is None
    with pytest.raises(AttributeError) as caught:
        exec("import eagre; eagre.onse", {})
    assert caught.value.obj is sys.modules["eagre"]


def test_a_file_that_still_imports_pytorch_is_told_what_to_import(monkeypatch):
    """As on a machine without PyTorch."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [])
    finders = [finder for finder in sys.meta_path if finder is unsupported.AbsentModules]
    monkeypatch.setattr(sys, "meta_path", finders)
    with pytest.raises(ModuleNotFoundError, match="`import eagre.nn.functional as F`") as caught:
        exec("import torch.nn.functional as F", {})
    assert caught.value.name == "torch"
    assert importlib.util.find_spec("torch") is None

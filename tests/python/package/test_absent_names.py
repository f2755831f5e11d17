"""Names of PyTorch that are not there give the reason, however they are asked for."""

import importlib.util

import pytest

from eagre import _unsupported as unsupported

SPELLINGS = [
    ("import eagre; eagre.optim", AttributeError, "optimizers"),
    ("import eagre.optim", ModuleNotFoundError, "optimizers"),
    ("import eagre.optim.lr_scheduler", ModuleNotFoundError, "optimizers"),
    ("from eagre import optim", ImportError, "optimizers"),
    ("from eagre.optim import SGD", ImportError, "optimizers"),
    ("from eagre import save", ImportError, "files of tensors"),
    ("import eagre.nn as nn; nn.Linear", AttributeError, "layers"),
    ("from eagre.nn import Linear", ImportError, "layers"),
    ("import eagre.nn.init", ModuleNotFoundError, "initializations"),
    ("import eagre.nn.functional as F; F.conv2d", AttributeError, "convolutions"),
    ("from eagre.nn.functional import max_pool2d", ImportError, "pooling"),
    ("import eagre.nn.functional as F; F.elu", AttributeError, "docs/operators.md"),
    ("import eagre; eagre.linalg.inv", AttributeError, "linear algebra"),
    ("from eagre.linalg import svd", ImportError, "linear algebra"),
    ("import eagre; eagre.special.zeta", AttributeError, "docs/operators.md"),
    ("import eagre; eagre.utils.data", AttributeError, "loaders"),
    ("import eagre.utils.data", ModuleNotFoundError, "loaders"),
    ("from eagre.utils.data import DataLoader", ImportError, "loaders"),
    ("from eagre.cuda.amp import autocast", ImportError, "amp"),
    ("from eagre.cuda import amp", ImportError, "amp"),
    ("from eagre.func import functional_call", ImportError, "layers"),
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


def test_private_names_need_no_reason():
    assert unsupported.reason("nn.functional.__wrapped__") is None
    assert unsupported.reason("linalg._private") is None

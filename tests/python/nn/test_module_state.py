"""state_dict() and load_state_dict()."""

import pickle
from collections import OrderedDict

import pytest

import eagre
from eagre import nn


def net():
    return nn.Sequential(OrderedDict(linear=nn.Linear(2, 3), norm=nn.BatchNorm1d(3)))


def test_state_dict():
    module = net()
    state = module.state_dict()
    assert list(state) == [
        "linear.weight",
        "linear.bias",
        "norm.weight",
        "norm.bias",
        "norm.running_mean",
        "norm.running_var",
        "norm.num_batches_tracked",
    ]
    assert state["linear.weight"].data_ptr() == module.linear.weight.data_ptr()
    assert not state["linear.weight"].requires_grad
    assert module.state_dict(keep_vars=True)["linear.weight"] is module.linear.weight
    assert list(module.linear.state_dict(prefix="a.")) == ["a.weight", "a.bias"]
    assert state._metadata == {
        "": {"version": 1},
        "linear": {"version": 1},
        "norm": {"version": 2},
    }
    with pytest.warns(FutureWarning, match="Positional args"):
        into = module.state_dict({}, "x.")
    assert "x.linear.bias" in into


def test_load_copies_in_place():
    module, other = net(), net()
    weight = module.linear.weight
    assert repr(module.load_state_dict(other.state_dict())) == "<All keys matched successfully>"
    assert module.linear.weight is weight and eagre.equal(weight, other.linear.weight)
    assert weight.data_ptr() != other.linear.weight.data_ptr()


def test_load_assigns():
    module, other = net(), net()
    state = other.state_dict()
    module.load_state_dict(state, assign=True)
    assert isinstance(module.linear.weight, nn.Parameter)
    assert module.linear.weight.data_ptr() == other.linear.weight.data_ptr()
    assert module.norm.running_mean is state["norm.running_mean"]
    with eagre.device("meta"):
        empty = net()
    empty.load_state_dict(state, assign=True)
    assert not empty.linear.weight.is_meta and empty.linear.weight.requires_grad


def test_what_does_not_fit_is_listed():
    module = net()
    state = module.state_dict()
    del state["norm.bias"]
    state["linear.weight"] = eagre.ones(4, 2)
    state["linear.bias"] = 3
    state["new"] = eagre.ones(1)
    with pytest.raises(RuntimeError) as raised:
        module.load_state_dict(state)
    first, missing, unexpected, *rest = str(raised.value).split("\n\t")
    assert first == "Error(s) in loading state_dict for Sequential:"
    assert missing == 'Missing key(s) in state_dict: "norm.bias". '
    assert unexpected == 'Unexpected key(s) in state_dict: "new". '
    assert rest[0].startswith("size mismatch for linear.weight: copying a param with shape")
    assert 'While copying the parameter named "linear.bias"' in rest[1]
    state = {"linear.bias": eagre.full((3,), 5.0), "x": eagre.ones(1)}
    keys = module.load_state_dict(state, strict=False)
    assert keys.unexpected_keys == ["x"] and "linear.weight" in keys.missing_keys
    assert float(module.linear.bias[0]) == 5
    with pytest.raises(TypeError, match="to be dict-like"):
        module.load_state_dict([1])


def test_extra_state():
    class Extra(nn.Module):
        value = 1

        def get_extra_state(self):
            return {"value": self.value}

        def set_extra_state(self, state):
            self.value = state["value"]

    outer, other = nn.Sequential(Extra()), nn.Sequential(Extra())
    outer[0].value = 7
    state = outer.state_dict()
    assert state == {"0._extra_state": {"value": 7}}
    other.load_state_dict(state)
    assert other[0].value == 7
    with pytest.raises(RuntimeError, match=r'Missing key\(s\) in state_dict: "0._extra_state"'):
        other.load_state_dict({})
    with pytest.raises(RuntimeError, match=r'Unexpected key\(s\) in state_dict: "_extra_state"'):
        nn.Linear(1, 1, bias=False).load_state_dict({"weight": eagre.ones(1, 1), "_extra_state": 1})


def test_versions():
    # A normalization of before its second version did not count batches.
    norm = nn.BatchNorm1d(2)
    state = norm.state_dict()
    del state["num_batches_tracked"]
    state._metadata[""]["version"] = 1
    norm.load_state_dict(state)
    state._metadata[""]["version"] = 2
    with pytest.raises(RuntimeError, match="num_batches_tracked"):
        norm.load_state_dict(state)


def test_numbers_of_old_programs():
    class Scale(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(eagre.tensor(1.0))

    module = Scale()
    module.load_state_dict({"scale": eagre.tensor([4.0])})
    assert float(module.scale) == 4
    with pytest.raises(RuntimeError, match="size mismatch for scale"):
        module.load_state_dict({"scale": eagre.tensor([4.0, 5.0])})


def test_conversions_can_make_new_parameters():
    from eagre import __future__ as settings

    module = nn.Linear(1, 1)
    weight = module.weight
    settings.set_overwrite_module_params_on_conversion(True)
    try:
        assert module.double().weight is not weight and weight.dtype == eagre.float32
    finally:
        settings.set_overwrite_module_params_on_conversion(False)
    assert not settings.get_overwrite_module_params_on_conversion()
    weight = module.weight
    assert module.float().weight is weight
    settings.set_swap_module_params_on_conversion(True)
    assert settings.get_swap_module_params_on_conversion()
    settings.set_swap_module_params_on_conversion(False)


def test_prefix_is_consumed():
    from eagre.nn.modules.utils import consume_prefix_in_state_dict_if_present

    wrapped = nn.DataParallel(net())
    state = wrapped.state_dict()
    assert all(key.startswith("module.") for key in state)
    consume_prefix_in_state_dict_if_present(state, "module.")
    net().load_state_dict(state)
    assert state._metadata["norm"] == {"version": 2}


def test_what_loading_returns_is_printed_under_its_name():
    keys = nn.Linear(1, 1).load_state_dict({"weight": eagre.ones(1, 1)}, strict=False)
    assert repr(keys) == "_IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])"
    assert pickle.loads(pickle.dumps(keys)) == keys

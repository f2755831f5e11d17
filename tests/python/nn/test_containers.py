"""Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from collections import OrderedDict

import pytest

import eagre
from eagre import nn


def names(modules):
    return [type(module).__name__ for module in modules]


def test_sequential():
    net = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    assert names(net) == ["ReLU", "Tanh", "Sigmoid"] and len(net) == 3
    assert names(net[1:]) == ["Tanh", "Sigmoid"] and net[-1] is net[2]
    assert net.append(nn.Identity()) is net and list(net._modules) == ["0", "1", "2", "3"]
    net.insert(1, nn.ELU())
    assert names(net)[:3] == ["ReLU", "ELU", "Tanh"]
    net.insert(-1, nn.GELU())
    assert names(net)[-2:] == ["GELU", "Identity"]
    assert names([net.pop(-1)]) == ["Identity"]
    del net[1:3]
    assert names(net) == ["ReLU", "Sigmoid", "GELU"] and list(net._modules) == ["0", "1", "2"]
    net[0] = nn.Tanh()
    assert names(net + net) == ["Tanh", "Sigmoid", "GELU"] * 2
    assert names(2 * net[:1]) == names(net[:1] * 2) == ["Tanh", "Tanh"]
    net *= 2
    assert len(net) == 6
    net += nn.Sequential(nn.ReLU())
    assert names(net)[-1] == "ReLU"
    net.extend([nn.ELU()])
    assert names(net)[-1] == "ELU"
    named = nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh()))
    assert named.a is named[0] and list(named[1:]._modules) == ["b"]
    for action, error, words in (
        (lambda: net[20], IndexError, "index 20 is out of range"),
        (lambda: net.insert(20, nn.ReLU()), IndexError, "Index out of range: 20"),
        (lambda: net.insert(0, 1), AssertionError, "module should be of type"),
        (lambda: net + [nn.ReLU()], ValueError, "supports only objects of Sequential"),  # noqa: RUF005
        (lambda: net * 0, ValueError, "Non-positive multiplication factor 0"),
        (lambda: net * "2", TypeError, "unsupported operand"),
    ):
        with pytest.raises(error, match=words):
            action()


def test_module_list():
    listed = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    listed += [nn.ELU()]
    listed.insert(0, nn.GELU())
    assert names(listed) == ["GELU", "ReLU", "Tanh", "ELU"]
    assert names(listed[::2]) == ["GELU", "Tanh"] and isinstance(listed[:1], nn.ModuleList)
    assert names(listed + [nn.ReLU()])[-1] == "ReLU"  # noqa: RUF005
    del listed[0]
    listed[-1] = nn.Identity()
    assert names(listed) == ["ReLU", "Tanh", "Identity"]
    assert list(listed._modules) == ["0", "1", "2"]
    assert "0" not in dir(listed)
    assert names([listed.pop(0)]) == ["ReLU"]
    with pytest.raises(TypeError, match="should be called with an iterable, but got int"):
        listed.extend(3)
    with pytest.raises(NotImplementedError, match=r"\[ModuleList\] is missing"):
        listed(1)


def test_module_dict():
    named = nn.ModuleDict({"b": nn.ReLU(), "a": nn.Tanh()})
    named["c"] = nn.ELU()
    assert list(named) == list(named.keys()) == ["b", "a", "c"] and "a" in named
    named.update([("a", nn.GELU())])
    assert names(named.values()) == ["ReLU", "GELU", "ELU"]
    assert names([named.pop("b")]) == ["ReLU"]
    del named["c"]
    assert [name for name, _ in named.items()] == ["a"]
    named.clear()
    assert len(named) == 0
    with pytest.raises(TypeError, match="iterable of key/value pairs, but got int"):
        named.update(3)
    with pytest.raises(ValueError, match="element #0 has length 3; 2 is required"):
        named.update([(1, 2, 3)])


def test_parameter_list():
    listed = nn.ParameterList([eagre.ones(2), nn.Parameter(eagre.zeros(1)), "text"])
    assert isinstance(listed[0], nn.Parameter) and listed[2] == "text" and len(listed) == 3
    assert len(list(listed.parameters())) == 2
    listed.append(eagre.ones(3)).extend([eagre.ones(4)])
    listed += [eagre.ones(5)]
    assert [one.shape[0] for one in listed[3:]] == [3, 4, 5]
    listed[-1] = eagre.ones(6)
    assert list(listed.state_dict()) == ["0", "1", "3", "4", "5"] and listed[5].shape == (6,)
    assert "(0): Parameter containing: [eagre.float32 of size 2]" in repr(listed)
    assert "(2): Object of type: str" in repr(listed)
    with pytest.raises(IndexError, match="index 9 is out of range"):
        listed[9]
    with pytest.raises(RuntimeError, match="should not be called"):
        listed(1)


def test_parameter_dict():
    named = nn.ParameterDict({"b": eagre.ones(1), "a": eagre.ones(2)})
    assert list(named) == ["a", "b"]  # dicts are sorted, as in PyTorch
    named["c"] = eagre.ones(3)
    assert list(reversed(named)) == ["c", "b", "a"] and isinstance(named["c"], nn.Parameter)
    assert [name for name, _ in named.named_parameters()] == ["a", "b", "c"]
    assert named.get("x", 5) == 5 and named.setdefault("d", 4) == 4
    assert named.popitem() == ("d", 4)
    other = nn.ParameterDict([("z", eagre.ones(1)), ("a", eagre.zeros(2))])
    both = named | other
    assert list(both) == ["a", "b", "c", "z"] and float(both["a"].sum()) == 0
    assert list(named.copy()) == list(named) and list(named.fromkeys(["q"], 1).items()) == [
        ("q", 1)
    ]
    named |= other
    assert "z" in named and named.pop("z").shape == (1,)
    named.clear()
    assert len(named) == 0 and not list(named.parameters())
    with pytest.raises(TypeError, match="cannot be used as a key as it is not a string"):
        named[3] = eagre.ones(1)

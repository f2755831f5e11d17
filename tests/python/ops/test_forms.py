"""Operators in nn.functional and special, and the public names that messages give them."""

import pytest

import eagre
from eagre.nn import functional


def test_functional_in_place():
    for function in (functional.relu, functional.silu):
        x = eagre.tensor([-1.0, 2.0])
        expected = function(x).tolist()
        assert function(x, inplace=True) is x
        assert x.tolist() == expected
    x = eagre.ones(100)
    eagre.manual_seed(0)
    expected = functional.dropout(x, 0.5).tolist()
    eagre.manual_seed(0)
    assert functional.dropout(x, 0.5, True, inplace=True) is x
    assert x.tolist() == expected


def test_special_functions():
    x = eagre.tensor([0.5, 1.0])
    for name in eagre.special.__all__:
        plain = {"expit": "sigmoid", "psi": "digamma", "gammaln": "lgamma"}.get(name, name)
        arguments = (x, 0) if "soft" in name or "sum" in name else (x,)
        arguments = {"xlogy": (x, x), "polygamma": (1, x)}.get(name, arguments)
        result = getattr(eagre.special, name)(*arguments)
        assert result.tolist() == getattr(eagre, plain)(*arguments).tolist()


PUBLIC = {
    "layer_norm": lambda: functional.layer_norm(eagre.ones(2, 3, dtype=eagre.int64), (3,)),
    "cross_entropy": lambda: eagre.cross_entropy(
        eagre.ones(2, 3, dtype=eagre.int64), eagre.tensor([0, 1])
    ),
    "clamp": lambda: eagre.clamp(eagre.tensor([1j]), 0, 1),
    "gelu": lambda: functional.gelu(eagre.tensor([1]), approximate="tanh"),
    "dropout": lambda: eagre.dropout(eagre.tensor([1]), 0.5),
    "div": lambda: eagre.div(eagre.tensor([1j]), eagre.tensor([1j]), rounding_mode="trunc"),
    "pow": lambda: True ** eagre.tensor([True]),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_messages_show_public_names(name):
    with pytest.raises(eagre.Error, match=rf"^{name}\(\)"):
        PUBLIC[name]()


def test_functional_embedding_takes_the_indices_first():
    functional = eagre.nn.functional.embedding
    table = eagre.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    rows = functional(eagre.tensor([1, 0]), table, padding_idx=-1)
    assert rows.tolist() == [[3, 4], [1, 2]]
    rows.sum().backward()
    assert table.grad.tolist() == [[1, 1], [0, 0]]
    with pytest.raises(eagre.InvalidArgumentError, match="'padding_idx'.*-2 to 1.*got 2"):
        functional(eagre.tensor([0]), table, padding_idx=2)


def test_functional_has_the_operators_themselves():
    assert functional.softmax is eagre.softmax
    assert functional.cross_entropy is eagre.cross_entropy

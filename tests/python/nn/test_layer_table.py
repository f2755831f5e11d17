"""Layers say of themselves what PyTorch's say: the stored table is made by make_layer_table.py."""

import json
from pathlib import Path

import make_layer_table
import pytest

import eagre
from eagre import nn

TABLE = json.loads(Path(__file__).with_name("layers.json").read_text())


@pytest.mark.parametrize("text", TABLE)
def test_layer(text):
    assert make_layer_table.describe(nn, text) == TABLE[text]


def test_table_has_every_layer():
    made = {text.partition("(")[0] for text in TABLE}
    other = {
        "Container",
        "LinearCrossEntropyOptions",
        "NLLLoss2d",
        "ParameterDict",
        "ParameterList",
        "RNNBase",
        "RNNCellBase",
    }
    assert made | other == set(nn.modules.__all__)


def test_names_are_those_of_the_files():
    for name in nn.modules.__all__:
        layer = getattr(nn, name)
        assert layer is getattr(nn.modules, name)
        assert name in eagre.nn.__all__
        home = layer.__module__.removeprefix("eagre.nn.modules.").lstrip("_")
        assert home in ("attention", "parameter_containers", *vars(nn.modules))

"""Averages of models."""

import pytest

import eagre
from eagre import nn
from eagre.optim import swa_utils


def filled(value):
    model = nn.Linear(2, 1)
    with eagre.no_grad():
        for parameter in model.parameters():
            parameter.fill_(value)
    return model


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 2.0),
        ({"avg_fn": swa_utils.get_swa_avg_fn()}, 2.0),
        ({"multi_avg_fn": swa_utils.get_swa_multi_avg_fn()}, 2.0),
        ({"avg_fn": swa_utils.get_ema_avg_fn(0.5)}, 2.25),
        ({"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(0.5)}, 2.25),
    ],
)
def test_averaged_model(options, expected):
    average = swa_utils.AveragedModel(filled(9.0), **options)
    for value in (1.0, 2.0, 3.0):
        average.update_parameters(filled(value))
    assert average.module.weight.tolist() == [[expected, expected]]
    assert average.n_averaged.item() == 3
    assert average(eagre.ones(1, 2)).item() == expected * 3


def test_buffers_are_copied_or_averaged():
    for use_buffers, expected in ((False, 3.0), (True, 2.0)):
        average = swa_utils.AveragedModel(nn.BatchNorm1d(1), use_buffers=use_buffers)
        for value in (1.0, 3.0):
            model = nn.BatchNorm1d(1)
            model.running_mean.fill_(value)
            average.update_parameters(model)
        assert average.module.running_mean.item() == expected


def test_update_bn():
    model = nn.Sequential(nn.BatchNorm1d(1))
    model.eval()
    batches = [(eagre.tensor([[1.0], [3.0]]), "label"), (eagre.tensor([[5.0], [7.0]]), "label")]
    swa_utils.update_bn(batches, model)
    assert model[0].running_mean.item() == 4.0
    assert model[0].running_var.item() == 2.0
    assert model[0].momentum == 0.1
    assert not model.training


def test_errors():
    with pytest.raises(ValueError, match=r"Invalid decay value 2.0"):
        swa_utils.get_ema_avg_fn(2.0)
    with pytest.raises(AssertionError, match="Only one of avg_fn"):
        swa_utils.AveragedModel(filled(1.0), avg_fn=max, multi_avg_fn=max)

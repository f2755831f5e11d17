"""Anomaly mode and the flag check_nan_inf."""

import warnings

import pytest

import eagre
from eagre.autograd import detect_anomaly, set_detect_anomaly


def leaf(value):
    return eagre.tensor([float(value)], requires_grad=True)


def nan_in_backward(x):
    return ((x * 0).sqrt() * 0).sum()


# Row: PyTorch L4
def test_anomaly_mode_names_the_forward_lines():
    x = leaf(1)
    with detect_anomaly():
        y = nan_in_backward(x)
        with (
            pytest.warns(UserWarning, match="Error detected in SqrtBackward0") as caught,
            pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in "),
        ):
            y.backward()
    text = str(caught[0].message)
    assert "in nan_in_backward" in text
    assert "in test_anomaly_mode_names_the_forward_lines" in text  # its caller
    assert text.index("in test_anomaly_mode") < text.index("in nan_in_backward")
    assert not eagre.is_anomaly_enabled()


# Row: PyTorch L4
def test_anomaly_mode_without_nan_check_and_as_a_setting():
    x = leaf(1)
    with detect_anomaly(check_nan=False):
        nan_in_backward(x).backward()
    assert x.grad.isnan().all()
    set_detect_anomaly(True)
    try:
        assert eagre.is_anomaly_enabled()
        assert eagre.is_anomaly_check_nan_enabled()
    finally:
        set_detect_anomaly(False)
    with set_detect_anomaly(True, check_nan=False):
        assert eagre.is_anomaly_enabled()
        assert not eagre.is_anomaly_check_nan_enabled()
    assert not eagre.is_anomaly_enabled()


# Row: PyTorch L4
def test_anomaly_mode_does_not_hide_an_error_where_warnings_are_errors():
    x = leaf(1)
    with detect_anomaly(), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeError, match="returned nan values"):
            nan_in_backward(x).backward()


def test_anomaly_mode():
    try:
        eagre.set_anomaly_enabled(True)
        assert eagre.is_anomaly_enabled()
    finally:
        eagre.set_anomaly_enabled(False)
    assert not eagre.is_anomaly_enabled()


# Row: Paddle B17
def test_check_nan_inf_names_operator_and_is_catchable():
    eagre.set_flags({"check_nan_inf": True})
    try:
        with pytest.raises(eagre.Error, match=r"log\(\).*infinite"):
            eagre.tensor([0.0]).log()
        x = leaf(0)
        y = x.sqrt().sum()
        with pytest.raises(eagre.Error, match="SqrtBackward0, recorded at .*test_anomaly_mode.py"):
            y.backward()
    finally:
        eagre.set_flags({"check_nan_inf": False})
    assert eagre.tensor([0.0]).log().isinf().all()

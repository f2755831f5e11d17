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


def test_the_mode_says_that_it_is_slow_and_what_it_does_not_know():
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        detect_anomaly()
    x = eagre.zeros(1, requires_grad=True)
    y = x.sqrt() * 0
    with (
        pytest.warns(UserWarning, match="No forward pass information available"),
        pytest.raises(RuntimeError, match="SqrtBackward0' returned nan"),
        eagre.autograd.set_detect_anomaly(True),
    ):
        y.backward()


def test_once_warnings_can_come_every_time():
    x = eagre.ones(1, requires_grad=True)

    def count():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(2):
                (x * 2).sum().backward(create_graph=True)
        return len(caught)

    count()
    assert count() == 0 and not eagre.is_warn_always_enabled()
    eagre.set_warn_always(True)
    try:
        assert count() == 2 and eagre.is_warn_always_enabled()
    finally:
        eagre.set_warn_always(False)
    assert count() == 0


def test_flags_take_numbers():
    for on in (1, True):
        eagre.set_flags({"check_nan_inf": on, "check_nan_inf_level": 1})
        assert eagre.get_flags("check_nan_inf") == {"check_nan_inf": True}
        assert eagre.get_flags("check_nan_inf_level") == {"check_nan_inf_level": "warn"}
        eagre.set_flags({"check_nan_inf": 0, "check_nan_inf_level": 0})
    assert eagre.get_flags("check_nan_inf_level") == {"check_nan_inf_level": "error"}
    with pytest.raises(TypeError, match="must be a bool"):
        eagre.set_flags({"check_nan_inf": 2})

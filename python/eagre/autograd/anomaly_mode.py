"""Anomaly mode: errors in backward() come with the lines of the forward."""

import warnings

from eagre import _C
from eagre.autograd.grad_mode import _Setting

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class set_detect_anomaly(_Setting):  # noqa: N801  the name that PyTorch has
    """Errors in backward() come with the lines of the forward, and NaN is an error."""

    def __init__(self, mode, check_nan=True) -> None:
        self._before = _C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()
        _C._set_anomaly_enabled(mode, check_nan)

    def _restore(self):
        _C._set_anomaly_enabled(*self._before)


class detect_anomaly:  # noqa: N801  the name that PyTorch has
    """The same for a with block."""

    def __init__(self, check_nan=True) -> None:
        self._check_nan = check_nan
        self._before = []
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._before.append((_C.is_anomaly_enabled(), _C.is_anomaly_check_nan_enabled()))
        _C._set_anomaly_enabled(True, self._check_nan)

    def __exit__(self, *exception) -> None:
        _C._set_anomaly_enabled(*self._before.pop())

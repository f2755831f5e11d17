"""PyTorch's place for anomaly mode."""

from eagre.autograd.engine import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]

"""PyTorch's place for the modes of gradients."""

from eagre.autograd.engine import enforce_grad_layout_policy, set_multithreading_enabled
from eagre.autograd.graph import _unsafe_preserve_version_counter  # noqa: F401
from eagre.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = [
    "enable_grad",
    "enforce_grad_layout_policy",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]

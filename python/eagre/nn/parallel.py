"""Modules on several devices: here on one."""

from __future__ import annotations

from eagre import _unsupported
from eagre.nn.modules.module import Module

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]


class DataParallel(Module):
    """Calls `module`, on the one device that there is. As in PyTorch, it is the attribute `module`,
    and begins all names of the state."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0) -> None:
        super().__init__()
        if device_ids is not None and len(list(device_ids)) > 1:
            raise RuntimeError(
                "DataParallel(): there is one device, so device_ids cannot name "
                f"{len(list(device_ids))}"
            )
        self.module = module
        self.dim = dim
        self.device_ids = []
        self.output_device = output_device

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """DataParallel(module) of these inputs: a tuple, or the only one."""
    wrapped = DataParallel(module, device_ids, output_device, dim)
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    return wrapped(*inputs, **(module_kwargs or {}))


class DistributedDataParallel(Module):
    """Not there: networks are trained by one process."""

    def __init__(self, *args, **kwargs) -> None:
        raise NotImplementedError(
            "DistributedDataParallel: computing on several machines is not there yet"
        )


globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers

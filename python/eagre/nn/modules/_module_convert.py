"""Modules whose tensors get another dtype or device."""

from __future__ import annotations

import warnings

import eagre
from eagre import _C
from eagre.autograd.grad_mode import no_grad
from eagre.nn.parameter import Parameter

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Self


class ConvertMethods:
    """The methods of Module that change all its tensors; they return the module."""

    __slots__ = ()

    def _apply(self, fn, recurse=True):
        """Puts fn(tensor) in place of every parameter, gradient and buffer. Parameters stay the
        objects they are, where their new values can be put into them."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, parameter in self._parameters.items():
            if parameter is None:
                continue
            with no_grad():
                values = fn(parameter)
            gradient = parameter.grad
            kept = _takes_data(parameter, values)
            if kept:
                parameter.data = values
            else:
                self._parameters[name] = parameter = Parameter(values, parameter.requires_grad)
            if gradient is not None:
                with no_grad():
                    values = fn(gradient)
                if kept:
                    parameter.grad.data = values
                else:
                    parameter.grad = values.requires_grad_(gradient.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn) -> Self:
        """Calls fn(module) for all modules below this one, then for this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def cpu(self) -> Self:
        """On the CPU."""
        return self._apply(lambda tensor: tensor.cpu())

    def cuda(self, device=None) -> Self:
        """On a GPU."""
        return self._apply(lambda tensor: tensor.cuda(device))

    def ipu(self, device=None) -> Self:
        """On an IPU."""
        return self._apply(lambda tensor: tensor.to(_place("ipu", device)))

    def xpu(self, device=None) -> Self:
        """On an XPU."""
        return self._apply(lambda tensor: tensor.to(_place("xpu", device)))

    def mtia(self, device=None) -> Self:
        """On an MTIA device."""
        return self._apply(lambda tensor: tensor.to(_place("mtia", device)))

    def type(self, dst_type) -> Self:
        """All tensors in this dtype."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def float(self) -> Self:
        """Those of floating point in float32."""
        return self._in(_C.float32)

    def double(self) -> Self:
        """Those of floating point in float64."""
        return self._in(_C.float64)

    def half(self) -> Self:
        """Those of floating point in float16."""
        return self._in(_C.float16)

    def bfloat16(self) -> Self:
        """Those of floating point in bfloat16."""
        return self._in(_C.bfloat16)

    def _in(self, dtype):
        return self._apply(
            lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor
        )

    def to_empty(self, *, device, recurse=True) -> Self:
        """On this device, with tensors whose values are whatever was in their memory."""
        return self._apply(lambda tensor: _C.empty_like(tensor, device=device), recurse)

    def to(self, *args, **kwargs) -> Self:
        """to(device, dtype, non_blocking), to(dtype, non_blocking), to(tensor, non_blocking), with
        `memory_format` by name: tensors of floating point get the dtype, all get the device."""
        device, dtype, non_blocking, memory_format = _parsed(*args, **kwargs)
        if dtype is not None:
            if not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                    f"dtype={dtype}"
                )
            if dtype.is_complex:
                warnings.warn(
                    "Complex modules are a new feature under active development whose design may "
                    "change, and some modules might not work as expected when using complex "
                    "tensors as parameters or buffers.",
                    stacklevel=2,
                )

        def convert(tensor):
            if tensor.is_meta and device is not None and device.type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use "
                    "torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module "
                    "from meta to a different device."
                )
            wanted = dtype if tensor.is_floating_point() or tensor.is_complex() else None
            options = {"non_blocking": non_blocking}
            if device is not None:
                options["device"] = device
            if wanted is not None:
                options["dtype"] = wanted
            if memory_format is not None and tensor.dim() in (4, 5):
                options["memory_format"] = memory_format
            return tensor.to(**options)

        return self._apply(convert)

    def share_memory(self) -> Self:
        """With all tensors in memory that processes share."""
        return self._apply(lambda tensor: tensor.share_memory_())


def _takes_data(parameter, values):
    from eagre import __future__ as settings

    if settings.get_overwrite_module_params_on_conversion():
        return False
    if type(values) is not type(parameter) and type(values) is not _C.Tensor:
        return False
    return parameter.is_meta == values.is_meta and parameter.device.type == values.device.type


def _place(kind, number):
    return eagre.device(kind if number is None else f"{kind}:{number}")


def _parsed(*args, **kwargs):
    """What the arguments of to() say: device, dtype, non_blocking, memory_format."""
    memory_format = kwargs.pop("memory_format", None)
    if kwargs.pop("copy", False):
        raise RuntimeError(".to() does not accept copy argument: a module changes in place")
    names = ["device", "dtype", "non_blocking"]
    if args and isinstance(args[0], _C.Tensor):
        other, *rest = args
        args = (other.device, other.dtype, *rest)
    elif args and isinstance(args[0], eagre.dtype):
        args = (None, *args)
    elif "tensor" in kwargs or "other" in kwargs:
        other = kwargs.pop("tensor", None)
        other = kwargs.pop("other") if other is None else other
        kwargs |= {"device": other.device, "dtype": other.dtype}
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or given.keys() & kwargs.keys() or kwargs.keys() - set(names):
        raise TypeError(
            "to() received an invalid combination of arguments: expected (device, dtype, "
            "non_blocking), (dtype, non_blocking) or (tensor, non_blocking), and memory_format by "
            f"name, but got {[*args, *kwargs]}"
        )
    given |= kwargs
    device, dtype = given.get("device"), given.get("dtype")
    if device is not None:
        if not isinstance(device, (str, int, eagre.device)):
            raise TypeError(
                "to() received an invalid combination of arguments: a device is a str, an int or a "
                f"device, but got {type(device).__name__}"
            )
        device = eagre.device(device)
    if dtype is not None and not isinstance(dtype, eagre.dtype):
        raise TypeError(
            "to() received an invalid combination of arguments: expected a dtype, but got "
            f"{type(dtype).__name__}"
        )
    return device, dtype, given.get("non_blocking", False), memory_format

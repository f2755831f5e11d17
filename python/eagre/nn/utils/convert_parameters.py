"""Parameters as one vector, and back."""

from __future__ import annotations

from eagre import _C

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def _checked_device(tensor, known):
    if known is not None and tensor.device != known:
        raise TypeError(
            "Found two parameters on different devices, this is currently not supported."
        )
    return tensor.device


def parameters_to_vector(parameters) -> Tensor:
    """All elements of all parameters, one after the other."""
    device, parts = None, []
    for parameter in parameters:
        device = _checked_device(parameter, device)
        parts.append(parameter.reshape(-1))
    return _C.cat(parts)


def vector_to_parameters(vec, parameters) -> None:
    """Makes the parameters parts of the vector."""
    if not isinstance(vec, _C.Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec)}")
    device, place = None, 0
    for parameter in parameters:
        device = _checked_device(parameter, device)
        size = parameter.numel()
        parameter.data = vec[place : place + size].view_as(parameter).data
        place += size

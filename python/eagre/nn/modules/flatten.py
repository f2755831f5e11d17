"""Dimensions made one, and one made several."""

from eagre.nn.modules.module import Module

__all__ = ["Flatten", "Unflatten"]


class Flatten(Module):
    """The dimensions from `start_dim` to `end_dim` as one."""

    __constants__ = ["start_dim", "end_dim"]

    def __init__(self, start_dim=1, end_dim=-1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """The dimension `dim` as several, of these sizes."""

    __constants__ = ["dim", "unflattened_size"]

    def __init__(self, dim, unflattened_size) -> None:
        super().__init__()
        if isinstance(dim, int):
            if not isinstance(unflattened_size, (tuple, list)):
                raise TypeError(
                    "unflattened_size must be a tuple of ints, but found type "
                    f"{type(unflattened_size).__name__}"
                )
            for place, size in enumerate(unflattened_size):
                if not isinstance(size, int):
                    raise TypeError(
                        "unflattened_size must be tuple of ints, but found element of type "
                        f"{type(size).__name__} at pos {place}"
                    )
        elif isinstance(dim, str):
            if not isinstance(unflattened_size, tuple):
                raise TypeError(
                    "unflattened_size must be a tuple of tuples, but found type "
                    f"{type(unflattened_size).__name__}"
                )
            for place, pair in enumerate(unflattened_size):
                if not isinstance(pair, tuple):
                    raise TypeError(
                        "unflattened_size must be tuple of tuples, but found element of type "
                        f"{type(pair).__name__} at pos {place}"
                    )
        else:
            raise TypeError("invalid argument type for dim parameter")
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"

"""vmap: a function of one sample becomes one of a batch, without a loop."""

from __future__ import annotations

import functools

from eagre import _C
from eagre import _tree as tree

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def name_of(function):
    if isinstance(function, functools.partial):
        return f"functools.partial({name_of(function.func)}, ...)"
    return getattr(function, "__name__", None) or repr(function)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None) -> Callable[..., Any]:
    """A function that calls `func` once, with all samples of its arguments at the same time.

    `in_dims` says which dimension of each argument counts samples (None: the same for all), as a
    number for all of them or in the structure of the arguments; `out_dims` where it stands in the
    results. `randomness`: "error", "different" (each sample has its own random numbers) or "same".
    With `chunk_size` so many samples are computed at a time, which saves memory.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    for dim in tree.leaves(out_dims):
        if dim is not None and not isinstance(dim, int):
            raise ValueError(
                f"vmap({name_of(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None "
                "or a python collection of ints representing where in the outputs the vmapped "
                "dimension should appear."
            )
    return Mapped(func, in_dims, out_dims, randomness, chunk_size).wrapped()


def with_dim(values, dims):
    """Those of the values that have samples, along a dimension."""
    if None not in dims:
        return values
    return [value for value, dim in zip(values, dims, strict=True) if dim is not None]


def with_samples(values, dims, samples):
    """The values, with samples for those that have them."""
    if None not in dims:
        return samples
    rest = iter(samples)
    return [value if dim is None else next(rest) for value, dim in zip(values, dims, strict=True)]


def check_sizes(tensors, dims):
    if not tensors:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    sizes = list(map(_C.Tensor.size, tensors, dims))
    if sizes.count(sizes[0]) != len(sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got "
            f"sizes {sizes} for the mapped dimension"
        )


class Mapped:
    """A function to be called with a batch; read call() first."""

    def __init__(self, function, in_dims, out_dims, randomness, chunk_size):
        self.function = function
        self.in_dims = in_dims
        self.out_dims = out_dims
        self.randomness = randomness
        self.chunk_size = chunk_size

    @property
    def name(self):
        return name_of(self.function)

    def wrapped(self):
        # A function, so that it can be a method, too.
        @functools.wraps(self.function, updated=())
        def call(*args, **kwargs):
            return self.call(args, kwargs)

        return call

    def call(self, args, kwargs):
        """C++ maps the tensors that have samples; the structures around them stay here."""
        flat = tree.leaves(args)
        dims = self.dims_of(args, flat)
        tensors, own_dims = with_dim(flat, dims), with_dim(dims, dims)
        check_sizes(tensors, own_dims)
        first = None

        def once(*samples):  # called for every chunk
            nonlocal first
            own = with_samples(flat, dims, samples)
            result = self.function(*tree.rebuilt(args, own), **kwargs)
            values, places = tree.leaves(result), self.places_of(result)
            for value, place in zip(values, places):  # noqa: B905  a place for each; strict is slow
                self.check_result(value, place)
            if first is None:
                first = result, values, places
            return tuple(with_dim(values, places)), with_dim(places, places)

        found = _C._vmap(once, tensors, own_dims, self.randomness, self.chunk_size)
        result, values, places = first
        return tree.rebuilt(result, with_samples(values, places, found))

    def check_result(self, value, place):
        if place is None:
            if _C._is_batched(value):
                raise ValueError(
                    f"vmap({self.name}, ...): `{self.name}` can not return a BatchedTensor when "
                    "out_dim is None"
                )
        elif not isinstance(value, _C.Tensor):
            raise ValueError(
                f"vmap({self.name}, ...): `{self.name}` must only return Tensors, got type "
                f"{type(value)}. Did you mean to set out_dims= to None for output?"
            )

    def places_of(self, result):
        dims = self.out_dims
        if isinstance(result, _C.Tensor) and isinstance(dims, tuple) and len(dims) == 1:
            dims = dims[0]
        places = tree.spread(dims, result)
        if places is None:
            raise ValueError(
                f"vmap({self.name}, ..., out_dims={self.out_dims})(<inputs>): out_dims is not "
                f"compatible with the structure of `outputs`. out_dims has structure "
                f"{tree.structure(self.out_dims)} but outputs has structure "
                f"{tree.structure(result)}."
            )
        return places

    def dims_of(self, args, flat):
        """Which dimension of each tensor counts samples, from 0 on."""
        if not isinstance(self.in_dims, (int, tuple, list)):
            raise ValueError(
                f"{self.called()}: expected `in_dims` to be int or a (potentially nested) tuple "
                f"matching the structure of inputs, got: {type(self.in_dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({self.name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or "
                "you are trying to vmap over a function with no inputs. The latter is unsupported."
            )
        given = tuple(self.in_dims) if isinstance(self.in_dims, list) else self.in_dims
        dims = tree.spread(given, args)
        if dims is None:
            raise ValueError(
                f"{self.called()}: in_dims is not compatible with the structure of `inputs`. "
                f"in_dims has structure {tree.structure(self.in_dims)} but inputs has structure "
                f"{tree.structure(args)}."
            )
        return list(map(self.dim_of, flat, dims))

    def called(self):
        """For messages."""
        return f"vmap({self.name}, in_dims={self.in_dims}, ...)(<inputs>)"

    def dim_of(self, value, dim):
        if dim is None:
            return None
        if not isinstance(dim, int):
            raise ValueError(
                f"{self.called()}: Got in_dim={dim} for an input but in_dim must be either an "
                "integer dimension or None."
            )
        if not isinstance(value, _C.Tensor):
            raise ValueError(
                f"{self.called()}: Got in_dim={dim} for an input but the input is of type "
                f"{type(value)}. We cannot vmap over non-Tensor arguments, please use None as the "
                "respective in_dim"
            )
        rank = value.dim()
        if not -rank <= dim < rank:
            raise ValueError(
                f"{self.called()}: Got in_dim={dim} for some input, but that input is a Tensor of "
                f"dimensionality {rank} so expected in_dim to satisfy -{rank} <= in_dim < {rank}."
            )
        return dim % rank

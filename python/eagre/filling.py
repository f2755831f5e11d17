"""Tensors with parts of them replaced, and filled with random numbers, made of other operators."""

import eagre
from eagre.out_argument import with_out


def select_scatter(input, src, dim, index):
    """A copy with `src` at one index of a dimension."""
    return _replaced("select_scatter", input, lambda x: x.select(dim, index), src)


@with_out
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """A copy with `src` at a slice of a dimension."""
    index = [slice(None)] * input.dim()
    index[dim] = slice(start, end, step)
    return _replaced("slice_scatter", input, lambda x: x[tuple(index)], src)


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy with `src` on a diagonal."""
    return _replaced("diagonal_scatter", input, lambda x: x.diagonal(offset, dim1, dim2), src)


def _replaced(name, input, view, src):
    result = input.clone()
    part = view(result)
    if part.shape != src.shape:
        raise RuntimeError(
            f"{name}(): expected src to have a size equal to the part it replaces: "
            f"{list(src.shape)} and {list(part.shape)}"
        )
    part.copy_(src)
    return result


def masked_scatter(input, mask, source):
    """A copy with elements of `source`, one after the other, where the mask is true."""
    shape = eagre.broadcast_shapes(input.shape, mask.shape)
    return masked_scatter_(input.expand(shape).clone(), mask, source)


def masked_scatter_(self, mask, source):
    """masked_scatter() in place."""
    if mask.dtype != eagre.bool:
        raise RuntimeError(
            f"masked_scatter_(): only supports boolean masks, but got mask with dtype {mask.dtype}"
        )
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"masked_scatter_(): expected self and source to have same dtypes but got {self.dtype} "
            f"and {source.dtype}"
        )
    mask = mask.expand(self.shape)
    wanted = int(mask.sum())
    if wanted > source.numel():
        raise RuntimeError(
            f"masked_scatter_(): Number of elements of source ({source.numel()}) < number of ones "
            f"in mask ({wanted})"
        )
    self[mask] = source.flatten()[:wanted]
    return self


def fill_diagonal_(self, fill_value, wrap=False):
    """Puts a number on the diagonal."""
    if wrap:
        raise NotImplementedError("fill_diagonal_(): wrap=True is not there")
    if self.dim() < 2:
        raise RuntimeError("fill_diagonal_(): dimensions must larger than 1")
    if self.dim() > 2 and len(set(self.shape)) > 1:
        raise RuntimeError("fill_diagonal_(): all dimensions of input must be of equal length")
    with eagre.no_grad() if not self.requires_grad else eagre.enable_grad():
        step = sum(self.stride())
        self.as_strided((min(self.shape),), (step,), self.storage_offset()).fill_(fill_value)
    return self


# --- random numbers ---


def exponential_(self, lambd=1, *, generator=None):
    """Random numbers with an exponential distribution."""
    if lambd <= 0:
        raise RuntimeError(f"exponential_(): expects lambda > 0.0, but found lambda={lambd}")
    noise = eagre.rand(self.shape, dtype=eagre.float64, generator=generator)
    return self.copy_(-(-noise).log1p() / lambd)


def random_(self, from_=None, to=None, *, generator=None):
    """Random whole numbers: as many as the dtype holds, up to `to`, or from `from_` on."""
    if to is None:
        to, from_ = from_, 0
    if to is None:
        limits = {eagre.bool: 2, eagre.float16: 2**11, eagre.bfloat16: 2**8, eagre.float32: 2**24}
        limits[eagre.float64] = 2**53
        to = limits.get(self.dtype) or min(eagre.iinfo(self.dtype).max, 2**63 - 2) + 1
    if from_ >= to:
        raise RuntimeError(
            f"random_(): expects 'from' to be less than 'to', but got {from_} >= {to}"
        )
    drawn = eagre.randint(from_, to, self.shape, dtype=eagre.int64, generator=generator)
    return self.copy_(drawn)

"""Statistics, scans and differences along dimensions, made of other operators."""

import math

import eagre
from eagre import _C
from eagre.in_place_form import in_place
from eagre.out_argument import with_out

_AT_ONCE = 1 << 22  # elements


def _named(name, fields, *results):
    return _C._named_results(name, fields, list(results))


# --- statistics ---


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Standard deviation and mean."""
    variance, mean = var_mean(input, dim, unbiased, keepdim, correction=correction)
    return variance.sqrt(), mean


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """Variance and mean."""
    if isinstance(dim, bool):  # var_mean(x, unbiased)
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    variance = eagre.var(input, dim, correction=correction, keepdim=keepdim)
    return variance, eagre.mean(input, dim, keepdim)


@with_out
def aminmax(input, *, dim=None, keepdim=False):
    """The smallest and the largest elements."""
    if dim is None:
        dim = list(range(input.dim()))
    return _named("aminmax", ("min", "max"), input.amin(dim, keepdim), input.amax(dim, keepdim))


@with_out
def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum of all that is no NaN."""
    if input.is_floating_point() or input.is_complex():
        input = eagre.where(input.isnan(), 0.0, input)
    return input.sum(dim, keepdim, dtype=dtype)


@with_out
def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean of all that is no NaN."""
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            f"nanmean(): expected a floating-point or complex tensor, got {input.dtype}"
        )
    return nansum(input, dim, keepdim, dtype=dtype) / (~input.isnan()).sum(dim, keepdim)


@with_out
def median(input, dim=None, keepdim=False):
    """The middle element, the lower of two; with `dim`, with its places. NaN comes first."""
    return _median("median", input, dim, keepdim)


@with_out
def nanmedian(input, dim=None, keepdim=False):
    """The median of all that is no NaN."""
    return _median("nanmedian", input, dim, keepdim)


def _median(name, input, dim, keepdim):
    flat = input.flatten() if dim is None else input
    if flat.dim() == 0:
        return _median(name, flat.reshape(1), 0, False)
    along = 0 if dim is None else dim
    if flat.shape[along] == 0:
        if dim is None:
            return flat.new_full((), float("nan"))
        raise IndexError(f"median(): expected reduction dim {dim} to have non-zero size.")
    ordered, places = flat.sort(dim=along, stable=True)  # NaN at the end
    size = flat.shape[along]
    middle = eagre.full_like(ordered.narrow(along, 0, 1), (size - 1) // 2, dtype=eagre.int64)
    if flat.is_floating_point():
        nans = flat.isnan().sum(along, keepdim=True)
        if name == "nanmedian":
            middle = eagre.where(nans == size, 0, (size - nans - 1) // 2)
        else:
            middle = eagre.where(nans > 0, size - nans, middle)
    values, indices = ordered.gather(along, middle), places.gather(along, middle)
    if dim is None:
        return values.reshape(())
    if not keepdim:
        values, indices = values.squeeze(along), indices.squeeze(along)
    return _named(name, ("values", "indices"), values, indices)


@with_out
def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest elements, with their places."""
    if input.dim() == 0:
        input, dim, keepdim = input.reshape(1), 0, False
    if not 1 <= k <= input.shape[dim]:
        raise RuntimeError(
            f"kthvalue(): selected number k out of range for dimension {dim}: {k} of "
            f"{input.shape[dim]}"
        )
    ordered, places = input.sort(dim=dim, stable=True)
    values, indices = ordered.narrow(dim, k - 1, 1), places.narrow(dim, k - 1, 1)
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return _named("kthvalue", ("values", "indices"), values, indices)


@with_out
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The numbers below which a share `q` of the elements lies."""
    if input.dtype not in (eagre.float32, eagre.float64):
        raise RuntimeError("quantile(): input tensor must be either float or double dtype")
    shares = q if isinstance(q, eagre.Tensor) else eagre.tensor(q, dtype=input.dtype)
    if shares.dtype != input.dtype:
        raise RuntimeError("quantile(): q tensor must be same dtype as the input tensor")
    if shares.dim() > 1:
        raise RuntimeError("quantile(): q must be a scalar or 1D tensor")
    if not bool(((shares >= 0) & (shares <= 1)).all()):
        raise RuntimeError("quantile(): q values must be in the range [0, 1]")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {interpolation}"
        )
    rank = input.dim()
    rows = input.flatten() if dim is None else input.movedim(dim, -1) if rank > 0 else input
    rows = rows.reshape(1) if rows.dim() == 0 else rows
    ordered = rows.sort(dim=-1).values
    place = shares.to(eagre.float64) * (rows.shape[-1] - 1)
    low, high = place.floor(), place.ceil()
    if interpolation == "lower":
        high = low
    elif interpolation == "higher":
        low = high
    elif interpolation == "nearest":
        low = high = place.round()
    weight = 0.5 if interpolation == "midpoint" else (place - low).to(input.dtype)
    below = ordered.index_select(-1, low.long().reshape(-1))
    above = ordered.index_select(-1, high.long().reshape(-1))
    found = below + (above - below) * weight
    nan = rows.isnan().any(-1, keepdim=True)
    found = eagre.where(nan, float("nan"), found).movedim(-1, 0)
    if keepdim:
        if dim is None:
            found = found.reshape([-1] + [1] * rank)
        elif rank > 0:
            found = found.unsqueeze(dim + 1 if dim >= 0 else dim)
    return found if shares.dim() == 1 else found.squeeze(0)


@with_out
def msort(input):
    """Sorted along the first dimension."""
    return input.sort(dim=0).values if input.dim() > 0 else input.clone()


# --- differences and integrals ---


@with_out
def diff(input, n=1, dim=-1, prepend=None, append=None):
    """The n-th differences of neighbours."""
    if input.dim() == 0:
        raise RuntimeError("diff(): expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"diff(): order must be non-negative but got {n}")
    if n == 0:
        return input.clone()
    parts = [part for part in (prepend, input, append) if part is not None]
    x = eagre.cat(parts, dim) if len(parts) > 1 else input
    for _ in range(min(n, x.shape[dim])):
        size = x.shape[dim]
        later, earlier = x.narrow(dim, 1, size - 1), x.narrow(dim, 0, size - 1)
        x = later ^ earlier if x.dtype == eagre.bool else later - earlier
    return x


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """The integral by trapezoids."""
    size = y.shape[dim]
    if size == 0:
        return y.sum(dim)
    means = (y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)) / 2
    if x is None:
        return (means * dx).sum(dim)
    steps = diff(x)
    if x.dim() == 1:
        shape = [1] * y.dim()
        shape[dim] = -1
        steps = steps.reshape(shape)
    else:
        steps = diff(x, dim=dim)
    return (means * steps).sum(dim)


@with_out
def cumprod(input, dim, *, dtype=None):
    """Products of all elements so far."""
    if dtype is not None:
        input = input.to(dtype)
    elif not (input.is_floating_point() or input.is_complex()):
        input = input.long()
    if input.dim() == 0 or input.numel() == 0:
        return input.clone()
    return _scanned(eagre.mul, input, dim)


cumprod_ = in_place(cumprod)


@with_out
def logcumsumexp(input, dim):
    """Logarithms of the sums of exponentials so far."""
    if input.dim() == 0 or input.numel() == 0:
        return input.clone()
    return _scanned(eagre.logaddexp, input, dim)


def _scanned(combine, x, dim):
    """Every element combined with all before it, by doubling the distance."""
    size, step = x.shape[dim], 1
    while step < size:
        later = combine(x.narrow(dim, 0, size - step), x.narrow(dim, step, size - step))
        x = eagre.cat([x.narrow(dim, 0, step), later], dim)
        step *= 2
    return x.clone() if size == 1 else x


# --- vectors ---


@with_out
def cross(input, other, dim=None):
    """The cross product of vectors with three elements."""
    if dim is None:
        shape = eagre.broadcast_shapes(input.shape, other.shape)
        dim = next((i for i, size in enumerate(shape) if size == 3), -1)
    input, other = eagre.broadcast_tensors(input, other)
    if input.shape[dim] != 3:
        raise RuntimeError(f"cross(): dimension {dim} must have size 3, but has {input.shape[dim]}")
    a, b = input.unbind(dim), other.unbind(dim)
    parts = [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]
    return eagre.stack(parts, dim)


def cdist(x1, x2, p=2.0, compute_mode=None):
    """The distances of all rows of one batch of matrices to all of the other."""

    def distances(rows):
        return eagre.norm(rows.unsqueeze(-2) - x2.unsqueeze(-3), p, dim=-1)

    # All differences at once need rows × rows × columns: some rows at a time, where that is much.
    each = max(x2.numel(), 1) * max(math.prod(x1.shape[:-2]), 1)
    step = max(_AT_ONCE // each, 1)
    if x1.shape[-2] <= step:
        return distances(x1)
    return eagre.cat([distances(rows) for rows in x1.split(step, -2)], -2)


def cov(input, *, correction=1, fweights=None, aweights=None):
    """The covariances of the rows."""
    x = input.reshape(1, -1) if input.dim() < 2 else input
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = given if weights is None else weights * given
    if weights is None:
        total, mean = x.shape[1], x.mean(1, keepdim=True)
        centered = x - mean
        product = centered @ centered.conj().t()
        scale = total - correction
    else:
        total = weights.sum()
        centered = x - (x * weights).sum(1, keepdim=True) / total
        product = (centered * weights) @ centered.conj().t()
        scale = total - correction
        if aweights is not None and correction != 0:
            scale = total - correction * (weights * aweights).sum() / total
    result = product / max(scale, 0) if weights is None else product / scale.clamp(min=0)
    return result.squeeze()


def corrcoef(input):
    """The correlations of the rows."""
    c = cov(input)
    if c.dim() == 0:
        return c / c
    deviation = c.diagonal().real.sqrt() if c.is_complex() else c.diagonal().sqrt()
    c = c / deviation.unsqueeze(1) / deviation.unsqueeze(0)
    return c if c.is_complex() else c.clamp(-1, 1)

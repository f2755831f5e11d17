"""Samples of ops/vision_grid.yaml."""

import itertools

import numpy as np
from mistakes import integers, mistake, tensor
from samples import FLOATS, Sample, make
from samples_pool import channels_last
from samples_vision import cubic

import eagre

F = eagre.nn.functional
MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")


def reflected(x, n, corners):
    low, span = (0, n - 1) if corners else (-0.5, n)
    if span == 0:
        return 0
    turns, rest = divmod(abs(x - low), span)
    return (span - rest if turns % 2 else rest) + low


def within(x, n, padding, corners):
    if padding == "zeros":
        return x
    if padding == "reflection":
        x = reflected(x, n, corners)
    return min(max(x, 0), n - 1)


def taps(number, n, mode, padding, corners):
    """Places along an axis and their weights; those outside are left out."""
    x = (number + 1) / 2 * (n - 1) if corners else ((number + 1) * n - 1) / 2
    if mode == "bicubic":
        low = int(np.floor(x))
        found = [
            (int(within(i, n, padding, corners)), cubic(x - i)) for i in range(low - 1, low + 3)
        ]
    else:
        x = within(x, n, padding, corners)
        low = int(np.floor(x))
        found = [(low, 1 - (x - low)), (low + 1, x - low)]
        if mode == "nearest":
            found = [(int(np.rint(x)), 1.0)]
    return [(place, weight) for place, weight in found if 0 <= place < n]


def sampled(a, grid, mode="bilinear", padding="zeros", corners=False):
    spatial = a.shape[2:]
    out = np.zeros((*a.shape[:2], *grid.shape[1:-1]))
    for n in range(len(a)):
        for at in np.ndindex(grid.shape[1:-1]):
            axes = [
                taps(float(number), size, mode, padding, corners)
                for number, size in zip(grid[(n, *at)][::-1], spatial, strict=True)
            ]
            for some in itertools.product(*axes):
                places = tuple(place for place, _ in some)
                out[(n, slice(None), *at)] += a[(n, slice(None), *places)] * np.prod(
                    [weight for _, weight in some]
                )
    return out.astype(a.dtype)


def grid_of(shape, dtype=np.float64, wide=1.7):
    """Points in and around an image, none of them where a tap begins."""
    return (np.sin(np.arange(np.prod(shape)) * 1.37 + 0.4) * wide).reshape(shape).astype(dtype)


def _cases():
    for corners in (False, True):
        for mode, padding in itertools.product(MODES, PADDINGS):
            yield mode, padding, corners


def grid_sample():
    flat, deep = make((2, 3, 3, 4)), make((1, 2, 2, 3, 3))
    for mode, padding, corners in _cases():
        named = {"mode": mode, "padding_mode": padding, "align_corners": corners}
        for a, grid in ((flat, grid_of((2, 2, 5, 2))), (deep, grid_of((1, 2, 1, 3, 3)))):
            yield Sample((a, grid), sampled(a, grid, mode, padding, corners), named)
    plain = {"align_corners": False}
    for dtype in (*FLOATS, np.float16):
        a, grid = make((1, 2, 3, 4), dtype), grid_of((1, 2, 3, 2), dtype)
        yield Sample((a, grid), sampled(a, grid), plain)
    # Blocks of channels, with pixels and points that fill no block, and channels last.
    for mode in MODES:
        a, grid = make((1, 19, 5, 7), np.float32), grid_of((1, 9, 9, 2), np.float32)
        expected = sampled(a, grid, mode, "reflection")
        named = {"mode": mode, "padding_mode": "reflection", "align_corners": False}
        yield Sample((a, grid), expected, named, tolerance=1e-5)
        yield Sample((channels_last(a), grid), expected, named, tolerance=1e-5)
        yield Sample((channels_last(a)[:, :3], grid), expected[:, :3], named, tolerance=1e-5)
    wide = grid_of((1, 2, 3, 2)).transpose(0, 2, 1, 3)
    yield Sample((make((1, 2, 3, 4)), wide), sampled(make((1, 2, 3, 4)), wide), plain)
    line = make((1, 1, 1, 4))
    grid = grid_of((1, 1, 3, 2))
    yield Sample((line, grid), sampled(line, grid, corners=True), {"align_corners": True})
    yield Sample((make((0, 2, 3, 4)), make((0, 2, 2, 2))), np.zeros((0, 2, 2, 2)), plain)
    yield Sample((make((2, 0, 3, 4)), make((2, 2, 2, 2))), np.zeros((2, 0, 2, 2)), plain)
    yield Sample((make((2, 1, 3, 4)), make((2, 0, 2, 2))), np.zeros((2, 1, 0, 2)), plain)


def _numbered(spatial):
    shapes = {2: ((2, 2, 3, 4), (2, 2, 3, 2)), 3: ((1, 2, 2, 3, 3), (1, 2, 1, 2, 3))}
    a, grid = make(shapes[spatial][0]), grid_of(shapes[spatial][1])
    for mode, padding, corners in _cases():
        numbers = MODES.index(mode), PADDINGS.index(padding), corners
        yield Sample((a, grid, *numbers), sampled(a, grid, mode, padding, corners))


def grid_sampler():
    yield from _numbered(2)
    yield from _numbered(3)


def grid_sampler_2d():
    yield from _numbered(2)


def grid_sampler_3d():
    yield from _numbered(3)


def mapped(theta, size, corners):
    axes = []
    for n in size[2:]:
        end = 1 if corners else (n - 1) / n
        axes.append(np.linspace(-end, end, n) if n > 1 else np.zeros(1))
    places = np.meshgrid(*axes, indexing="ij")[::-1]
    base = np.stack([*places, np.ones(size[2:])], -1)
    return np.einsum("nij,...j->n...i", theta, base).astype(theta.dtype)


def affine_grid():
    for corners in (False, True):
        named = {"align_corners": corners}
        for dtype in FLOATS:
            theta = make((2, 2, 3), dtype)
            for size in ((2, 3, 3, 4), (2, 1, 2, 1)):
                yield Sample((theta, size), mapped(theta, size, corners), named)
        theta = make((1, 3, 4))
        for size in ((1, 3, 2, 3, 4), (1, 1, 1, 2, 1)):
            yield Sample((theta, size), mapped(theta, size, corners), named)


def affine_grid_generator():
    for corners in (False, True):
        theta = make((2, 2, 3))
        yield Sample((theta, (2, 3, 3, 4), corners), mapped(theta, (2, 3, 3, 4), corners))
        theta = make((1, 3, 4))
        yield Sample((theta, (1, 3, 2, 3, 4), corners), mapped(theta, (1, 3, 2, 3, 4), corners))


def _sample(image, grid, words, kind=None, **named):
    call = lambda: F.grid_sample(tensor(*image), tensor(*grid), align_corners=False, **named)  # noqa: E731
    return mistake(call, ["grid_sample()", *words], kind)


def _sampler(name, image, grid, words, mode=0, padding=0):
    call = lambda: getattr(eagre, name)(tensor(*image), tensor(*grid), mode, padding, False)  # noqa: E731
    return mistake(call, [f"{name}()", *words])


def _huge():
    image = eagre.zeros(1).expand(1, 1, 2**16, 2**16)
    return F.grid_sample(image, tensor(1, 1, 1, 2), align_corners=False)


_IMAGE, _GRID = (1, 1, 3, 4), (1, 2, 2, 2)
_VOLUME = (1, 1, 2, 3, 4)
BAD = {
    ("grid_sample", "mode_unknown"): _sample(
        _IMAGE, _GRID, ["'mode'", "expected mode to be", "cubic"], mode="cubic"
    ),  # fmt: skip
    ("grid_sample", "padding_unknown"): _sample(
        _IMAGE,
        _GRID,
        ["'padding_mode'", "expected padding_mode to be", "wrap"],
        padding_mode="wrap",
    ),
    ("grid_sample", "dtypes_differ"): mistake(
        lambda: F.grid_sample(
            tensor(*_IMAGE), tensor(*_GRID, dtype=np.float64), align_corners=True
        ),
        ["grid_sample()", "'grid'", "float32", "float64"],
        eagre.DTypeError,
    ),
    ("grid_sample", "batches_differ"): _sample(
        _IMAGE, (2, 2, 2, 2), ["same batch size", "[2, 2, 2, 2]"]
    ),
    ("grid_sample", "coordinates_differ"): _sample(
        _IMAGE, (1, 2, 2, 3), ["expected grid to have size 2 in last dimension"]
    ),
    ("grid_sample", "ranks_differ"): _sample(
        _IMAGE, (1, 2, 2, 2, 3), ["same number of dimensions"]
    ),
    ("grid_sample", "wrong_rank"): _sample((1, 3, 4), (1, 2, 1), ["4D or 5D", "[1, 3, 4]"]),
    ("grid_sample", "nothing_to_sample"): _sample(
        (1, 1, 0, 4), _GRID, ["non-empty spatial dimensions", "[1, 1, 0, 4]"]
    ),
    ("grid_sample", "integers"): mistake(
        lambda: F.grid_sample(integers(*_IMAGE), integers(*_GRID), align_corners=False),
        ["grid_sample", "int64"],
        eagre.UnimplementedError,
    ),
    ("grid_sample", "plane_huge"): mistake(
        _huge, ["grid_sample()", "'input'", "2^30"], eagre.UnimplementedError
    ),
    ("grid_sampler", "mode_unknown"): _sampler(
        "grid_sampler", _IMAGE, _GRID, ["'interpolation_mode'", "3"], mode=3
    ),  # fmt: skip
    ("grid_sampler", "padding_unknown"): _sampler(
        "grid_sampler", _IMAGE, _GRID, ["'padding_mode'", "-1"], padding=-1
    ),  # fmt: skip
    ("grid_sampler", "wrong_rank"): _sampler("grid_sampler", (3, 4), (2, 1), ["4D or 5D"]),
    ("grid_sampler_2d", "wrong_rank"): _sampler(
        "grid_sampler_2d", _VOLUME, (1, 2, 2, 2, 3), ["4D"]
    ),
    ("grid_sampler_3d", "wrong_rank"): _sampler("grid_sampler_3d", _IMAGE, _GRID, ["5D"]),
}


def _grid(theta, size, words, kind=None, dtype=np.float32):
    call = lambda: F.affine_grid(tensor(*theta, dtype=dtype), size, align_corners=False)  # noqa: E731
    return mistake(call, ["affine_grid()", *words], kind)


BAD |= {
    ("affine_grid", "integers"): _grid(
        (1, 2, 3), (1, 1, 2, 2), ["theta", "floating point type"], dtype=np.int64
    ),
    ("affine_grid", "wrong_map"): _grid((1, 3, 3), (1, 1, 2, 2), ["'theta'", "2D affine", "Nx2x3"]),
    ("affine_grid", "wrong_volume_map"): _grid(
        (1, 2, 3), (1, 1, 2, 2, 2), ["'theta'", "3D affine", "Nx3x4"]
    ),
    ("affine_grid", "wrong_rank"): _grid(
        (1, 2, 3), (1, 1, 2), ["only supports 4D and 5D sizes", "'size'"], eagre.UnimplementedError
    ),
    ("affine_grid", "size_zero"): _grid(
        (1, 2, 3), (1, 1, 0, 2), ["non-zero, positive", "[1, 1, 0, 2]"]
    ),
    ("affine_grid", "batches_differ"): _grid((2, 2, 3), (1, 1, 2, 2), ["'size'", "batch of 2"]),
    ("affine_grid_generator", "wrong_rank"): mistake(
        lambda: eagre.affine_grid_generator(tensor(1, 2, 3), (1, 1, 2), False),
        ["affine_grid_generator()", "'size'", "4d (spatial) or 5d (volumetric)"],
    ),
    ("affine_grid_generator", "wrong_map"): mistake(
        lambda: eagre.affine_grid_generator(tensor(2, 3), (1, 1, 2, 2), False),
        ["affine_grid_generator()", "'theta'", "Nx2x3"],
    ),
}

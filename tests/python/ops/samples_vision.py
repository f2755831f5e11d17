"""Samples of ops/vision.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import ALL, Sample, make, strided, values
from samples_pool import adaptive, as_list, channels_last, pooled

import eagre

F = eagre.nn.functional


def cubic(x, a=-0.75):
    x = abs(x)
    if x <= 1:
        return (a + 2) * x**3 - (a + 3) * x**2 + 1
    return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0.0


FILTERS = {
    "bilinear": lambda x: max(0, 1 - abs(x)),
    "bicubic": lambda x: cubic(x, -0.5),
    "lanczos": lambda x: np.sinc(x) * np.sinc(x / 3) if abs(x) < 3 else 0.0,
}


def matrix(mode, n, m, corners=False, smooth=False, factor=None):
    """What a dimension of n elements is multiplied by to have m."""
    scale = (n / m if factor is None else 1 / factor) if not corners else (n - 1) / max(m - 1, 1)
    found = np.zeros((m, n))
    for o in range(m):
        center = scale * o if corners else scale * (o + 0.5) - 0.5
        if mode == "nearest":
            found[o, min(int(o * scale), n - 1)] = 1
        elif mode == "nearest-exact":
            found[o, min(int((o + 0.5) * scale), n - 1)] = 1
        elif smooth:
            wide = max(scale, 1.0)
            weights = np.asarray([FILTERS[mode]((i - center) / wide) for i in range(n)])
            found[o] = weights / weights.sum()
        elif mode == "bicubic":
            low = int(np.floor(center))
            for i in range(low - 1, low + 3):
                found[o, min(max(i, 0), n - 1)] += cubic(i - center)
        else:
            center = min(max(center, 0), n - 1)
            low = int(center)
            found[o, low] += 1 - (center - low)
            found[o, min(low + 1, n - 1)] += center - low
    return found


def resized(a, size, mode, corners=False, smooth=False, factors=None):
    if mode == "area":
        return pooled(a, adaptive(a, len(size), tuple(size)), lambda w, flat, places: w.mean(-1))
    out = a
    for i, m in enumerate(size):
        factor = None if factors is None else factors[i]
        by = matrix(mode, a.shape[2 + i], m, corners, smooth, factor)
        out = np.moveaxis(np.moveaxis(out, 2 + i, -1) @ by.T, -1, 2 + i)
    return out.astype(a.dtype)


def interpolate():
    shapes = {1: (2, 2, 5), 2: (1, 2, 4, 5), 3: (1, 1, 2, 3, 4)}
    modes = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}
    for mode in ("nearest", "nearest-exact", "area", *modes):
        for count in [modes[mode]] if mode in modes else (1, 2, 3):
            a = make(shapes[count])
            for size in ((3, 7, 2)[:count], (6, 3, 5)[:count], a.shape[2:]):
                yield Sample((a, size), resized(a, size, mode), {"mode": mode})
                if mode in modes:
                    named = {"mode": mode, "align_corners": True}
                    yield Sample((a, size), resized(a, size, mode, True), named)
            doubled = [2 * n for n in a.shape[2:]]
            yield Sample((a,), resized(a, doubled, mode), {"scale_factor": 2, "mode": mode})
            empty = make((0, *a.shape[1:]))
            yield Sample((empty, 2), np.zeros((0, a.shape[1], *[2] * count)), {"mode": mode})
    a = make((1, 2, 5, 6), np.float32)
    for mode in ("bilinear", "bicubic"):
        for size in ((3, 2), (7, 4), (5, 9)):
            named = {"mode": mode, "antialias": True}
            yield Sample((a, size), resized(a, size, mode, smooth=True), named, tolerance=1e-5)
        c = channels_last(make((2, 5, 4, 6), np.float32))
        yield Sample((c, (6, 9)), resized(c, (6, 9), mode), {"mode": mode}, tolerance=1e-5)
        factors = (1.5, 0.7)
        size = [7, 4]
        expected = resized(a, size, mode, factors=factors)
        yield Sample((a,), expected, {"scale_factor": factors, "mode": mode}, tolerance=1e-5)
        named = {"scale_factor": factors, "mode": mode, "recompute_scale_factor": True}
        yield Sample((a,), resized(a, size, mode), named, tolerance=1e-5)
    for size in ((3, 2), (7, 4), (5, 9), (5, 6)):
        named = {"mode": "lanczos", "antialias": True}
        yield Sample((a, size), resized(a, size, "lanczos", smooth=True), named, tolerance=1e-5)
    pixels = (make((1, 2, 5, 6)) * 5000 % 256).astype(np.uint8)
    for mode in ("bilinear", "bicubic", "lanczos"):  # lanczos reaches beyond 0 and 255
        smooth = mode == "lanczos"
        expected = resized(pixels.astype(np.float64), (7, 4), mode, smooth=smooth)
        named = {"mode": mode, "antialias": smooth}
        yield Sample((pixels, (7, 4)), np.rint(expected).clip(0, 255).astype(np.uint8), named)
    yield Sample((pixels, (7, 4)), resized(pixels, (7, 4), "nearest"), {"mode": "nearest"})
    c = channels_last(make((2, 5, 4, 6), np.float32))
    yield Sample((c, (6, 9)), resized(c, (6, 9), "nearest"), {"mode": "nearest"})
    wide = make((3, 4, 60, 70), np.float32)
    yield Sample((wide, (90, 140)), resized(wide, (90, 140), "bilinear"), {"mode": "bilinear"},
                 tolerance=1e-5)  # fmt: skip


def shuffled(a, r):
    *lead, c, h, w = a.shape
    n = len(lead)
    parts = a.reshape(*lead, c // (r * r), r, r, h, w)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return parts.transpose(order).reshape(*lead, c // (r * r), h * r, w * r)


def unshuffled(a, r):
    *lead, c, h, w = a.shape
    n = len(lead)
    parts = a.reshape(*lead, c, h // r, r, w // r, r)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return parts.transpose(order).reshape(*lead, c * r * r, h // r, w // r)


def pixel_shuffle():
    for dtype in ALL:
        a = values((4, 2, 3), dtype)
        yield Sample((a, 2), shuffled(a, 2))
    for shape, r in (((2, 9, 1, 2), 3), ((1, 2, 8, 2, 2), 2), ((3, 2, 2), 1), ((0, 4, 2, 2), 2)):
        yield Sample((make(shape), r), shuffled(make(shape), r))
    yield Sample((strided((4, 2, 3)), 2), shuffled(strided((4, 2, 3)), 2))


def pixel_unshuffle():
    for dtype in ALL:
        a = values((1, 2, 4), dtype)
        yield Sample((a, 2), unshuffled(a, 2))
    for shape, r in (((2, 1, 3, 6), 3), ((1, 2, 2, 4, 2), 2), ((3, 2, 2), 1), ((0, 4, 2, 2), 2)):
        yield Sample((make(shape), r), unshuffled(make(shape), r))


def channel_shuffle():
    for dtype in ALL:
        a = values((2, 6, 2), dtype)
        yield Sample((a, 3), a.reshape(2, 3, 2, 2).swapaxes(1, 2).reshape(a.shape))
    a = make((2, 4, 2, 3))
    yield Sample((a, 2), a.reshape(2, 2, 2, 2, 3).swapaxes(1, 2).reshape(a.shape))
    yield Sample((a, 1), a)


def _resize(*arguments, shape=(1, 1, 4, 4), **named):
    return lambda: F.interpolate(tensor(*shape), *arguments, **named)


def _refused(name, words, *arguments, shape=(4, 4, 4)):
    return mistake(lambda: getattr(eagre, name)(tensor(*shape), *arguments), [f"{name}()", *words])


_SIZE = ["interpolate()", "'size'"]
BAD = {
    ("interpolate", "unknown_mode"): mistake(
        _resize(2, mode="cubic"), ["interpolate()", "'mode'", "cubic"], eagre.UnimplementedError
    ),
    ("interpolate", "wrong_rank"): mistake(
        _resize(2, mode="linear"), ["'mode'", "linear", "4 dimensions"], eagre.UnimplementedError
    ),
    ("interpolate", "size_zero"): mistake(_resize(0), [*_SIZE, "greater than zero"]),
    ("interpolate", "size_huge"): mistake(_resize(2**40), [*_SIZE, "2^31"]),
    ("interpolate", "no_size"): mistake(_resize(), [*_SIZE, "either size or scale_factor"]),
    ("interpolate", "two_sizes"): mistake(
        _resize(2, 2.0), ["interpolate()", "'scale_factor'", "only one"]
    ),
    ("interpolate", "wrong_count"): mistake(_resize((2, 2, 2)), [*_SIZE, "[2, 2, 2]"]),
    ("interpolate", "corners_of_nearest"): mistake(
        _resize(2, align_corners=True), ["interpolate()", "'align_corners'"]
    ),
    ("interpolate", "smooth_nearest"): mistake(
        _resize(2, antialias=True), ["interpolate()", "'antialias'", "nearest"]
    ),
    ("interpolate", "lanczos_corners"): mistake(
        _resize(2, mode="lanczos", align_corners=True, antialias=True),
        ["interpolate()", "'align_corners'", "Lanczos mode does not support align_corners=True"],
    ),
    ("interpolate", "sharp_lanczos"): mistake(
        _resize(2, mode="lanczos"),
        ["interpolate()", "'antialias'", "Lanczos mode requires antialias=True"],
    ),
    ("pixel_shuffle", "factor_zero"): _refused("pixel_shuffle", ["'upscale_factor'"], 0),
    ("pixel_shuffle", "factor_huge"): _refused("pixel_shuffle", ["'upscale_factor'"], 2**62),
    ("pixel_shuffle", "channels_do_not_fit"): _refused("pixel_shuffle", ["'input'", "9"], 3),
    ("pixel_shuffle", "rank_too_small"): _refused("pixel_shuffle", ["[4]"], 1, shape=(4,)),
    ("pixel_unshuffle", "factor_zero"): _refused("pixel_unshuffle", ["'downscale_factor'"], 0),
    ("pixel_unshuffle", "pixels_do_not_fit"): _refused("pixel_unshuffle", ["'input'", "3"], 3),
    ("pixel_unshuffle", "rank_too_small"): _refused("pixel_unshuffle", ["[4]"], 1, shape=(4,)),
    ("channel_shuffle", "groups_zero"): _refused("channel_shuffle", ["'groups'"], 0),
    ("channel_shuffle", "groups_do_not_fit"): _refused("channel_shuffle", ["'input'", "3"], 3),
    ("channel_shuffle", "rank_too_small"): _refused("channel_shuffle", ["[4]"], 1, shape=(4,)),
}


def columns_of(a, kernel, dilation=1, padding=0, stride=1):
    both = [as_list(n, 2) for n in (kernel, dilation, padding, stride)]
    (kh, kw), (dh, dw), (ph, pw), (sh, sw) = both
    wide = np.pad(a, [(0, 0)] * (a.ndim - 2) + [(ph, ph), (pw, pw)])
    oh = (wide.shape[-2] - dh * (kh - 1) - 1) // sh + 1
    ow = (wide.shape[-1] - dw * (kw - 1) - 1) // sw + 1
    found = np.zeros((*a.shape[:-2], kh, kw, oh, ow), a.dtype)
    for i in range(kh):
        for j in range(kw):
            rows = slice(i * dh, i * dh + (oh - 1) * sh + 1, sh)
            found[..., i, j, :, :] = wide[..., rows, j * dw : j * dw + (ow - 1) * sw + 1 : sw]
    return found.reshape(*a.shape[:-3], a.shape[-3] * kh * kw, oh * ow)


_COLUMNS = ((2,), ((2, 3),), (2, 1, 1), (2, 2), (3, 1, 1, 2), ((1, 2), 1, (0, 1), (2, 1)))


def im2col():
    for dtype in (np.float64, np.float32, np.int64, np.bool_, np.complex64):
        a = values((1, 2, 4, 5), dtype)
        yield Sample((a, 2), columns_of(a, 2))
    a = make((2, 2, 4, 5))
    for some in _COLUMNS:
        yield Sample((a, *some), columns_of(a, *some))
    yield Sample((a[0], 2), columns_of(a[0], 2))
    yield Sample((make((0, 2, 3, 3)), 2), np.zeros((0, 8, 4)))


def col2im():
    size = (4, 5)
    for dtype in (np.float64, np.float32, np.complex64):
        a = values((2, *columns_of(np.zeros((2, *size)), 2).shape), dtype)
        yield Sample((a, size, 2), folded(a, size, 2))
    for some in _COLUMNS:
        a = make((1, *columns_of(np.zeros((2, *size)), *some).shape))
        yield Sample((a, size, *some), folded(a, size, *some))
        yield Sample((a[0], size, *some), folded(a[0], size, *some))


def folded(a, size, *some):
    """By the places that elements of an image of its own numbers have in columns."""
    elements = size[0] * size[1]
    places = columns_of(np.arange(1, elements + 1).reshape(1, *size), *some)
    lead, channels = a.shape[:-2], a.shape[-2] // places.shape[0]
    out = np.zeros((*lead, channels, elements + 1), a.dtype)
    parts = a.reshape(*lead, channels, -1)
    for i, place in enumerate(places.ravel()):
        out[..., place] += parts[..., i]
    return out[..., 1:].reshape(*lead, channels, *size)


BAD |= {
    ("im2col", "kernel_zero"): mistake(
        lambda: F.unfold(tensor(1, 1, 4, 4), 0), ["unfold()", "'kernel_size'"]
    ),
    ("im2col", "too_small"): mistake(
        lambda: F.unfold(tensor(1, 1, 4, 4), 5), ["unfold()", "'kernel_size'"]
    ),
    ("im2col", "wrong_rank"): mistake(
        lambda: F.unfold(tensor(4, 4), 2), ["unfold()", "'input'", "[4, 4]"]
    ),
    ("col2im", "kernel_zero"): mistake(
        lambda: F.fold(tensor(1, 4, 9), (4, 4), 0), ["fold()", "'kernel_size'"]
    ),
    ("col2im", "columns_differ"): mistake(
        lambda: F.fold(tensor(1, 4, 8), (4, 4), 2), ["fold()", "'input'", "9", "[1, 4, 8]"]
    ),
    ("col2im", "rows_differ"): mistake(
        lambda: F.fold(tensor(1, 3, 9), (4, 4), 2), ["fold()", "'input'", "4", "[1, 3, 9]"]
    ),
    ("col2im", "wrong_rank"): mistake(
        lambda: F.fold(tensor(4), (4, 4), 2), ["fold()", "'input'", "[4]"]
    ),
}

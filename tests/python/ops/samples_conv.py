"""Samples of ops/conv.yaml."""

import itertools

import numpy as np
from mistakes import tensor
from samples import Sample, make, strided

import eagre

NUMBERS = (np.float64, np.float32, np.int64, np.complex128)


def listed(value, rank):
    return [value] * rank if isinstance(value, int) else list(value) * (rank // len(value))


def convolved(a, w, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Sum by sum over the elements of kernels."""
    rank = w.ndim - 2
    if a.ndim == rank + 1:
        return convolved(a[None], w, bias, stride, padding, dilation, groups)[0]
    stride, dilation = listed(stride, rank), listed(dilation, rank)
    padding = listed(padding, rank) if padding != "valid" else [0] * rank
    pads = [(0, 0), (0, 0), *((p, p) for p in padding)]
    a = np.pad(a, pads)
    sizes = [
        (a.shape[d + 2] - dilation[d] * (w.shape[d + 2] - 1) - 1) // stride[d] + 1
        for d in range(rank)
    ]
    out = np.zeros((a.shape[0], w.shape[0], *sizes), a.dtype)
    width, height = w.shape[1], w.shape[0] // groups
    for group in range(groups):
        channels = a[:, group * width : (group + 1) * width]
        rows = slice(group * height, (group + 1) * height)
        for tap in itertools.product(*map(range, w.shape[2:])):
            window = tuple(
                slice(t * d, t * d + s * (n - 1) + 1, s)
                for t, d, s, n in zip(tap, dilation, stride, sizes, strict=True)
            )
            found = channels[(slice(None), slice(None), *window)]
            out[:, rows] += np.einsum("nc...,oc->no...", found, w[(rows, slice(None), *tap)])
    return out if bias is None else out + bias.reshape(-1, *[1] * rank)


def transposed(a, w, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Every element of `a` adds its multiple of the kernels to the result."""
    rank = w.ndim - 2
    if a.ndim == rank + 1:
        rest = (bias, stride, padding, output_padding, groups, dilation)
        return transposed(a[None], w, *rest)[0]
    stride, dilation = listed(stride, rank), listed(dilation, rank)
    padding, more = listed(padding, rank), listed(output_padding, rank)
    sizes = [
        (a.shape[d + 2] - 1) * stride[d] + dilation[d] * (w.shape[d + 2] - 1) + 1 + more[d]
        for d in range(rank)
    ]
    height, width = w.shape[0] // groups, w.shape[1]
    out = np.zeros((a.shape[0], width * groups, *sizes), a.dtype)
    for group in range(groups):
        rows = slice(group * height, (group + 1) * height)
        columns = slice(group * width, (group + 1) * width)
        for tap in itertools.product(*map(range, w.shape[2:])):
            window = tuple(
                slice(t * d, t * d + s * (n - 1) + 1, s)
                for t, d, s, n in zip(tap, dilation, stride, a.shape[2:], strict=True)
            )
            more = np.einsum("nc...,co->no...", a[:, rows], w[(rows, slice(None), *tap)])
            out[(slice(None), columns, *window)] += more
    cut = tuple(slice(p, n - p) for p, n in zip(padding, sizes, strict=True))
    out = out[(slice(None), slice(None), *cut)]
    return out if bias is None else out + bias.reshape(-1, *[1] * rank)


def sample(reference, args, kwargs=None):
    kwargs = kwargs or {}
    expected = reference(*args, **kwargs)
    tolerance = 1e-5 if expected.dtype == np.float32 else None
    return Sample(args, expected, kwargs, tolerance=tolerance)


def conv1d():
    a, w = make((2, 4, 9)), make((6, 4, 3), seed=1)
    yield sample(convolved, (a, w))
    yield sample(convolved, (a, w, make((6,))), {"stride": 2, "padding": 3, "dilation": 2})
    yield sample(convolved, (a[0], make((6, 2, 2))), {"groups": 2, "stride": [3]})
    # Taps that lie far apart.
    far = {"dilation": 6000, "padding": 6000}
    yield sample(convolved, (make((1, 1, 4)), make((1, 1, 3), seed=3)), far)


def conv2d():
    for dtype in NUMBERS:
        a, w, b = make((2, 2, 5, 4), dtype), make((3, 2, 3, 2), dtype, 1), make((3,), dtype, 2)
        yield sample(convolved, (a, w, b))
        yield sample(convolved, (a, w), {"stride": 2, "padding": [1, 2]})
        yield sample(convolved, (a, w, b), {"dilation": (2, 1), "padding": 2, "stride": (1, 3)})
    # One element, groups, and one channel for each group.
    yield sample(convolved, (make((2, 4, 3, 3)), make((6, 4, 1, 1), seed=1), make((6,))))
    yield sample(convolved, (make((1, 4, 4, 3)), make((6, 2, 2, 2), seed=1)), {"groups": 2})
    yield sample(convolved, (make((2, 3, 5, 5)), make((3, 1, 3, 3), seed=1)), {"groups": 3})
    yield sample(convolved, (make((2, 3, 4, 4)), make((6, 1, 2, 2), seed=1)), {"groups": 3})
    yield sample(convolved, (make((3, 4, 4)), make((2, 3, 2, 2), seed=1)))
    yield sample(convolved, (make((0, 3, 4, 4)), make((2, 3, 2, 2), seed=1)))
    yield sample(convolved, (strided((2, 2, 3, 4)), strided((3, 2, 2, 2), seed=1)))
    # Several blocks and tiles.
    a, w = make((2, 7, 30, 33), np.float32), make((14, 7, 3, 3), np.float32, 1)
    yield sample(convolved, (a, w), {"padding": 1})
    a, w = make((1, 70, 9, 8), np.float32), make((2, 70, 3, 3), np.float32, 1)
    yield sample(convolved, (a, w), {"stride": 2})


def conv3d():
    a, w, b = make((2, 2, 3, 4, 3)), make((4, 2, 2, 2, 3), seed=1), make((4,), seed=2)
    yield sample(convolved, (a, w, b))
    yield sample(convolved, (a, w), {"stride": (1, 2, 3), "padding": 2, "dilation": (2, 1, 1)})
    yield sample(convolved, (a[0], make((2, 1, 1, 2, 2), seed=1)), {"groups": 2})


def same_padding(rank):
    def reference(a, w, bias=None, padding="valid", dilation=1):
        if padding == "valid":
            return convolved(a, w, bias, dilation=dilation)
        spread = listed(dilation, rank)
        totals = [spread[d] * (w.shape[d + 2] - 1) for d in range(rank)]
        pads = [(0, 0)] * (a.ndim - rank) + [(t // 2, t - t // 2) for t in totals]
        return convolved(np.pad(a, pads), w, bias, dilation=dilation)

    shape = (2, 3, *(4, 5, 3)[:rank])
    for kernel in ((3, 2, 2)[:rank], (2, 4, 1)[:rank]):
        w = make((2, 3, *kernel), seed=1)
        yield sample(reference, (make(shape), w), {"padding": "same"})
        yield sample(reference, (make(shape)[0], w, make((2,))), {"padding": "same", "dilation": 2})
    yield sample(reference, (make(shape), w), {"padding": "valid"})


def conv1d_padding():
    yield from same_padding(1)


def conv2d_padding():
    yield from same_padding(2)


def conv3d_padding():
    yield from same_padding(3)


def conv_transpose1d():
    a, w = make((2, 4, 5)), make((4, 3, 3), seed=1)
    yield sample(transposed, (a, w))
    more = {"stride": 3, "padding": 2, "output_padding": 2, "dilation": 2}
    yield sample(transposed, (a, w, make((3,))), more)
    yield sample(transposed, (a[0], make((4, 1, 2))), {"groups": 2})
    # More is added than the stride is long.
    yield sample(transposed, (a, w), {"dilation": 3, "output_padding": 2})


def conv_transpose2d():
    for dtype in NUMBERS:
        a, w, b = make((2, 2, 3, 4), dtype), make((2, 3, 3, 2), dtype, 1), make((3,), dtype, 2)
        yield sample(transposed, (a, w, b))
        yield sample(transposed, (a, w), {"stride": 2, "padding": 1, "output_padding": (1, 0)})
        yield sample(transposed, (a, w, b), {"stride": (4, 3), "dilation": (1, 2)})
    yield sample(transposed, (make((2, 4, 3, 3)), make((4, 1, 2, 2), seed=1)), {"groups": 2})
    yield sample(transposed, (make((3, 4, 4)), make((3, 2, 1, 1), seed=1)))
    yield sample(transposed, (make((0, 3, 4, 4)), make((3, 2, 2, 2), seed=1)))


def conv_transpose3d():
    a, w = make((2, 2, 2, 3, 2)), make((2, 3, 2, 1, 3), seed=1)
    yield sample(transposed, (a, w, make((3,))), {"stride": (2, 1, 3), "padding": (1, 0, 1)})
    yield sample(transposed, (a[0], w))


def convolution():
    def reference(a, w, bias, stride, padding, dilation, is_transposed, more, groups):
        if is_transposed:
            return transposed(a, w, bias, stride, padding, more, groups, dilation)
        return convolved(a, w, bias, stride, padding, dilation, groups)

    a, w = make((2, 2, 5, 4)), make((2, 2, 3, 2), seed=1)
    rest = ([2, 1], [1, 0], [1, 1])
    yield sample(reference, (a, w, None, *rest, False, [0, 0], 1))
    yield sample(reference, (a, w, make((2,)), *rest, True, [1, 0], 1))


def refused(name, function, shapes, arguments, error, words):
    def call():
        return getattr(eagre, function)(*[tensor(*shape) for shape in shapes], **arguments)

    return {(name, words[0]): (call, error, [f"{function}()", *words[1:]])}


def refusals(function, rows):
    bad = {}
    for what, shapes, arguments, words in rows:
        row = [what, *words]
        bad |= refused(function, function, shapes, arguments, eagre.InvalidArgumentError, row)
    return bad


IMAGE, KERNEL = (1, 3, 5, 5), (2, 3, 3, 3)
BAD = refusals(
    "conv2d",
    [
        ("wrong_rank", [(3, 3), KERNEL], {}, ["Expected 3D (unbatched) or 4D (batched)", "[3, 3]"]),
        ("weight_rank", [IMAGE, (2, 3, 3)], {}, ["'weight'", "4 dimensions", "[2, 3, 3]"]),
        (
            "channels_differ",
            [(1, 4, 5, 5), KERNEL],
            {},
            ["'input'", "to have 3 channels", "got 4 channels instead"],
        ),
        ("groups_do_not_divide", [IMAGE, KERNEL], {"groups": 3}, ["'weight'", "groups=3"]),
        ("no_groups", [IMAGE, KERNEL], {"groups": 0}, ["'groups'", "positive", "0"]),
        (
            "kernel_too_large",
            [(1, 3, 2, 5), KERNEL],
            {},
            ["Kernel size can't be greater than actual input size"],
        ),
        ("stride_zero", [IMAGE, KERNEL], {"stride": 0}, ["'stride'", "greater than zero", "[0]"]),
        ("stride_negative", [IMAGE, KERNEL], {"stride": (1, -1)}, ["'stride'", "[1, -1]"]),
        ("padding_negative", [IMAGE, KERNEL], {"padding": -1}, ["'padding'", "[-1]"]),
        ("dilation_zero", [IMAGE, KERNEL], {"dilation": 0}, ["'dilation'", "[0]"]),
        ("stride_count", [IMAGE, KERNEL], {"stride": (1, 1, 1)}, ["'stride'", "[1, 1, 1]"]),
        ("bias_shape", [IMAGE, KERNEL, (3,)], {}, ["'bias'", "2 channels", "[3]"]),
        ("huge_padding", [IMAGE, KERNEL], {"padding": 2**62}, ["'padding'"]),
        ("huge_dilation", [IMAGE, KERNEL], {"dilation": 2**62}, ["'dilation'"]),
        ("huge_stride", [IMAGE, KERNEL], {"stride": 2**62}, ["'stride'"]),
    ],
)
for function, image, kernel in [
    ("conv1d", (1, 3, 2), (2, 3, 3)),
    ("conv3d", (1, 3, 2, 5, 5), (2, 3, 3, 3, 3)),
]:
    rows = [
        ("wrong_rank", [(3,), kernel], {}, ["Expected", "(unbatched)"]),
        ("kernel_too_large", [image, kernel], {}, ["Kernel size can't be greater"]),
    ]
    BAD |= refusals(function, rows)
for function, rank in [("conv1d", 1), ("conv2d", 2), ("conv3d", 3)]:
    shapes = [(1, 3, *[5] * rank), (2, 3, *[3] * rank)]
    rows = [
        ("unknown_padding", shapes, {"padding": "full"}, ["'padding'", "'valid'", "'full'"]),
        (
            "same_with_stride",
            shapes,
            {"padding": "same", "stride": 2},
            ["padding='same' is not supported for strided convolutions"],
        ),
    ]
    BAD |= {
        (f"{function}_padding", what): row for (_, what), row in refusals(function, rows).items()
    }
for function, rank in [("conv_transpose1d", 1), ("conv_transpose2d", 2), ("conv_transpose3d", 3)]:
    shapes = [(1, 3, *[5] * rank), (3, 2, *[3] * rank)]
    rows = [
        ("wrong_rank", [(3,), shapes[1]], {}, ["Expected", "(unbatched)"]),
        (
            "output_padding_too_large",
            shapes,
            {"output_padding": 1},
            ["output padding must be smaller than either stride or dilation"],
        ),
    ]
    BAD |= refusals(function, rows)
IMAGE, KERNEL = (1, 3, 5, 5), (3, 2, 3, 3)
BAD |= refusals(
    "conv_transpose2d",
    [
        ("channels_differ", [(1, 4, 5, 5), KERNEL], {}, ["'input'", "to have 3 channels"]),
        ("output_padding_negative", [IMAGE, KERNEL], {"output_padding": -1}, ["[-1]"]),
        ("result_too_small", [IMAGE, KERNEL], {"padding": 4}, ["'padding'", "too small"]),
        ("huge_stride", [IMAGE, KERNEL], {"stride": 2**31 - 1}, ["conv_transpose2d()"]),
    ],
)
BAD |= {
    ("conv2d", "mixed_dtypes"): (
        lambda: eagre.conv2d(tensor(1, 3, 5, 5), tensor(2, 3, 3, 3, dtype=np.float64)),
        eagre.DTypeError,
        ["conv2d()", "'weight'", "float32", "float64"],
    ),
    ("conv2d", "bools"): (
        lambda: eagre.conv2d(
            tensor(1, 3, 5, 5, dtype=np.bool_), tensor(2, 3, 3, 3, dtype=np.bool_)
        ),
        eagre.UnimplementedError,
        ["conv2d()", "bool"],
    ),
    ("convolution", "wrong_rank"): (
        lambda: eagre.convolution(tensor(3), tensor(2, 3, 3), None, [1], [0], [1], False, [0], 1),
        eagre.InvalidArgumentError,
        ["convolution()", "'input'", "[3]"],
    ),
}


def conv_tbc():
    for dtype in (np.float64, np.float32):
        a, w, b = make((5, 2, 3), dtype), make((2, 3, 4), dtype, 1), make((4,), dtype, 2)
        for pad in (0, 2):
            wide = np.pad(a, ((pad, pad), (0, 0), (0, 0)))
            expected = b + sum(wide[k : len(wide) - 1 + k] @ w[k] for k in range(2))
            yield Sample((a, w, b, pad) if pad else (a, w, b), expected, tolerance=1e-5)


def _tbc(*words, input=(5, 2, 3), weight=(2, 3, 4), bias=(4,), pad=0):
    call = lambda: eagre.conv_tbc(tensor(*input), tensor(*weight), tensor(*bias), pad)  # noqa: E731
    return call, eagre.InvalidArgumentError, ["conv_tbc()", *words]


BAD |= {
    ("conv_tbc", "input_rank"): _tbc("'input'", "[5, 3]", input=(5, 3)),
    ("conv_tbc", "weight_rank"): _tbc("'weight'", "[3, 4]", weight=(3, 4)),
    ("conv_tbc", "channels_differ"): _tbc("'weight'", "3 channels", weight=(2, 2, 4)),
    ("conv_tbc", "bias_size"): _tbc("'bias'", "vector of 4", bias=(3,)),
    ("conv_tbc", "pad_negative"): _tbc("'pad'", "-1", pad=-1),
}

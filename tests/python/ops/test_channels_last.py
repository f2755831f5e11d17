"""Which operators keep channels last in memory, in results and gradients: as PyTorch 2.15 does."""

import itertools

import pytest

import eagre
from eagre.nn import functional as F

SIZES = {2: (5, 6), 3: (4, 5, 6)}


def last(tensor):
    return tensor.contiguous(memory_format=eagre.channels_last)


def last_strides(shape):
    """Of a dense tensor with channels last."""
    strides, step = [0] * len(shape), 1
    for d in (1, *range(len(shape) - 1, 1, -1), 0):
        strides[d] = step
        step *= shape[d]
    return tuple(strides)


def row_strides(shape):
    return tuple(eagre.empty(shape).stride())


def strides_are(tensor, is_last):
    shape = tuple(tensor.shape)
    assert tuple(tensor.stride()) == (last_strides(shape) if is_last else row_strides(shape))


def outcome(function, inputs, gradient):
    """The result and the gradients of all inputs."""
    leaves = [x.detach().requires_grad_() for x in inputs]
    result = function(*leaves)
    return result, *eagre.autograd.grad(result, leaves, gradient(result))


def in_rows(result):
    return eagre.arange(1.0, result.numel() + 1).reshape(result.shape) / result.numel()


def in_channels(result):
    return last(in_rows(result))


def agree(found, expected, tolerance=1e-5):
    for a, b in zip(found, expected, strict=True):
        assert eagre.allclose(a, b, tolerance, tolerance), (a - b).abs().max()


CONVOLUTIONS = {
    "plain": ({}, 3),
    "point": ({}, 1),
    "stride": ({"stride": 2, "padding": 1}, 3),
    "dilation": ({"dilation": 2, "padding": 2}, 3),
    "groups": ({"groups": 2, "padding": 1}, 3),
}


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(rank, name, transposed):
    more, kernel = CONVOLUTIONS[name]
    function = getattr(F, f"conv_transpose{rank}d" if transposed else f"conv{rank}d")
    groups = more.get("groups", 1)
    channels = (4, 6 // groups) if transposed else (6, 4 // groups)
    x, w = eagre.randn(2, 4, *SIZES[rank]), eagre.randn(*channels, *(kernel,) * rank)
    b = eagre.randn(6)

    def call(x, w, b):
        return function(x, w, b, **more)

    expected = outcome(call, (x, w, b), in_rows)
    for tensor in expected[:3]:
        strides_are(tensor, False)
    # A kernel of one element lies both ways, and as it was.
    layouts = [(last(x), w), (last(x), last(w))] + [(x, last(w))] * (kernel > 1)
    for (image, weight), gradient in itertools.product(layouts, (in_rows, in_channels)):
        found = outcome(call, (image, weight, b), gradient)
        for tensor in found[:3]:
            strides_are(tensor, True)
        agree(found, expected)


def test_conv1d_knows_no_channels_last():
    x, w = eagre.randn(2, 3, 9), eagre.randn(4, 3, 2)
    turned = x.transpose(1, 2).contiguous().transpose(1, 2)
    for tensor in outcome(F.conv1d, (turned, w), in_rows):
        strides_are(tensor, False)


@pytest.mark.parametrize("rank", [2, 3])
def test_depthwise_convolutions(rank):
    for channels in (3, 16, 70):
        x, w = eagre.randn(2, channels, *SIZES[rank]), eagre.randn(channels, 1, *(3,) * rank)

        def call(x, w, rank=rank, channels=channels):
            return getattr(F, f"conv{rank}d")(x, w, None, 2, 1, groups=channels)

        expected = outcome(call, (x, w), in_rows)
        found = outcome(call, (last(x), w), in_rows)
        for tensor in found:
            strides_are(tensor, True)
        agree(found, expected)


# One channel or one pixel lies both ways: what counts are the strides that it has.
@pytest.mark.parametrize(
    ("shape", "strides", "weight", "is_last"),
    [
        ((2, 1, 5, 6), (30, 30, 6, 1), (8, 1, 3, 3), False),
        ((2, 1, 5, 6), (30, 1, 6, 1), (8, 1, 3, 3), True),
        ((2, 4, 1, 1), (4, 1, 1, 1), (8, 4, 1, 1), False),
        ((2, 4, 1, 1), (4, 1, 4, 4), (8, 4, 1, 1), True),
        ((2, 4, 6, 1), (24, 1, 4, 1), (8, 4, 1, 1), False),
        ((2, 4, 6, 1), (24, 1, 4, 4), (8, 4, 1, 1), True),
        ((1, 4, 5, 6), (4, 1, 24, 4), (8, 4, 3, 3), False),
        ((1, 4, 5, 6), (0, 1, 24, 4), (8, 4, 3, 3), False),
        ((1, 4, 5, 6), (120, 1, 24, 4), (8, 4, 3, 3), True),
        ((2, 4, 5, 6), (240, 2, 48, 8), (8, 4, 3, 3), True),  # every second channel
        ((2, 4, 5, 6), (120, 1, 4, 20), (8, 4, 3, 3), False),
        ((2, 4, 5, 6), (0, 1, 24, 4), (8, 4, 3, 3), False),
    ],
)
def test_what_asks_for_channels_last(shape, strides, weight, is_last):
    room = eagre.randn(1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True)))
    x = room.as_strided(shape, strides)
    result = F.conv2d(x, eagre.randn(weight))
    strides_are(result, is_last)
    if shape[2] > 1 and shape[3] > 1:
        strides_are(F.max_pool2d(x, 2), is_last)
        strides_are(F.interpolate(x, scale_factor=2), is_last)
    if shape[1:] != (4, 1, 1):
        strides_are(F.group_norm(x, 1), is_last)


@pytest.mark.parametrize("shape", [(2, 1, 5, 6), (8, 4, 1, 1), (4, 1, 3, 3), (2, 4, 5, 6)])
def test_conversions_give_strides_that_ask(shape):
    x = eagre.randn(shape)
    moved = x.to(memory_format=eagre.channels_last)
    strides_are(moved, True)
    assert moved.to(memory_format=eagre.channels_last) is moved
    strides_are(x.to(eagre.float64, memory_format=eagre.channels_last), True)
    assert eagre.equal(moved, x)


def test_weights_of_one_element_ask_too():
    w = eagre.randn(32).as_strided((8, 4, 1, 1), (4, 1, 4, 4))
    strides_are(F.conv2d(eagre.randn(2, 4, 5, 6), w), True)


def test_one_image_without_a_batch():
    x, w = eagre.randn(4, 5, 6), eagre.randn(8, 4, 3, 3)
    assert F.conv2d(x, last(w)).stride() == (1, 32, 8)
    assert F.conv2d(x, w).stride() == (12, 4, 1)
    agree([F.conv2d(x, last(w))], [F.conv2d(x, w)])


def test_padding_by_words():
    x, w = eagre.randn(2, 4, 5, 6), eagre.randn(8, 4, 2, 3)
    for padding in ("same", "valid"):
        result = F.conv2d(last(x), w, padding=padding)
        strides_are(result, True)
        agree([result], [F.conv2d(x, w, padding=padding)])


@pytest.mark.parametrize("dtype", [eagre.float64, eagre.float16, eagre.bfloat16, eagre.complex64])
def test_dtypes(dtype):
    x, w = eagre.randn(2, 4, 5, 6).to(dtype), eagre.randn(8, 4, 3, 3).to(dtype)
    result = F.conv2d(last(x), w)
    strides_are(result, True)
    agree([result], [F.conv2d(x, w)])


def test_empty_batches():
    x = eagre.empty(0, 4, 5, 6).to(memory_format=eagre.channels_last)
    strides_are(F.conv2d(x, eagre.randn(8, 4, 3, 3)), False)


@pytest.mark.parametrize("rank", [2, 3])
def test_second_gradients(rank):
    x = last(eagre.randn(2, 4, *SIZES[rank])).requires_grad_()
    w = eagre.randn(8, 4, *(3,) * rank).requires_grad_()
    result = getattr(F, f"conv{rank}d")(x, w)
    first = eagre.autograd.grad(result, (x, w), in_rows(result), create_graph=True)
    for tensor in (*first, *eagre.autograd.grad(first[0].sum() + (first[1] ** 2).sum(), (x, w))):
        strides_are(tensor, True)
    norm = F.batch_norm(x, None, None, training=True)
    (first,) = eagre.autograd.grad(norm, x, in_rows(norm), create_graph=True)
    strides_are(first, True)
    strides_are(eagre.autograd.grad((first**2).sum(), x)[0], True)


SHAPES = [
    (2, 4, 5, 6),
    (1, 6, 4, 3),
    (3, 70, 3, 4),
    (2, 4, 3, 4, 5),
    (70, 4, 9, 1),
    (2, 130, 20, 9),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_norms(shape):
    channels = shape[1]
    x, w, b = eagre.randn(shape) * 2 + 3, eagre.randn(channels), eagre.randn(channels)
    norms = [lambda x, w, b: F.batch_norm(x, None, None, w, b, True)]
    norms += [lambda x, w, b, n=n: F.group_norm(x, n, w, b) for n in (1, 2, channels)]
    for norm in norms:
        expected = outcome(norm, (x, w, b), in_rows)
        strides_are(expected[0], False)
        for gradient in (in_rows, in_channels):
            found = outcome(norm, (last(x), w, b), gradient)
            for tensor in found[:2]:
                strides_are(tensor, True)
            agree(found, expected, 1e-4)
            strides_are(outcome(norm, (x, w, b), gradient)[1], False)


def test_norms_under_transforms():
    x = eagre.randn(2, 4, 5, 6)
    norms = [
        lambda x: F.group_norm(x, 2),
        lambda x: F.batch_norm(x, None, None, training=True),
        lambda x: F.conv2d(x, eagre.ones(3, 4, 2, 2)),
    ]
    for norm in norms:
        found = eagre.func.jvp(norm, (last(x),), (last(x) * 2,))
        strides_are(found[0], True)
        agree(found, eagre.func.jvp(norm, (x,), (x * 2,)))
        samples = eagre.stack([last(x), last(x) + 1])
        mapped = eagre.vmap(norm)(samples)
        agree([mapped[0], mapped[1]], [norm(x), norm(x + 1)])


def test_statistics_that_are_given():
    x, w, b = eagre.randn(2, 4, 5, 6), eagre.randn(4), eagre.randn(4)
    mean, variance = eagre.randn(4), eagre.rand(4) + 1

    def norm(x, w, b):
        return F.batch_norm(x, mean, variance, w, b)

    expected = outcome(norm, (x, w, b), in_rows)
    for gradient in (in_rows, in_channels):
        found = outcome(norm, (last(x), w, b), gradient)
        for tensor in found[:2]:
            strides_are(tensor, True)
        agree(found, expected)
        strides_are(outcome(norm, (x, w, b), gradient)[1], False)


def test_running_statistics():
    x = eagre.randn(3, 4, 5, 6) + 2
    found, expected = ([eagre.zeros(4), eagre.ones(4)] for _ in range(2))
    F.batch_norm(last(x), *found, training=True)
    F.batch_norm(x, *expected, training=True)
    agree(found, expected)


# PyTorch asks batch_norm whether the input is row-major, and only then for its channels.
def test_batch_norm_of_what_lies_both_ways():
    def norm(x):
        return F.batch_norm(x, None, None, training=True)

    one_channel = eagre.randn(60).as_strided((2, 1, 5, 6), (30, 1, 6, 1))
    strides_are(norm(one_channel), False)
    strides_are(F.group_norm(one_channel, 1), True)
    one_image = eagre.randn(120).as_strided((1, 4, 5, 6), (4, 1, 24, 4))
    strides_are(norm(one_image), True)
    strides_are(F.group_norm(one_image, 2), False)


@pytest.mark.parametrize("shape", [(2, 4, 5, 6), (2, 4, 3, 4, 5)])
def test_instance_norm_is_row_major(shape):
    x, w, b = eagre.randn(shape), eagre.randn(4), eagre.randn(4)

    def norm(x, w, b):
        return F.instance_norm(x, None, None, w, b)

    expected = outcome(norm, (x, w, b), in_rows)
    for gradient in (in_rows, in_channels):
        found = outcome(norm, (last(x), w, b), gradient)
        for tensor in found[:2]:
            strides_are(tensor, False)
        agree(found, expected)
    numbers = eagre.zeros(4), eagre.ones(4)
    for gradient in (in_rows, in_channels):
        for tensor in outcome(
            lambda x: F.instance_norm(x, *numbers, use_input_stats=False), (last(x),), gradient
        ):
            strides_are(tensor, False)


MOVES = {
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), (2, 8, 3, 4)),
    "pixel_shuffle_to_one_channel": (lambda x: F.pixel_shuffle(x, 2), (2, 4, 3, 4)),
    "pixel_unshuffle": (lambda x: F.pixel_unshuffle(x, 2), (2, 3, 4, 6)),
    "pixel_unshuffle_to_one_pixel": (lambda x: F.pixel_unshuffle(x, 2), (2, 3, 2, 2)),
    "channel_shuffle": (lambda x: F.channel_shuffle(x, 2), (2, 8, 3, 4)),
    "channel_shuffle_3d": (lambda x: F.channel_shuffle(x, 4), (2, 8, 3, 4, 2)),
}


@pytest.mark.parametrize("name", MOVES)
def test_pixels_and_channels_that_move(name):
    move, shape = MOVES[name]
    x = eagre.randn(shape)
    expected = outcome(move, (x,), in_rows)
    found = outcome(move, (last(x),), in_channels)
    strides_are(expected[0], False)
    strides_are(expected[1], False)
    strides_are(found[0], True)
    if "to_one" not in name:
        strides_are(found[1], True)
    agree(found, expected)


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("channels", [3, 20])
def test_grid_sample_is_row_major(rank, channels):
    x = eagre.randn(2, channels, *SIZES[rank])
    grid = eagre.rand(2, *SIZES[rank], rank) * 2 - 1

    def sample(x, grid):
        return F.grid_sample(x, grid, align_corners=False)

    expected = outcome(sample, (x, grid), in_rows)
    for image, gradient in itertools.product((x, last(x)), (in_rows, in_channels)):
        found = outcome(sample, (image, grid), gradient)
        for tensor in found:
            strides_are(tensor, False)
        agree(found, expected)


@pytest.mark.parametrize("rank", [2, 3])
def test_averages_of_whole_planes(rank):
    pool = getattr(F, f"adaptive_avg_pool{rank}d")
    x = eagre.randn(2, 4, *SIZES[rank])
    expected = outcome(lambda x: pool(x, 1), (x,), in_rows)
    strides_are(expected[0], False)
    strides_are(expected[1], False)
    found = outcome(lambda x: pool(x, 1), (last(x),), in_rows)
    strides_are(found[0], True)
    strides_are(found[1], False)
    agree(found, expected)
    one = outcome(lambda x: F.adaptive_avg_pool1d(x, 1), (eagre.randn(2, 3, 5),), in_rows)
    strides_are(one[1], False)


def test_bits_do_not_depend_on_threads():
    x, w = last(eagre.randn(3, 40, 30, 31)), eagre.randn(40, 40, 3, 3)
    b = eagre.randn(40)
    calls = [
        (lambda x, w, b: F.conv2d(x, w, b, padding=1), (x, w, b)),
        (lambda x, w, b: F.conv2d(x, w, b), (x, w[:, :, :1, :1], b)),
        (lambda x, w: F.conv2d(x, w, groups=40), (x, w[:, :1])),
        (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), (x, b, b)),
        (lambda x, w, b: F.group_norm(x, 4, w, b), (x, b, b)),
    ]
    before = eagre.get_num_threads()
    try:
        for function, inputs in calls:
            eagre.set_num_threads(1)
            expected = outcome(function, inputs, in_rows)
            for threads in (2, 5):
                eagre.set_num_threads(threads)
                found = outcome(function, inputs, in_rows)
                assert all(eagre.equal(a, b) for a, b in zip(found, expected, strict=True))
    finally:
        eagre.set_num_threads(before)

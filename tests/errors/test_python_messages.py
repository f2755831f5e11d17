"""Messages of functions that are written in Python, and of those that write in place: function,
argument, what was expected and what came, as the operators of records word it."""
# ruff: noqa: E501  a message is easier to find in few pieces

import math

import pytest

import eagre
import eagre.nn.functional as F
from eagre.nn.utils import rnn


def t(*shape, **options):
    return eagre.ones(shape, **options)


WRONG = eagre.InvalidArgumentError
TYPE = eagre.DTypeError

MESSAGES = [
    (
        lambda: F.relu_(-1),
        TYPE,
        "relu_(): argument 'input' must be a Tensor, but got int",
    ),
    (
        lambda: F.threshold_(None, 1, 1),
        TYPE,
        "threshold_(): argument 'input' must be a Tensor, but got None",
    ),
    (
        lambda: eagre.fill_(5, 3),
        TYPE,
        "fill_(): the arguments (int, int) fit none of its forms: fill_(input, value)",
    ),
    (
        lambda: F.interpolate(5, 2),
        TYPE,
        "interpolate(): argument 'input' must be a Tensor, but got int",
    ),
    (
        lambda: F.interpolate(t(1, 1, 4), scale_factor="x"),
        TYPE,
        "interpolate(): argument 'scale_factor' must be a number, but got str",
    ),
    (
        lambda: F.upsample(5, 2),
        TYPE,
        "upsample(): argument 'input' must be a Tensor, but got int",
    ),
    (
        lambda: F.upsample_nearest(None, 2),
        TYPE,
        "upsample_nearest(): argument 'input' must be a Tensor, but got None",
    ),
    (
        lambda: F.upsample_bilinear(5, 2),
        TYPE,
        "upsample_bilinear(): argument 'input' must be a Tensor, but got int",
    ),
    (
        lambda: F.fractional_max_pool2d(None, 2, 1),
        TYPE,
        "fractional_max_pool2d(): argument 'input' must be a Tensor, but got None",
    ),
    (
        lambda: F.fractional_max_pool2d(t(1, 4, 4), 2, output_ratio="x"),
        TYPE,
        "fractional_max_pool2d(): argument 'output_ratio' must be a number, or a list of numbers, but got str",
    ),
    (
        lambda: F.triplet_margin_with_distance_loss(5, 5, 5),
        TYPE,
        "triplet_margin_with_distance_loss(): argument 'anchor' must be a Tensor, but got int",
    ),
    (
        lambda: F.triplet_margin_with_distance_loss(t(2), t(2), t(2), margin="x"),
        TYPE,
        "triplet_margin_with_distance_loss(): argument 'margin' must be a number, but got str",
    ),
    (
        lambda: F.triplet_margin_with_distance_loss(t(2), t(2), t(2), distance_function=5),
        TYPE,
        "triplet_margin_with_distance_loss(): argument 'distance_function' must be a function, but got int",
    ),
    (
        lambda: F.triplet_margin_with_distance_loss(t(2), t(2), t(2), reduction="x"),
        WRONG,
        "triplet_margin_with_distance_loss(): argument 'reduction' must be 'none', 'mean' or 'sum', but got 'x'",
    ),
    (
        lambda: rnn.pad_packed_sequence(t(2)),
        TYPE,
        "pad_packed_sequence(): argument 'sequence' must be a PackedSequence, but got eagre.Tensor",
    ),
    (
        lambda: rnn.unpack_sequence(5),
        TYPE,
        "unpack_sequence(): argument 'packed_sequences' must be a PackedSequence, but got int",
    ),
    (
        lambda: rnn.pack_padded_sequence(t(2, 2), "x"),
        TYPE,
        "pack_padded_sequence(): argument 'lengths' must be a Tensor or list of ints, but got str",
    ),
    (
        lambda: rnn.pack_sequence(5),
        TYPE,
        "pack_sequence(): argument 'sequences' must be a list of Tensors, but got int",
    ),
    (
        lambda: rnn.pad_sequence([5]),
        TYPE,
        "pad_sequence(): argument 'sequences' must be a list of Tensors, but got int",
    ),
    (
        lambda: rnn.unpad_sequence(5, [1]),
        TYPE,
        "unpad_sequence(): argument 'padded_sequences' must be a Tensor, but got int",
    ),
    (
        lambda: eagre.histogram(t(3), "x"),
        TYPE,
        "histogram(): argument 'bins' must be an int or edges in a Tensor, but got str",
    ),
    (
        lambda: eagre.histogram(5, 3),
        TYPE,
        "histogram(): argument 'input' must be a Tensor, but got int",
    ),
    (
        lambda: eagre.histogram(t(3), 3, range="x"),
        TYPE,
        "histogram(): argument 'range' must be a tuple of floats, but got str",
    ),
    (
        lambda: eagre.histogramdd(t(3, 2), "x"),
        TYPE,
        "histogramdd(): argument 'bins' must be an int, or a list of ints or Tensors, but got str",
    ),
    (
        lambda: eagre.tensordot(t(2, 2), t(2, 2), math.inf),
        TYPE,
        "tensordot(): tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but got dims=inf: argument 'dims' must be an int or two lists of ints, but got float",
    ),
    (
        lambda: eagre.tensordot(t(2, 2), t(2, 2), [[0]]),
        WRONG,
        "tensordot(): tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but got dims=[[0]]: argument 'dims' must be an int or two lists of ints, but got list",
    ),
    (
        lambda: F.interpolate(t(2, 3), scale_factor=2.0),
        eagre.UnimplementedError,
        "interpolate(): Input Error: argument 'mode' must be nearest, nearest-exact, area, or linear for 3D, bilinear, bicubic and lanczos for 4D, trilinear for 5D tensors, but got 'nearest' for an 'input' with 2 dimensions",
    ),
    (
        lambda: F.interpolate(t(1, 1, 4), scale_factor=t(2)),
        TYPE,
        "interpolate(): argument 'scale_factor' must be a number, but got eagre.Tensor",
    ),
    (
        lambda: eagre.gradient((1, 2)),
        TYPE,
        "gradient(): argument 'input' must be a Tensor, but got tuple",
    ),
    (
        lambda: eagre.gradient(t(3), spacing="x"),
        TYPE,
        "gradient(): argument 'spacing' must be a number, but got str",
    ),
    (
        lambda: rnn.unpad_sequence(t(2, 2), "x"),
        TYPE,
        "unpad_sequence(): argument 'lengths' must be a Tensor or list of ints, but got str",
    ),
    (
        lambda: F.multi_head_attention_forward(
            5, t(2, 1, 4), t(2, 1, 4), 4, 1, None, None, None, None, False, 0.0, t(4, 4), None
        ),
        TYPE,
        "multi_head_attention_forward(): argument 'query' must be a Tensor, but got int",
    ),
    (
        lambda: eagre.einsum(5),
        WRONG,
        "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list, but got int",
    ),
    (
        lambda: eagre.einsum(t(2), 5),
        TYPE,
        "einsum(): argument 'operands' must be Tensors, each before its list of labels, but got int",
    ),
    (
        lambda: eagre.einsum(t(2), ["x"]),
        TYPE,
        "einsum(): argument 'operands' must be Tensors, each before its list of labels, but got list",
    ),
]


@pytest.mark.parametrize(
    ("call", "kind", "text"), MESSAGES, ids=[text.partition("(")[0] for _, _, text in MESSAGES]
)
def test_message(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert str(caught.value) == text

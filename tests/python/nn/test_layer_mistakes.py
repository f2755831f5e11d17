"""What layers refuse, with the words that programs for PyTorch know."""

import pytest

import eagre
import eagre.nn.functional as F
from eagre import nn


def x(*shape):
    return eagre.ones(*shape)


MISTAKES = [
    (
        lambda: nn.Conv2d(3, 4, 10)(x(1, 3, 1, 2)),
        "Calculated padded input size per channel: (1 x 2). Kernel size: (10 x 10). Kernel size "
        "can't be greater than actual input size",
    ),
    (lambda: nn.Conv1d(3, 4, 2, stride=-1)(x(1, 3, 4)), "non-positive stride is not supported"),
    (lambda: nn.BCELoss()(x(25), x(25, 1)), "Using a target size ([25, 1]) that is different"),
    (
        lambda: nn.Fold((4, 5), (2, 3))(x(1, 5, 9)),
        "must be divisible by the product of kernel_size, 6, in dimension 1",
    ),
    (
        lambda: nn.CrossEntropyLoss(label_smoothing=1.2)(x(2, 3), x(2, 3)),
        "label_smoothing must be between 0.0 and 1.0",
    ),
    (lambda: nn.Linear(2, 3)(eagre.tensor(1.0)), "both arguments to linear need to be at least 1D"),
    (lambda: F.rrelu(x(2), float("inf")), "rrelu: lower bound must be finite, got inf"),
    (lambda: nn.RReLU(0.5, 0.3)(x(2)), "Lower bound should be less than or equal to the upper"),
    (lambda: nn.Conv2d(3, 4, 3)(x(1, 2, 5, 5)), "to have 3 channels"),
]


@pytest.mark.parametrize(("call", "words"), MISTAKES, ids=[words[:40] for _, words in MISTAKES])
def test_refused(call, words):
    with pytest.raises(RuntimeError) as raised:
        call()
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: nn.Conv2d(3, 4, 3, groups=2), "in_channels must be divisible by groups"),
        (lambda: nn.Conv2d(4, 3, 3, groups=2), "out_channels must be divisible by groups"),
        (lambda: nn.Conv2d(4, 4, 3, groups=0), "groups must be a positive integer"),
        (lambda: nn.Conv2d(1, 1, 3, padding="x"), "Invalid padding string 'x'"),
        (lambda: nn.Conv2d(1, 1, 3, 2, "same"), "padding='same' is not supported for strided"),
        (lambda: nn.Conv2d(1, 1, 3, padding_mode="x"), "padding_mode must be one of"),
        (
            lambda: nn.ConvTranspose2d(1, 1, 3, padding_mode="reflect"),
            'Only "zeros" padding mode is supported for ConvTranspose2d',
        ),
        (lambda: nn.GroupNorm(2, 3), "num_channels (3) must be divisible by num_groups (2)"),
        (lambda: nn.Bilinear(0, 1, 1), "in1_features must be > 0, but got 0"),
        (lambda: nn.MultiheadAttention(0, 1), "embed_dim and num_heads must be greater than 0"),
        (lambda: nn.MultiMarginLoss(p=3), "only p == 1 and p == 2 supported"),
        (lambda: nn.TripletMarginLoss(-1), "expected margin to be greater than 0, got -1"),
        (lambda: nn.FractionalMaxPool2d(2), "either an output size, or a pooling ratio"),
        (lambda: nn.LinearCrossEntropyOptions(acc_policy="x"), "acc_policy"),
        (lambda: nn.LinearCrossEntropyOptions(chunking_method="aspect_ratio:0"), "chunking_method"),
        (lambda: nn.LinearCrossEntropyOptions(acc_dtype=eagre.int32), "acc_dtype"),
    ],
)
def test_not_made(make, words):
    with pytest.raises(ValueError) as raised:
        make()
    assert words in str(raised.value)


def test_kinds_of_arguments():
    with pytest.raises(
        TypeError, match="unflattened_size must be tuple of ints, but found element"
    ):
        nn.Unflatten(1, (2, "3"))
    with pytest.raises(TypeError, match="input_size should be of type int, got: float"):
        nn.GRU(1.5, 2)
    with pytest.raises(AssertionError, match="max_val must be larger than min_val"):
        nn.Hardtanh(1, 0)
    with pytest.raises(RuntimeError, match="activation should be relu/gelu, not tanh"):
        nn.TransformerEncoderLayer(4, 2, activation="tanh")
    with pytest.raises(TypeError, match="must be a LinearCrossEntropyOptions, but got int"):
        F.linear_cross_entropy(x(1, 2), x(3, 2), eagre.tensor([0]), options=3)


def test_device_of_factories():
    assert (
        nn.factory_kwargs({"device": "cpu"}) == {"device": "cpu"} and nn.factory_kwargs(None) == {}
    )
    assert nn.factory_kwargs({"factory_kwargs": {"dtype": 1}, "device": 2}) == {
        "dtype": 1,
        "device": 2,
    }
    with pytest.raises(TypeError, match="unexpected kwargs"):
        nn.factory_kwargs({"size": 1})
    with pytest.raises(TypeError, match="device specified twice"):
        nn.factory_kwargs({"factory_kwargs": {"device": 1}, "device": 2})

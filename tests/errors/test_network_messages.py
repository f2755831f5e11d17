"""Messages of the functions of networks: what people know from PyTorch, where there is something,
then what was expected and what came, under the names that the caller knows."""
# ruff: noqa: E501  a message is easier to find in few pieces

import pytest

import eagre
import eagre.nn.functional as F


def t(*shape, **options):
    return eagre.ones(shape, **options)


def recurrent(function, *states, gates):
    hx = states[0] if len(states) == 1 else states
    params = [t(gates * 4, 2), t(gates * 4, 4)]
    return function(t(3, 1, 2), hx, params, False, 1, 0.0, False, False, False)


WRONG = eagre.InvalidArgumentError
TYPE = eagre.DTypeError

MESSAGES = [
    (
        lambda: F.batch_norm(t(1, 3), None, None, training=True),
        WRONG,
        "batch_norm(): Expected more than 1 value per channel when training, got input size [1, 3]: argument 'input' must be of several values for each deviation, but got one",
    ),
    (
        lambda: F.batch_norm(t(2, 3), t(2), t(3)),
        WRONG,
        "batch_norm(): running_mean should contain 3 elements not 2: argument 'running_mean' must be a vector with a number for each of 3 channels, but got shape [2]",
    ),
    (
        lambda: F.batch_norm(t(2, 3), None, None),
        WRONG,
        "batch_norm(): running_mean must be defined in evaluation mode: argument 'running_mean' must be a tensor outside of training, but got None",
    ),
    (
        lambda: F.batch_norm(t(2, 3, device="meta"), t(3), t(3)),
        WRONG,
        "batch_norm(): argument 'running_mean' must be on the same device as 'input' (meta), but got a tensor on cpu. Hint: move one of them with .to(device), or set the flag 'auto_transfer'",
    ),
    (
        lambda: F.instance_norm(t(1, 3, 1)),
        WRONG,
        "instance_norm(): Expected more than 1 spatial element when training, got input size [1, 3, 1]: argument 'input' must be of several values for each deviation, but got one",
    ),
    (
        lambda: F.instance_norm(t(1, 3, 2), use_input_stats=False),
        WRONG,
        "instance_norm(): Expected running_mean and running_var to be defined when use_input_stats is false: argument 'running_mean' must be a tensor outside of training, but got None",
    ),
    (
        lambda: F.group_norm(t(1, 3, 2), 2),
        WRONG,
        "group_norm(): Expected number of channels in input to be divisible by num_groups, but got input of shape [1, 3, 2] and num_groups=2: argument 'num_groups' must be a number that divides 3, the number of channels, but got 2",
    ),
    (
        lambda: F.group_norm(t(1, 3, 0), 1),
        WRONG,
        "group_norm(): Expected HxW to be greater than 0, got 0: argument 'input' must be a tensor with elements in each channel, but got shape [1, 3, 0]",
    ),
    (
        lambda: F.local_response_norm(t(2, 3), 1),
        WRONG,
        "local_response_norm(): Expected 3D or higher dimensionality input (got 2 dimensions): argument 'input' must be a tensor (N, C, …) with at least 3 dimensions, but got shape [2, 3]",
    ),
    (
        lambda: F.layer_norm(t(2, 3), (3,), t(3, dtype=eagre.float64)),
        TYPE,
        "layer_norm(): expected scalar type Float but found Double: argument 'weight' must be float32, as 'input', but got float64",
    ),
    (
        lambda: F.layer_norm(t(2, 3).half(), (3,), t(3), t(3).half()),
        TYPE,
        "layer_norm(): mixed dtype (CPU): expect parameter to have scalar type of Float: argument 'bias' must be float32, as the other parameter beside a half, but got float16",
    ),
    (
        lambda: F.conv1d(t(1, 1, 4), t(1, 1, 3), padding="full"),
        WRONG,
        "conv1d(): Invalid padding string: 'full': argument 'padding' must be 'valid' or 'same', or numbers, but got 'full'",
    ),
    (
        lambda: F.conv1d(t(1, 1, 4), t(1, 1, 3), padding="same", stride=2),
        WRONG,
        "conv1d(): padding='same' is not supported for strided convolutions: argument 'padding' must be 'valid' or numbers beside a stride of 2, but got 'same'",
    ),
    (
        lambda: F.conv1d(t(1, 1, 2), t(1, 1, 3)),
        WRONG,
        "conv1d(): in convolution(): Calculated padded input size per channel: (2). Kernel size: (3). Kernel size can't be greater than actual input size: argument 'weight' must be a kernel that is not larger than the padded input, but got one over (3)",
    ),
    (
        lambda: F.conv1d(t(1, 1, 4), t(1, 2, 3)),
        WRONG,
        "conv1d(): in convolution(): Given groups=1, weight of size [1, 2, 3], expected input[1, 1, 4] to have 2 channels, but got 1 channels instead: argument 'input' must be a tensor of 2 channels, but got 1 of them",
    ),
    (
        lambda: F.conv_transpose1d(t(1, 1, 4), t(1, 1, 3), output_padding=1),
        WRONG,
        "conv_transpose1d(): in convolution(): output padding must be smaller than either stride or dilation: argument 'output_padding' must be less than stride [1] or dilation [1], but got [1]",
    ),
    (
        lambda: F.gaussian_nll_loss(t(2), t(2), -t(2)),
        WRONG,
        "gaussian_nll_loss(): var has negative entry/entries: argument 'var' must be variances from 0 on, but got a negative one",
    ),
    (
        lambda: F.gaussian_nll_loss(t(2), t(2), -1.0),
        WRONG,
        "gaussian_nll_loss(): var has negative entry/entries: argument 'var' must be a variance from 0 on, but got -1.0",
    ),
    (
        lambda: F.gaussian_nll_loss(t(2), t(2), t(3)),
        WRONG,
        "gaussian_nll_loss(): var is of incorrect size: argument 'var' must be a variance for each element or row of 'input' of shape [2], but got shape [3]",
    ),
    (
        lambda: F.nll_loss(t(2, 3), eagre.tensor([0])),
        WRONG,
        "nll_loss(): 1D target tensor expected, multi-target not supported: argument 'target' must be of shape [2], to fit 'input' of shape [2, 3], but got shape [1]",
    ),
    (
        lambda: F.grid_sample(t(1, 1, 2, 2), t(1, 2, 2, 2, device="meta"), align_corners=False),
        WRONG,
        "grid_sample(): argument 'grid' must be on the same device as 'input' (cpu), but got a tensor on meta. Hint: move one of them with .to(device), or set the flag 'auto_transfer'",
    ),
    (
        lambda: recurrent(eagre.gru, t(1, 1, 4, dtype=eagre.float64), gates=3),
        TYPE,
        "gru(): argument 'hx' must be of the same dtype as 'input' (float32), but got float64. Hint: convert one of them with .to(dtype)",
    ),
    (
        lambda: recurrent(eagre.lstm, t(1, 1, 4), t(1, 1, 4, device="meta"), gates=4),
        WRONG,
        "lstm(): argument 'hx' must be on the same device as 'input' (cpu), but got a tensor on meta. Hint: move one of them with .to(device), or set the flag 'auto_transfer'",
    ),
    (
        lambda: eagre.gru_cell(t(3, 2), t(3, 4), t(12, 2), t(12, 4, dtype=eagre.float64)),
        TYPE,
        "gru_cell(): argument 'w_hh' must be of the same dtype as 'input' (float32), but got float64. Hint: convert one of them with .to(dtype)",
    ),
    (
        lambda: F.embedding(eagre.zeros(1, dtype=eagre.int64, device="meta"), t(3, 4)),
        WRONG,
        "embedding(): argument 'input' must be on the same device as 'weight' (cpu), but got a tensor on meta. Hint: move one of them with .to(device), or set the flag 'auto_transfer'",
    ),
    (
        lambda: F.fold(t(1, 4, 4), (3, 3), (2, 2), stride=5),
        WRONG,
        "fold(): argument 'input' must be of size 1, the number of windows, in its last dimension, but got shape [1, 4, 4]",
    ),
    (
        lambda: F.unfold(t(4, 4), 2),
        WRONG,
        "unfold(): argument 'input' must be a tensor with 3 or 4 dimensions, but got shape [4, 4]",
    ),
    (
        lambda: F.adaptive_avg_pool2d(t(1, 4, 4), -(2**63)),
        WRONG,
        "adaptive_avg_pool2d(): argument 'output_size' must be greater than or equal to 0, or None, but got -9223372036854775808",
    ),
    (
        lambda: F.adaptive_max_pool2d(t(1, 4, 4), (2, -(2**63))),
        WRONG,
        "adaptive_max_pool2d(): argument 'output_size' must be greater than or equal to 0, or None, but got -9223372036854775808",
    ),
    (
        lambda: F.ctc_loss(t(3, 1, 4), t(1, 2, device="meta").long(), (3,), (2,)),
        eagre.UnimplementedError,
        "ctc_loss(): argument 'targets' must be a tensor with values, but got one on the device 'meta', which has none",
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

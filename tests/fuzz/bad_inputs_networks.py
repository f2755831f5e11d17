"""Inputs of convolutions, pooling, padding, norms and losses that killed other libraries, or made
them answer wrongly: programs, as in bad_inputs.py."""

PROGRAMS = {
    # Sizes that overflow
    "padding_by_the_largest_integer": """
import eagre.nn.functional as F
x = torch.zeros(1, 3, 10, 10)
for mode in ("constant", "replicate", "reflect", "circular"):
    refused(lambda: F.pad(x, (2**40,) * 4, mode))
    for amount in (2**63 - 1, 2**62, -(2**63), -(2**62)):
        refused(lambda: F.pad(x, (amount, 0, 0, 0), mode), "pad")
        refused(lambda: F.pad(x, (amount,) * 4, mode), "pad")
""",
    "columns_of_an_impossible_image": """
import eagre.nn.functional as F
x, image = torch.zeros(1, 4, 4), torch.zeros(1, 1, 4, 4)
for odd in (536870912, 1250999896764, 2**62, 0, -1):
    refused(lambda: F.fold(x, (odd, odd), 2, dilation=odd, padding=odd), "fold")
    refused(lambda: F.unfold(image, 2, dilation=odd, stride=odd), "unfold")
refused(lambda: F.fold(x, (536870912, 536870912), 2, stride=536870912), "fold")
""",
    "pooling_of_nothing_that_is_long": """
import eagre.nn.functional as F
refused(lambda: torch.empty(12, 2, 2, 2, 0, 4634247419717959497), "empty")
for kernel in (0, -1, 2**31, 2**62):
    for pool in (F.max_pool1d, F.avg_pool1d):
        refused(lambda: pool(torch.zeros(1, 2, 4), kernel), pool.__name__, "kernel_size")
refused(lambda: F.max_pool2d(torch.zeros(1, 1, 4, 4), 2, padding=2**62), "padding")
refused(lambda: F.max_pool2d(torch.zeros(1, 1, 4, 4), 2, stride=0), "stride")
refused(lambda: F.max_pool2d(torch.zeros(1, 1, 4, 4), 2, dilation=2**62), "dilation")
""",
    "transposed_convolution_with_a_huge_stride": """
import eagre.nn.functional as F
x, w = torch.zeros(1, 1, 4), torch.zeros(1, 1, 3)
for stride in (2**31, 2**62, 2**63 - 1, 0, -1):
    refused(lambda: F.conv_transpose1d(x, w, stride=stride), "conv_transpose1d", "stride")
refused(lambda: F.conv_transpose1d(x, w, stride=2**31 - 1, dilation=2**31 - 1))
refused(lambda: F.conv_transpose1d(x, w, output_padding=2**62), "output_padding")
""",
    "resizing_to_impossible_sizes": """
import eagre.nn.functional as F
x = torch.zeros(1, 1, 4, 4)
for mode in ("nearest", "bilinear", "bicubic", "area"):
    for size in (10**18, 2**31, 0, -1):
        refused(lambda: F.interpolate(x, size=(size, size), mode=mode), "size")
    for scale in (1e38, 1e300, float("inf"), float("nan"), 0.0, -1.0, 1e-300):
        refused(lambda: F.interpolate(x, scale_factor=scale, mode=mode), "interpolate")
""",
    "sampling_at_places_that_are_nowhere": """
import itertools
import eagre.nn.functional as F
far = torch.tensor([float("nan"), float("inf"), -float("inf"), 1e30, -1e30, 2.0**31, 2.0**63])
for spatial, channels in itertools.product((2, 3), (1, 9)):
    image = torch.zeros(1, channels, *[3] * spatial).requires_grad_()
    for point in itertools.product(far, repeat=spatial):
        grid = torch.stack(point).reshape(*[1] * (spatial + 1), spatial).requires_grad_()
        for mode, padding in itertools.product((0, 1, 2), (0, 1, 2)):
            torch.grid_sampler(image, grid, mode, padding, False).sum().backward()
refused(lambda: torch.grid_sampler(image, grid, 3, 0, False), "interpolation_mode")
refused(lambda: torch.grid_sampler(image, grid, 0, -1, False), "padding_mode")
refused(lambda: F.affine_grid(torch.zeros(1, 2, 3), (1, 1, 2**40, 2**40), False), "affine_grid")
""",
    "windows_at_impossible_places": """
import eagre.nn.functional as F
x = torch.zeros(1, 1, 8, 8)
for number in (float("nan"), float("inf"), -float("inf"), -3.0, 1e30, 2.0):
    found = F.fractional_max_pool2d(x, 2, 3, _random_samples=torch.full((1, 1, 2), number))
    assert found.shape == (1, 1, 3, 3)
for size in (2**31, 2**62, 0, -1):
    refused(lambda: F.fractional_max_pool2d(x, 2, size), "output_size")
    refused(lambda: F.fractional_max_pool2d(x, size, 2), "kernel_size")
""",
    "gradients_of_convolutions_of_impossible_sizes": """
from eagre.nn import grad
w, g = torch.zeros(2, 2, 3), torch.zeros(1, 2, 4)
for size in ((1, 2, 2**62), (1, 2, -1), (1, 2, 0), (2**62, 2, 6), (1, 2**62, 6), (1, 2)):
    refused(lambda: grad.conv1d_input(size, w, g), "conv1d_input")
    refused(lambda: grad.conv1d_weight(torch.zeros(1, 2, 6), size, g), "conv1d_weight")
for groups in (0, -1, 2**31, 2**62):
    refused(lambda: grad.conv1d_input((1, 2, 6), w, g, groups=groups), "groups")
""",
    # Convolution
    "convolution_of_no_channels": """
import eagre.nn.functional as F
x, w = torch.zeros(1, 2, 4, 4), torch.zeros(2, 2, 2, 2)
refused(lambda: F.conv2d(x, w[:, :0]), "conv2d", "weight")
refused(lambda: F.conv2d(x, w[:, :, :0]), "conv2d", "weight")
for groups in (0, -1, 2**62):
    refused(lambda: F.conv2d(x, w, groups=groups), "groups")
assert F.conv2d(torch.zeros(0, 2, 4, 4), torch.zeros(3, 2, 2, 2)).shape == (0, 3, 3, 3)
""",
    "gradients_of_convolution_from_unrelated_shapes": """
import eagre.nn.functional as F
x = torch.zeros(1, 2, 6, 6, requires_grad=True)
w = torch.zeros(2, 2, 3, 3, requires_grad=True)
y = F.conv2d(x, w)
for shape in ((1, 2, 5, 4), (1, 3, 4, 4), (9, 2, 4, 4), (2,), ()):
    refused(lambda: y.backward(torch.zeros(shape)), kinds=(RuntimeError, ValueError))
x3 = torch.zeros(1, 2, 4, 4, 4, requires_grad=True)
y3 = F.conv3d(x3, torch.zeros(2, 2, 3, 3, 3, requires_grad=True))
g3 = torch.zeros(1, 2, 2, 2, 3)
refused(lambda: torch.autograd.grad(y3, x3, g3), kinds=(RuntimeError, ValueError))
""",
    # Pooling
    "gradients_of_pooling_from_unrelated_shapes": """
import eagre.nn.functional as F
x = torch.zeros(5, 7, 9, 9, requires_grad=True)
for pool in (F.max_pool2d, F.avg_pool2d, F.adaptive_max_pool2d, F.adaptive_avg_pool2d):
    y = pool(x, 3)
    refused(lambda: y.backward(torch.zeros(9, 7, 9, 9)), kinds=(RuntimeError, ValueError))
assert F.max_pool2d(torch.zeros(0, 2, 4, 4, requires_grad=True), 2).shape == (0, 2, 2, 2)
""",
    "unpooling_to_places_that_are_not_there": """
import eagre.nn.functional as F
x = torch.ones(1, 1, 2, 2)
for bad in (16, -1, 2**40, -(2**63)):
    places = torch.tensor([[[[0, 1], [2, bad]]]])
    refused(lambda: F.max_unpool2d(x, places, 2), "max_unpool2d")
places = torch.zeros(1, 1, 2, 2, dtype=torch.int64)
refused(lambda: F.max_unpool2d(x[None], places[None], 2), "max_unpool2d")
refused(lambda: F.max_unpool2d(x, places[..., :1], 2), "max_unpool2d")
refused(lambda: F.max_unpool2d(x, places, 2, output_size=(2**40, 2**40)))
""",
    "adaptive_pooling_to_odd_sizes": """
import eagre.nn.functional as F
x = torch.zeros(1, 2, 4, 4, 4)
for pool in (F.adaptive_max_pool3d, F.adaptive_avg_pool3d):
    for size in (-1, 2**62, (1, 2), (1, 2, 3, 4)):
        refused(lambda: pool(x, size), pool.__name__)
    refused(lambda: pool(torch.zeros(1, 2, 0, 4, 4), 2), pool.__name__)
""",
    # Padding
    "padding_of_too_many_dimensions": """
import eagre.nn.functional as F
kinds = (NotImplementedError, torch.Error)
for mode in ("replicate", "reflect", "circular"):
    refused(lambda: F.pad(torch.zeros([1] * 9), [0] * 6, mode), "pad", kinds=kinds)
    refused(lambda: F.pad(torch.zeros(2, 3), [], mode), "pad", kinds=kinds)
refused(lambda: F.pad(torch.zeros(1, 2, 3), (3, 3), "reflect"), "pad")
refused(lambda: F.pad(torch.zeros(1, 2, 3), (4, 4), "circular"), "pad")
refused(lambda: F.pad(torch.zeros(1, 2, 0), (1, 1), "replicate"), "pad")
refused(lambda: F.pad(torch.zeros(1, 2, 3), (-2, -2)), "pad")
""",
    "shuffling_pixels_of_nothing": """
import eagre.nn.functional as F
assert F.pixel_shuffle(torch.ones(1, 1, 1, 1, 0), 1).shape == (1, 1, 1, 1, 0)
for factor in (0, -1, 2**31, 2**62):
    refused(lambda: F.pixel_shuffle(torch.ones(1, 4, 2, 2), factor), "pixel_shuffle")
    refused(lambda: F.pixel_unshuffle(torch.ones(1, 4, 2, 2), factor), "pixel_unshuffle")
""",
    # A second operand that does not fit the first
    "statistics_that_are_too_short": """
import eagre.nn.functional as F
x = torch.zeros(2, 8, 3)
short, right = torch.zeros(2), torch.ones(8)
refused(lambda: F.batch_norm(x, short, right, training=True), "running_mean")
refused(lambda: F.batch_norm(x, right, short, training=False), "running_var")
refused(lambda: F.batch_norm(x, right, right, weight=short), "weight")
refused(lambda: F.batch_norm(x, right, right, bias=short), "bias")
refused(lambda: F.instance_norm(x, short, right), "running_mean")
refused(lambda: F.group_norm(x, 4, weight=short), "weight")
refused(lambda: F.layer_norm(x, (3,), weight=short), "weight")
refused(lambda: F.rms_norm(x, (3,), weight=short), "weight")
for groups in (0, -1, 3, 2**62):
    refused(lambda: F.group_norm(x, groups), "num_groups")
""",
    "ctc_loss_of_labels_that_are_not_there": """
import eagre.nn.functional as F
log_probs = torch.zeros(5, 1, 3)
def loss(targets, input_lengths=[5], target_lengths=[2], blank=0):
    numbers = map(torch.tensor, (targets, input_lengths, target_lengths))
    return F.ctc_loss(log_probs, *numbers, blank=blank)
for bad in (3, -1, 2**40, -(2**63)):
    refused(lambda: loss([[1, bad]]), "targets")
    refused(lambda: loss([[1, 2]], blank=bad), "blank")
for bad in (6, -1, 2**40):
    refused(lambda: loss([[1, 2]], input_lengths=[bad]), "input_lengths")
    refused(lambda: loss([[1, 2]], target_lengths=[bad]), "target_lengths")
refused(lambda: loss([[1, 2]], input_lengths=[5, 5]), "input_lengths")
""",
    "attention_of_operands_that_differ": """
import eagre.nn.functional as F
q = torch.zeros(1, 2, 4, 8)
attend = F.scaled_dot_product_attention
refused(lambda: attend(q, q[..., :7], q[..., :7]), "scaled_dot_product_attention")
refused(lambda: attend(q, q[:, :, :3], q), "scaled_dot_product_attention")
refused(lambda: attend(q, q[:, [0, 1, 1]], q[:, [0, 1, 1]]), "scaled_dot_product_attention")
refused(lambda: attend(q, q, q, attn_mask=torch.zeros(3, 3)), "attn_mask")
refused(lambda: attend(q, q, q, dropout_p=2.0), "dropout_p")
assert attend(q, q[:, :, :0], q[:, :, :0]).shape == q.shape
""",
    "classes_that_are_not_there": """
import eagre.nn.functional as F
x = torch.zeros(2, 3)
for bad in (3, -1, 2**40, -(2**63)):
    target = torch.tensor([0, bad])
    refused(lambda: F.nll_loss(x, target), "nll_loss", kinds=IndexError)
    refused(lambda: F.cross_entropy(x, target), "cross_entropy", kinds=IndexError)
    refused(lambda: F.multi_margin_loss(x, target), "multi_margin_loss")
    if bad != -1:
        refused(lambda: F.one_hot(target, 3), "one_hot")
refused(lambda: F.nll_loss(x, torch.tensor([0, 1]), weight=torch.ones(2)), "weight")
refused(lambda: F.one_hot(torch.tensor([2**62])), "one_hot")
""",
    # Recurrent networks
    "packed_sequences_that_are_none": """
data, h, w = torch.zeros(6, 4), torch.zeros(1, 2, 5), [torch.zeros(20, 4), torch.zeros(20, 5)]
rest = ([h, h], w, False, 1, 0.0, False, False)
def run(sizes, data=data):
    return torch.lstm(data, torch.tensor(sizes, dtype=torch.int64), *rest)
for sizes in ([], [0], [2, 2, 2, 0], [-1, 7], [2, 4], [2**63 - 1] * 3, [-(2**63)], [7]):
    refused(lambda: run(sizes), "lstm")
refused(lambda: run([], data[:0]), "lstm", "sequence length")
refused(lambda: torch.lstm(data, torch.tensor([[2, 2, 2]]), *rest))
sizes = torch.empty(3, dtype=torch.int64, device="meta")
refused(lambda: torch.lstm(data, sizes, *rest))
""",
    "recurrent_networks_of_impossible_sizes": """
x, h = torch.zeros(3, 2, 4), torch.zeros(1, 2, 5)
w = [torch.zeros(15, 4), torch.zeros(15, 5)]
for layers in (0, -1, 2, 2**62, 2**63 - 1, -(2**63)):
    refused(lambda: torch.gru(x, h, w, False, layers, 0.0, False, False, False), "gru")
    refused(lambda: torch.gru(x, h, w, False, layers, 0.0, False, True, False), "gru")
for p in (-0.1, 1.1, float("nan"), float("inf")):
    refused(lambda: torch.gru(x, h, w, False, 1, p, True, False, False), "gru", "dropout")
rest = (False, 1, 0.0, False, False, False)
many = torch.zeros(2**40, 0, 5)
refused(lambda: torch.gru(torch.zeros(3, 0, 4), many, w, False, 2**40, *rest[2:]), "gru")
nothing = torch.gru(x, torch.zeros(1, 2, 0), [torch.zeros(0, 4), torch.zeros(0, 0)], *rest)
assert nothing[0].shape == (3, 2, 0) and nothing[1].shape == (1, 2, 0)
for steps in (1, 3):
    for kind in (torch.rnn_tanh, torch.gru):
        w = torch.zeros(0, 4, requires_grad=True), torch.zeros(0, 0, requires_grad=True)
        kind(x[:steps], torch.zeros(1, 2, 0), w, *rest)[0].sum().backward()
        assert w[0].grad.shape == (0, 4) and w[1].grad.shape == (0, 0)
    for state, size in ((3, 0), (0, 3)):
        w = [torch.ones(4 * size, 4), torch.ones(4 * size, state), torch.ones(state, size)]
        w = [one.requires_grad_() for one in w]
        hx = torch.ones(1, 2, state), torch.ones(1, 2, size)
        torch.lstm(x[:steps], hx, w, *rest)[0].sum().backward()
        assert [one.grad.shape for one in w] == [one.shape for one in w]
state = [torch.zeros(1, 2, 3), torch.zeros(1, 2, 0)]
parts = [torch.zeros(0, 4), torch.zeros(0, 3), torch.ones(3, 0)]
results = torch.lstm(x, state, parts, *rest)
assert results[0].tolist() == torch.zeros(3, 2, 3).tolist()
""",
    "sequences_that_cannot_be_packed": """
from eagre.nn.utils import rnn
x = torch.zeros(3, 2)
for lengths in ([], [3], [3, 3, 3], [0, 3], [-1, 3], [2**62, 1], [2**63 - 1] * 2, [[3, 3]]):
    for is_sorted in (True, False):
        refused(lambda: rnn.pack_padded_sequence(x, lengths, enforce_sorted=is_sorted), "lengths")
refused(lambda: rnn.pack_padded_sequence(torch.zeros(3), [3]), "pack_padded_sequence")
packed = rnn.pack_padded_sequence(x, [3, 2])
for total in (2, 0, -1, 2**62, 2**63 - 1):
    refused(lambda: rnn.pad_packed_sequence(packed, total_length=total))
for sequences in ([], [torch.zeros(())], [x, torch.zeros(3)], [x, torch.zeros(2, 3)]):
    refused(lambda: rnn.pad_sequence(sequences), "pad_sequence")
for lengths in ([4, 1], [-1, 1], [2**62, 1], [1]):
    refused(lambda: rnn.unpad_sequence(x, lengths), "lengths")
""",
    "padding_packed_sequences_to_any_length": """
data, sizes = torch.zeros(3, 0), torch.tensor([2, 1])
for total in (2**62, 2**63 - 1):
    refused(lambda: torch._pad_packed_sequence(data, sizes, False, 0, total))
    refused(lambda: torch._pad_packed_sequence(torch.zeros(3), sizes, True, 0, total))
assert torch._pad_packed_sequence(data, sizes, False, 0, -(2**63))[0].shape == (2, 2, 0)
refused(lambda: torch._pad_packed_sequence(torch.zeros(()), sizes, False, 0, -1))
for length in (2**63 - 1, -(2**63), 0, 3):
    lengths = torch.tensor([length] * 2)
    refused(lambda: torch._pack_padded_sequence(torch.zeros(2, 2), lengths, False), "lengths")
""",
}

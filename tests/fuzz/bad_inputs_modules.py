"""Modules, and tools for them, with inputs that killed other libraries, or made them answer
wrongly: programs, as in bad_inputs.py."""

PROGRAMS = {
    "pixel_shuffle_of_nothing": """
from eagre import nn
for shape in ((1, 1, 1, 1, 0), (1, 4, 0, 2), (0, 4, 2, 2), (1, 4, 2, 0)):
    assert nn.PixelShuffle(1)(torch.ones(*shape)).numel() == 0
    if len(shape) == 4:
        assert nn.PixelShuffle(2)(torch.ones(*shape)).numel() == 0
for factor in (0, -1, 2**31, 2**62):
    refused(lambda: nn.PixelShuffle(factor)(torch.ones(1, 4, 2, 2)), "pixel_shuffle")
    refused(lambda: nn.PixelUnshuffle(factor)(torch.ones(1, 4, 2, 2)), "pixel_unshuffle")
""",
    "padding_module_of_the_largest_integer": """
from eagre import nn
x = torch.zeros(1, 3, 10, 10)
kinds = (nn.ReplicationPad2d, nn.ReflectionPad2d, nn.CircularPad2d, nn.ZeroPad2d)
for kind in kinds:
    for amount in (2**63 - 1, 2**62, -(2**63), -(2**62)):
        refused(lambda: kind(amount)(x))
        refused(lambda: kind((amount, 0, 0, 0))(x))
""",
    "transposed_convolution_without_a_stride": """
from eagre import nn
x = torch.zeros(1, 2, 4, 4)
for stride in (0, -1, 2**31, 2**62):
    refused(lambda: nn.ConvTranspose2d(2, 2, 3, stride=stride)(x), "stride")
    refused(lambda: nn.Conv2d(2, 2, 3, stride=stride)(x), "stride")
refused(lambda: nn.ConvTranspose2d(2, 2, 3, output_padding=2**62)(x), "output_padding")
both = (torch.Error, ValueError)
refused(lambda: nn.Conv2d(2, 2, 3, groups=0), kinds=both)
refused(lambda: nn.Conv2d(2, 2**62, 3), kinds=both)
""",
    "recurrent_cells_with_states_of_another_shape": """
from eagre import nn
both = (torch.Error, ValueError, RuntimeError)
for cell, state in ((nn.LSTMCell, 2), (nn.GRUCell, 1), (nn.RNNCell, 1)):
    for shape in ((2, 3, 3), (3, 3, 3), (2,), (0,), (4, 3)):
        hidden = [torch.zeros(*shape) for _ in range(state)]
        refused(lambda: cell(3, 3)(torch.randn(3), hidden if state == 2 else hidden[0]), kinds=both)
        refused(lambda: cell(3, 3)(torch.randn(2, 7)), kinds=both)
        refused(lambda: cell(3, 3)(torch.randn(2, 2, 2, 3)), kinds=both)
""",
    "recurrent_layers_with_wrong_sizes": """
from eagre import nn
both = (torch.Error, ValueError, TypeError, RuntimeError)
for kind in (nn.LSTM, nn.GRU, nn.RNN):
    refused(lambda: kind(3, 0), kinds=both)
    refused(lambda: kind(3, -1), kinds=both)
    refused(lambda: kind(3, 2**62), kinds=both)
    refused(lambda: kind(3, 3, dropout=2.0), kinds=both)
    layer = kind(3, 3, num_layers=2)
    refused(lambda: layer(torch.zeros(2, 2, 7)), kinds=both)
    refused(lambda: layer(torch.zeros(3)), kinds=both)
    refused(lambda: layer(torch.zeros(2, 2, 3), torch.zeros(1, 2, 3)), kinds=both)
    assert layer(torch.zeros(2, 0, 3))[0].shape == (2, 0, 3)
packed = nn.utils.rnn.pack_padded_sequence
refused(lambda: packed(torch.zeros(2, 2, 3), [2, 0]), kinds=both)
refused(lambda: packed(torch.zeros(2, 2, 3), [9, 1]), kinds=both)
""",
    "norms_of_gradients_that_are_no_numbers": """
from eagre import nn
weight = nn.Parameter(torch.ones(2))
assert nn.utils.clip_grad_norm_([weight], 1.0).item() == 0
for value in (float("nan"), float("inf")):
    weight.grad = torch.full((2,), value)
    refused(lambda: nn.utils.clip_grad_norm_([weight], 1.0, error_if_nonfinite=True),
            kinds=(torch.Error, RuntimeError))
    nn.utils.clip_grad_norm_([weight], 1.0)
weight.grad = torch.ones(2)
for order in (0.0, -1.0, float("inf"), -float("inf"), 1e300):
    nn.utils.clip_grad_norm_([weight], 1.0, norm_type=order)
both = (torch.Error, RuntimeError, TypeError, ValueError)
refused(lambda: nn.utils.clip_grad_norm_([3], 1.0), kinds=(*both, AttributeError))
refused(lambda: nn.utils.clip_grad_norm_([weight], "x"), kinds=both)
""",
    "parametrizations_that_do_not_fit": """
from eagre import nn
from eagre.nn.utils import parametrize
class Shorter(nn.Module):
    def forward(self, x):
        return x[:1]
class Nothing(nn.Module):
    def forward(self, x):
        return None
both = (torch.Error, ValueError, TypeError, RuntimeError)
layer = nn.Linear(2, 2)
for wrong in (Shorter(), Nothing()):
    refused(lambda: parametrize.register_parametrization(layer, "weight", wrong), kinds=both)
refused(lambda: parametrize.register_parametrization(layer, "none", nn.Identity()), kinds=both)
refused(lambda: parametrize.remove_parametrizations(layer, "weight"), kinds=both)
assert layer(torch.ones(1, 2)).shape == (1, 2)
""",
}

"""Layers compute what their functions do, with their own parameters and options."""

import copy
import math
import pickle

import pytest

import eagre
import eagre.nn.functional as F
from eagre import nn


def same(one, two):
    eagre.testing.assert_close(one, two)


def x(*shape):
    return eagre.randn(*shape)


# A layer, its inputs, and what its function gives.
LAYERS = {
    "Linear": (lambda: nn.Linear(3, 4), (2, 3), lambda m, a: F.linear(a, m.weight, m.bias)),
    "Conv1d": (
        lambda: nn.Conv1d(2, 4, 3, 2, 1, 1, 2),
        (1, 2, 8),
        lambda m, a: F.conv1d(a, m.weight, m.bias, 2, 1, 1, 2),
    ),
    "Conv2d same": (
        lambda: nn.Conv2d(2, 3, 3, padding="same"),
        (1, 2, 5, 6),
        lambda m, a: F.conv2d(a, m.weight, m.bias, padding=1),
    ),
    "Conv2d circular": (
        lambda: nn.Conv2d(2, 3, 3, padding=(1, 2), padding_mode="circular"),
        (1, 2, 5, 6),
        lambda m, a: F.conv2d(F.pad(a, (2, 2, 1, 1), "circular"), m.weight, m.bias),
    ),
    "Conv2d same reflect": (
        lambda: nn.Conv2d(1, 1, 4, padding="same", padding_mode="reflect"),
        (1, 1, 6, 6),
        lambda m, a: F.conv2d(F.pad(a, (1, 2, 1, 2), "reflect"), m.weight, m.bias),
    ),
    "ConvTranspose2d": (
        lambda: nn.ConvTranspose2d(4, 2, 3, 2, 1, 1, 2, True, 2),
        (1, 4, 5, 5),
        lambda m, a: F.conv_transpose2d(a, m.weight, m.bias, 2, 1, 1, 2, 2),
    ),
    "MaxPool2d": (lambda: nn.MaxPool2d(2, 1), (1, 1, 4, 4), lambda m, a: F.max_pool2d(a, 2, 1)),
    "AvgPool1d": (
        lambda: nn.AvgPool1d(3, 2, 1, count_include_pad=False),
        (1, 1, 8),
        lambda m, a: F.avg_pool1d(a, 3, 2, 1, count_include_pad=False),
    ),
    "AdaptiveAvgPool2d": (
        lambda: nn.AdaptiveAvgPool2d((2, None)),
        (1, 1, 5, 5),
        lambda m, a: F.adaptive_avg_pool2d(a, (2, None)),
    ),
    "LPPool2d": (lambda: nn.LPPool2d(2, 2), (1, 1, 4, 4), lambda m, a: F.lp_pool2d(a, 2, 2)),
    "GroupNorm": (
        lambda: nn.GroupNorm(2, 4),
        (2, 4, 3),
        lambda m, a: F.group_norm(a, 2, m.weight, m.bias),
    ),
    "LayerNorm": (
        lambda: nn.LayerNorm((2, 3)),
        (4, 2, 3),
        lambda m, a: F.layer_norm(a, (2, 3), m.weight, m.bias),
    ),
    "RMSNorm": (lambda: nn.RMSNorm(3), (4, 3), lambda m, a: F.rms_norm(a, (3,), m.weight)),
    "InstanceNorm1d": (
        lambda: nn.InstanceNorm1d(2),
        (2, 5),
        lambda m, a: F.instance_norm(a[None])[0],
    ),
    "LocalResponseNorm": (
        lambda: nn.LocalResponseNorm(3),
        (1, 5, 2, 2),
        lambda m, a: F.local_response_norm(a, 3),
    ),
    "CrossMapLRN2d": (
        lambda: nn.CrossMapLRN2d(3, 0.1),
        (1, 5, 2, 2),
        lambda m, a: F.local_response_norm(a, 3, 0.1),
    ),
    "PReLU": (lambda: nn.PReLU(3), (2, 3), lambda m, a: eagre.where(a > 0, a, a * 0.25)),
    "Softmax2d": (lambda: nn.Softmax2d(), (3, 2, 2), lambda m, a: a.softmax(0)),
    "Hardtanh": (lambda: nn.Hardtanh(-0.5, 0.2), (9,), lambda m, a: a.clamp(-0.5, 0.2)),
    "Threshold": (lambda: nn.Threshold(0.1, 7), (9,), lambda m, a: F.threshold(a, 0.1, 7)),
    "GLU": (lambda: nn.GLU(0), (4, 3), lambda m, a: F.glu(a, 0)),
    "Flatten": (lambda: nn.Flatten(0, 1), (2, 3, 4), lambda m, a: a.reshape(6, 4)),
    "Unflatten": (lambda: nn.Unflatten(1, (3, 2)), (2, 6), lambda m, a: a.reshape(2, 3, 2)),
    "Unfold": (lambda: nn.Unfold(2, stride=2), (1, 1, 4, 4), lambda m, a: F.unfold(a, 2, stride=2)),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), (1, 4, 2, 2), lambda m, a: F.pixel_shuffle(a, 2)),
    "ZeroPad2d": (
        lambda: nn.ZeroPad2d((1, 0, 0, 2)),
        (1, 2, 2),
        lambda m, a: F.pad(a, (1, 0, 0, 2)),
    ),
    "CircularPad1d": (
        lambda: nn.CircularPad1d(1),
        (1, 1, 4),
        lambda m, a: F.pad(a, (1, 1), "circular"),
    ),
    "Upsample": (
        lambda: nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True),
        (1, 1, 3, 3),
        lambda m, a: F.interpolate(a, scale_factor=2, mode="bilinear", align_corners=True),
    ),
    "Identity": (lambda: nn.Identity(1, b=2), (2,), lambda m, a: a),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layer_is_its_function(name):
    make, shape, expected = LAYERS[name]
    module, value = make(), x(*shape)
    same(module(value), expected(module, value))


LOSSES = [
    (nn.L1Loss, F.l1_loss, {}),
    (nn.MSELoss, F.mse_loss, {"reduction": "sum"}),
    (nn.SmoothL1Loss, F.smooth_l1_loss, {"beta": 0.5}),
    (nn.HuberLoss, F.huber_loss, {"delta": 0.5, "reduction": "none"}),
    (nn.KLDivLoss, F.kl_div, {"reduction": "batchmean", "log_target": True}),
    (nn.PoissonNLLLoss, F.poisson_nll_loss, {"log_input": False, "full": True}),
    (nn.HingeEmbeddingLoss, F.hinge_embedding_loss, {"margin": 0.5}),
    (nn.SoftMarginLoss, F.soft_margin_loss, {}),
    (nn.MultiLabelSoftMarginLoss, F.multilabel_soft_margin_loss, {}),
    (nn.BCEWithLogitsLoss, F.binary_cross_entropy_with_logits, {"pos_weight": eagre.ones(3) * 2}),
    (nn.CrossEntropyLoss, F.cross_entropy, {"label_smoothing": 0.1}),
]


@pytest.mark.parametrize(("layer", "function", "options"), LOSSES)
def test_loss_is_its_function(layer, function, options):
    a, b = x(4, 3).abs(), x(4, 3).abs()
    same(layer(**options)(a, b), function(a, b, **options))


def test_private_names_that_programs_import():
    from eagre.nn import _reduction
    from eagre.nn.common_types import _size_2_t
    from eagre.nn.modules.batchnorm import _BatchNorm
    from eagre.nn.modules.conv import _ConvNd
    from eagre.nn.modules.loss import _WeightedLoss
    from eagre.nn.modules.module import _addindent, _IncompatibleKeys
    from eagre.nn.modules.utils import _pair, _triple

    assert _size_2_t == int | tuple[int, int]
    assert _pair(3) == (3, 3) and _triple([1, 2, 3]) == (1, 2, 3)
    assert _addindent("a\nb", 2) == "a\n  b"
    assert _IncompatibleKeys([], []) == nn.ReLU().load_state_dict({})
    assert _reduction.legacy_get_string(False, None, emit_warning=False) == "sum"
    assert issubclass(nn.BatchNorm2d, _BatchNorm) and issubclass(nn.Conv2d, _ConvNd)
    assert issubclass(nn.NLLLoss, _WeightedLoss)


def test_old_ways_to_say_reduction():
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert nn.MSELoss(size_average=False).reduction == "sum"
    with pytest.warns(UserWarning, match="please use reduction='none' instead"):
        assert nn.MSELoss(reduce=False).reduction == "none"


def test_batch_norm():
    norm, value = nn.BatchNorm1d(3, momentum=None), x(8, 3)
    same(norm(value), F.batch_norm(value, None, None, training=True))
    norm(value * 3)
    assert int(norm.num_batches_tracked) == 2
    same(norm.running_mean, value.mean(0) * 2)
    norm.eval()
    same(norm(value), F.batch_norm(value, norm.running_mean, norm.running_var))
    plain = nn.BatchNorm2d(3, track_running_stats=False).eval()
    images = x(2, 3, 4, 4)
    same(plain(images), F.batch_norm(images, None, None, training=True))
    for layer, words in (
        (nn.BatchNorm1d(3), r"expected 2D or 3D input \(got 4D input\)"),
        (nn.BatchNorm2d(3), r"expected 4D input \(got 3D input\)"),
        (nn.InstanceNorm2d(3), r"expected 3D or 4D input \(got 2D input\)"),
    ):
        with pytest.raises(ValueError, match=words):
            layer(
                x(
                    *{"BatchNorm1d": (1, 3, 1, 1), "BatchNorm2d": (1, 3, 1)}.get(
                        type(layer).__name__, (3, 1)
                    )
                )
            )
    synced = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(norm))
    assert type(synced[0]) is nn.SyncBatchNorm and synced[0].weight is norm.weight


def test_windows_of_even_size():
    value = x(1, 4, 1, 1)
    squares = F.pad((value * value).view(4), (1, 1))
    sums = squares[:-2] + squares[1:-1] + squares[2:]
    expected = value.view(4) / (1.5 + 0.2 / 4 * sums) ** 0.6
    same(nn.CrossMapLRN2d(4, 0.2, 0.6, 1.5)(value).view(4), expected)


def test_dropout_depends_on_the_mode():
    for layer in (nn.Dropout(0.5), nn.AlphaDropout(0.5), nn.FeatureAlphaDropout(0.5)):
        value = eagre.ones(8, 50)
        assert not eagre.equal(layer(value), value)
        assert eagre.equal(layer.eval()(value), value)
    with pytest.raises(ValueError, match="has to be between 0 and 1, but got 1.5"):
        nn.Dropout(1.5)


def test_embedding():
    table = nn.Embedding(5, 3, padding_idx=-1)
    assert table.padding_idx == 4 and float(table.weight[4].abs().sum()) == 0
    same(table(eagre.tensor([[1, 4]])), table.weight[eagre.tensor([[1, 4]])])
    table(eagre.tensor([1, 4])).sum().backward()
    assert table.weight.grad[:, 0].tolist() == [0, 1, 0, 0, 0]
    rows = x(4, 2)
    given = nn.Embedding.from_pretrained(rows)
    assert not given.weight.requires_grad and eagre.equal(given(eagre.tensor(2)), rows[2])
    bags = nn.EmbeddingBag.from_pretrained(rows, mode="sum", freeze=False)
    assert bags.weight.requires_grad
    same(
        bags(eagre.tensor([0, 1, 3]), eagre.tensor([0, 2])),
        eagre.stack([rows[0] + rows[1], rows[3]]),
    )
    with pytest.raises(AssertionError, match="Padding_idx must be within num_embeddings"):
        nn.Embedding(3, 2, padding_idx=3)
    with pytest.raises(AssertionError, match="expected to be 2-dimensional"):
        nn.Embedding.from_pretrained(eagre.ones(2))


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_recurrent_networks_are_their_cells(kind):
    cell, network = getattr(nn, f"{kind}Cell")(3, 4), getattr(nn, kind)(3, 4)
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        setattr(network, f"{name}_l0", getattr(cell, name))
    steps, state, outputs = x(5, 2, 3), None, []
    for step in steps:
        state = cell(step, state)
        outputs.append(state[0] if kind == "LSTM" else state)
    found, last = network(steps)
    same(found, eagre.stack(outputs))
    same((last[0] if kind == "LSTM" else last)[0], outputs[-1])
    alone, _ = network(steps[:, 0])
    same(alone, found[:, 0])
    lengths = eagre.tensor([3, 5])
    packed = nn.utils.rnn.pack_padded_sequence(steps, lengths, enforce_sorted=False)
    padded, sizes = nn.utils.rnn.pad_packed_sequence(network(packed)[0])
    assert sizes.tolist() == [3, 5]
    same(padded[:3, 0], found[:3, 0])
    assert float(padded[3:, 0].abs().sum()) == 0


def test_weights_of_recurrent_networks():
    network = nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2, batch_first=True)
    assert [len(weights) for weights in network.all_weights] == [5] * 4
    assert network.all_weights[1][4] is network.weight_hr_l0_reverse
    assert network._flat_weights[0] is network.weight_ih_l0
    network.weight_ih_l0 = new = nn.Parameter(eagre.zeros(16, 3))
    assert network._flat_weights[0] is new
    network.flatten_parameters()
    output, (hidden, cell) = network(x(2, 5, 3))
    assert output.shape == (2, 5, 4) and hidden.shape == (4, 2, 2) and cell.shape == (4, 2, 4)
    for call, error, words in (
        (lambda: network(x(2, 2, 2, 2)), ValueError, "Expected input to be 2D or 3D, got 4D"),
        (
            lambda: network(x(2, 5, 4)),
            RuntimeError,
            "must be equal to input_size. Expected 3, got 4",
        ),
        (
            lambda: network(x(2, 5, 3), (x(1, 2), x(1, 2))),
            RuntimeError,
            "hx and cx should also be 3-D",
        ),
        (
            lambda: network(x(2, 5, 3), (x(1, 2, 2), x(1, 2, 4))),
            RuntimeError,
            r"Expected hidden\[0\] size \(4, 2, 2\), got \[1, 2, 2\]",
        ),
        (lambda: nn.LSTM(3, 0), ValueError, "hidden_size must be greater than zero"),
        (lambda: nn.GRU(3, 4, proj_size=2), ValueError, "only supported for LSTM"),
        (lambda: nn.RNN(3, 4, nonlinearity="x"), ValueError, "Unknown nonlinearity 'x'"),
        (
            lambda: nn.LSTMCell(3, 4)(x(1, 2, 3)),
            ValueError,
            "LSTMCell: Expected input to be 1D or 2D",
        ),
    ):
        with pytest.raises(error, match=words):
            call()


def test_attention():
    attention, value = nn.MultiheadAttention(8, 2, batch_first=True), x(3, 5, 8)
    output, weights = attention(value, value, value)
    assert output.shape == (3, 5, 8) and weights.shape == (3, 5, 5)
    same(weights.sum(-1), eagre.ones(3, 5))
    turned = nn.MultiheadAttention(8, 2)
    turned.load_state_dict(attention.state_dict())
    same(turned(*[value.transpose(0, 1)] * 3)[0].transpose(0, 1), output)
    assert attention(value, value, value, need_weights=False)[1] is None
    other = nn.MultiheadAttention(8, 2, kdim=3, vdim=4)
    assert other(x(5, 1, 8), x(6, 1, 3), x(6, 1, 4))[0].shape == (5, 1, 8)
    with pytest.raises(AssertionError, match="embed_dim must be divisible by num_heads"):
        nn.MultiheadAttention(8, 3)


def test_transformers():
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    value = x(2, 5, 8)
    attended = layer.norm1(value + layer.self_attn(value, value, value)[0])
    expected = layer.norm2(attended + layer.linear2(layer.linear1(attended).relu()))
    same(layer(value), expected)
    mask = nn.Transformer.generate_square_subsequent_mask(5)
    stack = nn.TransformerEncoder(layer, 2).eval()
    hidden = stack(value, mask)
    same(hidden[:, :3], stack(value[:, :3], mask[:3, :3]))
    same(stack(value, mask, is_causal=True), hidden)
    padding = eagre.tensor([[False] * 5, [False] * 3 + [True] * 2])
    same(stack(value, src_key_padding_mask=padding)[1, :3], stack(value[1:, :3])[0])
    network = nn.Transformer(8, 2, 1, 1, 16, norm_first=True, batch_first=True)
    result = network(value, x(2, 4, 8))
    assert result.shape == (2, 4, 8)
    result.sum().backward()
    assert all(parameter.grad is not None for parameter in network.parameters())
    with pytest.raises(
        RuntimeError, match="feature number of src and tgt must be equal to d_model"
    ):
        network(x(2, 5, 7), x(2, 4, 8))


def test_unpooling_and_sizes_of_transposes():
    pooled, places = nn.MaxPool1d(2, return_indices=True)(eagre.tensor([[[1.0, 3.0, 2.0, 0.0]]]))
    assert nn.MaxUnpool1d(2)(pooled, places).tolist() == [[[0, 3, 2, 0]]]
    layer = nn.ConvTranspose1d(1, 1, 3, stride=2)
    assert layer(x(1, 1, 4), output_size=[10]).shape == (1, 1, 10)
    with pytest.raises(ValueError, match="valid sizes range"):
        layer(x(1, 1, 4), output_size=[12])


@pytest.mark.parametrize("spatial", [1, 2, 3])
def test_pools_without_windows(spatial):
    for kind in ("AdaptiveAvgPool", "AdaptiveMaxPool"):
        value = x(1, 2, *[4] * spatial).requires_grad_()
        getattr(nn, f"{kind}{spatial}d")(0)(value).sum().backward()
        same(value.grad, eagre.zeros_like(value))


def test_pools_with_gaps_and_channels_last():
    rows = eagre.randint(1, 10, (2, 8, 9, 14)).float()
    for kernel, stride, padding in ((2, 1, 1), (4, 2, 2), (3, 1, 1)):
        pool = nn.MaxPool2d(kernel, stride, padding, dilation=2, return_indices=True)
        found, places = pool(rows.contiguous(memory_format=eagre.channels_last))
        expected, expected_places = pool(rows)
        assert eagre.equal(found, expected) and eagre.equal(places, expected_places)


def test_adaptive_softmax():
    layer, value = nn.AdaptiveLogSoftmaxWithLoss(8, 10, [2, 5]), x(4, 8)
    target = eagre.tensor([0, 3, 7, 9])
    chances = layer.log_prob(value)
    same(chances.exp().sum(1), eagre.ones(4))
    output, loss = layer(value, target)
    same(output, chances.gather(1, target[:, None])[:, 0])
    same(loss, -output.mean())
    assert eagre.equal(layer.predict(value), chances.argmax(1))
    with pytest.raises(ValueError, match="unique, positive integers sorted"):
        nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5, 2])


def test_initial_values():
    eagre.manual_seed(0)
    bound = 1 / math.sqrt(50)
    layer = nn.Linear(50, 400)
    for values in (layer.weight, layer.bias):
        assert float(values.detach().abs().max()) <= bound
    assert abs(float(layer.weight.detach().std()) - bound / math.sqrt(3)) < 0.003
    layer = nn.Conv2d(8, 100, 3)
    assert 0.9 / math.sqrt(72) < float(layer.weight.detach().abs().max()) <= 1 / math.sqrt(72)
    layer = nn.LSTM(10, 100)
    assert all(float(one.detach().abs().max()) <= 0.1 for one in layer.parameters())
    assert abs(float(nn.Embedding(100, 100).weight.detach().std()) - 1) < 0.03
    attention = nn.MultiheadAttention(64, 4)
    assert float(attention.in_proj_bias.detach().abs().max()) == 0
    assert float(attention.in_proj_weight.detach().abs().max()) <= math.sqrt(6 / (64 * 4))


def test_lazy_layers():
    net = nn.Sequential(nn.LazyConv1d(4, 3), nn.LazyBatchNorm1d(), nn.Flatten(), nn.LazyLinear(2))
    other = nn.Sequential(*(type(one)(4, 3) if i == 0 else one for i, one in enumerate(net[:1])))
    assert isinstance(net[0].weight, nn.UninitializedParameter)
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized"):
        _ = net[0].weight.shape
    with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
        _ = net[0].weight + 1
    assert net(x(2, 3, 6)).shape == (2, 2)
    assert [type(one) for one in net] == [nn.Conv1d, nn.BatchNorm1d, nn.Flatten, nn.Linear]
    assert type(net[0].weight) is nn.Parameter and net[0].in_channels == 3
    other.load_state_dict(net[:1].state_dict())  # shapes come from the state, too
    assert eagre.equal(other[0].weight, net[0].weight)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies_of_lazy_layers_are_on_their_own(duplicate):
    net = nn.LazyLinear(2)
    other = duplicate(net)
    assert other(x(4, 3)).shape == (4, 2)
    assert type(other) is nn.Linear and not other._forward_pre_hooks
    assert other(x(4, 3)).shape == (4, 2)
    assert type(net) is nn.LazyLinear and len(net._forward_pre_hooks) == 1
    assert net(x(4, 5)).shape == (4, 2) and other.in_features == 3

"""Writes layers.json: what PyTorch 2.15 says of every layer. Run with a Python that has PyTorch:

python tests/python/nn/make_layer_table.py
"""

import json
import warnings
from pathlib import Path

LAYERS = """
AdaptiveAvgPool1d(5) | AdaptiveAvgPool2d((5, None)) | AdaptiveAvgPool3d(2) | AdaptiveMaxPool1d(5)
AdaptiveMaxPool2d((5, 7), return_indices=True) | AdaptiveMaxPool3d(2)
AdaptiveLogSoftmaxWithLoss(16, 20, [5, 10], div_value=2.0)
AdaptiveLogSoftmaxWithLoss(16, 20, [5], head_bias=True) | AlphaDropout(0.25) | Dropout()
Dropout(0.1, True) | Dropout1d(0.3) | Dropout2d(0.3) | Dropout3d(0.3) | FeatureAlphaDropout(0.2)
AvgPool1d(3) | AvgPool1d(3, 2, 1) | AvgPool2d(3) | AvgPool2d((3, 2), stride=(2, 1), padding=1)
AvgPool3d(2, divisor_override=3) | BCELoss() | BCEWithLogitsLoss() | CTCLoss()
CosineEmbeddingLoss() | CrossEntropyLoss(label_smoothing=0.1) | GaussianNLLLoss()
HingeEmbeddingLoss() | HuberLoss() | KLDivLoss(log_target=True) | L1Loss()
LinearCrossEntropyLoss(3, 4) | LinearCrossEntropyLoss(3, 4, out_features=(2, 3), bias=True)
MSELoss(reduction='sum') | MarginRankingLoss() | MultiLabelMarginLoss()
MultiLabelSoftMarginLoss() | MultiMarginLoss() | NLLLoss() | PoissonNLLLoss() | SmoothL1Loss()
SoftMarginLoss() | TripletMarginLoss() | TripletMarginWithDistanceLoss() | BatchNorm1d(4)
BatchNorm2d(4, affine=False) | BatchNorm3d(4, track_running_stats=False)
BatchNorm1d(4, bias=False) | BatchNorm2d(4, momentum=None, eps=1e-3) | SyncBatchNorm(4)
Bilinear(2, 3, 4) | Bilinear(2, 3, 4, bias=False) | Identity(3) | Linear(2, 3)
Linear(2, 3, bias=False) | CELU() | CELU(2.0, True) | ELU() | ELU(0.5, inplace=True) | GELU()
GELU('tanh') | GLU() | GLU(1) | Hardshrink() | Hardsigmoid() | Hardsigmoid(True) | Hardswish(True)
Hardtanh() | Hardtanh(-2, 2, True) | LeakyReLU() | LeakyReLU(0.2, True) | LogSigmoid()
LogSoftmax(1) | Mish() | Mish(True) | PReLU() | PReLU(4, 0.1) | RReLU() | RReLU(0.1, 0.2, True)
ReLU() | ReLU(True) | ReLU6() | ReLU6(True) | SELU() | SELU(True) | SiLU() | SiLU(inplace=True)
Sigmoid() | Softmax(dim=-1) | Softmax() | Softmax2d() | Softmin(0) | Softplus() | Softplus(2, 10)
Softshrink(0.3) | Softsign() | Tanh() | Tanhshrink() | Threshold(0.1, 20)
Threshold(0.1, 20, True) | ChannelShuffle(2) | PixelShuffle(3) | PixelUnshuffle(2) | Flatten()
Flatten(0, 2) | Unflatten(1, (2, 3)) | Fold((4, 5), 2)
Unfold((2, 3), dilation=2, padding=1, stride=2) | CircularPad1d(2) | CircularPad2d((1, 2, 3, 4))
CircularPad3d(1) | ConstantPad1d(2, 3.5) | ConstantPad2d(1, 0)
ConstantPad3d((1, 2, 3, 4, 5, 6), 1) | ReflectionPad1d(2) | ReflectionPad2d(1)
ReflectionPad3d(1) | ReplicationPad1d((1, 2)) | ReplicationPad2d(1) | ReplicationPad3d(1)
ZeroPad1d(1) | ZeroPad2d((1, 2, 3, 4)) | ZeroPad3d(2) | Conv1d(4, 6, 3)
Conv2d(4, 6, 3, padding=1, groups=2, bias=False) | Conv3d(1, 2, (1, 2, 3), stride=2)
Conv2d(4, 6, 3, padding='same', dilation=2) | Conv2d(1, 2, 3, padding=1, padding_mode='circular')
Conv1d(1, 2, 5, padding='valid', padding_mode='reflect')
Conv2d(1, 2, (3, 5), (2, 1), (4, 2), (3, 1))
ConvTranspose1d(4, 6, 3, stride=2, output_padding=1)
ConvTranspose2d(4, 6, 3, 2, 1, 1, 2, False, 2) | ConvTranspose3d(2, 4, 3, padding=1)
CosineSimilarity() | PairwiseDistance(keepdim=True) | CrossMapLRN2d(3)
LocalResponseNorm(2, 1e-3, 0.5, 2.0) | GroupNorm(2, 4) | GroupNorm(2, 4, affine=False)
GroupNorm(2, 4, bias=False) | LayerNorm(4) | LayerNorm((2, 3), 1e-6, False)
LayerNorm([4], bias=False) | RMSNorm(4) | RMSNorm((2, 3), 1e-6, elementwise_affine=False)
Embedding(5, 3)
Embedding(5, 3, padding_idx=-1, max_norm=2.0, norm_type=1.0, scale_grad_by_freq=True)
Embedding(5, 3, sparse=True) | EmbeddingBag(5, 3) | EmbeddingBag(5, 3, mode='sum', padding_idx=1)
EmbeddingBag(5, 3, max_norm=1.0, include_last_offset=True)
FractionalMaxPool2d(3, output_size=(4, 5)) | FractionalMaxPool3d(2, output_ratio=0.5)
LPPool1d(2, 3) | LPPool2d(1.2, 3, stride=2) | LPPool3d(2, 2, ceil_mode=True) | MaxPool1d(3)
MaxPool2d(2, 2) | MaxPool2d((3, 2), stride=(2, 1), padding=1, dilation=2, ceil_mode=True)
MaxPool3d(2, return_indices=True) | MaxUnpool1d(2) | MaxUnpool2d(2, stride=2)
MaxUnpool3d((1, 2, 3)) | InstanceNorm1d(3) | InstanceNorm2d(3, affine=True)
InstanceNorm3d(3, track_running_stats=True) | GRU(2, 3)
GRU(2, 3, 2, bias=False, batch_first=True) | LSTM(2, 3, 2, dropout=0.5, bidirectional=True)
LSTM(2, 3, proj_size=2) | RNN(2, 3) | RNN(2, 3, nonlinearity='relu', bidirectional=True)
GRUCell(2, 3) | LSTMCell(2, 3, bias=False) | RNNCell(2, 3) | RNNCell(2, 3, nonlinearity='relu')
MultiheadAttention(4, 2)
MultiheadAttention(4, 2, bias=False, add_bias_kv=True, batch_first=True)
MultiheadAttention(4, 2, kdim=3, vdim=5, dropout=0.1) | Transformer(4, 2, 1, 1, 8)
TransformerEncoderLayer(4, 2, 8, activation='gelu', norm_first=True)
TransformerDecoderLayer(4, 2, 8, bias=False)
TransformerEncoderLayer(4, 2, 8, activation=nn.ELU())
TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2, nn.LayerNorm(4))
TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 2) | Upsample(scale_factor=2)
Upsample(size=(3, 4), mode='bilinear', align_corners=True) | Upsample(scale_factor=(2, 3))
UpsamplingBilinear2d(scale_factor=2) | UpsamplingNearest2d(size=5) | LazyLinear(3)
LazyConv1d(3, 2) | LazyConv2d(3, 2, padding=1, bias=False) | LazyConv3d(3, 2)
LazyConvTranspose1d(3, 2) | LazyConvTranspose2d(3, 2, stride=2) | LazyConvTranspose3d(3, 2)
LazyBatchNorm1d() | LazyBatchNorm2d(affine=False) | LazyBatchNorm3d(track_running_stats=False)
LazyInstanceNorm1d() | LazyInstanceNorm2d(affine=False, track_running_stats=False)
LazyInstanceNorm3d() | Sequential()
Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Flatten())) | ModuleList() | ModuleDict()
ModuleList([nn.Linear(2, 3), nn.Linear(2, 3), nn.ReLU(), *[nn.Sequential(nn.Tanh())] * 2])
ModuleDict({'a': nn.Linear(2, 3), 'b': nn.ModuleList([nn.ReLU()])}) | Module()
"""
NAMES = [line.strip() for part in LAYERS.strip().split("\n") for line in part.split(" | ")]

# Attributes of PyTorch's own machinery, which say nothing about a layer.
PRIVATE = ("_", "training")


def describe(nn, text):
    """What there is to see of the layer that `text` makes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = eval(f"nn.{text}", {"nn": nn})
    shapes = {}
    for name, value in layer.state_dict().items():
        lazy = isinstance(value, (nn.UninitializedParameter, nn.UninitializedBuffer))
        shapes[name] = "uninitialized" if lazy else [*value.shape, str(value.dtype).split(".")[1]]
    return {
        "repr": repr(layer),
        "state": shapes,
        "parameters": [name for name, _ in layer.named_parameters()],
        "buffers": [name for name, _ in layer.named_buffers()],
        "modules": [f"{name}: {type(one).__name__}" for name, one in layer.named_modules()],
        "attributes": sorted(name for name in layer.__dict__ if not name.startswith(PRIVATE)),
        "constants": list(getattr(layer, "__constants__", [])),
        "version": type(layer)._version,
    }


def main():
    from torch import nn

    table = {text: describe(nn, text) for text in NAMES}
    path = Path(__file__).with_name("layers.json")
    path.write_text(json.dumps(table, indent=1, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main()

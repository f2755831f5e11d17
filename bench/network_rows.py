"""The rows of scaling.py about operators of networks, each forward and with its gradients."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A function of `nn.functional` on random tensors of these shapes."""

    name: str
    shapes: tuple[tuple[int, ...], ...]
    kwargs: dict
    argument_order: Callable = lambda tensors: tensors
    indices: tuple[int, ...] = ()  # below which number, and how many: an argument in front

    def forward(self, lib):
        return self.made(lib, gradients=False)

    def both(self, lib):
        return self.made(lib, gradients=True)

    def made(self, lib, gradients: bool):
        function = getattr(importlib.import_module(f"{lib.__name__}.nn.functional"), self.name)
        tensors = [lib.randn(*shape) for shape in self.shapes]
        arguments = self.argument_order(tensors)
        if self.indices:
            arguments = [lib.randint(0, self.indices[0], self.indices[1:]), *arguments]
        with lib.no_grad():
            grad = lib.ones_like(function(*arguments, **self.kwargs))

        def forward():
            function(*arguments, **self.kwargs)

        def both():
            for tensor in tensors:
                tensor.grad = None
            function(*arguments, **self.kwargs).backward(grad)

        if not gradients:
            return forward
        for tensor in tensors:
            tensor.requires_grad_()
        return both


def conv2d(images, channels, edge, outputs, kernel, stride=1, padding=0, groups=1) -> Call:
    shapes = ((images, channels, edge, edge), (outputs, channels // groups, kernel, kernel))
    return Call("conv2d", shapes, {"stride": stride, "padding": padding, "groups": groups})


def conv_transpose2d(images, channels, edge, outputs) -> Call:
    """A layer of a DCGAN."""
    shapes = ((images, channels, edge, edge), (channels, outputs, 4, 4))
    return Call("conv_transpose2d", shapes, {"stride": 2, "padding": 1})


def batch_norm(*shape) -> Call:
    size = (shape[1],)
    return Call(
        "batch_norm", (shape, size, size), {"training": True}, lambda t: [t[0], None, None, *t[1:]]
    )


def group_norm(*shape, groups=32) -> Call:
    size = (shape[1],)
    return Call("group_norm", (shape, size, size), {}, lambda t: [t[0], groups, *t[1:]])


def rms_norm(*shape) -> Call:
    size = (shape[-1],)
    return Call("rms_norm", (shape, size), {}, lambda t: [t[0], size, t[1]])


def attention(length, causal) -> Call:
    shape = (4, 8, length, 64)
    return Call("scaled_dot_product_attention", (shape,) * 3, {"is_causal": causal})


def embedding(name, *indices, rows=100_000, columns=32) -> Call:
    return Call(name, ((rows, columns),), {}, indices=(rows, *indices))


def images(name, *shape, **kwargs) -> Call:
    return Call(name, (shape,), kwargs)


def grid_sample(*shape, mode="bilinear") -> Call:
    """At points anywhere, some of them outside."""
    images, _, *edges = shape
    kwargs = {"mode": mode, "align_corners": False}
    return Call("grid_sample", (shape, (images, *edges, len(edges))), kwargs)


@dataclass(frozen=True)
class Recurrent:
    """A layer of a recurrent network for a batch of sequences, or one step of them. Gradients are
    those of its weights: the sequences are data."""

    name: str
    gates: int
    steps: int | None  # none of a cell
    batch: int
    size: int

    def forward(self, lib):
        return self.made(lib, gradients=False)

    def both(self, lib):
        return self.made(lib, gradients=True)

    def made(self, lib, gradients: bool):
        rows, size = self.gates * self.size, self.size
        weights = [lib.randn(rows, size) / size, lib.randn(rows, size) / size]
        weights += [lib.randn(rows), lib.randn(rows)]
        parts = 2 if self.name.startswith("lstm") else 1
        lead = () if self.steps is None else (1,)
        state = [lib.zeros(*lead, self.batch, size) for _ in range(parts)]
        state = state if parts == 2 else state[0]
        function = getattr(lib, self.name)
        if self.steps is None:
            x = lib.randn(self.batch, size)
            arguments = (x, state, *weights)
        else:
            x = lib.randn(self.steps, self.batch, size)
            arguments = (x, state, weights, True, 1, 0.0, True, False, False)
        grad = lib.ones_like(x)

        def forward():
            function(*arguments)

        def both():
            for weight in weights:
                weight.grad = None
            results = function(*arguments)
            (results if self.name == "gru_cell" else results[0]).backward(grad)

        if not gradients:
            return forward
        for weight in weights:
            weight.requires_grad_()
        return both


# By name, with the bar.
CALLS = {
    "lstm 64×32×256": (Recurrent("lstm", 4, 64, 32, 256), 1.0),
    "gru 64×32×256": (Recurrent("gru", 3, 64, 32, 256), 1.2),
    "lstm 32×8×512": (Recurrent("lstm", 4, 32, 8, 512), 1.0),
    "conv2d 3×3 16×64×56²": (conv2d(16, 64, 56, 64, 3, 1, 1), 1.0),
    "conv2d 7×7 stride 2 16×3×224²": (conv2d(16, 3, 224, 64, 7, 2, 3), 1.0),
    "conv2d 1×1 16×64×56² to 256": (conv2d(16, 64, 56, 256, 1), 1.0),
    "conv2d 1×1 16×256×56² to 64": (conv2d(16, 256, 56, 64, 1), 1.0),
    "conv2d depthwise 3×3 16×64×56²": (conv2d(16, 64, 56, 64, 3, 1, 1, 64), 1.0),
    "conv2d 3×3 stride 2 16×128×56²": (conv2d(16, 128, 56, 128, 3, 2, 1), 1.0),
    "conv2d 3×3 groups 32 16×128×56²": (conv2d(16, 128, 56, 128, 3, 1, 1, 32), 1.0),
    "conv2d 3×3 16×256×14²": (conv2d(16, 256, 14, 256, 3, 1, 1), 1.0),
    "conv2d 3×3 16×512×7²": (conv2d(16, 512, 7, 512, 3, 1, 1), 1.0),
    "conv1d 5 dilation 4 32×128×512": (
        Call("conv1d", ((32, 128, 512), (128, 128, 5)), {"padding": 8, "dilation": 4}),
        1.0,
    ),
    "conv_transpose2d 16×512×4² to 256": (conv_transpose2d(16, 512, 4, 256), 1.0),
    "conv_transpose2d 16×128×16² to 64": (conv_transpose2d(16, 128, 16, 64), 1.0),
    "conv_transpose2d 16×64×32² to 3": (conv_transpose2d(16, 64, 32, 3), 1.0),
    "attention 4×8×512×64": (attention(512, False), 1.0),
    "attention causal 4×8×2048×64": (attention(2048, True), 1.0),
    "batch_norm 32×64×56²": (batch_norm(32, 64, 56, 56), 2.0),
    "batch_norm 4096²": (batch_norm(4096, 4096), 2.0),
    "group_norm 32×64×56²": (group_norm(32, 64, 56, 56), 2.0),
    "group_norm 4096²": (group_norm(4096, 4096), 2.0),
    "rms_norm 32×64×56²": (rms_norm(32, 64, 56, 56), 2.0),
    "rms_norm 4096²": (rms_norm(4096, 4096), 2.0),
    "max_pool2d 3 stride 2 16×64×112²": (
        images("max_pool2d", 16, 64, 112, 112, kernel_size=3, stride=2, padding=1),
        2.0,
    ),
    "avg_pool2d 3 stride 2 16×64×112²": (
        images("avg_pool2d", 16, 64, 112, 112, kernel_size=3, stride=2, padding=1),
        2.0,
    ),
    "adaptive_avg_pool2d 7 16×512×14²": (
        images("adaptive_avg_pool2d", 16, 512, 14, 14, output_size=7),
        2.0,
    ),
    "interpolate bilinear 8×32×128² to 256²": (
        images("interpolate", 8, 32, 128, 128, size=256, mode="bilinear"),
        2.0,
    ),
    "interpolate bicubic 8×32×128² to 256²": (
        images("interpolate", 8, 32, 128, 128, size=256, mode="bicubic"),
        2.0,
    ),
    "grid_sample bilinear 8×32×128²": (grid_sample(8, 32, 128, 128), 2.0),
    "grid_sample bicubic 8×32×128²": (grid_sample(8, 32, 128, 128, mode="bicubic"), 2.0),
    # What is computed takes longer than the call.
    "grid_sample bilinear 1×8×8²": (grid_sample(1, 8, 8, 8), 2.0),
    "embedding 1e6": (embedding("embedding", 1_000_000), 1.2),
    "embedding_bag 1e6": (embedding("embedding_bag", 100_000, 10), 1.2),
    "dropout 1e7": (images("dropout", 10_000_000, p=0.5), 2.0),
}
# Batches of 1 to 8, 8 channels: what a call costs.
SMALL_CALLS = {
    "lstm_cell 1×8": Recurrent("lstm_cell", 4, None, 1, 8),
    "lstm_cell 8×32": Recurrent("lstm_cell", 4, None, 8, 32),
    "gru_cell 4×16": Recurrent("gru_cell", 3, None, 4, 16),
    "lstm 4×2×8": Recurrent("lstm", 4, 4, 2, 8),
    "conv2d 3×3 2×8×8²": conv2d(2, 8, 8, 8, 3, 1, 1),
    "conv2d 1×1 2×8×8²": conv2d(2, 8, 8, 8, 1),
    "conv2d depthwise 3×3 2×8×8²": conv2d(2, 8, 8, 8, 3, 1, 1, 8),
    "conv2d 3×3 stride 2 8×8×8²": conv2d(8, 8, 8, 8, 3, 2, 1),
    "conv1d 5 dilation 4 2×8×32": Call(
        "conv1d", ((2, 8, 32), (8, 8, 5)), {"padding": 8, "dilation": 4}
    ),
    "conv_transpose2d 2×8×4² to 8": conv_transpose2d(2, 8, 4, 8),
    "attention 2×2×8×8": Call("scaled_dot_product_attention", ((2, 2, 8, 8),) * 3, {}),
    "batch_norm 4×8×4²": batch_norm(4, 8, 4, 4),
    "group_norm 4×8×4²": group_norm(4, 8, 4, 4, groups=2),
    "rms_norm 8×8": rms_norm(8, 8),
    "max_pool2d 2 2×8×8²": images("max_pool2d", 2, 8, 8, 8, kernel_size=2),
    "avg_pool2d 2 2×8×8²": images("avg_pool2d", 2, 8, 8, 8, kernel_size=2),
    "adaptive_avg_pool2d 1 2×8×8²": images("adaptive_avg_pool2d", 2, 8, 8, 8, output_size=1),
    "interpolate bilinear 1×8×4² to 8²": images("interpolate", 1, 8, 4, 4, size=8, mode="bilinear"),
    "embedding 8": embedding("embedding", 8, rows=20, columns=8),
    "embedding_bag 4×2": embedding("embedding_bag", 4, 2, rows=20, columns=8),
    "dropout 8×8": images("dropout", 8, 8, p=0.5),
}
BARS = {**CALLS, **{name: (call, 6.0) for name, call in SMALL_CALLS.items()}}
NETWORK_ROWS = {
    **{name: (call.forward, bar) for name, (call, bar) in BARS.items()},
    **{f"{name}, with gradients": (call.both, bar) for name, (call, bar) in BARS.items()},
}

"""Trains a small convolutional network of plain functions on handwritten digits, 8×8 pixels each:

    conv_digits.py <file> [--library eagre|torch]

The file holds a digit per line: 64 numbers from 0 to 16, then what it shows, with commas between;
`./dev demo` makes it. With `--library torch` PyTorch runs the same program. Ends with status 1 when
the network has not learned.
"""

import argparse
import csv
import importlib
import math
import sys
import time
from pathlib import Path
from typing import Any

SIDE, CHANNELS, CLASSES = 8, 16, 10
BATCH, EPOCHS, RATE, MOMENTUM = 32, 8, 0.05, 0.9
GOOD = 0.97


class Network:
    """Two convolutions, each normalized by batches, the largest of 2×2 after the first, and means
    of channels in front of a linear layer."""

    def __init__(self, torch: Any, functional: Any) -> None:
        def weights(*shape: int) -> Any:
            inputs = math.prod(shape[1:])
            return (torch.randn(*shape) * math.sqrt(2 / inputs)).requires_grad_()

        def ones(size: int) -> Any:
            return torch.ones(size, requires_grad=True)

        def zeros(size: int) -> Any:
            return torch.zeros(size, requires_grad=True)

        self.torch, self.functional = torch, functional
        wide = 2 * CHANNELS
        self.first = [weights(CHANNELS, 1, 3, 3), ones(CHANNELS), zeros(CHANNELS)]
        self.second = [weights(wide, CHANNELS, 3, 3), ones(wide), zeros(wide)]
        self.last = [weights(CLASSES, wide), zeros(CLASSES)]
        self.parameters = [*self.first, *self.second, *self.last]
        self.running = [(torch.zeros(n), torch.ones(n)) for n in (CHANNELS, wide)]

    def block(self, x: Any, parameters: list[Any], running: Any, training: bool) -> Any:
        kernel, weight, bias = parameters
        x = self.functional.conv2d(x, kernel, padding=1)
        x = self.functional.batch_norm(x, *running, weight, bias, training=training)
        return self.functional.relu(x)

    def __call__(self, x: Any, training: bool = True) -> Any:
        x = self.block(x, self.first, self.running[0], training)
        x = self.functional.max_pool2d(x, 2)
        x = self.block(x, self.second, self.running[1], training)
        x = self.functional.adaptive_avg_pool2d(x, 1).flatten(1)
        if training:
            x = self.functional.dropout(x, 0.1)
        return self.functional.linear(x, *self.last)


def read_digits(torch: Any, path: Path) -> tuple[Any, Any]:
    with open(path, newline="") as file:
        rows = [[int(value) for value in row] for row in csv.reader(file)]
    pixels = torch.tensor([row[:-1] for row in rows], dtype=torch.float32) / 16
    return pixels.view(-1, 1, SIDE, SIDE), torch.tensor([row[-1] for row in rows])


def train(torch: Any, functional: Any, path: Path) -> float:
    """Prints how it goes, and gives the part of held-out digits that is right."""
    torch.manual_seed(0)
    pixels, labels = read_digits(torch, path)
    order = torch.randperm(len(labels))
    held = len(labels) // 5
    test, chosen = order[:held], order[held:]
    network = Network(torch, functional)
    speeds = [torch.zeros_like(p) for p in network.parameters]
    accuracy, start = 0.0, time.perf_counter()
    for epoch in range(1, EPOCHS + 1):
        total = 0.0
        for batch in chosen[torch.randperm(len(chosen))].split(BATCH):
            loss = functional.cross_entropy(network(pixels[batch]), labels[batch])
            loss.backward()
            with torch.no_grad():
                for parameter, speed in zip(network.parameters, speeds, strict=True):
                    speed.mul_(MOMENTUM).add_(parameter.grad)
                    parameter.sub_(speed, alpha=RATE)
                    parameter.grad = None
            total += loss.item() * len(batch)
        with torch.no_grad():
            right = network(pixels[test], training=False).argmax(1) == labels[test]
        accuracy = right.sum().item() / held
        print(f"epoch {epoch}  loss {total / len(chosen):.4f}  held out {accuracy:.1%}")
    seconds = time.perf_counter() - start
    print(f"{accuracy:.1%} of {held} held-out digits are right after {seconds:.2f} s")
    return float(accuracy)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--library", default="eagre", choices=("eagre", "torch"))
    options = parser.parse_args()
    library = importlib.import_module(options.library)
    functional = importlib.import_module(f"{options.library}.nn.functional")
    return 0 if train(library, functional, options.file) >= GOOD else 1


if __name__ == "__main__":
    sys.exit(main())

"""Trains a network of three layers on handwritten digits, 8×8 pixels each:

    digits.py <file> [--out FOLDER] [--torch PYTHON] [--library eagre|torch]

The file holds a digit per line: 64 numbers from 0 to 16, then what it shows, with commas between;
`./dev demo` makes it from the digits that scikit-learn ships. With --out it draws how the loss fell
and the graph of one step; with --torch it runs again with the PyTorch of that interpreter, whose
program is this one, and compares the times. Ends with status 1 when the network has not learned.
"""

import argparse
import csv
import importlib
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PIXELS, HIDDEN, CLASSES = 64, 64, 10
BATCH, EPOCHS, RATE, MOMENTUM = 32, 30, 0.05, 0.9
HELD_OUT = 0.2
GOOD = 0.97


def read_digits(torch: Any, path: Path) -> tuple[Any, Any]:
    with open(path, newline="") as file:
        rows = [[int(value) for value in row] for row in csv.reader(file)]
    pixels = torch.tensor([row[:-1] for row in rows], dtype=torch.float32) / 16
    return pixels, torch.tensor([row[-1] for row in rows])


class Network:
    def __init__(self, torch: Any, functional: Any) -> None:
        self.relu, self.linear = torch.relu, functional.linear
        sizes = (PIXELS, HIDDEN, HIDDEN, CLASSES)
        self.parameters: list[Any] = []
        for inputs, outputs in zip(sizes, sizes[1:], strict=False):
            weight = torch.randn(outputs, inputs) * math.sqrt(2 / inputs)
            self.parameters += [weight.requires_grad_(), torch.zeros(outputs, requires_grad=True)]

    def __call__(self, x: Any) -> Any:
        first, last = self.parameters[:-2], self.parameters[-2:]
        for i in range(0, len(first), 2):
            x = self.relu(self.linear(x, first[i], first[i + 1]))
        return self.linear(x, *last)


def show_progress(epoch: int, loss: float, accuracy: float) -> None:
    if not sys.stdout.isatty() and epoch % 5:
        return
    done = "█" * epoch + "·" * (EPOCHS - epoch)
    end = "" if sys.stdout.isatty() and epoch < EPOCHS else "\n"
    text = f"epoch {epoch:2d} {done}  loss {loss:.4f}  held out {accuracy:.1%}"
    print(f"\r{text}", end=end, flush=True)


class Training:
    """What happened: the losses of all steps, the accuracy at the end, seconds spent training."""

    def __init__(self, torch: Any, functional: Any, path: Path, quiet: bool = False) -> None:
        torch.manual_seed(0)
        torch.set_num_threads(1)
        self.torch, self.cross_entropy = torch, functional.cross_entropy
        pixels, labels = read_digits(torch, path)
        order = torch.randperm(len(labels))
        held = int(len(labels) * HELD_OUT)
        self.test = pixels[order[:held]], labels[order[:held]]
        self.train = pixels[order[held:]], labels[order[held:]]
        self.network = Network(torch, functional)
        self.speeds = [torch.zeros_like(p) for p in self.network.parameters]
        self.losses: list[float] = []
        self.seconds = 0.0
        for epoch in range(1, EPOCHS + 1):
            start = time.perf_counter()
            self.run_epoch()
            self.seconds += time.perf_counter() - start
            self.accuracy = self.measured_accuracy()
            if not quiet:
                recent = self.losses[-20:]
                show_progress(epoch, sum(recent) / len(recent), self.accuracy)

    def loss_of(self, chosen: Any) -> Any:
        pixels, labels = self.train
        return self.cross_entropy(self.network(pixels[chosen]), labels[chosen])

    def run_epoch(self) -> None:
        order = self.torch.randperm(len(self.train[1]))
        for first in range(0, len(order), BATCH):
            loss = self.loss_of(order[first : first + BATCH])
            loss.backward()
            with self.torch.no_grad():
                for parameter, speed in zip(self.network.parameters, self.speeds, strict=True):
                    speed.mul_(MOMENTUM).add_(parameter.grad)
                    parameter.sub_(speed, alpha=RATE)
                    parameter.grad = None
            self.losses.append(loss.item())

    def measured_accuracy(self) -> float:
        pixels, labels = self.test
        with self.torch.no_grad():
            right = (self.network(pixels).argmax(1) == labels).sum().item()
        return float(right / len(labels))


def draw_curve(
    losses: list[float], path: Path, width: int = 640, height: int = 320, margin: int = 40
) -> None:
    """The mean loss of every ten steps, on a logarithmic scale."""
    means = [sum(losses[i : i + 10]) / 10 for i in range(0, len(losses) - 9, 10)]
    heights = [math.log10(max(mean, 1e-4)) for mean in means]
    low, high = math.floor(min(heights)), math.ceil(max(heights))

    def y(value: float) -> float:
        return margin + (high - value) / (high - low) * (height - 2 * margin)

    def x(index: int) -> float:
        return margin + index / (len(heights) - 1) * (width - 2 * margin)

    points = " ".join(f"{x(i):.1f},{y(h):.1f}" for i, h in enumerate(heights))
    grid = "".join(
        f'<line x1="{margin}" x2="{width - margin}" y1="{y(p)}" y2="{y(p)}" stroke="#ddd"/>'
        f'<text x="{margin - 6}" y="{y(p) + 4}" text-anchor="end">1e{p}</text>'
        for p in range(low, high + 1)
    )
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="white"/>{grid}'
        f'<polyline points="{points}" fill="none" stroke="#1565c0" stroke-width="1.5"/>'
        f'<text x="{width / 2}" y="{height - 10}" text-anchor="middle">'
        f"loss over {len(losses)} steps</text></svg>\n"
    )


def draw(training: Training, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    curve, graph = folder / "loss.svg", folder / "graph.svg"
    draw_curve(training.losses, curve)
    loss = training.loss_of(training.torch.arange(BATCH))
    names = [f"{part} {layer}" for layer in (1, 2, 3) for part in ("weight", "bias")]
    leaves = zip(names, training.network.parameters, strict=True)
    importlib.import_module("eagre.viz").graph(loss, leaves).save(graph)
    print(f"the loss:  {curve}\nthe graph: {graph}")


def compare(training: Training, python: str, path: Path) -> None:
    command = [python, __file__, str(path), "--library", "torch"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(f"PyTorch of {python} did not run:\n{result.stderr[-500:]}")
        return
    seconds = float(result.stdout.split()[-1])
    ratio = seconds / training.seconds
    print(f"PyTorch takes {seconds:.2f} s for the same program: {ratio:.1f} times as long")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, metavar="FOLDER")
    parser.add_argument("--torch", metavar="PYTHON")
    parser.add_argument("--library", default="eagre", choices=("eagre", "torch"))
    options = parser.parse_args()
    library = importlib.import_module(options.library)
    functional = importlib.import_module(f"{options.library}.nn.functional")
    training = Training(library, functional, options.file, quiet=options.library == "torch")
    if options.library == "torch":
        print(training.seconds)
        return 0
    print(
        f"\n{training.accuracy:.1%} of {len(training.test[1])} held-out digits are right; "
        f"{len(training.losses)} steps took {training.seconds:.2f} s"
    )
    if options.torch:
        compare(training, options.torch, options.file)
    if options.out:
        draw(training, options.out)
    return 0 if training.accuracy >= GOOD else 1


if __name__ == "__main__":
    sys.exit(main())

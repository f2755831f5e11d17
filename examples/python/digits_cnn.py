"""Trains a convolutional network of modules on handwritten digits, 8×8 pixels each:

    digits_cnn.py <file> [--library eagre|torch]

The file holds a digit per line: 64 numbers from 0 to 16, then what it shows, with commas between;
`./dev demo` makes it. With `--library torch` PyTorch runs the same program. Ends with status 1 when
the network has not learned. conv_digits.py is the same of functions and tensors.
"""

import argparse
import csv
import importlib
import sys
import time
from pathlib import Path
from typing import Any

SIDE, CLASSES, BATCH, EPOCHS = 8, 10, 64, 12
GOOD = 0.97


def network(nn: Any) -> Any:
    def block(inputs: int, outputs: int) -> list[Any]:
        return [
            nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]

    return nn.Sequential(
        *block(1, 16), *block(16, 32), nn.MaxPool2d(2),
        *block(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.1),
        nn.Linear(64, CLASSES),
    )  # fmt: skip


def read_digits(torch: Any, path: Path) -> tuple[Any, Any]:
    with open(path, newline="") as file:
        rows = [[int(value) for value in row] for row in csv.reader(file)]
    pixels = torch.tensor([row[:-1] for row in rows], dtype=torch.float32) / 16
    return pixels.view(-1, 1, SIDE, SIDE), torch.tensor([row[-1] for row in rows])


def train(torch: Any, nn: Any, path: Path) -> float:
    """Prints how it goes, and gives the part of held-out digits that is right."""
    torch.manual_seed(0)
    pixels, labels = read_digits(torch, path)
    order = torch.randperm(len(labels))
    held = len(labels) // 5
    test, chosen = order[:held], order[held:]
    model, wrong = network(nn), nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.05)
    steps = EPOCHS * -(-len(chosen) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=steps)
    accuracy, start = 0.0, time.perf_counter()
    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = 0.0
        for batch in chosen[torch.randperm(len(chosen))].split(BATCH):
            loss = wrong(model(pixels[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        model.eval()
        with torch.no_grad():
            right = model(pixels[test]).argmax(1) == labels[test]
        accuracy = right.sum().item() / held
        print(f"epoch {epoch:2}  loss {total / len(chosen):.4f}  held out {accuracy:.1%}")
    seconds = time.perf_counter() - start
    print(f"{accuracy:.1%} of {held} held-out digits are right after {seconds:.2f} s")
    return float(accuracy)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--library", default="eagre", choices=("eagre", "torch"))
    options = parser.parse_args()
    torch = importlib.import_module(options.library)
    nn = importlib.import_module(f"{options.library}.nn")
    return 0 if train(torch, nn, options.file) >= GOOD else 1


if __name__ == "__main__":
    sys.exit(main())

"""Logistic regression: tells three clouds of points apart, and shows how well.

The data is synthetic: points around three centres. A linear model is trained on most of them with
`cross_entropy` and judged by the rest. Ends with status 1 when it did not learn.
"""

import sys

import eagre as torch
import eagre.nn.functional as F

CENTRES = [[0.0, 3.0], [-3.0, -2.0], [3.0, -2.0]]
POINTS, HELD_BACK = 600, 150
STEPS, BATCH, LEARNING_RATE = 300, 64, 0.1


def make_points() -> tuple[torch.Tensor, torch.Tensor]:
    """Points [POINTS, 2], and the number of the cloud that each is from."""
    labels = torch.randint(0, len(CENTRES), (POINTS,))
    return torch.tensor(CENTRES)[labels] + torch.randn(POINTS, 2), labels


def train(x: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    weight = torch.zeros(len(CENTRES), 2, requires_grad=True)
    bias = torch.zeros(len(CENTRES), requires_grad=True)
    for step in range(STEPS + 1):
        chosen = torch.randint(0, len(x), (BATCH,))
        loss = F.cross_entropy(F.linear(x[chosen], weight, bias), labels[chosen])
        if step % 50 == 0:
            print(f"step {step:4d}   loss {loss.item():.4f}")
        loss.backward()
        with torch.no_grad():
            for parameter in (weight, bias):
                parameter.sub_(parameter.grad, alpha=LEARNING_RATE)
                parameter.grad = None
    return weight, bias


def confusion(predicted: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """How often a point of cloud i was taken for one of cloud j."""
    counts = torch.zeros(len(CENTRES), len(CENTRES), dtype=torch.int64)
    one = torch.tensor(1)
    return counts.index_put_((labels, predicted), one, accumulate=True)


def main() -> int:
    torch.manual_seed(0)
    x, labels = make_points()
    weight, bias = train(x[HELD_BACK:], labels[HELD_BACK:])

    with torch.no_grad():
        predicted = F.linear(x[:HELD_BACK], weight, bias).argmax(1)
    counts = confusion(predicted, labels[:HELD_BACK])
    share = counts.diagonal().sum().item() / HELD_BACK
    print(f"\nclouds (rows) and what they were taken for (columns):\n{counts}")
    print(f"{share:.1%} of {HELD_BACK} new points are right")
    return 0 if share > 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())

"""Fits sin(x) with a radial-basis network, and shows the loss falling.

The network is a sum of Gaussians, y(x) = Σ weight · exp(-(scale · (x - centre))²), whose centres,
scales and weights are learned by gradient descent with momentum. It uses seven operators only: add,
mul, exp, sum, matmul, transpose and randn. Ends with status 1 when it did not learn.
"""

import math
import sys
import time

import eagre as torch

POINTS, BUMPS = 64, 8
STEPS, REPORTS = 12000, 12
LEARNING_RATE, MOMENTUM = 0.05, 0.95
WIDTH, HEIGHT = 64, 13


def network(
    x: torch.Tensor, centres: torch.Tensor, scales: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """x: [points, 1] → [points]"""
    distance = (x + centres * -1.0) * scales
    return torch.exp(distance * distance * -1.0) @ weights


def mean_square(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    difference = a + b * -1.0
    return torch.sum(difference * difference) * (1.0 / POINTS)


def plot(title: str, *curves: tuple[str, list[float]]) -> None:
    """Draws lists of numbers as text; later curves are drawn over earlier ones."""
    values = [value for _, curve in curves for value in curve]
    low, high = min(values), max(values)
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for mark, curve in curves:
        for column in range(WIDTH):
            value = curve[column * (len(curve) - 1) // (WIDTH - 1)]
            row = round((high - value) / ((high - low) or 1.0) * (HEIGHT - 1))
            grid[row][column] = mark
    print(f"\n{title}")
    for i, line in enumerate(grid):
        label = f"{high - (high - low) * i / (HEIGHT - 1):8.3f}" if i % 4 == 0 else " " * 8
        print(f"{label} |{''.join(line)}")
    print(" " * 9 + "+" + "-" * WIDTH)


def train(x: torch.Tensor, target: torch.Tensor) -> tuple[list[torch.Tensor], list[float]]:
    """Gradient descent; returns the parameters and the loss of every step."""
    centres = torch.randn(1, BUMPS, requires_grad=True)
    scales = torch.full((1, BUMPS), 1.0, requires_grad=True)
    weights = torch.randn(BUMPS, requires_grad=True)
    parameters = [centres, scales, weights]
    momenta = [torch.zeros(*p.shape) for p in parameters]
    losses = []
    for step in range(STEPS + 1):
        loss = mean_square(network(x, *parameters), target)
        losses.append(loss.item())
        if step % (STEPS // REPORTS) == 0:
            print(f"step {step:5d}   loss {losses[-1]:.6f}")
        loss.backward()
        with torch.no_grad():
            for parameter, momentum in zip(parameters, momenta, strict=True):
                momentum.mul_(MOMENTUM).add_(parameter.grad)
                parameter.add_(momentum, alpha=-LEARNING_RATE)
                parameter.grad = None
    return parameters, losses


def main() -> int:
    torch.manual_seed(0)
    points = [-math.pi + 2 * math.pi * i / (POINTS - 1) for i in range(POINTS)]
    x = torch.tensor([points]).transpose(0, 1)
    target = torch.tensor([math.sin(p) for p in points])

    start = time.perf_counter()
    parameters, losses = train(x, target)
    seconds = time.perf_counter() - start

    with torch.no_grad():
        fitted = network(x, *parameters).tolist()
    # Most happens early, so the steps are spaced by their logarithm too.
    steps = [round(len(losses) ** (i / (WIDTH - 1))) - 1 for i in range(WIDTH)]
    plot(f"log10 of the loss, step 1 to {STEPS}", ("*", [math.log10(losses[s]) for s in steps]))
    plot("sin(x) '.' and the fit 'o', from -pi to pi", (".", target.tolist()), ("o", fitted))

    per_step = seconds / len(losses) * 1e6
    print(f"\n{len(losses)} steps in {seconds:.2f} s, {per_step:.0f} µs each")
    learned = losses[-1] < losses[0] / 1000
    print(
        f"{'learned' if learned else 'NOT learned'}: loss from {losses[0]:.6f} to {losses[-1]:.6f}"
    )
    return 0 if learned else 1


if __name__ == "__main__":
    sys.exit(main())

"""What can be done with gradients while they flow: steps inside backward, clipping, finding a NaN.

A small network learns a sine. Its parameters are updated by hooks as soon as their gradients are
there, so that no two gradients are kept at once; a hook on the hidden layer limits its gradient.
Then a mistake is made on purpose, and anomaly mode names the line. Ends with status 1 when the
network did not learn or the line was not named.
"""

import sys
from typing import Any

import eagre as torch

STEPS, RATE, LARGEST = 2000, 0.05, 1.0


def make_parameters() -> list[torch.Tensor]:
    torch.manual_seed(0)
    shapes = ((1, 32), (32,), (32, 1), (1,))
    return [(torch.randn(*shape) * 0.5).requires_grad_() for shape in shapes]


def step_in_backward(parameter: torch.Tensor) -> Any:
    """Descends as soon as the gradient is complete, and gives its memory back."""

    def descend(leaf: torch.Tensor) -> None:
        with torch.no_grad():
            leaf.sub_(leaf.grad, alpha=RATE)
        leaf.grad = None

    return parameter.register_post_accumulate_grad_hook(descend)


def limit(gradient: torch.Tensor) -> torch.Tensor | None:
    """A hook that returns a gradient replaces the one that arrived."""
    norm = (gradient * gradient).sum().sqrt()
    return gradient * (LARGEST / norm) if norm > LARGEST else None


def train(parameters: list[torch.Tensor]) -> float:
    x = torch.linspace(-3, 3, 64).unsqueeze(1)
    wanted = torch.sin(x)
    w1, b1, w2, b2 = parameters
    for step in range(STEPS + 1):
        hidden = torch.tanh(x @ w1 + b1)
        hidden.register_hook(limit)
        loss = ((hidden @ w2 + b2 - wanted) ** 2).mean()
        if step % 500 == 0:
            print(f"step {step:5d}   loss {loss.item():.5f}")
        loss.backward()
    return float(loss.item())


def find_a_nan() -> str:
    x = torch.tensor([1.0, 0.0], requires_grad=True)
    y = x * 2
    root = torch.sqrt(y - y)  # infinite slope at 0, times 0
    try:
        with torch.autograd.detect_anomaly(check_nan=True):
            (root * 0).sum().backward()
    except RuntimeError as problem:
        return str(problem)
    return ""


def main() -> int:
    parameters = make_parameters()
    handles = [step_in_backward(parameter) for parameter in parameters]
    loss = train(parameters)
    for handle in handles:
        handle.remove()

    message = find_a_nan()
    print(f"\nanomaly mode says:\n{message}")
    x = torch.ones(2, requires_grad=True)
    print(f"\na graph for Graphviz:\n{torch.autograd.graph.to_dot((x * 3).sum())}")
    return 0 if loss < 0.02 and "gradient_tools.py" in message else 1


if __name__ == "__main__":
    sys.exit(main())

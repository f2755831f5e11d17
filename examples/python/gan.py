"""Two networks play: one makes points, the other tells them from those of a ring.

gan.py [--steps N]
"""

import argparse
import math

import eagre as torch
import eagre.nn.functional as F
from eagre import nn

NOISE, BATCH = 8, 128


def ring(count: int) -> torch.Tensor:
    angle = torch.rand(count) * 2 * math.pi
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(count, 2)


def network(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2),
        nn.Linear(64, outputs),
    )  # fmt: skip


def distance(points: torch.Tensor) -> float:
    """How far the points are from the ring, in the mean."""
    return float((points.norm(dim=1) - 1).abs().mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=1500)
    options = parser.parse_args()
    torch.manual_seed(0)
    generator, critic = network(NOISE, 2), network(2, 1)
    betas = (0.5, 0.99)
    of_generator = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=betas)
    of_critic = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=betas)
    real, made = torch.ones(BATCH, 1), torch.zeros(BATCH, 1)
    for step in range(1, options.steps + 1):
        points = generator(torch.randn(BATCH, NOISE))
        right = F.binary_cross_entropy_with_logits(critic(ring(BATCH)), real)
        right = right + F.binary_cross_entropy_with_logits(critic(points.detach()), made)
        of_critic.zero_grad()
        right.backward()
        of_critic.step()

        fooled = F.binary_cross_entropy_with_logits(critic(points), real)
        of_generator.zero_grad()
        fooled.backward()
        of_generator.step()
        if step == 1 or step % 250 == 0:
            print(f"step {step:4}  points are {distance(points.detach()):.3f} from the ring")


if __name__ == "__main__":
    main()

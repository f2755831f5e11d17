"""A policy learns to balance a pole on a cart, by REINFORCE.

reinforce.py [--episodes N]
"""

import argparse
import math
import random

import eagre as torch
from eagre import nn

MOST_STEPS, DISCOUNT = 200, 0.99


class CartPole:
    """The classic task: push left or right so that the pole does not fall."""

    def __init__(self) -> None:
        self.state = [random.uniform(-0.05, 0.05) for _ in range(4)]
        self.steps = 0

    def step(self, push_right: bool) -> bool:
        """Moves on by a fiftieth of a second; false when the pole has fallen or time is over."""
        gravity, mass, pole_mass, half_length, seconds = 9.8, 1.1, 0.1, 0.5, 0.02
        place, speed, angle, turn = self.state
        force = 10.0 if push_right else -10.0
        sine, cosine = math.sin(angle), math.cos(angle)
        pushed = (force + pole_mass * half_length * turn**2 * sine) / mass
        bend = (gravity * sine - cosine * pushed) / (
            half_length * (4 / 3 - pole_mass * cosine**2 / mass)
        )
        gain = pushed - pole_mass * half_length * bend * cosine / mass
        self.state = [
            place + seconds * speed,
            speed + seconds * gain,
            angle + seconds * turn,
            turn + seconds * bend,
        ]
        self.steps += 1
        standing = abs(self.state[0]) < 2.4 and abs(self.state[2]) < 0.21
        return standing and self.steps < MOST_STEPS


def play(policy: nn.Module) -> tuple[torch.Tensor, int]:
    """The loss of one episode, and how many steps it had."""
    game, chosen, going = CartPole(), [], True
    while going:
        scores = torch.log_softmax(policy(torch.tensor(game.state)), dim=-1)
        action = int(torch.multinomial(scores.exp(), 1).item())
        chosen.append(scores[action])
        going = game.step(action == 1)
    left = torch.arange(len(chosen), 0, -1, dtype=torch.float32)
    returns = (1 - DISCOUNT**left) / (1 - DISCOUNT)  # of a reward for each step
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    return -(torch.stack(chosen) * returns).sum(), len(chosen)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=300)
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    policy = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 2))
    optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
    recent: list[int] = []
    for episode in range(1, options.episodes + 1):
        loss, steps = play(policy)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent = [*recent, steps][-50:]
        if episode % 50 == 0:
            print(f"episode {episode:4}  balanced for {sum(recent) / len(recent):.0f} steps")


if __name__ == "__main__":
    main()

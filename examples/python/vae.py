"""A variational autoencoder of small pictures, each a bar that lies somewhere.

vae.py [--steps N]
"""

import argparse

import eagre as torch
import eagre.nn.functional as F
from eagre import nn

SIDE, LATENT = 8, 4


class VAE(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        pixels = SIDE * SIDE
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(pixels, 64), nn.ReLU())
        self.mean, self.log_variance = nn.Linear(64, LATENT), nn.Linear(64, LATENT)
        self.decoder = nn.Sequential(
            nn.Linear(LATENT, 64), nn.ReLU(), nn.Linear(64, pixels), nn.Unflatten(1, (SIDE, SIDE))
        )

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        code = self.encoder(x)
        mean, log_variance = self.mean(code), self.log_variance(code)
        sample = mean + torch.randn_like(mean) * torch.exp(log_variance / 2)
        return self.decoder(sample), mean, log_variance


def bars(count: int) -> torch.Tensor:
    """Pictures of one row or one column."""
    pictures = torch.zeros(count, SIDE, SIDE)
    place = torch.randint(SIDE, (count,))
    pictures[torch.arange(count), place] = 1
    turned = torch.rand(count) < 0.5
    pictures[turned] = pictures[turned].mT
    return pictures


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    torch.manual_seed(0)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(1, options.steps + 1):
        pictures = bars(64)
        scores, mean, log_variance = model(pictures)
        wrong = F.binary_cross_entropy_with_logits(scores, pictures, reduction="sum")
        divergence = -0.5 * (1 + log_variance - mean**2 - log_variance.exp()).sum()
        loss = (wrong + divergence) / len(pictures)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == 1 or step % 100 == 0:
            print(f"step {step:4}  loss {loss.item():.2f}")
    with torch.no_grad():
        drawn = model.decoder(torch.randn(3, LATENT)).sigmoid()
    for row in range(SIDE):
        print("   ".join("".join(" .:#"[int(v * 3.99)] for v in p[row]) for p in drawn.tolist()))


if __name__ == "__main__":
    main()

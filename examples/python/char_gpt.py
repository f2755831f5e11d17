"""Trains a small GPT on the characters of a text, then lets it write:

    char_gpt.py [file] [--steps N]

Without a file it learns a few lines that are built in.
"""

import argparse
import math
import time
from pathlib import Path

import eagre as torch
import eagre.nn.functional as F
from eagre import nn

TEXT = (
    "the quick brown fox jumps over the lazy dog. "
    "a good tensor is hard to find, a bad one is hard to lose. "
    "what we learn with pleasure we never forget. "
) * 20
CONTEXT, CHANNELS, HEADS, LAYERS, BATCH = 48, 64, 4, 2, 16


class Attention(nn.Module):
    """Each character looks at those before it."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(CHANNELS, 3 * CHANNELS, bias=False)
        self.out = nn.Linear(CHANNELS, CHANNELS, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        heads = self.qkv(x).view(batch, length, 3 * HEADS, -1).transpose(1, 2)
        q, k, v = heads.chunk(3, dim=1)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        result: torch.Tensor = self.out(mixed.transpose(1, 2).reshape(batch, length, CHANNELS))
        return result


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.Sequential(nn.LayerNorm(CHANNELS), Attention())
        self.mlp = nn.Sequential(
            nn.LayerNorm(CHANNELS),
            nn.Linear(CHANNELS, 4 * CHANNELS),
            nn.GELU(),
            nn.Linear(4 * CHANNELS, CHANNELS),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(x)
        result: torch.Tensor = x + self.mlp(x)
        return result


class GPT(nn.Module):
    def __init__(self, characters: int) -> None:
        super().__init__()
        self.characters = nn.Embedding(characters, CHANNELS)
        self.places = nn.Embedding(CONTEXT, CHANNELS)
        self.blocks = nn.Sequential(*(Block() for _ in range(LAYERS)))
        self.norm = nn.LayerNorm(CHANNELS)
        self.head = nn.Linear(CHANNELS, characters, bias=False)
        self.head.weight = self.characters.weight
        for table in (self.characters, self.places):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, text: torch.Tensor) -> torch.Tensor:
        x = self.characters(text) + self.places(torch.arange(text.shape[1]))
        result: torch.Tensor = self.head(self.norm(self.blocks(x)))
        return result

    @torch.no_grad()
    def write(self, text: torch.Tensor, count: int) -> torch.Tensor:
        for _ in range(count):
            scores = self(text[:, -CONTEXT:])[:, -1] / 0.5
            text = torch.cat([text, torch.multinomial(F.softmax(scores, dim=-1), 1)], dim=1)
        return text


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--steps", type=int, default=300)
    options = parser.parse_args()
    torch.manual_seed(0)
    text = options.file.read_text() if options.file else TEXT
    alphabet = sorted(set(text))
    data = torch.tensor([alphabet.index(c) for c in text])
    model = GPT(len(alphabet))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=options.steps)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(alphabet)} characters")
    start = time.perf_counter()
    for step in range(1, options.steps + 1):
        begins = torch.randint(len(data) - CONTEXT - 1, (BATCH, 1))
        pieces = data[begins + torch.arange(CONTEXT + 1)]
        scores = model(pieces[:, :-1])
        loss = F.cross_entropy(scores.flatten(0, 1), pieces[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step == 1 or step % 50 == 0:
            bits = loss.item() / math.log(2)
            print(f"step {step:4}  loss {loss.item():.3f}  ({bits:.2f} bits a character)")
    print(f"{options.steps / (time.perf_counter() - start):.0f} steps a second; it writes:")
    written = model.write(data[None, :1], 80)[0].tolist()
    print("".join(alphabet[int(i)] for i in written))


if __name__ == "__main__":
    main()

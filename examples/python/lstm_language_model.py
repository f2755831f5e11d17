"""An LSTM learns a language of brackets, of two kinds, which are closed in the right order.

    lstm_language_model.py [--steps N]

The state is carried from one stretch of text to the next.
"""

import argparse
import random

import eagre as torch
import eagre.nn.functional as F
from eagre import nn

WORDS = "([)]."
SIZE, LAYERS, BATCH, STRETCH = 48, 2, 16, 24


class LanguageModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(len(WORDS), SIZE)
        self.lstm = nn.LSTM(SIZE, SIZE, LAYERS, dropout=0.1)
        self.scores = nn.Linear(SIZE, len(WORDS))

    def forward(
        self, text: torch.Tensor, state: list[torch.Tensor]
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        output, state = self.lstm(self.words(text), state)
        return self.scores(output), state


def sentences(count: int) -> str:
    text = []
    for _ in range(count):
        opening = random.choices("([", k=random.randint(1, 5))
        text.append(
            "".join(opening) + "".join(")]"["([".index(c)] for c in reversed(opening)) + "."
        )
    return "".join(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    text = torch.tensor([WORDS.index(c) for c in sentences(4000)])
    columns = text[: len(text) // BATCH * BATCH].view(BATCH, -1).t().contiguous()
    model = LanguageModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    state = [torch.zeros(LAYERS, BATCH, SIZE) for _ in range(2)]
    for step in range(1, options.steps + 1):
        first = (step - 1) * STRETCH % (len(columns) - STRETCH - 1)
        piece = columns[first : first + STRETCH + 1]
        scores, state = model(piece[:-1], [s.detach() for s in state])
        loss = F.cross_entropy(scores.flatten(0, 1), piece[1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        if step == 1 or step % 100 == 0:
            print(f"step {step:4}  perplexity {loss.exp().item():.2f}")
    model.eval()
    opening = "([[("
    with torch.no_grad():
        state = [torch.zeros(LAYERS, 1, SIZE) for _ in range(2)]
        scores, state = model(torch.tensor([[WORDS.index(c)] for c in opening + ")"]), state)
        written = ""
        while not written.endswith(".") and len(written) < 10:
            word = int(scores[-1, 0].argmax())
            written += WORDS[word]
            scores, state = model(torch.tensor([[word]]), state)
    print(f"{opening + ')'} goes on with {written}")


if __name__ == "__main__":
    main()

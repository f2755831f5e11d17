"""Calls every operator with hostile arguments until the time is over, in a child process:
`hostile_calls.py SEED SECONDS JOURNAL`. Any exception of Python is an answer; only a crash, a hang
or an internal error is a finding. The journal holds the call that is running."""

import faulthandler
import json
import random
import sys
import time
import warnings
from pathlib import Path

import eagre

ODD_INTS = [0, 1, -1, 2, -2, 3, 7, 64, 65, 2**31, -(2**31), 2**62, 2**63 - 1, -(2**63), 2**70]
ODD_FLOATS = [0.0, -0.0, 1.0, -1.5, float("nan"), float("inf"), -float("inf"), 1e308, 5e-324]
ODD_OBJECTS = [None, "", "sum", "mean", "floor", "no", b"x", object(), [], (), {}, 1j, ..., int]
DTYPES = [value for value in vars(eagre).values() if isinstance(value, eagre.dtype)]
SHAPES = [(), (0,), (1,), (3,), (2, 3), (3, 2), (2, 0, 3), (1, 1), (2, 3, 4), (1,) * 7]
# What operators of networks take together: an image, a weight, one number for each channel.
NETWORK_SHAPES = [
    (2, 4, 6),
    (2, 4, 5, 6),
    (2, 4, 5, 6, 3),
    (4, 4, 3),
    (4, 4, 3, 2),
    (4, 4, 2, 1, 2),
    (4,),
]
REDUCTIONS = ["none", "mean", "sum", "max", "prod", "amax"]
MODES = ["constant", "reflect", "replicate", "circular", "nearest", "linear", "bilinear", "bicubic"]
TEXTS = [*REDUCTIONS, *MODES, "area", "valid", "same", "tanh", "floor", "border", "?"]


class Arguments:
    def __init__(self, generator):
        self.random = generator

    def begin(self):
        """A call. Arguments that fit together get further into an operator than any do."""
        of_network = self.random.random() < 0.5
        self.shapes = NETWORK_SHAPES if of_network else SHAPES
        self.dtypes = [self.random.choice(DTYPES)] if self.random.random() < 0.5 else DTYPES
        self.ints = [0, 1, 1, 2, 3] if self.random.random() < 0.5 else ODD_INTS

    def tensor(self):
        pick = self.random.choice
        shape = pick(self.shapes)
        device = pick(["cpu"] * 9 + ["meta"])
        made = eagre.full(shape, pick([0, 1, -1, 2]), dtype=pick(self.dtypes), device=device)
        change = self.random.random()
        if change < 0.1 and made.dim() == 2:
            made = made.t()
        elif change < 0.2:
            made = made.expand(pick([(2,), (1000,)]) + tuple(made.shape))
        elif change < 0.3 and made.dim() > 0:
            made = made[..., ::2]
        if self.random.random() < 0.2 and (made.dtype.is_floating_point or made.dtype.is_complex):
            made = made.detach().requires_grad_()
        return made

    def integers(self):
        return [self.random.choice(self.ints) for _ in range(self.random.randrange(5))]

    def of_type(self, spelling):
        if self.random.random() < 0.07:
            return self.random.choice(ODD_OBJECTS)
        name = spelling.removesuffix("?")
        if spelling.endswith("?") and self.random.random() < 0.4:
            return None
        makers = {
            "Tensor": self.tensor,
            "Mask": lambda: self.tensor() == 1,
            "Tensor[]": lambda: [self.tensor() for _ in range(self.random.randrange(4))],
            "Tensor?[]": lambda: [self.random.choice([None, self.tensor()]) for _ in range(2)],
            "Tensor|Scalar": lambda: self.random.choice([self.tensor(), 2, -1.5, True, 1j]),
            "Scalar": lambda: self.random.choice(self.ints + ODD_FLOATS),
            "int": lambda: self.random.choice(self.ints),
            "float": lambda: self.random.choice(ODD_FLOATS),
            "bool": lambda: self.random.choice([True, False]),
            "int[]": self.integers,
            "int?[]": lambda: [self.random.choice([None, i]) for i in self.integers()],
            "str": lambda: self.random.choice(TEXTS),
            "dtype": lambda: self.random.choice(DTYPES),
            "memory_format": lambda: self.random.choice([eagre.channels_last, None]),
            "Generator": lambda: eagre.Generator(),
        }
        return makers[name]() if name in makers else None


def callables(record):
    name, forms = record["name"], record["forms"]
    if "function" in forms:
        # Those that Python hides behind other names are called past these.
        hidden = f"_{name}"
        if not hasattr(eagre._C, hidden) and record["python"]:
            hidden = "_" + record["python"][0].replace(".", "_")
        yield getattr(eagre._C, hidden if record["hidden"] else name)
    if "method" in forms:
        yield getattr(eagre.Tensor, name)
    if "inplace" in forms:
        yield getattr(eagre.Tensor, name + "_")


def describe(value):
    if isinstance(value, eagre.Tensor):
        return f"tensor({value.dtype}, {tuple(value.shape)}, {value.stride()}, {value.device})"
    return repr(value)


def main(seed, seconds, journal):
    faulthandler.enable()
    warnings.simplefilter("ignore")
    eagre.cpu.set_memory_limit(1 << 30)
    generator = random.Random(seed)
    records = json.loads((Path(eagre.__file__).parents[2] / "gen" / "ops.json").read_text())
    targets = [(r, call) for r in records for call in callables(r)]
    make = Arguments(generator)
    calls, answered, end = 0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        record, call = generator.choice(targets)
        make.begin()
        arguments = [make.of_type(spelling) for _, spelling, _ in record["parameters"]]
        given = [a for a, (_, t, _) in zip(arguments, record["parameters"], strict=True)
                 if t != "Options"]  # fmt: skip
        if generator.random() < 0.2:
            given = given[: generator.randrange(len(given) + 1)]
        text = f"{record['op']}({', '.join(map(describe, given))})"
        Path(journal).write_text(text)
        calls += 1
        try:
            result = call(*given)
            if isinstance(result, eagre.Tensor) and result.requires_grad and not result.is_leaf:
                result.backward(eagre.ones(result.shape, dtype=result.dtype, device=result.device))
            repr(result)
            answered += 1
        except eagre.InternalError as error:
            print(f"{text}: {error}")
            return 1
        except Exception:  # noqa: S110  any exception is an answer
            pass
    print(f"{calls} calls, {answered} with a result")
    return 0 if answered > calls / 50 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]))

"""The examples run and learn what they should."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import eagre

ROOT = Path(__file__).resolve().parents[3]


BUILD = Path(eagre.__file__).parents[2]


def output_of(command):
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("custom_function", "loss 0.0 weights [3.0, -2.0, 5.0, 0.0]"),
        ("classify", "of 150 new points are right"),
        ("fit", "learned: loss"),
        ("gradient_tools", "digraph"),
    ],
)
def test_python(script, words):
    assert words in output_of([sys.executable, ROOT / f"examples/python/{script}.py"])


# How long each learns, what its lines call the number that says how well, and by which factor that
# changes at least.
LEARNERS = [
    ("char_gpt", ["--steps", "120"], "loss", 0.3),
    ("vae", ["--steps", "300"], "loss", 0.4),
    ("gan", ["--steps", "500"], "points are", 0.5),
    ("lstm_language_model", ["--steps", "200"], "perplexity", 0.5),
    ("reinforce", ["--episodes", "150"], "balanced for", 1.5),
]


@pytest.mark.parametrize(
    ("script", "options", "word", "factor"), LEARNERS, ids=[row[0] for row in LEARNERS]
)
def test_programs_that_learn(script, options, word, factor):
    text = output_of([sys.executable, ROOT / f"examples/python/{script}.py", *options])
    first, *_, last = map(float, re.findall(rf"{word} +([0-9.]+)", text))
    change = last / first
    assert change < factor if factor < 1 else change > factor, text


def test_custom_function():
    output = output_of([BUILD / "examples" / "custom_function"])
    assert "loss 0, weights 3 -2 5 0" in output
    assert "gradients of Softplus are right" in output


def test_transforms():
    assert "all ways agree" in output_of([BUILD / "examples" / "transforms"])


def test_newton():
    assert "the minimum is at (1, 1)" in output_of([BUILD / "examples" / "newton"])


def noisy_patterns():
    """Ten patterns with noise, which stand for the digits that ./dev demo fetches."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, size=600)
    patterns = rng.integers(0, 17, size=(10, 64))
    noisy = np.clip(patterns[labels] + rng.integers(-5, 6, size=(600, 64)), 0, 16)
    lines = (",".join(map(str, [*row, label])) for row, label in zip(noisy, labels, strict=True))
    return "\n".join(lines) + "\n"


def test_digits(tmp_path):
    file = tmp_path / "digits.csv"
    file.write_text(noisy_patterns())
    text = output_of([BUILD / "examples" / "digits", file])
    assert "480 digits to learn from, 120 to be tested on" in text
    assert "epoch 30   test accuracy" in text
    script = ROOT / "examples/python/digits.py"
    text = output_of([sys.executable, script, file, "--out", tmp_path / "out"])
    assert "of 120 held-out digits are right" in text
    for name in ("loss.svg", "graph.svg"):
        assert (tmp_path / "out" / name).read_text().startswith("<svg")


def test_conv_digits(tmp_path):
    file = tmp_path / "digits.csv"
    file.write_text(noisy_patterns())
    assert "of 120 held-out digits are right" in output_of([BUILD / "examples/conv_digits", file])
    for script in ("conv_digits", "digits_cnn"):
        text = output_of([sys.executable, ROOT / f"examples/python/{script}.py", file])
        assert "of 120 held-out digits are right" in text

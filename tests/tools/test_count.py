"""The gate of count.py: it must fail when a row is too high, has grown, or is missing."""

import json

import count
import pytest

LIMITS = {"row": {"bar": 100, "recorded": 90}, "zero": {"bar": 0, "recorded": 0}}


def test_within_the_headroom_passes():
    assert count.complaints({"row": 92.5, "zero": 0}, LIMITS) == []


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"row": 93.0, "zero": 0}, "grew"),
        ({"row": 90, "zero": 0.001}, "bar"),
        ({"row": 90}, "not measured"),
        ({"row": 90, "zero": 0, "new": 1}, "no limit"),
    ],
)
def test_every_fault_is_named(values, word):
    assert word in " ".join(count.complaints(values, LIMITS))


def test_above_the_bar_fails_even_when_recorded():
    limits = {"row": {"bar": 100, "recorded": 120}}
    assert len(count.complaints({"row": 120}, limits)) == 1


def test_unrecorded_row_fails():
    assert count.complaints({"row": 1}, {"row": {"bar": 2, "recorded": None}}) != []


def test_row_may_have_one_limit_only():
    limits = {"ratio": {"bar": 3}, "count": {"recorded": 90}}
    assert count.complaints({"ratio": 2.9, "count": 91}, limits) == []
    assert len(count.complaints({"ratio": 3.1, "count": 95}, limits)) == 2


def test_limits_file_names_every_neighbour():
    limits = json.loads(count.LIMITS.read_text())
    for neighbour, fast_path in count.NEIGHBOURS.items():
        assert limits[f"ratio: {neighbour} / {fast_path}"]["bar"] == 3
        assert "recorded" in limits[f"instructions: C++ {neighbour}"]


def test_callgrind_total_is_a_difference_of_runs(monkeypatch):
    class Counted:
        has_hooks = True

        def cpp(self, row, iterations):
            return [row, str(iterations)]

        py = graphs = cpp

    # Every run costs 1000 once and 7 per iteration, 2 in the bare loop; only the slopes may show.
    def fake_instructions(command):
        return 1000 + (2 if command[0] == "loop" else 7) * int(command[1])

    monkeypatch.setattr(count, "instructions", fake_instructions)
    monkeypatch.setattr(count, "heap_calls", lambda command: 50)
    monkeypatch.setattr(count, "peak_bytes", lambda command: 3 * int(command[1]))
    monkeypatch.setattr(count, "locks", lambda command: 8 * int(command[1]))
    values = count.measure_all(Counted())
    assert values["instructions: C++ add_grad"] == 7
    assert values["instructions: Python add_grad"] == 5
    assert values["heap calls: add_grad"] == 0
    assert values["bytes per recorded op"] == 3
    assert values["locks: chain with one leaf, in one of 8 threads"] == 1
    assert values["ratio: broadcast / add_grad"] == 1

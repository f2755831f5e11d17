"""Flags: all of them, the environment, and what they refuse."""

import re
from pathlib import Path

import pytest
from child import run

import eagre


@pytest.mark.parametrize("flag", ["check_nan_inf_ops", "check_nan_inf_skip"])
def test_flags_that_list_operators_know_them(flag):
    before = eagre.get_flags([flag])
    with pytest.raises(ValueError, match="no operator 'nope'"):
        eagre.set_flags({flag: "add, nope"})
    assert eagre.get_flags([flag]) == before
    eagre.set_flags({flag: "add, exp,"})
    eagre.set_flags(before)


def test_a_bad_environment_is_warned_about():
    _, said = run("import eagre", EAGRE_MEMORY_LIMIT="much", EAGRE_LOG="loud")
    assert (
        "the environment variable EAGRE_MEMORY_LIMIT='much' is not used: flag 'memory_limit' must "
        "be an int, but got a text" in said
    )
    assert "EAGRE_LOG='loud' is not used: flag 'log' must be one of off, error" in said


def test_all_flags():
    flags = eagre.get_flags()
    assert flags["log"] == "off" and flags["huge_pages"] is True
    assert flags["memory_limit"] == 0 and 0 < flags["memory_cache_fraction"] < 1


def test_the_page_lists_every_flag():
    page = (Path(__file__).parents[3] / "docs/runtime.md").read_text()
    rows = re.findall(r"^\| (`[^|]*) \|", page.split("\n## Flags\n")[1], re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(name for name in listed if name.islower()) == sorted(eagre.get_flags())


def test_silent_unless_asked():
    code = "import eagre; (eagre.ones(10) + 1).sum()"
    assert run(code) == ("", "")

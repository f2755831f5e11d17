"""eagre._assert and the functions eagre._check…: what they accept, raise and say."""

import pytest

import eagre


def test_asserts():
    eagre._assert(True, "fine")
    eagre._assert(eagre.ones(1) == 1, "fine")
    with pytest.raises(AssertionError, match="too bad"):
        eagre._assert(eagre.ones(1) == 2, "too bad")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("_check", RuntimeError),
        ("_check_index", IndexError),
        ("_check_value", ValueError),
        ("_check_type", TypeError),
        ("_check_not_implemented", NotImplementedError),
    ],
)
def test_checks(name, error):
    check = getattr(eagre, name)
    check(True)
    with pytest.raises(error, match="of mine"):
        check(False, lambda: "text of mine")
    with pytest.raises(error, match="Expected cond to be True"):
        check(False)
    with pytest.raises(TypeError, match="cond must be a bool"):
        check(1)
    with pytest.raises(TypeError, match="callable"):
        check(False, "text")


def test_sizes_are_checked():
    eagre._check_is_size(3, max=3)
    for bad in (-1, 4):
        with pytest.raises(RuntimeError):
            eagre._check_is_size(bad, max=3)

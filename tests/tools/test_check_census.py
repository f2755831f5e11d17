"""check_census.py finds names that are missing, and reasons that the page does not give."""

import check_census

import eagre._unsupported

REASONS = {"save": "files are not there"}
PAGE = "Before.\n\n| names | why |\n|---|---|\n| `save` | files are not there |\n\nBehind.\n"


def test_every_name_of_the_census_is_there_or_has_a_reason_on_the_page():
    census = check_census.read_census(check_census.CENSUS.read_text())
    reasons = eagre._unsupported.REASONS | eagre._unsupported.ATTRIBUTES
    assert check_census.problems(census, "eagre", reasons, check_census.PAGE.read_text()) == []
    assert len(census) > 250


def test_a_missing_name_is_found():
    census = [(3, "Tensor.item"), (2, "save"), (7, "Tensor.no_such_method")]
    (problem,) = check_census.problems(census, "eagre", REASONS, PAGE)
    assert problem.startswith("Tensor.no_such_method, which 7 programs of 48 use, is missing")


def test_a_reason_that_the_page_lacks_is_found():
    (problem,) = check_census.problems([], "eagre", REASONS | {"load": "nor that"}, PAGE)
    assert "does not show these reasons" in problem


def test_a_reason_that_only_the_page_has_is_found_and_goes():
    (problem,) = check_census.problems([], "eagre", {}, PAGE)
    assert "does not show these reasons" in problem
    written = check_census.with_table(PAGE, {})
    assert written == PAGE.replace("| `save` | files are not there |\n", "")
    assert check_census.with_table(written, REASONS) == PAGE


def test_a_reason_for_a_module_is_one_for_its_parts():
    assert check_census.is_explained("amp.autocast", {"amp": "later"})
    assert not check_census.is_explained("ampere", {"amp": "later"})


def test_modules_are_found_without_being_imported_before():
    assert check_census.exists("eagre", "utils.dlpack.from_dlpack")
    assert not check_census.exists("eagre", "utils.dlpack.nothing")


def test_lines_of_the_census():
    assert check_census.read_census("# names\n  12  Tensor.item\n") == [(12, "Tensor.item")]

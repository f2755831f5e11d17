"""libtorch_census.py compares overloads by types, order and defaults; its page is up to date."""

import libtorch_census as census

FACTS = census.read_facts(
    "# made by hand\n"
    "method sum (dtype?=) (int[]?, bool=false, dtype?=)\n"
    "method stft (int)\n"
    "function sort (Tensor, int=-1, bool=false) (Tensor, bool?, int=-1, bool=false)\n"
)


def ours(what, pattern, text):
    found = {}
    for name, arguments in census.declarations(text, pattern):
        found.setdefault((what, name), []).append([a for a in arguments if a[0] != "CallSite"])
    return found


SUM = ours(
    "method",
    census.OUR_METHOD,
    "  Tensor sum(const OptionalDims& dim = {}, bool keepdim = false,\n"
    "             std::optional<DType> dtype = {}, CallSite at = here()) const;\n"
    "  Tensor sum(ChosenDType auto dtype, CallSite at = here()) const;\n",
)


def test_the_page_is_what_the_headers_say():
    facts = census.read_facts(census.FACTS.read_text())
    known = facts, census.our_overloads(), census.read_reasons(census.REASONS.read_text())
    page = census.PAGE.read_text()
    assert census.with_section(page, census.section(*known)) == page
    assert census.unused_reasons(*known) == []


def test_overloads_may_share_what_libtorch_has_in_one():
    complete, lacking, absent = census.census(FACTS, SUM, [])
    assert complete == [("method", "sum")]
    assert lacking == {}
    assert absent == {"No such operator yet.": [("method", "stft"), ("function", "sort")]}


def test_an_overload_that_is_missing_is_named():
    text = "inline Tensor sort(const Tensor& input, int64_t dim = -1, bool descending = false) {\n"
    found = ours("function", census.OUR_FUNCTION, text)
    _, lacking, _ = census.census(FACTS, found, [("function|sort", "Later.")])
    assert lacking == {"Later.": [("function", "sort", "Tensor, bool?, int=-1, bool=false")]}


def test_another_default_is_another_overload():
    theirs = [("Tensor", None), ("int", "-1")]
    assert census.is_taken([[("const Tensor&", None), ("int64_t", "-1")]], theirs)
    assert not census.is_taken([[("const Tensor&", None), ("int64_t", "0")]], theirs)
    assert not census.is_taken([[("const Tensor&", None), ("bool", "-1")]], theirs)
    assert not census.is_taken([[("const Tensor&", None), ("int64_t", None)]], theirs)


def test_a_reason_that_nothing_needs_is_found():
    reasons = [("*|stft", "Later."), ("*|fft_*", "Later.")]
    assert census.unused_reasons(FACTS, SUM, reasons) == ["*|fft_*"]

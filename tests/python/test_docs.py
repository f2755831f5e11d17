"""The examples in the records run and print what they say."""

import doctest

import pytest
from records import load_records

import eagre

WITH_EXAMPLE = [record for record in load_records() if ">>>" in record["doc"]]


@pytest.mark.parametrize("record", WITH_EXAMPLE, ids=lambda record: record["op"])
def test_example(record):
    parser = doctest.DocTestParser()
    test = parser.get_doctest(record["doc"], {"eagre": eagre}, record["op"], record["place"], 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize("record", WITH_EXAMPLE, ids=lambda record: record["op"])
def test_docstring_is_the_record(record):
    owner = eagre if "function" in record["forms"] else eagre.Tensor
    only_inplace = not {"function", "method"} & set(record["forms"])
    doc = getattr(owner, record["name"] + "_" * only_inplace).__doc__
    assert record["doc"].strip() in doc

"""The examples of classes and functions of eagre.nn and eagre.func's part of modules run."""

import doctest
import importlib
import pkgutil

import pytest

import eagre
from eagre import func, nn


def owners():
    for module in pkgutil.walk_packages(nn.__path__, "eagre.nn."):
        yield importlib.import_module(module.name)


EXAMPLES = {
    f"{value.__module__}.{name}": value.__doc__
    for module in (*owners(), func)
    for name, value in vars(module).items()
    if ">>>" in (getattr(value, "__doc__", None) or "") and value.__module__ == module.__name__
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {"eagre": eagre}, name, name, 0)
    printed = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=printed.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(printed)


def test_there_are_examples():
    assert {"eagre.nn.modules.linear.Linear", "eagre.func.functional_call"} <= set(EXAMPLES)

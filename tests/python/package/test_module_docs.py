"""The examples of functions that are written in Python, and of records with one in front, run."""

import importlib
import inspect

import pytest
from test_docs import run_example

import eagre

MODULES = ("_einsum", "_unique", "_shapes")
FUNCTIONS = [
    (f"eagre.{module}", name)
    for module in MODULES
    for name, value in vars(importlib.import_module(f"eagre.{module}")).items()
    if inspect.isfunction(value) and not name.startswith("_")
]


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_example(module, name):
    doc = inspect.getdoc(getattr(importlib.import_module(module), name))
    assert doc.startswith(f"{name}("), "the signature comes first"
    run_example(doc, name, module)


def test_every_function_of_the_modules_is_public():
    named = {*eagre._FUNCTIONS.values(), *eagre._METHODS.values()}
    assert {place for place in FUNCTIONS if place not in named} == set()
    assert eagre.einsum.__doc__ == importlib.import_module("eagre._einsum").einsum.__doc__

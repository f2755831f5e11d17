"""check_families.py finds what does not lie in the files of its family."""

import check_families
import pytest

RECORDS = """
- op: twice
  composite: true
  test: {samples: twice}
- op: thrice
  composite: true
- op: both
  batch: rule
  test: {samples: both}
"""
CODE = """
namespace eagre::ops {

TensorBase twice(const TensorBase& input,
                 CallSite at) {
  return add(input, input, 1, at);
}
void thrice_(const TensorBase& input, CallSite at) { mul_(input, 3, at); }

}  // namespace eagre::ops
"""
RULES = """
namespace eagre::autograd::rules {

TensorBase both(const BatchCall& call, const TensorBase& input, CallSite at) {
  return call.result(input);
}

}  // namespace eagre::autograd::rules
"""
SAMPLES = "def twice():\n    yield 1\n\n\nboth = twice\n"


@pytest.fixture
def tree(tmp_path):
    """A tree without mistakes: write(path, text) plants one."""

    def write(path, text):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    write("ARCHITECTURE.md", "The families are\n`sums`.\n")
    write("ops/sums.yaml", RECORDS)
    write("ops/sums_small.yaml", "")
    write("eagre/ops/sums.cpp", CODE)
    write("eagre/ops/sums_batch.cpp", RULES)
    write("eagre/dispatch/meta/sums_more.cpp", "")
    write("tests/python/ops/samples_sums.py", SAMPLES)
    write.root = tmp_path
    return write


def test_the_repository_has_no_problems():
    assert check_families.problems(check_families.Path(__file__).resolve().parents[2]) == []


def test_a_tree_without_mistakes(tree):
    assert check_families.problems(tree.root) == []


@pytest.mark.parametrize(
    "path",
    [
        "eagre/ops/numbers.cpp",
        "eagre/ops/sumsy.cpp",
        "eagre/dispatch/meta/numbers.cpp",
        "tests/python/ops/samples_numbers.py",
    ],
)
def test_a_file_that_is_not_named_for_a_family(tree, path):
    tree(path, "")
    (problem,) = check_families.problems(tree.root)
    assert problem.startswith(f"{path}: not named for a family")


def test_a_file_of_records_that_is_too_long(tree):
    tree("ops/sums.yaml", RECORDS + "\n" * 600)
    (problem,) = check_families.problems(tree.root)
    assert problem.startswith("ops/sums.yaml: 6") and "at most 600" in problem


@pytest.mark.parametrize("path", ["eagre/ops/sums_small.cpp", "eagre/ops/sums_small_more.cpp"])
def test_a_composite_in_a_file_of_another_family(tree, path):
    tree("eagre/ops/sums.cpp", CODE.replace("thrice_(", "thrice_of("))
    tree(path, CODE)
    (problem,) = check_families.problems(tree.root)
    assert problem == (
        "ops/sums.yaml: 'thrice' is a composite, but no eagre/ops/sums*.cpp defines it"
    )


def test_a_composite_outside_of_ops(tree):
    tree("eagre/ops/sums.cpp", CODE.replace("thrice_(", "thrice_of("))
    tree("eagre/api/sums.cpp", CODE)
    (problem,) = check_families.problems(tree.root)
    assert "'thrice' is a composite" in problem


@pytest.mark.parametrize("path", ["eagre/ops/sums_small_batch.cpp", "eagre/ops/sums.cpp"])
def test_a_batch_rule_in_another_file(tree, path):
    tree("eagre/ops/sums_batch.cpp", "")
    tree(path, CODE + RULES)
    (problem,) = check_families.problems(tree.root)
    assert problem == (
        "ops/sums.yaml: 'both' has a batch rule by hand, but no eagre/ops/sums*_batch.cpp has it"
    )


@pytest.mark.parametrize("text", ["", "The families are `sums`, `sums_small`.\n"])
def test_a_list_of_families_that_is_not_right(tree, text):
    tree("ARCHITECTURE.md", text)
    (problem,) = check_families.problems(tree.root)
    assert problem == "ARCHITECTURE.md: 'The families are …' must list sums"


def test_a_declaration_defines_nothing(tree):
    tree("eagre/ops/sums.cpp", CODE + "\nTensorBase once(const TensorBase& input, CallSite at);\n")
    tree("ops/sums.yaml", RECORDS + "- {op: once, composite: true}\n")
    (problem,) = check_families.problems(tree.root)
    assert "'once' is a composite" in problem


def test_samples_in_a_file_of_another_family(tree):
    tree("tests/python/ops/samples_sums.py", "def twice():\n    yield 1\n")
    tree("tests/python/ops/samples_sums_small.py", "def both():\n    yield 1\n")
    (problem,) = check_families.problems(tree.root)
    assert problem == "ops/sums.yaml: 'both' has samples 'both', but no samples_sums*.py has them"


def test_the_command_fails(tree, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["check_families.py", str(tree.root)])
    assert check_families.main() == 0
    tree("eagre/ops/numbers.cpp", "")
    assert check_families.main() == 1
    assert "check_families: 1 errors" in capsys.readouterr().out

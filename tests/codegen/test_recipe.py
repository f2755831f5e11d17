"""The recipe is true: what CONTRIBUTING.md adds to a copy of the tree is built there, the tests
that follow from its records pass, and it is as many files as it says. Takes minutes: size `all`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import recipe
import yaml
from conftest import ROOT

pytestmark = pytest.mark.skipif(
    os.environ.get("EAGRE_TEST_SIZE") != "all", reason="builds the library: --size all"
)

# Kept from run to run, so that only what has changed since is compiled again.
COPY = ROOT / "build" / "recipe"
# What is made in a tree that is worked in.
MADE = {"build", "__pycache__", ".pytest_cache", ".hypothesis"}
# What tests show of an operator, and one that must have run for it.
SHOWN = {
    "values and dtypes": "test_value",
    "function and method": "test_value",
    "out=": "test_out_equals_the_result",
    "gradients": "test_first_order",
    "gradients of gradients": "test_second_order",
    "forward mode": "test_real",
    "batches": "test_nested",
    "the device meta": "test_meta_takes_what_the_cpu_takes",
    "the docstring": "test_docstring_is_the_record",
    "the example": "test_example",
}
SECTIONS = recipe.sections()


def names_of(section: str) -> list[str]:
    codes = [code for path, code in recipe.blocks(section) if path.endswith(".yaml")]
    return [record["op"] for code in codes for record in yaml.safe_load(code)]


def files_of_the_tree() -> set[str]:
    """Those that git knows, or would."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in found.stdout.split("\0") if name and (ROOT / name).is_file()}


def files_of_the_copy() -> set[str]:
    found = set()
    for folder, folders, files in os.walk(COPY):
        folders[:] = set(folders) - MADE
        found |= {str(Path(folder, file).relative_to(COPY)) for file in files}
    return found


def differing() -> set[str]:
    """Files of the copy that are not as in the tree."""
    names = files_of_the_tree() | files_of_the_copy()
    return {name for name in names if content(ROOT / name) != content(COPY / name)}


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def copy_tree(changes: Path) -> None:
    """Makes the copy what the tree is, with the files of a folder in place of the tree's. Files
    that are right already are not written, or ninja would build what depends on them again."""
    changed = {str(path.relative_to(changes)) for path in changes.rglob("*") if path.is_file()}
    wanted = {name: ROOT / name for name in files_of_the_tree()}
    wanted |= {name: changes / name for name in changed}
    for name in files_of_the_copy() - set(wanted):
        (COPY / name).unlink()
    for name, source in wanted.items():
        if content(COPY / name) != content(source):
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, COPY / name)


def run(*command, **variables) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(part) for part in command],
        cwd=COPY,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def build() -> None:
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    parts = [f"-DEAGRE_BUILD_{part}=OFF" for part in ("TESTS", "BENCH", "EXAMPLES")]
    commands = [
        ["cmake", "--preset", "release", f"-DEAGRE_PYTHON={sys.executable}", *parts, *launcher],
        ["cmake", "--build", "--preset", "release", "--parallel", os.cpu_count() or 1],
    ]
    for command in commands:
        result = run(*command)
        assert result.returncode == 0, result.stdout[-4000:]


def run_tests(name: str, *folders: str) -> tuple[set[str], set[str]]:
    """The tests of the copy that passed, and those that failed, among those about an operator."""
    report = COPY / "build" / f"{name}.xml"
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "-k", name]
    result = run(sys.executable, *tests, *folders, PYTHONPATH=str(COPY / "build/release/python"))
    assert result.returncode in (0, 1), result.stdout[-4000:]
    passed, failed = set(), set()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        if "skipped" not in kinds:
            (failed if kinds & {"failure", "error"} else passed).add(case.get("name"))
    return passed, failed


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    """A folder of the files that the examples touch, as they make them."""
    folder = tmp_path_factory.mktemp("recipe")
    for path, code in recipe.all_blocks():
        if (ROOT / path).exists() and not (folder / path).exists():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
        recipe.add(folder / path, code)
    return folder


@pytest.fixture(scope="module")
def copy(changes):
    copy_tree(changes)
    build()
    yield COPY
    copy_tree(changes)  # the next run finds what is built


def test_it_is_as_many_files_as_it_says(copy):
    files = {count: {path for path, _ in recipe.blocks(SECTIONS[count])} for count in SECTIONS}
    assert names_of(SECTIONS[2]) == ["cube"]
    assert {count: len(paths) for count, paths in files.items()} == {2: 2, 5: 5}
    assert differing() == set().union(*files.values())


@pytest.mark.parametrize("name", [name for text in SECTIONS.values() for name in names_of(text)])
def test_what_follows_from_its_record_holds(copy, name):
    passed, failed = run_tests(name, "tests/python/ops", "tests/python/package", "tests/errors")
    assert not failed
    missing = {what for what, test in SHOWN.items() if not any(p.startswith(test) for p in passed)}
    assert not missing, f"no test of the copy showed, of {name}: {', '.join(sorted(missing))}"


def test_the_tools_find_nothing_wrong_with_it(copy):
    for tool in ("check_layers.py", "check_families.py"):
        result = run(sys.executable, f"tools/{tool}")
        assert result.returncode == 0, result.stdout


def test_a_wrong_recipe_is_found(copy, changes, tmp_path):
    """With a gradient that is not that of the function."""
    shutil.copytree(changes, tmp_path / "wrong")
    record = tmp_path / "wrong" / "ops/elementary.yaml"
    right = "g * input * input * 3"
    assert record.read_text().count(right) == 1
    record.write_text(record.read_text().replace(right, "g * input * input * 2"))
    copy_tree(tmp_path / "wrong")
    build()
    passed, failed = run_tests("cube", "tests/python/ops")
    assert any(name.startswith("test_first_order") for name in failed)
    assert any(name.startswith("test_value") for name in passed)

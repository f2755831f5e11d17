"""Checks that everything about an operator has the name of its family.

    python tools/check_families.py [root]

A family is the first word of the name of a file of records, ops/<family>[_topic].yaml, and
ARCHITECTURE.md lists all families. Files of code, shape functions and samples have the name of a
file of records, or a further topic behind it, and hold what its records name. Exit status 1 when a
rule is broken, one line per finding.
"""

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_RECORD_LINES = 600
# Where files are named for families, and what may come before the family.
NAMED = (
    ("eagre/ops/*.cpp", ""),
    ("eagre/dispatch/meta/*.cpp", ""),
    ("tests/python/ops/samples_*.py", "samples_"),
)
LIST = re.compile(r"The families are\s([^.]+)\.")
DEFINITION = re.compile(r"^[A-Za-z][\w:<>, ]*[ >&*](\w+)\((?!.*;$)", re.MULTILINE)


def records_of(stem: str, files: Iterable[str]) -> str | None:
    """The file of records with the longest name that this one begins with: view_split_at belongs
    to view_split, and not to view."""
    fitting = [file for file in files if stem == file or stem.startswith(f"{file}_")]
    return max(fitting, key=len, default=None)


def defined_in_cpp(root: Path, files: Iterable[str], pattern: str, space: str) -> dict[str, set]:
    """The functions of a namespace that are written by hand, by the file of their records."""
    found: dict[str, set] = {}
    for path in sorted(root.glob(pattern)):
        records, text = records_of(path.stem, files), path.read_text()
        if records and f"namespace {space} {{" in text:
            found.setdefault(records, set()).update(DEFINITION.findall(text))
    return found


def defined_in_python(root: Path, files: Iterable[str]) -> dict[str, set]:
    """The names that the files of samples define."""
    found: dict[str, set] = {}
    for path in sorted(root.glob("tests/python/ops/samples_*.py")):
        records = records_of(path.stem.removeprefix("samples_"), files)
        names = found.setdefault(records, set())
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names.update(t.id for t in node.targets if isinstance(t, ast.Name))
    return found


def check_list(root: Path, files: Iterable[str]) -> list[str]:
    """The list of families in ARCHITECTURE.md is that of the files."""
    text = (root / "ARCHITECTURE.md").read_text()
    listed = LIST.findall(text)
    families = sorted({file.split("_")[0] for file in files})
    if len(listed) == 1 and re.findall(r"`(\w+)`", listed[0]) == families:
        return []
    return [f"ARCHITECTURE.md: 'The families are …' must list {', '.join(families)}"]


def problems(root: Path) -> list[str]:
    """What is wrong, a line each."""
    files = {path.stem: path.read_text() for path in sorted(root.glob("ops/*.yaml"))}
    found = check_list(root, files)
    for pattern, prefix in NAMED:
        for path in sorted(root.glob(pattern)):
            if records_of(path.stem.removeprefix(prefix), files) is None:
                found.append(f"{path.relative_to(root)}: not named for a family, a file in ops/")
    composites = defined_in_cpp(root, files, "eagre/ops/*.cpp", "eagre::ops")
    rules = defined_in_cpp(root, files, "eagre/ops/*_batch.cpp", "eagre::autograd::rules")
    samples = defined_in_python(root, files)
    for file, text in files.items():
        lines = text.count("\n")
        if lines > MAX_RECORD_LINES:
            found.append(f"ops/{file}.yaml: {lines} lines, at most {MAX_RECORD_LINES}")
        for record in yaml.load(text, LOADER) or []:
            op, test = record["op"], record.get("test") or {}
            place = f"ops/{file}.yaml: '{op}'"
            if record.get("composite") and not {op, f"{op}_"} & composites.get(file, set()):
                found.append(f"{place} is a composite, but no eagre/ops/{file}*.cpp defines it")
            if record.get("batch") == "rule" and op not in rules.get(file, set()):
                found.append(
                    f"{place} has a batch rule by hand, but no eagre/ops/{file}*_batch.cpp has it"
                )
            wanted = test.get("samples")
            if wanted and wanted not in samples.get(file, set()):
                found.append(f"{place} has samples '{wanted}', but no samples_{file}*.py has them")
    return found


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    found = problems(root)
    for problem in found:
        print(problem)
    print(f"check_families: {len(found)} errors")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

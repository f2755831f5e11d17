"""Checks that everything about an operator has the name of its family.

    python tools/check_families.py [root]

A family is a file of records, ops/<family>.yaml. Files of code, shape functions and samples are
named <family> or <family>_<topic>, and hold what the records of that family name. Exit status 1
when a rule is broken, one line per finding.
"""

import ast
import re
import sys
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
DEFINITION = re.compile(r"^[A-Za-z][\w:<>, ]*[ >&*](\w+)\((?!.*;$)", re.MULTILINE)


def family_of(stem: str, families: set[str]) -> str | None:
    """The longest family that the name begins with: view_split_at belongs to view_split."""
    fitting = [f for f in families if stem == f or stem.startswith(f"{f}_")]
    return max(fitting, key=len, default=None)


def defined_in_cpp(root: Path, families: set[str]) -> dict[str, set]:
    """The functions of operators that are written by hand, by the family of the file's name."""
    found: dict[str, set] = {}
    for path in sorted(root.glob("eagre/**/*.cpp")):
        family, text = family_of(path.stem, families), path.read_text()
        if family and "namespace eagre::ops {" in text:
            found.setdefault(family, set()).update(DEFINITION.findall(text))
    return found


def defined_in_python(root: Path, families: set[str]) -> dict[str, set]:
    """The names that the files of samples define."""
    found: dict[str, set] = {}
    for path in sorted(root.glob("tests/python/ops/samples_*.py")):
        family = family_of(path.stem.removeprefix("samples_"), families)
        names = found.setdefault(family, set())
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names.update(t.id for t in node.targets if isinstance(t, ast.Name))
    return found


def problems(root: Path) -> list[str]:
    """What is wrong, a line each."""
    files = {path.stem: path.read_text() for path in sorted(root.glob("ops/*.yaml"))}
    families, found = set(files), []
    for pattern, prefix in NAMED:
        for path in sorted(root.glob(pattern)):
            if family_of(path.stem.removeprefix(prefix), families) is None:
                found.append(f"{path.relative_to(root)}: not named for a family, a file in ops/")
    composites, samples = defined_in_cpp(root, families), defined_in_python(root, families)
    for family, text in files.items():
        lines = text.count("\n")
        if lines > MAX_RECORD_LINES:
            found.append(f"ops/{family}.yaml: {lines} lines, at most {MAX_RECORD_LINES}")
        for record in yaml.load(text, LOADER) or []:
            op, test = record["op"], record.get("test") or {}
            place = f"ops/{family}.yaml: '{op}'"
            if record.get("composite") and not {op, f"{op}_"} & composites.get(family, set()):
                found.append(f"{place} is a composite, but no eagre/ops/{family}*.cpp defines it")
            wanted = test.get("samples")
            if wanted and wanted not in samples.get(family, set()):
                found.append(
                    f"{place} has samples '{wanted}', but no samples_{family}*.py has them"
                )
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

"""Which of the names that public PyTorch programs use are there; the others need a reason.

`census.txt` lists how many programs of 48 use each name, of tensors, creation, autograd and modes.
A name that is missing must be in python/eagre/_unsupported.py, whose names and reasons are the
table of docs/coming-from-pytorch.md; --write makes that. Run with the package on PYTHONPATH.
"""

import argparse
import importlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CENSUS = Path(__file__).with_name("census.txt")
PAGE = ROOT / "docs" / "coming-from-pytorch.md"


def read_census(text):
    """(programs, name) of every line."""
    rows = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            programs, name = line.split()
            rows.append((int(programs), name))
    return rows


def exists(package, name):
    """Is `Tensor.item` or `autograd.grad` there?"""
    found, path = importlib.import_module(package), package
    for part in name.split("."):
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ImportError:
                return False
    return True


def is_explained(name, reasons):
    """A reason for `amp` is one for `amp.autocast` too."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in reasons for count in range(1, len(parts) + 1))


def table(reasons):
    """The rows of the page: the names of each reason."""
    names = {}
    for name, reason in reasons.items():
        names.setdefault(reason, set()).add(name)
    rows = [
        f"| {', '.join(f'`{name}`' for name in sorted(group, key=str.lower))} | {reason} |"
        for reason, group in names.items()
    ]
    return "\n".join(["| names | why |", "|---|---|", *rows, ""])


def with_table(page, reasons):
    """The page with the table of these reasons."""
    begin = page.index("| names | why |")
    return page[:begin] + table(reasons) + re.sub(r"\A(\|.*\n)*", "", page[begin:])


def problems(census, package, reasons, page):
    """What is wrong, a sentence each."""
    found = []
    for programs, name in census:
        if not exists(package, name) and not is_explained(name, reasons):
            found.append(
                f"{name}, which {programs} programs of 48 use, is missing without a reason"
            )
    if with_table(page, reasons) != page:
        found.append(f"{PAGE.name} does not show these reasons: run tools/check_census.py --write")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="show what is missing, most used first")
    parser.add_argument("--write", action="store_true", help="write the table of the page")
    options = parser.parse_args()
    unsupported = importlib.import_module("eagre._unsupported")
    reasons = unsupported.REASONS | unsupported.ATTRIBUTES
    census = read_census(CENSUS.read_text())
    missing = [(programs, name) for programs, name in census if not exists("eagre", name)]
    if options.list:
        for programs, name in missing:
            print(f"{programs:4}  {name}")
        for name in filter(lambda name: exists("eagre", name), reasons):
            print(f"{name} has a reason to be absent, but is there")
    if options.write:
        PAGE.write_text(with_table(PAGE.read_text(), reasons))
    wrong = problems(census, "eagre", reasons, PAGE.read_text())
    for problem in wrong:
        print(problem, file=sys.stderr)
    print(f"{len(census) - len(missing)} of {len(census)} names are there")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

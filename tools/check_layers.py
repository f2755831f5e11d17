"""Checks the house rules on source files: include direction, file size, first line.

    python tools/check_layers.py [root]

The layers, lowest first, are `LAYERS`; a file may include its own layer and lower ones. Folders
that share a rank do not see each other. Exit status 1 when a rule is broken, one line per finding.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

LAYERS = [
    {"base"},
    {"core"},
    {"kernels"},
    {"dispatch"},
    {"autograd"},
    {"api"},
    {"amp", "profiler"},
    {"nn", "optim", "data", "io", "distributed"},
    {"eagre.h"},  # the umbrella header: for users, so nothing inside the library includes it
    {"python"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
ORDER = " <- ".join("/".join(sorted(names)) for names in LAYERS)

SOURCE_FOLDERS = ["bench", "codegen", "eagre", "examples", "python", "tests", "tools"]
WARN_LINES = 400
MAX_LINES = 800
# A file that has to be longer says why, in one of its first lines.
LONG_FILE = re.compile(r"long file: \S+")

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]eagre/([^/>"]+)[^>"]*[>"]')
CLIMBING_INCLUDE = re.compile(r'^\s*#\s*include\s+"[^"]*\.\./')
SCRIPTING = re.compile(r"\bpython\b|\bPy_\w*|\bPyObject\b", re.IGNORECASE)
FIRST_LINE = re.compile(r"(//|/\*) \w")  # a header for C opens with the older form


class Finding(NamedTuple):
    path: Path
    line: int
    text: str
    fatal: bool = True

    def __str__(self) -> str:
        kind = "error" if self.fatal else "warning"
        return f"{self.path}:{self.line}: {kind}: {self.text}"


def layer_of(path: Path) -> str | None:
    """The layer of a file, or None for a file that stands outside the library."""
    parts = path.parts
    if parts[0] == "eagre":
        return parts[1]
    return "python" if parts[:2] == ("python", "src") else None


def check_includes(path: Path, lines: list[str]) -> list[Finding]:
    layer = layer_of(path)
    if layer is None:
        return []
    if layer not in RANK:
        return [Finding(path, 1, f"'{layer}' is no layer; the layers are {ORDER}")]
    findings = []
    for number, line in enumerate(lines, 1):
        if CLIMBING_INCLUDE.match(line):
            findings.append(Finding(path, number, "an include names its path from <eagre/...>"))
        match = INCLUDE.match(line)
        if not match or match[1] == layer:
            continue
        target = match[1]
        if target not in RANK:
            findings.append(Finding(path, number, f"'{target}' is no layer"))
        elif RANK[target] >= RANK[layer]:
            text = f"{layer} must not include {target} (direction: {ORDER})"
            findings.append(Finding(path, number, text))
    return findings


def check_scripting(path: Path, lines: list[str]) -> list[Finding]:
    """The C++ library serves any language, so it names none."""
    if path.parts[0] != "eagre":
        return []
    return [
        Finding(path, number, f"the library must not mention '{match[0]}'")
        for number, line in enumerate(lines, 1)
        if (match := SCRIPTING.search(line))
    ]


def check_shape(path: Path, lines: list[str]) -> list[Finding]:
    findings = []
    if path.suffix in {".h", ".cpp"} and not (lines and FIRST_LINE.match(lines[0])):
        findings.append(Finding(path, 1, "the first line is a comment saying what the file holds"))
    excused = any(LONG_FILE.search(line) for line in lines[:10])
    if len(lines) > WARN_LINES and not excused:
        text = f"{len(lines)} lines; aim below {WARN_LINES}, never above {MAX_LINES}"
        findings.append(Finding(path, len(lines), text, fatal=len(lines) > MAX_LINES))
    return findings


def source_files(root: Path) -> list[Path]:
    suffixes = {".h", ".cpp", ".py"}
    return sorted(
        file.relative_to(root)
        for folder in SOURCE_FOLDERS
        for file in (root / folder).rglob("*")
        if file.suffix in suffixes and file.is_file() and "__pycache__" not in file.parts
    )


def check_tree(root: Path) -> list[Finding]:
    findings = []
    for path in source_files(root):
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        for check in (check_includes, check_scripting, check_shape):
            findings += check(path, lines)
    return findings


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    count = len(source_files(root))
    if count == 0:
        print(f"check_layers: no source files under {root}", file=sys.stderr)
        return 1
    findings = check_tree(root)
    for finding in findings:
        print(finding)
    errors = sum(finding.fatal for finding in findings)
    print(f"check_layers: {count} files, {errors} errors, {len(findings) - errors} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

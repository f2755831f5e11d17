"""Checks the house rules on source files: include direction and cycles, file size, first line.

    python tools/check_layers.py [root]

The layers, lowest first, are `LAYERS`; a file may include its own layer and lower ones. The same
holds for the folders of a layer that `ROOMS` lists. Folders that share a rank do not see each
other, and neither modules nor folders include each other in a cycle. Exit status 1 when a rule is
broken, one line per finding.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from include_cycles import cycles, folder_graph, module_graph

LAYERS = [
    {"base"},
    {"core"},
    {"kernels"},
    {"dispatch"},
    {"autograd"},
    {"ops"},
    {"api"},
    {"amp", "profiler"},
    {"nn", "optim", "data", "io", "distributed"},
    {"eagre.h"},  # the umbrella header: for users, so nothing inside the library includes it
    {"torch.h"},  # likewise, with libtorch's names
    {"python"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
ORDER = " <- ".join("/".join(sorted(names)) for names in LAYERS)

# The folders inside of a layer, in the same way; files beside them may include all of them. What an
# include of one looks like is the second part.
ROOMS = {
    "eagre/autograd": (
        [{"tape"}, {"engine"}, {"transforms"}, {"function"}],
        re.compile(r'^\s*#\s*include\s*[<"]eagre/autograd/(\w+)/'),
    ),
    "python/src": (
        [
            {"interpreter"},
            {"types"},
            {"lifetime"},
            {"call"},
            {"runtime", "autograd", "interop"},
            {"tensor", "nn"},
        ],
        re.compile(r'^\s*#\s*include\s*"(\w+)/'),
    ),
}

SOURCE_FOLDERS = ["bench", "codegen", "eagre", "examples", "python", "tests", "tools"]
WARN_LINES = 400
MAX_LINES = 800
# A file that has to be longer says why, in one of its first lines.
LONG_FILE = re.compile(r"long file: \S+")

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]eagre/([^/>"]+)[^>"]*[>"]')
OPERATOR = re.compile(r"^\s*#\s*include\s+<(eagre/ops/\w+\.h)>")
CLIMBING_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"][^>"]*\.\./')
BINDING = re.compile(r"\bpython\b|\bPy_\w*|\bPyObject\b", re.IGNORECASE)
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


def is_operator(root: Path, layer: str, line: str) -> bool:
    """Whether autograd includes the generated declaration of an operator: gradients are computed
    by operators, which record themselves in turn. What is written by hand in ops/ it cannot see."""
    match = OPERATOR.match(line)
    return bool(match) and layer == "autograd" and not (root / match[1]).exists()


def check_includes(root: Path, path: Path, lines: list[str]) -> list[Finding]:
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
        if is_operator(root, layer, line):
            continue
        if target not in RANK:
            findings.append(Finding(path, number, f"'{target}' is no layer"))
        elif RANK[target] >= RANK[layer]:
            text = f"{layer} must not include {target} (direction: {ORDER})"
            findings.append(Finding(path, number, text))
    return findings


def check_rooms(root: Path, path: Path, lines: list[str]) -> list[Finding]:
    place, room = path.parent.parent.as_posix(), path.parent.name
    if place not in ROOMS:
        return []
    ordered, include = ROOMS[place]
    rank = {name: number for number, names in enumerate(ordered) for name in names}
    order = " <- ".join("/".join(sorted(names)) for names in ordered)
    if room not in rank:
        return [Finding(path, 1, f"'{room}' has no place in {place}: {order}")]
    found = ((number, include.match(line)) for number, line in enumerate(lines, 1))
    return [
        Finding(path, number, f"{room} must not include {match[1]} (direction: {order})")
        for number, match in found
        if match and match[1] != room and rank.get(match[1], len(ordered)) >= rank[room]
    ]


def check_binding(root: Path, path: Path, lines: list[str]) -> list[Finding]:
    """The C++ library serves any language, so it names none."""
    if path.parts[0] != "eagre":
        return []
    return [
        Finding(path, number, f"the library must not mention '{match[0]}'")
        for number, line in enumerate(lines, 1)
        if (match := BINDING.search(line))
    ]


def check_shape(root: Path, path: Path, lines: list[str]) -> list[Finding]:
    findings = []
    if path.suffix in {".h", ".cpp"} and not (lines and FIRST_LINE.match(lines[0])):
        findings.append(Finding(path, 1, "the first line is a comment saying what the file holds"))
    excused = any(LONG_FILE.search(line) for line in lines[:10])
    if len(lines) > WARN_LINES and not excused:
        text = f"{len(lines)} lines; aim below {WARN_LINES}, never above {MAX_LINES}"
        findings.append(Finding(path, len(lines), text, fatal=len(lines) > MAX_LINES))
    return findings


def check_cycles(root: Path, files: list[Path]) -> list[Finding]:
    modules = module_graph(root, files)
    return [
        Finding(Path(cycle[0]), 1, f"{kind} include each other: {' -> '.join(map(str, cycle))}")
        for kind, graph in (("modules", modules), ("folders", folder_graph(modules)))
        for cycle in cycles(graph)
    ]


def source_files(root: Path) -> list[Path]:
    suffixes = {".h", ".cpp", ".py"}
    return sorted(
        file.relative_to(root)
        for folder in SOURCE_FOLDERS
        for file in (root / folder).rglob("*")
        if file.suffix in suffixes and file.is_file() and "__pycache__" not in file.parts
    )


def check_tree(root: Path) -> list[Finding]:
    files = source_files(root)
    findings = check_cycles(root, files)
    for path in files:
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        for check in (check_includes, check_rooms, check_binding, check_shape):
            findings += check(root, path, lines)
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

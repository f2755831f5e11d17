"""Files that documents and comments name are there.

A path may begin anywhere: `node.h`, `tape/node.h`. One that begins with `eagre/`, `python/` or
`tests/` begins at the root (or where headers are found). Names with a gap, as `<family>.h`, are
none.
"""

import ast
import os
import re
import sys
import tokenize
from io import StringIO
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))

from codegen.__main__ import generate  # noqa: E402

ENDINGS = "c|cmake|cpp|h|json|md|py|pyi|sh|toml|txt|yaml"
PATH = re.compile(rf"(?<![\w./<>{{}}*\]…-])((?:[\w.-]+/)*[\w-]+\.(?:{ENDINGS}))\b(?![\w*(]|\.\w)")
FROM_ROOT = ("eagre", "python", "tests")
MADE_UP = {
    "eagre/kernels/cpu/typed/on_diagonal.h": "CONTRIBUTING.md adds it",
    "eagre/kernels/scalar/cube.h": "CONTRIBUTING.md adds it",
    "eagre/layer/file.h": "stands for any",
    "eagre/ops/name.h": "stands for any",
    "kernels/cpu/typed/f.h": "stands for any",
    "nn/modules/linear.py": "to come",
    "build/bench.json": "written by bench/run.py",
    "Python.h": "CPython's",
}


def files(root: Path) -> list[str]:
    """All files, from the root, without what is made and what is hidden."""
    found = []
    for folder, folders, names in os.walk(root):
        here = PurePosixPath(Path(folder).relative_to(root))
        hidden = "build" if folder == str(root) else "__pycache__"
        folders[:] = [f for f in folders if not f.startswith(".") and f != hidden]
        found += [str(here / name) for name in names]
    return found


def endings(paths: list[str]) -> set[str]:
    """The paths, and what is left when folders at the front are dropped."""
    known = set()
    for path in paths:
        parts = path.split("/")
        whole = ["/".join(parts[i:]) for i in range(len(parts))]
        known.update([whole[0], *(w for w in whole[1:] if w.split("/")[0] not in FROM_ROOT)])
    return known


def generated() -> list[str]:
    made = list(generate(ROOT / "ops").files)
    headers = [path.removeprefix("include/") for path in made if path.startswith("include/")]
    return [f"build/release/gen/{path}" for path in made] + headers


def prose(path: str, text: str) -> list[tuple[int, str]]:
    """The numbered lines of a document or of the comments of a source, without code."""
    if path.endswith(".md"):
        blank = lambda block: "\n" * block[0].count("\n")  # noqa: E731
        return list(enumerate(re.sub(r"```.*?```", blank, text, flags=re.DOTALL).split("\n"), 1))
    if path.endswith(".py"):
        tokens = tokenize.generate_tokens(StringIO(text).readline)
        comments = [(t.start[0], t.string) for t in tokens if t.type == tokenize.COMMENT]
        owners = (ast.Module, ast.ClassDef, ast.FunctionDef)
        nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, owners)]
        docs = [(getattr(n, "lineno", 1), ast.get_docstring(n) or "") for n in nodes]
        return comments + docs
    if path.endswith((".h", ".cpp", ".c")):
        mark = r"(?://|/\*)(.*)"
    elif path.endswith((".cmake", ".txt", ".sh", ".yaml", "dev")):
        mark = r"(?:^|\s)#(.*)"
    else:
        return []
    lines = enumerate(text.split("\n"), 1)
    return [(n, found[1]) for n, line in lines if (found := re.search(mark, line))]


def missing(path: str, text: str, known: set[str]) -> list[str]:
    """Names of files that are not known, with their places."""
    folder = os.path.dirname(path)
    return [
        f"{path}:{number}: {name}"
        for number, line in prose(path, text)
        for name in PATH.findall(line)
        if name not in known and os.path.normpath(os.path.join(folder, name)) not in known
        if name not in MADE_UP
    ]


def test_every_file_that_is_named_is_there():
    paths = files(ROOT)
    known = endings(paths) | endings(generated())
    texts = ((p, (ROOT / p).read_text(errors="replace")) for p in paths if "/golden/" not in p)
    found = [line for path, text in texts for line in missing(path, text, known)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("README.md", "See `eagre/tape/nod.h`.", "README.md:1: eagre/tape/nod.h"),
        ("docs/a.md", "\n[a page](b.md)", "docs/a.md:2: b.md"),
        ("a.cpp", "int x;  // see nod.h", "a.cpp:1: nod.h"),
        ("a.py", '"""What nod.h says."""', "a.py:1: nod.h"),
        ("a.py", "x = 1  # see tape/nod.h", "a.py:1: tape/nod.h"),
        ("CMakeLists.txt", "# see nod.h", "CMakeLists.txt:1: nod.h"),
        ("a.h", "// eagre/func.py does it", "a.h:1: eagre/func.py"),
    ],
)
def test_a_file_that_is_not_there(path, text, found):
    known = endings(["eagre/tape/node.h", "python/eagre/func.py"])
    assert missing(path, text, known) == [found]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "`eagre/tape/node.h`, `tape/node.h`, `node.h`, `<family>.h`, `*_test.cpp`"),
        ("README.md", "```cpp\n#include <nod.h>\n```"),
        ("docs/a.md", "[up](../eagre/tape/node.h)"),
        ("a.cpp", '#include "nod.h"'),
        ("a.py", 'x = "nod.h"  # python/eagre/func.py'),
    ],
)
def test_names_that_are_right(path, text):
    assert missing(path, text, endings(["eagre/tape/node.h", "python/eagre/func.py"])) == []

"""The rows of docs/feature-rows.md: which there must be, and what the document says of them.

"PyTorch A1" is a feature of PyTorch's autograd, "Paddle B13" one of Paddle's dygraph, "Paddle
defect 6" a fault of Paddle's that Eagre must not have. A test says what it shows by a comment right
above it: `# Row: PyTorch A1, Paddle B13` (`// Row: ...` in C++).
"""

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "feature-rows.md"
LINE = re.compile(r"^\| ((?:PyTorch|Paddle) .*?) \| .+? \| *(.*?) *\|$", re.M)


def _named(source, counts):
    return [f"{source} {section}{n}" for section, last in counts for n in range(1, last + 1)]


# How many rows each section has: a line that gets lost in the document is missed.
ROWS = _named(
    "PyTorch",
    [
        ("A", 20),  # leaves, flags, attributes
        ("B", 18),  # backward() and grad()
        ("C", 9),  # accumulation
        ("D", 17),  # engine, threads, devices
        ("E", 13),  # hooks
        ("F", 14),  # saved tensors
        ("G", 9),  # checkpoints
        ("H", 8),  # in-place operators, versions
        ("I", 15),  # views
        ("J", 8),  # grad modes
        ("K", 20),  # custom functions
        ("L", 8),  # graphs, debugging
        ("M", 8),  # forward mode
        ("N", 5),  # functions of functions, gradcheck
        ("O", 7),  # complex numbers, conventions of operators
        ("P", 9),  # lifetime, interop
    ],
) + _named(
    "Paddle",
    [
        ("P", 19),  # the Python API
        ("C", 10),  # between Python and C++
        ("D", 20),  # recording
        ("A", 24),  # dispatch and kernels
        ("B", 27),  # the backward layer
        ("T", 8),  # kinds of tensors
        ("X", 14),  # extensions and the rest
        ("defect ", 23),
    ],
)


def lines(text):
    """Pairs of a row and its status, in the order of the document."""
    return LINE.findall(text)


def with_status(kind, text):
    """The rows whose status begins with `kind`, and what follows it."""
    return {row: status[len(kind) :] for row, status in lines(text) if status.startswith(kind)}


_TEXT = DOCUMENT.read_text()

# Rows that no test names, and why. A row loses this status when its test comes.
NO_TEST = with_status("no test: ", _TEXT)

# Rows that tests show except for a part: what is missing, or done otherwise.
OTHERWISE = with_status("otherwise: ", _TEXT)

"""The rows of the feature tables that a test must show, and those that wait for later work.

"PyTorch A1" is row A1 of the table of PyTorch's autograd, "Paddle B13" row B13 of the table of
Paddle's dygraph, "Paddle defect 6" a fault of Paddle's that Eagre must not have. A test says what
it shows by a comment right above it: `# Row: PyTorch A1, Paddle B13` (`// Row: ...` in C++).
"""


def _named(source, counts):
    return [f"{source} {letter}{n}" for letter, last in counts for n in range(1, last + 1)]


# How many rows each section has.
REQUIRED = (
    _named(
        "PyTorch",
        [
            ("A", 20),  # leaves, flags, attributes
            ("B", 18),  # backward() and grad()
            ("C", 9),  # accumulation
            ("D", 17),  # engine, threads, devices
            ("E", 13),  # hooks
            ("F", 14),  # saved tensors
            ("G", 9),  # checkpointing
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
    )
    + _named("Paddle", [("B", 27)])  # the backward layer
    # The structural rows of the Python API and of the layer between Python and C++.
    + [f"Paddle P{n}" for n in (1, 3, 9, 13)]
    + _named("Paddle", [("C", 7)])
    + [f"Paddle defect {n}" for n in range(1, 24)]
)

# Rows that a test may name though no section above asks for them.
OTHER = _named("Paddle", [("A", 24), ("C", 10), ("D", 20), ("P", 19), ("T", 8), ("X", 14)])

# Rows without a test, and what they wait for. A row leaves this table when its test comes.
LATER = {
    "PyTorch C6": "there are no sparse tensors",
    "PyTorch E12": "there are no modules",
    "PyTorch I12": "views are made anew by as_strided only, PyTorch's default too",
    "PyTorch O3": "there are no sparse tensors",
    "PyTorch P8": "there is no pinned memory before the first GPU",
    "Paddle defect 12": "there are no sparse tensors",
    "Paddle defect 17": "there is no autocast mode yet; its lists will be per thread",
    "Paddle defect 21": "there are no SelectedRows",
    "Paddle defect 22": "there are no sparse tensors",
    "Paddle defect 23": "there are no sparse tensors",
}

# Rows that tests show except for a part: what is missing, or done otherwise.
PARTS_LEFT = {
    "PyTorch C4": "enforce_grad_layout_policy: the contract cannot be switched off",
    "PyTorch D14": "CUDA graphs: there is no GPU yet",
    "PyTorch D15": "the engine makes its threads anew in the child, so it has nothing to refuse; "
    "devices of plug-ins are refused there",
    "PyTorch F1": "a pack hook sees an alias without history, in PyTorch the tensor itself",
    "PyTorch F5": "a number that took part (x * 2) is saved as the number, in PyTorch as a 0-dim "
    "tensor except by pow; arguments of nodes that PyTorch has not (MatmulBackward0) keep theirs",
    "PyTorch F6": "a pack hook that raises leaves the tensor saved as it was; a tensor that was "
    "written since it was saved cannot get hooks",
    "PyTorch F12": "the scope belongs to its thread, in PyTorch its hooks do but not its nesting",
    "PyTorch G7": "there is no autocast mode yet",
    "PyTorch G8": "operators cannot be chosen one by one, which is said by an error",
    "PyTorch I6": "unsafe_split and unsafe_chunk are not there",
    "PyTorch J2": "async functions run in the mode; PyTorch decorates them without effect",
    "PyTorch J5": "a view of an inference tensor that requires grad, made outside of the mode, "
    "requires grad too",
    "PyTorch L2": "one record serves all overloads, so the number at the end is always 0",
    "PyTorch M1": "levels nest, in PyTorch they do not",
    "PyTorch N4": "sparse tensors and devices other than the CPU are not compared",
    "PyTorch L7": "the profiler that consumes the events is a layer of its own",
    "PyTorch O4": "index_reduce is not there",
    "Paddle B7": "sparse kinds: there are none",
}

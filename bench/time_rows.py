"""The rows of times against PyTorch. A bar is how many times faster we are to be."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TimeRow:
    name: str
    title: str
    program: str  # micro, graphs, or a .py file of this folder
    argument: str
    ours: int  # iterations, so that either side runs for about a fifth of a second
    peer: int
    bar: float  # how many times faster than the peer
    own_peer: str | None = None  # compared with another row of ours instead


TIME_ROWS = [
    TimeRow(
        "cpp_add_nograd", "C++ `a + b`, no grad", "micro", "add_nograd", 4_000_000, 400_000, 15
    ),
    TimeRow("cpp_add_grad", "C++ `a + b`, grad", "micro", "add_grad", 3_000_000, 200_000, 20),
    TimeRow("cpp_backward", "C++ backward, per node", "micro", "backward_mul_chain", 2000, 60, 30),
    TimeRow(
        "py_add_nograd", "Python `a + b`, no grad", "micro.py", "add_nograd", 2_000_000, 300_000, 15
    ),
    TimeRow("py_add_grad", "Python `a + b`, grad", "micro.py", "add_grad", 2_000_000, 200_000, 20),
    *(
        TimeRow(f"small_{name}", f"C++ {name}, 4×4", "micro", f"small_{name}", 2_000_000, ours, 8)
        for name, ours in (
            ("transpose", 500_000),
            ("view", 600_000),
            ("select", 500_000),
            ("slice", 400_000),
            ("empty", 800_000),
            ("sum", 200_000),
            ("cat", 300_000),
            ("relu", 300_000),
        )
    ),
    *(
        TimeRow(f"cpp_{name}", f"C++ {title}, 8×8", "micro", name, 400_000, 80_000, bar)
        for name, title, bar in (
            ("matmul", "matmul", 8),
            ("cat", "cat of 4", 8),
            ("cat_grad", "cat of 4, grad", 8),
            ("stack", "stack of 4", 8),
            ("stack_grad", "stack of 4, grad", 8),
            ("softmax", "softmax", 6),
            ("softmax_grad", "softmax, grad", 6),
            ("layer_norm", "layer_norm", 6),
            ("layer_norm_grad", "layer_norm, grad", 6),
            ("cross_entropy", "cross_entropy", 6),
            ("cross_entropy_grad", "cross_entropy, grad", 6),
        )
    ),
    TimeRow(
        "cpp_record",
        "C++ recording 1 M products in fresh memory, per node",
        "micro",
        "hold_mul_chain",
        1_000_000,
        1_000_000,
        15,
    ),
]


def large(name: str, title: str, iterations: int, bar: float) -> TimeRow:
    """A row of ops.py: large tensors in Python, the same number of calls on both sides."""
    return TimeRow(name, title, "ops.py", name, iterations, iterations, bar)


TIME_ROWS += [
    *(
        large(f"{name}_1e5", f"{name}, 1e5 f32", 2000, 0.95)
        for name in ("add", "mul", "exp", "tanh", "gelu")
    ),
    *(
        large(f"{name}_1e7", f"{name}, 1e7 f32, fresh outputs", 10, 3)
        for name in ("add", "mul", "exp", "tanh", "gelu")
    ),
    large("sum_all", "sum of all of 4096²", 40, 0.95),
    large("sum_last", "sum over the last dimension of 4096²", 40, 0.95),
    large("sum_first", "sum over the first dimension of 4096²", 40, 2),
    large("softmax", "softmax of 4096²", 5, 2),
    large("layer_norm", "layer_norm of 4096²", 5, 2),
    large("cross_entropy", "cross_entropy of 4096²", 5, 2),
    large("mm_8", "matmul 8", 100_000, 5),
    large("mm_64", "matmul 64", 20_000, 0.95),
    large("mm_256", "matmul 256", 500, 0.95),
    large("mm_1024", "matmul 1024", 5, 0.95),
    large("transposed_copy", "transposed copy of 4096²", 4, 2),
    large("transposed_add", "transposed add of 4096²", 4, 2),
    large("sort", "sort of 1e6", 4, 2),
    large("broadcast_add", "broadcast add, 1e6", 200, 0.95),
    large("strided_add", "strided add, 1e6", 200, 0.95),
    large("gather", "gather of 1e6", 50, 0.95),
    large("scatter_add", "scatter_add of 1e6", 50, 0.95),
    large("randn_1e7", "randn of 1e7", 5, 2),
]
TIME_ROWS += [
    TimeRow(f"graph_{name}", title, "graphs", name, ours, peer, bar)
    for name, title, ours, peer, bar in (
        ("mul_and_grad", "C++ one product and `grad()`", 1_000_000, 30_000, 30),
        ("long_chain", "C++ backward of 1 M products, per node", 2, 1, 20),
        ("second_order", "C++ second derivative of 100 products", 3000, 150, 10),
        ("wide", "C++ sum of 1000 leaves, forward and backward", 2000, 100, 10),
        ("diamond", "C++ diamond of depth 1000, backward", 2000, 80, 10),
        ("hooks", "C++ backward of 100 products with 10 hooks each", 2000, 200, 10),
        ("mlp", "C++ training step of an MLP 64-64-64-10, batch 32", 8000, 2000, 5),
        ("custom_function", "C++ Function<T>: apply and backward", 200000, 20000, 10),
        ("threads", "C++ 8 threads with graphs of their own, 100 products", 2000, 50, 10),
    )
]
TIME_ROWS += [
    TimeRow(
        "jvp_chain",
        "jvp of 100 pointwise operators (peer: our forward)",
        "transforms.py",
        "jvp_chain",
        1000,
        2000,
        0.4,
        "forward_chain",
    ),
    TimeRow("hessian", "Hessian of 64 variables", "transforms.py", "hessian", 1000, 200, 10),
    TimeRow(
        "vmap_mlp",
        "gradients of 64 samples of an MLP (peer: torch.func)",
        "transforms.py",
        "vmap_mlp",
        500,
        100,
        3,
    ),
    TimeRow(
        "vmap_mlp_loop",
        "the same (peer: our loop)",
        "transforms.py",
        "vmap_mlp",
        500,
        50,
        5,
        "loop_mlp",
    ),
]


def call(name: str, title: str, ours: int, peer: int, bar: float) -> TimeRow:
    """A row of calls.py: small work from Python."""
    return TimeRow(name, title, "calls.py", name.removeprefix("py_"), ours, peer, bar)


TIME_ROWS += [
    call("py_mul_backward", "Python `(a * b).backward()`", 200_000, 5000, 30),
    call("py_chain_backward", "Python backward of 1000 products, per node", 1000, 40, 30),
    call("py_function", "Python Function: apply and backward", 50_000, 5000, 4),
    call("py_hook", "Python hook in a backward call", 100_000, 5000, 4),
    call("py_mlp_step", "Python training step of an MLP 64-64-64-10, batch 32", 3000, 500, 6),
    call("py_module_call", "`nn.Linear(1, 1)(x)`", 100_000, 10_000, 12),
    call("py_module_forward", "`nn.Sequential` 64-64-64-10, batch 32, forward", 5000, 1000, 3),
]

# Small calls on 4×4 tensors: one row for all of them. Each alone must be SMALL_CALL_BAR times as
# fast (those in SLOWER_CALLS by less), or take at most SMALL_CALL_SLACK nanoseconds more than an
# empty method call.
SMALL_CALLS = (
    *("relu", "exp", "sum", "mean", "reshape", "transpose", "getitem_int", "getitem_slice"),
    *("cat", "stack", "where", "softmax", "matmul", "zeros", "item", "detach"),
    *("add_", "clone", "to", "add_scalar", "f_relu", "f_silu", "f_softmax"),
    *("log_softmax", "layer_norm", "cross_entropy", "mse_loss", "linear", "cat_4", "stack_4"),
    *("select", "unsqueeze", "greater", "equal", "sum_dim", "mean_dim", "amax_dim"),
    *("argmax_dim", "index_tensor", "index_mask", "mul"),
)
SMALL_CALLS_MEAN_BAR, SMALL_CALL_BAR, SMALL_CALL_SLACK = 14, 8, 40
SLOWER_CALLS, SLOWER_CALL_BAR = ("softmax", "layer_norm", "cross_entropy"), 6

# Calls at several sizes, without and with grad: a row for each size.
SIZED_CALLS = ("f_relu", "cat_4", "stack_4", *SLOWER_CALLS)
SIZED_BARS = {"1x1": None, "4x4": None, "8x8": None, "32x64": 1.2}  # None: the bars above


def call_bar(name: str, size: str = "4x4") -> float:
    """How many times faster a call is to be, which may be named with its size."""
    wanted = SIZED_BARS[size]
    if wanted is not None:
        return wanted
    slower = name.removeprefix("f_").removeprefix("log_") in SLOWER_CALLS
    return SLOWER_CALL_BAR if slower else SMALL_CALL_BAR

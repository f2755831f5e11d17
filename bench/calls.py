"""Small calls from Python: `calls.py eagre|torch <row> <iterations>`, a round per line of input.

A row is a statement; what is printed are nanoseconds per execution beyond those of an empty loop in
the same process. `softmax:8x8` is the statement on tensors of that size, `softmax:8x8:grad` on some
that require grad; without a size they are 4x4. Read STATEMENTS and PROGRAMS first.
"""

import importlib
import sys
import time

SETUP = """
x, y = torch.randn({rows}, {columns}), torch.randn({rows}, {columns})
other = torch.randn({columns}, {columns})
classes = torch.randint(0, {columns}, ({rows},))
index = torch.tensor([{rows} - 1, 0])
if {grad}:
    x.requires_grad_()
a, b = torch.randn(1), torch.randn(1)
w = torch.randn(1, requires_grad=True)
mask = x > 0
nothing = []
"""

# The calls of small tensors that programs are full of, and an empty method call beside them.
STATEMENTS = {
    "empty_call": "nothing.clear()",
    "relu": "torch.relu(x)",
    "exp": "torch.exp(x)",
    "sum": "x.sum()",
    "mean": "x.mean()",
    "reshape": "x.reshape(2, 8)",
    "transpose": "x.transpose(0, 1)",
    "getitem_int": "x[1]",
    "getitem_slice": "x[1:3]",
    "cat": "torch.cat([x, y])",
    "stack": "torch.stack([x, y])",
    "where": "torch.where(mask, x, y)",
    "softmax": "torch.softmax(x, -1)",
    "matmul": "x @ other",
    "zeros": "torch.zeros(4, 4)",
    "item": "a.item()",
    "detach": "x.detach()",
    "add_": "x.add_(y)",
    "clone": "x.clone()",
    "to": "x.to(torch.float64)",
    "add_scalar": "x + 1",
    # Functions of networks, as programs spell them.
    "f_relu": "functional.relu(x)",
    "f_silu": "functional.silu(x)",
    "f_softmax": "functional.softmax(x, dim=-1)",
    "log_softmax": "functional.log_softmax(x, dim=-1)",
    "layer_norm": "functional.layer_norm(x, x.shape[-1:])",
    "cross_entropy": "functional.cross_entropy(x, classes)",
    "mse_loss": "functional.mse_loss(x, y)",
    "linear": "functional.linear(x, other)",
    # Joining, views, comparisons, reductions over a dimension, indices.
    "cat_4": "torch.cat([x, y, x, y])",
    "stack_4": "torch.stack([x, y, x, y])",
    "select": "x.select(0, 0)",
    "unsqueeze": "x.unsqueeze(0)",
    "greater": "x > y",
    "equal": "x == 0",
    "sum_dim": "x.sum(dim=1)",
    "mean_dim": "x.mean(dim=-1, keepdim=True)",
    "amax_dim": "x.amax(1)",
    "argmax_dim": "x.argmax(dim=1)",
    "index_tensor": "x[index]",
    "index_mask": "x[mask]",
    "mul": "x * y",
}

PROGRAMS = {
    "mul_backward": ("", "(w * b).backward()", 1),
    "chain_backward": (
        """
def chain():
    z = w
    for _ in range(1000):
        z = z * b
    return z
""",
        None,  # timed by itself: the backward call alone
        1000,
    ),
    "function": (
        """
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x * x
""",
        "Cube.apply(w).backward()",
        1,
    ),
    "hook": (
        """
def keep(g):
    return None
z = w * b
z.register_hook(keep)
""",
        "z.backward(retain_graph=True)",
        1,
    ),
    "module_call": ("layer, point = torch.nn.Linear(1, 1), torch.ones(1, 1)\n", "layer(point)", 1),
    "module_forward": (
        """
nn = torch.nn
net = nn.Sequential(
    nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)
)
data = torch.randn(32, 64)
""",
        "net(data)",
        1,
    ),
    "mlp_step": (
        """
sizes = (64, 64, 64, 10)
parameters = []
for i in range(3):
    parameters.append((torch.randn(sizes[i + 1], sizes[i]) * 0.1).requires_grad_())
    parameters.append(torch.zeros(sizes[i + 1], requires_grad=True))
data, target = torch.randn(32, 64), torch.randint(0, 10, (32,))
linear, cross_entropy = functional.linear, functional.cross_entropy


def step():
    h = torch.relu(linear(data, parameters[0], parameters[1]))
    h = torch.relu(linear(h, parameters[2], parameters[3]))
    cross_entropy(linear(h, parameters[4], parameters[5]), target).backward()
    with torch.no_grad():
        for p in parameters:
            p.sub_(p.grad, alpha=0.01)
            p.grad = None
""",
        "step()",
        1,
    ),
}

LOOP = """
def run(count):
    start = clock()
    for _ in repeat(None, count):
        {statement}
    return clock() - start
"""

CHAIN = """
def run(count):
    total = 0
    for _ in repeat(None, count):
        z = chain()
        start = clock()
        z.backward()
        total += clock() - start
    return total
"""


def main():
    library, row, iterations = sys.argv[1], sys.argv[2], int(sys.argv[3])
    names = {
        "torch": importlib.import_module(library),
        "functional": importlib.import_module(f"{library}.nn.functional"),
        "clock": time.perf_counter_ns,
        "repeat": __import__("itertools").repeat,
    }
    names["torch"].set_num_threads(1)
    row, *variant = row.split(":")
    rows, columns = (variant or ["4x4"])[0].split("x")
    setup, statement, steps = PROGRAMS.get(row) or ("", STATEMENTS[row], 1)
    exec(SETUP.format(rows=rows, columns=columns, grad="grad" in variant) + setup, names)
    exec(LOOP.format(statement=statement) if statement else CHAIN, names)
    run = names["run"]
    exec(LOOP.format(statement="pass"), names)
    bare = names["run"] if statement else lambda count: 0
    run(max(1, iterations // 10))
    for _ in sys.stdin:
        spent = run(iterations) - bare(iterations)
        print(spent / iterations / steps, flush=True)


main()

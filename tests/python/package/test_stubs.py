"""The stubs name what there is, and type checkers can use them."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import eagre
from eagre import _C

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(eagre.__file__).parent
STUB = ast.parse((PACKAGE / "_C.pyi").read_text())


def defined(body):
    names = set()
    for item in body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            names.add(item.name)
        elif isinstance(item, ast.AnnAssign):
            names.add(item.target.id)
    return names


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_every_name_of_the_module_and_no_other():
    aliases = {"DeviceLike", "Number", "Operand"}
    assert public(defined(STUB.body)) - aliases == public(dir(_C))


def test_every_attribute_of_tensors_and_no_other():
    (tensor,) = (item for item in STUB.body if getattr(item, "name", "") == "Tensor")
    assert public(defined(tensor.body)) == public(dir(_C.Tensor))


def checked(folder, *files):
    """What mypy says of these files under --strict, and of no others."""
    environment = os.environ | {"MYPYPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--cache-dir", str(folder / "cache"), *files]
    return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)


def test_mypy_accepts_the_examples(tmp_path):
    result = checked(tmp_path, *map(str, sorted((ROOT / "examples/python").glob("*.py"))))
    assert result.returncode == 0, result.stdout


# Expressions and their types, in a program that begins with PROGRAM.
PROGRAM = """
import eagre as torch
import eagre.nn.functional as F
from eagre.autograd import gradcheck
from eagre.nn import Parameter
from eagre.utils import data

@torch.no_grad()
def counted(x: torch.Tensor) -> int:
    return x.numel()

@torch.inference_mode()
@torch.enable_grad()
@torch.set_grad_enabled(True)
def same(x: torch.Tensor) -> torch.Tensor:
    return x

x = torch.ones(2, requires_grad=True)
torch.set_flags({"log": "off"})
torch.autograd.backward(x.sum())
with torch.no_grad(), torch.autograd.detect_anomaly():
    x -= x.grad * 0.1
    x.grad = None
optimizer = torch.optim.Adam([x], lr=0.1)
optimizer.zero_grad()
optimizer.step()
torch.optim.lr_scheduler.LinearLR(optimizer).step()

class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(2, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x)
        return result

net = Net().train()
net.register_buffer("mask", x)
torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
rows = data.TensorDataset(x, x)
loader = data.DataLoader(rows, batch_size=2, shuffle=True, num_workers=1)
torch.save({"x": x}, "model.pt")
torch.serialization.add_safe_globals([dict])
with torch.serialization.safe_globals([dict]):
    x = torch.load("model.pt", map_location="cpu")["x"]
torch.safetensors.save_file({"x": x}, "model.safetensors", metadata={"step": "1"})
"""
TYPES = {
    "counted": "def (x: eagre._C.Tensor) -> int",
    "same": "def (x: eagre._C.Tensor) -> eagre._C.Tensor",
    "F.relu(x)": "eagre._C.Tensor",
    "F.silu(x, inplace=True)": "eagre._C.Tensor",
    "F.dropout(x)": "eagre._C.Tensor",
    "F.embedding(x, x)": "eagre._C.Tensor",
    "F.softmax(x, 0)": "eagre._C.Tensor",
    "Parameter(x)": "eagre.nn.parameter.Parameter",
    "torch.vmap(same)": "def (*Any, **Any) -> Any",
    "torch.func.grad(same)": "def (*Any, **Any) -> Any",
    "gradcheck(same, (x,))": "bool",
    "torch.get_flags()": "dict[str, Any]",
    "torch.load('model.pt', weights_only=False, mmap=True)": "Any",
    "torch.safetensors.load_file('a', device='cpu')": "dict[str, eagre._C.Tensor]",
    "torch.as_tensor([1])": "eagre._C.Tensor",
    "torch.from_dlpack(x)": "eagre._C.Tensor",
    "torch.einsum('i,i', x, x)": "eagre._C.Tensor",
    "torch.unique(x)": "Any",
    "torch.unique_consecutive(x, return_counts=True)": "Any",
    "torch.broadcast_shapes((1,), (2,))": "eagre._C.Size",
    "torch.initial_seed()": "int",
    "torch.is_tensor(x)": "bool",
    "torch.cuda.is_available()": "bool",
    "torch.optim.SGD([x], lr=0.1)": "eagre.optim.sgd.SGD",
    "torch.optim.AdamW([x]).state_dict()": "dict[str, Any]",
    "torch.optim.lr_scheduler.StepLR(torch.optim.SGD([x]), 2).get_last_lr()": "list[Any]",
    "rows[0]": "tuple[eagre._C.Tensor, ...]",
    "len(loader)": "int",
    "[batch for batch in loader]": "list[Any]",
    "data.random_split(rows, [0.5, 0.5])": (
        "list[eagre.utils.data.dataset.Subset[tuple[eagre._C.Tensor, ...]]]"
    ),
    "list(data.RandomSampler(rows))": "list[int]",
    "data.default_collate([x, x])": "Any",
    "torch.viz.graph(x).save('graph.svg')": "str",
    "net.eval()": "program.Net",
    "next(net.parameters())": "eagre.nn.parameter.Parameter",
    "dict(net.named_buffers())": "dict[str, eagre._C.Tensor]",
    "net.state_dict()": "dict[str, Any]",
    "torch.nn.Sequential(net, torch.nn.ReLU())": "eagre.nn.modules.container.Sequential",
    "torch.nn.init.zeros_(x)": "eagre._C.Tensor",
}


def test_types_of_a_strict_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "".join(f"reveal_type({code})\n" for code in TYPES))
    result = checked(tmp_path, str(program))
    assert result.returncode == 0, result.stdout
    revealed = [line.split('"', 1)[1][:-1] for line in result.stdout.splitlines() if '"' in line]
    assert dict(zip(TYPES, revealed, strict=True)) == TYPES


def test_mypy_finds_mistakes(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import eagre as torch\n"
        "x = torch.zeros(2, 3, dtype=torch.float64)\n"
        "values, indices = x.max(dim=1)\n"
        "reveal_type(values + 1)\n"
        "x.add_(1).rleu()\n"
        "torch.zeros('2')\n"
        "torch.nothing\n"
    )
    result = checked(tmp_path, str(program))
    assert 'Revealed type is "eagre._C.Tensor"' in result.stdout
    for line, mistake in ((5, '"rleu"'), (6, 'incompatible type "str"'), (7, '"nothing"')):
        assert any(
            f"program.py:{line}: error" in message and mistake in message
            for message in result.stdout.splitlines()
        ), result.stdout

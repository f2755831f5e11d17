"""Inputs that killed other libraries, or made them answer wrongly: a program per row of the corpus,
by its number, to be run in a process of its own. test_corpus.py defines refused()."""

PROGRAMS = {
    # A. zero-size and 0-d tensors
    1: """
for find in (torch.argmax, torch.argmin):
    refused(lambda: find(torch.zeros(0, dtype=torch.int32), dim=0), find.__name__, "0")
""",
    3: """
assert torch.nanmedian(torch.zeros(0, 0, 0, 0, 0)).isnan().item()
refused(lambda: torch.nanmedian(torch.zeros(2, 0), dim=1), "median", kinds=IndexError)
""",
    5: """
refused(lambda: torch.lerp(torch.zeros(0), torch.zeros(4, 0, 0, 2, 6), torch.zeros(0)), "lerp")
assert torch.lerp(torch.zeros(0), torch.zeros(4, 0), torch.zeros(0)).shape == (4, 0)
""",
    7: "refused(lambda: torch.dot(torch.zeros(0, 0), torch.zeros(0, 0)), 'dot', '[0, 0]')",
    11: """
values, places = torch.sort(torch.zeros(0), dim=0, descending=True)
assert values.shape == places.shape == (0,)
""",
    17: "assert torch.flip(torch.zeros(0, 3), [0]).shape == (0, 3)",
    21: """
x = torch.zeros(3)
refused(lambda: x.index_add_(0, torch.tensor([0, 1]), torch.zeros(0)), "index_add")
assert x.tolist() == [0, 0, 0]
""",
    23: "assert torch.randn(()).shape == torch.empty([]).normal_().shape == ()",
    25: """
assert torch.searchsorted(torch.zeros(1), torch.tensor(0.5), right=True).item() == 1
number = torch.tensor(0.0)
refused(lambda: torch.searchsorted(number, number), "searchsorted", kinds=RuntimeError)
""",
    27: "assert torch.diag_embed(torch.zeros(2, 0)).shape == (2, 0, 0)",
    # B. dimensions out of range
    29: """
x, i = torch.zeros(2, 3, 4), torch.zeros(2, 3, 4, dtype=torch.int64)
for dim in (-4, -100, 3, 2**62):
    refused(lambda: torch.gather(x, dim, i), "gather", "dim", str(dim))
""",
    31: "refused(lambda: torch.zeros(3)[..., 0, 0], 'index', 'too many')",
    35: """
x = torch.zeros(2, 2, 2)
refused(lambda: x.diagonal(dim1=-6666666, dim2=-6666666), "diagonal", "-6666666")
refused(lambda: x.diagonal(dim1=0, dim2=0), "diagonal", "0")
""",
    39: "assert torch.tensor([[1 + 2j]]).t().conj().tolist() == [[1 - 2j]]",
    43: "refused(lambda: torch.gather(torch.zeros(2), 7, torch.tensor([0])), 'gather', '7')",
    47: """
places = torch.tensor([1])
for shape in ((2**40, 2**40), (2, 0), (2, -1)):
    refused(lambda: torch.unravel_index(places, shape), "unravel_index", kinds=ValueError)
""",
    # C. huge sizes
    59: """
x = torch.zeros(4)
for size, stride, offset in (((2,), (1,), 2**62), ((2**40,), (1,), 0), ((2,), (2**62,), 0)):
    refused(lambda: x.as_strided(size, stride, offset), "as_strided")
refused(lambda: x.as_strided((2,), (1,), -1), "as_strided", "-1")
""",
    65: """
for make in (torch.zeros, torch.empty, torch.ones, torch.randn):
    refused(lambda: make(2**40, 2**40, 2**40, 2**40), make.__name__)
refused(lambda: torch.zeros(1).expand(2**40, 2**40, 2**40), "expand")
refused(lambda: torch.empty(2**50), str(2**52))  # more bytes than there are
""",
    67: "refused(lambda: torch.topk(torch.zeros(5), -1), 'topk', '-1')",
    69: """
nested = 1.0
for _ in range(100):
    nested = [nested]
refused(lambda: torch.tensor(nested), "tensor", "64")
refused(lambda: torch.zeros([1] * 65), "zeros", "64")
""",
    # E. second operands
    105: """
x = torch.tensor([0, 1])
refused(lambda: torch.bincount(x, torch.zeros(2, 2)), "bincount", kinds=RuntimeError)
refused(lambda: torch.bincount(x, minlength=-1), "minlength", kinds=RuntimeError)
refused(lambda: torch.bincount(-x), "bincount", kinds=RuntimeError)
""",
    # F. indices
    111: """
import eagre.nn.functional as F
for bad in (-1, 3, 2**40, -2**63):
    refused(lambda: F.embedding(torch.tensor([bad]), torch.zeros(3, 2)), "embedding", str(bad))
""",
    113: """
x = torch.zeros(2, 1)
for repeats in (torch.tensor([[1], [2]]), torch.tensor([-1, 2]), torch.tensor([1, 2, 3]), -1):
    refused(lambda: x.repeat_interleave(repeats, -2), "repeat_interleave", kinds=RuntimeError)
""",
    115: """
x = torch.zeros(3, 3)
i = torch.tensor([0, 1])
refused(lambda: x.index_put_((i,), torch.ones(5), accumulate=True), "index_put")
refused(lambda: x.index_put_((i, torch.tensor([0, 1, 2])), torch.ones(2), accumulate=True), "index")
assert x.sum().item() == 0
""",
    117: """
x = torch.zeros(4)
refused(lambda: x.scatter_(0, torch.tensor([0, 1, 2, 3]), torch.ones(2)), "scatter")
assert x.sum().item() == 0
""",
    119: """
for dtype in (torch.int8, torch.int32, torch.int64):
    smallest = torch.tensor([-(2 ** (dtype.itemsize * 8 - 1))], dtype=dtype)
    zero, minus = torch.tensor([0], dtype=dtype), torch.tensor([-1], dtype=dtype)
    for divide in (torch.floor_divide, torch.remainder, torch.fmod):
        refused(lambda: divide(smallest, zero), divide.__name__, "zero")
    assert (smallest // minus).tolist() == smallest.tolist()  # wraps, as sums do
    assert (smallest % minus).item() == 0
""",
    121: "refused(lambda: torch.split(torch.zeros(4), [2, -5, 7]), 'split', '-5')",
    # H. types, aliasing, objects at the border
    131: """
import numpy
refused(lambda: torch.tensor(numpy.array(["a", None], dtype=object)), "tensor")
refused(lambda: torch.zeros(2) + "text", kinds=TypeError)
refused(lambda: torch.tensor("text"), "tensor")
""",
    133: """
for bad in (5, object(), None):
    refused(lambda: torch.from_dlpack(bad), kinds=(TypeError, AttributeError, torch.Error))
capsule = torch.ones(3).__dlpack__()
shared = torch.from_dlpack(capsule)
refused(lambda: torch.from_dlpack(capsule), "dlpack", kinds=(ValueError, RuntimeError))
assert shared.tolist() == [1, 1, 1]
import ctypes
renamed = torch.ones(3).__dlpack__()
set_name = ctypes.pythonapi.PyCapsule_SetName
set_name.argtypes = [ctypes.py_object, ctypes.c_char_p]
name = ctypes.c_char_p(b"something else")
set_name(renamed, name)
refused(lambda: torch.from_dlpack(renamed), kinds=(TypeError, ValueError, RuntimeError))
""",
    135: """
s = torch.arange(6.0)
for view in (s[2:], s[:0], s.view(2, 3)):
    refused(lambda: torch.add(torch.ones(9), torch.ones(9), out=view), "add", "view", "[9]")
assert s.tolist() == [0, 1, 2, 3, 4, 5]
""",
    137: """
worst = torch.tensor([float("nan"), float("inf"), float("-inf"), 1e300], dtype=torch.float64)
for dtype in (torch.int8, torch.int32, torch.int64, torch.uint8):
    first = worst.to(dtype).tolist()
    assert first == worst.to(dtype).tolist() == torch.stack([worst, worst]).to(dtype)[1].tolist()
""",
    # J. graphs, threads, life cycle
    155: """
x = torch.ones(1, requires_grad=True)
y = x
for _ in range(300_000):
    y = y + y * 0.00001
del y
""",
    157: """
x = torch.zeros(10, requires_grad=True)
y = x * 1
for i in range(30_000):
    y[i % 10] = y[(i + 1) % 10] * 0.5
y.sum().backward()
del y
""",
    159: """
import os
import warnings
warnings.simplefilter("ignore")  # of newer versions of Python, about forks and threads
a = torch.randn(300, 300)
expected = (a @ a).sum().item()
child = os.fork()
if child == 0:
    os._exit(0 if (a @ a).sum().item() == expected else 1)
assert os.waitpid(child, 0)[1] == 0
""",
    161: """
import threading
class Stop(Exception): pass
def stop(g): raise Stop("in a hook")
def work():
    w = torch.ones(2, requires_grad=True)
    y = w * 2
    y.register_hook(stop)
    try:
        y.sum().backward()
    except Stop as error:
        caught.append(str(error))
    v = torch.ones(2, requires_grad=True)
    (v * 3).sum().backward()
    caught.append(v.grad.tolist())
caught = []
for _ in range(2):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
assert caught == ["in a hook", [3, 3]] * 2
""",
    163: """
w = torch.ones(2, requires_grad=True)
y = w.exp()
y.mul_(2)
refused(lambda: y.sum().backward(), "modified by an inplace operation", "mul_", "<string>")
""",
    165: """
import atexit, builtins
builtins.kept = [torch.ones(3, requires_grad=True)]
kept.append((kept[0] * 2).sum())
kept[0].register_hook(lambda g: kept)
array = torch.ones(3).numpy()
builtins.kept_array = array
atexit.register(lambda: kept.append(torch.zeros(2)))
""",
}

# Rows of operators and files that do not exist yet: the names, each of which must be missing.
MISSING = {
    9: "linalg.matrix_rank",
    13: "nn.PixelShuffle",
    15: "fft",
    19: "nn.functional.max_pool2d",
    37: "mode",
    41: "nn.utils",
    45: "fake_quantize_per_channel_affine",
    51: "nn.ReplicationPad2d",
    53: "nn.functional.fold",
    55: "nn.functional.max_pool1d",
    57: "nn.functional.conv_transpose1d",
    73: "nn.ConvTranspose2d",
    75: "nn.functional.conv2d",
    81: "nn.functional.max_pool2d",
    89: "nn.functional.pad",
    93: "nn.functional.grid_sample",
    95: "nn.functional.batch_norm",
    97: "nn.LSTMCell",
    99: "nn.LSTM",
    103: "nn.functional.ctc_loss",
    107: "nn.functional.embedding_bag",
    109: "nn.functional.embedding_bag",
    123: "lu_unpack",
    125: "linalg.ldl_solve",
    127: "pinverse",
    129: "fft",
    139: "distributed",
    141: "load",
    145: "onnx",
    147: "load",
    149: "load",
    153: "load",
    167: "cuda.OutOfMemoryError",
}

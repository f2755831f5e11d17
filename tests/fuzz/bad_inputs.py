"""Inputs that killed other libraries, or made them answer wrongly: programs, by what they do, each
to be run in a process of its own. test_bad_inputs.py defines refused()."""

PROGRAMS = {
    # Zero-size and 0-d tensors
    "argmax_of_nothing": """
for find in (torch.argmax, torch.argmin):
    refused(lambda: find(torch.zeros(0, dtype=torch.int32), dim=0), find.__name__, "0")
""",
    "mode_of_nothing": """
refused(lambda: torch.mode(torch.zeros(0, 3), 0), "mode", kinds=IndexError)
assert torch.mode(torch.zeros(3, 0), 0).values.shape == (0,)
""",
    "nanmedian_of_nothing": """
assert torch.nanmedian(torch.zeros(0, 0, 0, 0, 0)).isnan().item()
refused(lambda: torch.nanmedian(torch.zeros(2, 0), dim=1), "median", kinds=IndexError)
""",
    "lerp_of_nothing_and_five_dimensions": """
refused(lambda: torch.lerp(torch.zeros(0), torch.zeros(4, 0, 0, 2, 6), torch.zeros(0)), "lerp")
assert torch.lerp(torch.zeros(0), torch.zeros(4, 0), torch.zeros(0)).shape == (4, 0)
""",
    "dot_of_empty_matrices": """
refused(lambda: torch.dot(torch.zeros(0, 0), torch.zeros(0, 0)), "dot", "[0, 0]")
""",
    "sort_of_nothing": """
values, places = torch.sort(torch.zeros(0), dim=0, descending=True)
assert values.shape == places.shape == (0,)
""",
    "flip_of_nothing": """
assert torch.flip(torch.zeros(0, 3), [0]).shape == (0, 3)
""",
    "index_add_of_nothing": """
x = torch.zeros(3)
refused(lambda: x.index_add_(0, torch.tensor([0, 1]), torch.zeros(0)), "index_add")
assert x.tolist() == [0, 0, 0]
""",
    "random_numbers_without_dimensions": """
assert torch.randn(()).shape == torch.empty([]).normal_().shape == ()
""",
    "searchsorted_of_numbers": """
assert torch.searchsorted(torch.zeros(1), torch.tensor(0.5), right=True).item() == 1
number = torch.tensor(0.0)
refused(lambda: torch.searchsorted(number, number), "searchsorted", kinds=RuntimeError)
""",
    "diag_embed_of_nothing": """
assert torch.diag_embed(torch.zeros(2, 0)).shape == (2, 0, 0)
""",
    # Dimensions out of range
    "gather_along_no_dimension": """
x, i = torch.zeros(2, 3, 4), torch.zeros(2, 3, 4, dtype=torch.int64)
for dim in (-4, -100, 3, 2**62):
    refused(lambda: torch.gather(x, dim, i), "gather", "dim", str(dim))
""",
    "too_many_indices": """
refused(lambda: torch.zeros(3)[..., 0, 0], "index", "too many")
""",
    "diagonal_of_no_dimensions": """
x = torch.zeros(2, 2, 2)
refused(lambda: x.diagonal(dim1=-6666666, dim2=-6666666), "diagonal", "-6666666")
refused(lambda: x.diagonal(dim1=0, dim2=0), "diagonal", "0")
""",
    "conj_of_a_transposed_number": """
assert torch.tensor([[1 + 2j]]).t().conj().tolist() == [[1 - 2j]]
""",
    "gather_from_a_vector_along_no_dimension": """
refused(lambda: torch.gather(torch.zeros(2), 7, torch.tensor([0])), "gather", "7")
""",
    "unravel_index_into_impossible_shapes": """
places = torch.tensor([1])
for shape in ((2**40, 2**40), (2, 0), (2, -1)):
    refused(lambda: torch.unravel_index(places, shape), "unravel_index", kinds=ValueError)
""",
    # Huge sizes
    "as_strided_beyond_the_storage": """
x = torch.zeros(4)
for size, stride, offset in (((2,), (1,), 2**62), ((2**40,), (1,), 0), ((2,), (2**62,), 0)):
    refused(lambda: x.as_strided(size, stride, offset), "as_strided")
refused(lambda: x.as_strided((2,), (1,), -1), "as_strided", "-1")
""",
    "sizes_that_overflow": """
for make in (torch.zeros, torch.empty, torch.ones, torch.randn):
    refused(lambda: make(2**40, 2**40, 2**40, 2**40), make.__name__)
refused(lambda: torch.zeros(1).expand(2**40, 2**40, 2**40), "expand")
refused(lambda: torch.empty(2**50), str(2**52))  # more bytes than there are
""",
    "topk_of_a_negative_number": """
refused(lambda: torch.topk(torch.zeros(5), -1), "topk", "-1")
""",
    "more_dimensions_than_allowed": """
nested = 1.0
for _ in range(100):
    nested = [nested]
refused(lambda: torch.tensor(nested), "tensor", "64")
refused(lambda: torch.zeros([1] * 65), "zeros", "64")
""",
    # Second operands
    "bincount_with_other_weights": """
x = torch.tensor([0, 1])
refused(lambda: torch.bincount(x, torch.zeros(2, 2)), "bincount", kinds=RuntimeError)
refused(lambda: torch.bincount(x, minlength=-1), "minlength", kinds=RuntimeError)
refused(lambda: torch.bincount(-x), "bincount", kinds=RuntimeError)
""",
    # Indices
    "embedding_of_rows_that_are_not_there": """
import eagre.nn.functional as F
for bad in (-1, 3, 2**40, -2**63):
    refused(lambda: F.embedding(torch.tensor([bad]), torch.zeros(3, 2)), "embedding", str(bad))
""",
    "embedding_bag_of_bad_offsets": """
import eagre.nn.functional as F
rows, index = torch.zeros(3, 2), torch.tensor([0, 1, 2])
for bad in ([1], [0, 2, 1], [0, 4], [0, -1], [0, 2**62], [-2**63]):
    for mode in ("sum", "mean", "max"):
        refused(lambda: F.embedding_bag(index, rows, torch.tensor(bad), mode=mode), "offsets")
refused(lambda: F.embedding_bag(torch.tensor([7]), rows, torch.tensor([0])), "embedding_bag", "7")
""",
    "repeat_interleave_of_bad_counts": """
x = torch.zeros(2, 1)
for repeats in (torch.tensor([[1], [2]]), torch.tensor([-1, 2]), torch.tensor([1, 2, 3]), -1):
    refused(lambda: x.repeat_interleave(repeats, -2), "repeat_interleave", kinds=RuntimeError)
""",
    "index_put_of_values_that_do_not_fit": """
x = torch.zeros(3, 3)
i = torch.tensor([0, 1])
refused(lambda: x.index_put_((i,), torch.ones(5), accumulate=True), "index_put")
refused(lambda: x.index_put_((i, torch.tensor([0, 1, 2])), torch.ones(2), accumulate=True), "index")
assert x.sum().item() == 0
""",
    "scatter_from_too_few_values": """
x = torch.zeros(4)
refused(lambda: x.scatter_(0, torch.tensor([0, 1, 2, 3]), torch.ones(2)), "scatter")
assert x.sum().item() == 0
""",
    "integer_division_at_the_border": """
for dtype in (torch.int8, torch.int32, torch.int64):
    smallest = torch.tensor([-(2 ** (dtype.itemsize * 8 - 1))], dtype=dtype)
    zero, minus = torch.tensor([0], dtype=dtype), torch.tensor([-1], dtype=dtype)
    for divide in (torch.floor_divide, torch.remainder, torch.fmod):
        refused(lambda: divide(smallest, zero), divide.__name__, "zero")
    assert (smallest // minus).tolist() == smallest.tolist()  # wraps, as sums do
    assert (smallest % minus).item() == 0
""",
    "split_into_negative_sizes": """
refused(lambda: torch.split(torch.zeros(4), [2, -5, 7]), "split", "-5")
""",
    # Types, aliasing, objects at the border
    "objects_that_are_no_numbers": """
import numpy
refused(lambda: torch.tensor(numpy.array(["a", None], dtype=object)), "tensor")
refused(lambda: torch.zeros(2) + "text", kinds=TypeError)
refused(lambda: torch.tensor("text"), "tensor")
""",
    "dlpack_of_bad_capsules": """
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
    "out_that_is_a_view": """
s = torch.arange(6.0)
for view in (s[2:], s[:0], s.view(2, 3)):
    refused(lambda: torch.add(torch.ones(9), torch.ones(9), out=view), "add", "view", "[9]")
assert s.tolist() == [0, 1, 2, 3, 4, 5]
""",
    "floats_without_an_integer": """
worst = torch.tensor([float("nan"), float("inf"), float("-inf"), 1e300], dtype=torch.float64)
for dtype in (torch.int8, torch.int32, torch.int64, torch.uint8):
    first = worst.to(dtype).tolist()
    assert first == worst.to(dtype).tolist() == torch.stack([worst, worst]).to(dtype)[1].tolist()
""",
    # Graphs, threads, life cycle
    "long_chain_dropped": """
x = torch.ones(1, requires_grad=True)
y = x
for _ in range(300_000):
    y = y + y * 0.00001
del y
""",
    "long_chain_of_writes": """
x = torch.zeros(10, requires_grad=True)
y = x * 1
for i in range(30_000):
    y[i % 10] = y[(i + 1) % 10] * 0.5
y.sum().backward()
del y
""",
    "fork_between_products": """
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
    "hook_that_throws_in_a_thread": """
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
    "write_to_a_saved_result": """
w = torch.ones(2, requires_grad=True)
y = w.exp()
y.mul_(2)
refused(lambda: y.sum().backward(), "modified by an inplace operation", "mul_", "<string>")
""",
    "tensors_kept_until_exit": """
import atexit, builtins
builtins.kept = [torch.ones(3, requires_grad=True)]
kept.append((kept[0] * 2).sum())
kept[0].register_hook(lambda g: kept)
array = torch.ones(3).numpy()
builtins.kept_array = array
atexit.register(lambda: kept.append(torch.zeros(2)))
""",
}

# Operators, modules and files that do not exist yet, and that other libraries fail in: each of
# these names must be missing.
MISSING = [
    "linalg.matrix_rank",
    "fft",
    "fake_quantize_per_channel_affine",
    "linalg.ldl_solve",
    "pinverse",
    "distributed",
    "onnx",
    "cuda.OutOfMemoryError",
]

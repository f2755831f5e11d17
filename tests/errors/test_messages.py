"""Every message that a user can meet, as it reaches Python; a new wording changes this table."""
# ruff: noqa: E501  a message is easier to find in few pieces

import re
import warnings

import numpy as np
import pytest

import eagre

E = eagre


def t(*shape, dtype=None, requires_grad=False):
    return E.ones(shape, dtype=dtype, requires_grad=requires_grad)


def leaf(*shape):
    return t(*shape, requires_grad=True)


ALL_FLAGS = (
    "kernel_fallback, auto_transfer, memory_limit, memory_cache_fraction, huge_pages, log, blas, "
    "retain_grad_for_all_tensor, check_nan_inf, check_nan_inf_level, check_nan_inf_ops, "
    "check_nan_inf_skip, print_precision, print_threshold, print_edge_items, print_line_width, "
    "print_scientific"
)


def used_twice():
    y = leaf(2).exp().sum()
    y.backward()
    y.backward()


def array_plus_tensor():
    array = np.zeros(2)
    array += t(2)


def same(value):
    return value


def product():
    """The node of a product whose graph is gone."""
    y = leaf(2) * leaf(2)
    y.sum().backward()
    return y.grad_fn


def detached():
    y = leaf(2) * 1
    z = y * leaf(2)
    y.detach_()
    z.sum().backward()


def hooked_twice():
    raw = (leaf(2) * leaf(2)).grad_fn._raw_saved_self
    raw.register_hooks(same, same)
    raw.register_hooks(same, same)


def hooked_too_late():
    y = leaf(2) * 1
    z = y * y
    y.add_(1)
    z.grad_fn._raw_saved_self.register_hooks(same, same)


def unpacked_to_a_number():
    y = leaf(2).exp()
    y.grad_fn._raw_saved_result.register_hooks(same, lambda packed: 1)
    y.grad_fn._saved_result  # noqa: B018


def mutated_elsewhere():
    with E.autograd.graph.allow_mutation_on_saved_tensors():
        y = leaf(2).exp().sum()
    y.backward()


def mutation_in_mutation():
    scope = E.autograd.graph.allow_mutation_on_saved_tensors
    with scope(), scope():
        pass


def modified():
    y = leaf(2) * 1
    z = y * y
    y.add_(1)
    z.sum().backward()


def bad_hook(returned):
    x = leaf(2)
    x.register_hook(lambda g: returned)
    (x * 1).sum().backward()


def product_with(blas):
    E.set_flags({"blas": blas})
    try:
        t(128, 128) @ t(128, 128)
    finally:
        E.set_flags({"blas": "auto"})


def read_only_from_numpy():
    array = np.ones(2)
    array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        E.from_numpy(array)


NO_INDEX = (
    "index(): only integers, slices (`:`), ellipsis (`...`), None and long or bool tensors are valid "
    "indices, but got "
)
PLACE = r".+test_messages\.py:\d+ in \w+"

# The call, the class, and the whole message; PLACE stands for a file and line, NUMBER for one.
TABLE = [
    # --- the BLAS ---
    (lambda: product_with("no_such_blas.so"), E.NotFoundError,
     "matmul(): the BLAS 'no_such_blas.so', which the flag 'blas' (EAGRE_BLAS) names, cannot be loaded (no_such_blas.so: cannot open shared object file: No such file or directory); name another library, or 'none' to use no BLAS"),
    (lambda: product_with("libm.so.6"), E.NotFoundError,
     "matmul(): the BLAS 'libm.so.6', which the flag 'blas' (EAGRE_BLAS) names, has no functions cblas_sgemm and cblas_dgemm; name another library, or 'none' to use no BLAS"),
    # --- streams ---
    (lambda: E.set_stream(1), E.DTypeError,
     "set_stream(): argument 'stream' must be a Stream, but got int"),
    (lambda: E.stream("cpu"), TypeError,
     "stream(): expected a Stream or None, got str"),
    # --- binding of arguments ---
    (lambda: E.add(t(2)), E.SignatureError,
     "add(): argument 'other' is missing; the arguments are: input, other, alpha, out"),
    (lambda: E.add(t(2), 1, 2), E.SignatureError,
     "add(): at most 2 arguments can be given by position (input, other), but got 3"),
    (lambda: E.add(t(2), 1, beta=2), E.SignatureError,
     "add(): there is no argument 'beta'; the arguments are: input, other, alpha, out"),
    (lambda: E.add(t(2), 1, other=2), E.SignatureError, "add(): argument 'other' is given twice"),
    (lambda: t(2).fill_("a"), E.DTypeError,
     "fill_(): the arguments (self, str) fit none of its forms: fill_(input, value)"),
    (lambda: E.randint(2.5, size=(2,)), E.DTypeError,
     "randint(): argument 'high' (position 1) must be int, not float: the arguments (float, size=tuple) fit none of its "
     "forms: randint(high, size, generator=…, dtype=…, device=…, requires_grad=…, layout=…, pin_memory=…, out=…), "
     "randint(low, high, size, generator=…, dtype=…, device=…, requires_grad=…, layout=…, pin_memory=…, out=…)"),
    (lambda: t(2).max(dim="a"), E.DTypeError,
     "max(): argument 'dim' must be int, not str: the arguments (self, dim=str) fit none of its forms: max(input), "
     "max(input, other), max(input, dim, keepdim=…)"),
    (lambda: E.quantile(t(3), 0.5, out=E.empty(0, dtype=E.int32)), E.InvalidArgumentError,
     "quantile(): Found dtype Int but expected Float: quantile() out tensor must be same dtype as the input tensor, "
     "float32, but argument 'out' is of int32"),
    (lambda: E.bincount(E.arange(2), t(2, 2)), E.InvalidArgumentError,
     "bincount(): weights should be 1-d and have the same length as input: argument 'weights' has shape [2, 2], and "
     "'input' [2]"),
    (lambda: E.randint(-1, 1, (2,), dtype=E.uint8), E.InvalidArgumentError,
     "randint(): from is out of bounds for uint8: argument 'low' leads to -1, which it cannot hold"),
    (lambda: E.randint(0, 300, (2,), dtype=E.uint8), E.InvalidArgumentError,
     "randint(): to - 1 is out of bounds for uint8: argument 'high' leads to 299, which it cannot hold"),
    (lambda: t(2).fill_(), E.SignatureError,
     "fill_(): the arguments (self) fit none of its forms: fill_(input, value)"),
    (lambda: E.exp(np.ones(2)), E.DTypeError,
     "exp(): argument 'input' must be a Tensor, but got numpy.ndarray. Hint: eagre.from_dlpack(array) makes "
     "a tensor on the memory of an array"),
    (lambda: t(2)[1.5], E.IndexTypeError, NO_INDEX + "float"),
    (lambda: t(2)["a"], E.IndexTypeError, NO_INDEX + "str"),
    (lambda: t(2)["a":], E.IndexTypeError,
     "index(): slice indices must be integers or None, but got str"),
    (lambda: E.nn.functional.embedding(t(2), t(2, 2)), E.DTypeError,
     "embedding(): argument 'input' must be indices of int64 or int32, but got float32"),
    (lambda: E.nn.functional.embedding(E.tensor([5]), t(2, 2)), E.IndexOutOfRangeError,
     "embedding(): argument 'input' must be indices from 0 to 1, but got 5 at position 0"),
    (lambda: E.vmap(lambda x: x[x > 0])(t(2, 3)), E.AutogradError,
     "index(): vmap: the shape of the result depends on the elements, so it would differ from sample to "
     "sample. Hint: where(mask, x, other) keeps the shape; or use the mask outside of vmap()"),
    (lambda: E.add([1], 1), E.DTypeError,
     "add(): argument 'input' must be a Tensor or a number, but got list"),
    (lambda: E.add(t(2), None), E.DTypeError,
     "add(): argument 'other' must be a Tensor or a number, but got None"),
    (lambda: E.add(t(2), 1, alpha="2"), E.DTypeError,
     "add(): argument 'alpha' must be a number, but got str"),
    (lambda: t(2).add_("2"), E.DTypeError,
     "add_(): argument 'other' must be a Tensor or a number, but got str"),
    (lambda: t(2).transpose(0.5, 1), E.DTypeError,
     "transpose(): argument 'dim0' must be an int, but got float"),
    (lambda: t(2).sum("0"), E.DTypeError,
     "sum(): argument 'dim' must be an int, or a list or tuple of ints, but got str"),
    (lambda: t(2).sum(0, keepdim=1), E.DTypeError,
     "sum(): argument 'keepdim' must be a bool, but got int"),
    (lambda: t(2).sum(dtype="float32"), E.DTypeError,
     "sum(): argument 'dtype' must be a dtype like eagre.float32, but got str"),
    (lambda: t(2).expand([2, "3"]), E.DTypeError,
     "expand(): argument 'size' must be tuple of ints, but found element of type str at pos 1"),
    (lambda: E.full(2, 1.0), E.DTypeError,
     "full(): argument 'size' must be a list or tuple of ints, but got int"),
    (lambda: E.randn(2, generator=1), E.DTypeError,
     "randn(): argument 'generator' must be an eagre.Generator, but got int"),
    (lambda: E.randn(2, device=3), E.DTypeError,
     "randn(): argument 'device' must be a device or its name, but got int"),
    (lambda: E.randn(2**64), E.IntegerOverflowError,
     "randn(): argument 'size' must be an integer that fits in 64 bits, but got a larger one"),
    # --- operators ---
    (lambda: t(2, 3) + t(2), E.InvalidArgumentError,
     "add(): The size of tensor a (3) must match the size of tensor b (2) at non-singleton "
     "dimension 1: shapes [2, 3] and [2] do not broadcast. Hint: sizes must be equal, or one "
     "of them 1, counted from the last dimension"),
    (lambda: E.add(t(2, dtype=E.int64), 1, alpha=0.5), E.InvalidArgumentError,
     "add(): For integral input tensors, argument alpha must not be a floating point number. The inputs "
     "are int64, and 'alpha' is 0.5"),
    (lambda: E.add(t(2), 1, alpha=1j), E.InvalidArgumentError,
     "add(): For non-complex input tensors, argument alpha must not be a complex number. The inputs are "
     "float32, and 'alpha' is 0.0 + 1.0i"),
    (lambda: E.add(t(2), 1, alpha=True), E.InvalidArgumentError,
     "add(): Boolean alpha only supported for Boolean results. The inputs are float32"),
    (lambda: t(2, dtype=E.int64) // 0, E.InvalidArgumentError,
     "floor_divide(): ZeroDivisionError: integers cannot be divided by 0, but argument 'other' is 0. Hint: "
     "divide floating-point numbers, or replace the zeros first"),
    (lambda: t(2, dtype=E.int64) ** -1, E.InvalidArgumentError,
     "pow(): Integers to negative integer powers are not allowed. Argument 'exponent' is -1, and the input "
     "is of integers. Hint: give a floating-point exponent, or convert the input"),
    (lambda: E.heaviside(t(2), t(2, dtype=E.int64)), E.InvalidArgumentError,
     "heaviside(): heaviside is not yet implemented for tensors with different dtypes. 'input' is float32 "
     "and 'values' int64. Hint: convert one of them with .to(dtype)"),
    (lambda: E.floor(t(2), out=t(2, dtype=E.float64)), E.InvalidArgumentError,
     "floor(): Found dtype Double but expected Float: floor() out tensor must be same dtype as the input tensor, float32, "
     "but argument 'out' is of float64"),
    (lambda: E.isposinf(t(2), out=t(2)), E.InvalidArgumentError,
     "isposinf(): isposinf only supports bool tensor for result, got: Float (isposinf does not support "
     "non-boolean outputs): the tensor that is written is of float32"),
    (lambda: E.add(t(2), 1, out=t(2, dtype=E.int64)), E.DTypeError,
     "add(): result type Float can't be cast to the desired output type Long: the result is float32, and "
     "'out' a tensor of int64"),
    (lambda: t(2) - t(2, dtype=E.bool), E.UnimplementedError,
     "sub(): Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
     "invert a mask, use the `~` or `logical_not()` operator instead; else convert it to numbers."),
    (lambda: t(2, dtype=E.bool) - True, E.UnimplementedError,
     "sub(): Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
     "`logical_xor()` operator instead."),
    (lambda: t(2).__setitem__(0, 1j), E.InvalidArgumentError,
     "index_put(): argument 'values', 0.0 + 1.0i: value cannot be converted to type "
     "float32 without overflow (Converting complex Scalar to non-complex type is not "
     "supported)"),
    (lambda: t(2).__setitem__([0], E.tensor([1j])), E.DTypeError,
     "index_put(): Index put requires the source and destination dtypes match, got float32 "
     "for the destination and complex64 for the source. Hint: convert it with .to(dtype)"),
    (lambda: E.tensor([1, 300], dtype=E.uint8), E.InvalidArgumentError,
     "tensor(): argument 'data' must be numbers that uint8 can hold, but got 300"),
    (lambda: E.manual_seed(2**64), E.InvalidArgumentError,
     "manual_seed(): Overflow when unpacking long long: argument 'seed' must be an int from "
     "-2**63 to 2**64 - 1"),
    (lambda: E.normal(t(2), -t(2)), E.InvalidArgumentError,
     "normal(): normal expects all elements of std >= 0.0, but argument 'std' has negative ones"),
    (lambda: E.normal(t(2), -1), E.InvalidArgumentError,
     "normal(): normal expects std >= 0.0, but found std -1: argument 'std' must not be negative"),
    (lambda: E.normal(0, t(2, dtype=E.complex64)), E.InvalidArgumentError,
     "normal(): argument 'std' must be a real tensor, but got one of complex64"),
    (lambda: E.embedding(t(4, 3), E.tensor([0]), 4), E.InvalidArgumentError,
     "embedding(): argument 'padding_idx' must be a row of 'weight', from 0 to 3, or -1 for none, but "
     "got 4"),
    (lambda: t(2).sum(1), E.IndexOutOfRangeError,
     "sum(): Dimension out of range (expected to be in range of [-1, 0], but got 1) in "
     "argument 'dim'"),
    (lambda: t(2, 2).sum((0, 0)), E.InvalidArgumentError,
     "sum(): dim 0 appears multiple times in the list of dims, [0, 0], given as argument 'dim'"),
    (lambda: t(2).sum_to_size(3), E.InvalidArgumentError,
     "sum_to_size(): shape [2] cannot be summed to [3]"),
    (lambda: t(2, 3) @ t(2, 3), E.InvalidArgumentError,
     "matmul(): argument 'other' must be a matrix with 3 rows, to fit 'input' of shape [2, 3], but "
     "got shape [2, 3]. Hint: transpose 'other'"),
    (lambda: t(2) @ t(), E.InvalidArgumentError,
     "matmul(): argument 'other' must be a vector, a matrix or a batch of matrices, but got a 0-dim "
     "tensor. Hint: multiply by a number with *"),
    (lambda: t(2, 2).expand(3), E.InvalidArgumentError,
     "expand(): argument 'size': the number of sizes provided (1) must be greater or equal to "
     "the number of dimensions in the tensor (2), which has shape [2, 2]"),
    (lambda: t(2).expand(3), E.InvalidArgumentError,
     "expand(): argument 'size': The expanded size of the tensor (3) must match the existing "
     "size (2) at non-singleton dimension 0. Target sizes: [3]. Tensor sizes: [2]. Hint: only "
     "dimensions of size 1 are repeated"),
    (lambda: t(2).expand(-1, 2), E.InvalidArgumentError,
     "expand(): argument 'size': The expanded size of the tensor (-1) isn't allowed in a "
     "leading, non-existing dimension 0. Hint: -1 keeps the size of a dimension that is there"),
    (lambda: E.randn(-1), E.InvalidArgumentError,
     "randn(): randn: Dimension size must be non-negative. Trying to create tensor with negative dimension "
     "-1: argument 'size' is [-1]"),
    (lambda: E.randn(2**40, 2**40), E.InvalidArgumentError,
     "randn(): sizes [1099511627776, 1099511627776] describe more elements than can be counted"),
    (lambda: E.eye(10**9), E.OutOfMemoryError,
     "eye(): sizes [1000000000, 1000000000] describe 1000000000000000000 elements, for which no "
     "machine has memory"),
    (lambda: E.randn(*[1] * 65), E.InvalidArgumentError,
     "randn(): a tensor has at most 64 dimensions, but got 65"),
    (lambda: E.full((2**45,), 0.0), E.OutOfMemoryError,
     "out of host memory: cannot allocate 140737488355328 bytes; tensors use NUMBER bytes, NUMBER "
     "are cached, there is no memory limit"),
    (lambda: E.randn(2, dtype=E.int64), E.UnimplementedError,
     "randn(): not implemented for int64 on cpu. Kernels of this operator: cpu (float16, "
     "bfloat16, float32, float64, complex64, complex128, complex32). "
     "Hint: it computes with floating point numbers; x.float() converts a tensor, in C++ x.to(kFloat32)"),
    (lambda: E.arange(3).mean(), E.UnimplementedError,
     "mean(): not implemented for int64 on cpu. Kernels of this operator: cpu (float16, "
     "bfloat16, float32, float64, complex64, complex128, complex32). "
     "Hint: it computes with floating point numbers; x.float() converts a tensor, in C++ x.to(kFloat32)"),
    (lambda: t(2, dtype=E.float8_e5m2) + 1, E.UnimplementedError,
     "add(): not implemented for float8_e5m2 on cpu. Kernels of this operator: cpu (bool, uint8, "
     "int8, int16, int32, int64, uint16, uint32, uint64, float16, bfloat16, float32, float64, "
     "complex64, complex128, complex32)"),
    (lambda: t(2, dtype=E.float8_e4m3fn) == t(2), E.DTypeError,
     "Promotion for Float8 Types is not supported, attempted to promote float8_e4m3fn and "
     "float32. Hint: convert one of them with .to(dtype)"),
    (lambda: E.promote_types(E.float8_e4m3fn, E.float8_e5m2), E.DTypeError,
     "Promotion for Float8 Types is not supported, attempted to promote float8_e4m3fn and "
     "float8_e5m2. Hint: convert one of them with .to(dtype)"),
    (lambda: t(2, dtype=E.float8_e4m3fn).numpy(), E.DTypeError,
     "numpy(): NumPy has no counterpart of float8_e4m3fn. Hint: convert the tensor with .float() "
     "first"),
    (lambda: E.set_default_dtype(E.float8_e5m2), E.DTypeError,
     "set_default_dtype(): only floating-point types of 16 bits or more can be the default type, but "
     "got float8_e5m2"),
    (lambda: t(2, dtype=E.float8_e5m2).random_(), E.UnimplementedError,
     "random_(): there are no random numbers of float8_e5m2"),
    (lambda: E.full((2,), 1e6, dtype=E.float8_e4m3fn), E.InvalidArgumentError,
     "full(): argument 'fill_value', 1000000.0: value cannot be converted to type "
     "float8_e4m3fn without overflow"),
    (lambda: -t(2, dtype=E.bool), E.UnimplementedError,
     "neg(): Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
     "mask, use the `~` or `logical_not()` operator instead."),
    (lambda: E.sum(t(2), t(2)), E.DTypeError,
     "sum(): argument 'dim' must be an int, or a list or tuple of ints, but got eagre.Tensor"),
    (lambda: t(2).clamp(), E.InvalidArgumentError,
     "clamp(): At least one of 'min' or 'max' must not be None"),
    (lambda: t(2, dtype=E.int64).__setitem__(0, [1, 2]), E.DTypeError,
     "index(): can't assign a list to elements of an int64 tensor"),
    (lambda: t(2, dtype=E.uint8).__setitem__(0, [1, 2]), E.DTypeError,
     "index(): can't assign a list to elements of a uint8 tensor"),
    (lambda: E.tensordot([1.0], [2.0]), E.DTypeError,
     "tensordot(): argument 'input' must be a Tensor, but got list"),
    (lambda: E.tensordot(t(2, 2), t(2, 2), [[0, 1], [1]]), E.InvalidArgumentError,
     "tensordot(): argument 'dims' must be two lists: both dimension lists should have same length, but "
     "got [0, 1] and [1]"),
    (array_plus_tensor, E.DTypeError,
     "add(): unsupported operand types of an operator like +=: numpy.ndarray and eagre.Tensor. Hint: array "
     "+= tensor.numpy()"),
    (lambda: E.full((2,), 2**70), E.IntegerOverflowError,
     "full(): argument 'fill_value' must be an integer that fits in 64 bits, but got a larger one"),
    (lambda: E.svd, AttributeError,
     "module 'eagre' has no attribute 'svd': eigenvalues, singular values "
     "and what is made of them are not there yet"),
    (lambda: t(2).svd, AttributeError,
     "'Tensor' object has no attribute 'svd': eigenvalues, singular values "
     "and what is made of them are not there yet"),
    (lambda: E.randn(2, device="gpu"), E.InvalidArgumentError,
     "'gpu' is not a device: no plug-in for the kind 'gpu' is loaded; the kinds loaded here are: cpu, meta. "
     "Hint: use 'cpu', or load_device_plugin(path) loads one"),
    (lambda: E.ones(2).cuda(), E.InvalidArgumentError,
     "'cuda' is not a device: no plug-in for the kind 'cuda' is loaded; the kinds loaded here are: cpu, meta. "
     "There is no CUDA without a plug-in yet. Hint: use 'cpu', or load_device_plugin(path) loads one"),
    (lambda: E.ones(2).to("float32"), E.InvalidArgumentError,
     "'float32' is not a device, but the name of a dtype. Hint: eagre.float32, without quotes"),
    (lambda: E.randn(2, device="cpu:x"), E.InvalidArgumentError,
     "'cpu:x' is not a device: expected a kind and perhaps an index, like 'cpu' or 'cuda:0'; the kinds "
     "loaded here are: cpu, meta"),
    # --- in place ---
    (lambda: t(2, dtype=E.int64).add_(0.5), E.DTypeError,
     "add_(): result type Float can't be cast to the desired output type Long: the result is float32, which "
     "cannot be stored in the int64 tensor it is written to"),
    (lambda: t(2).add_(t(3, 2)), E.InvalidArgumentError,
     "add_(): output with shape [2] doesn't match the broadcast shape [3, 2]: what is written in place keeps "
     "its shape"),
    (lambda: t(1).expand(2).add_(1), E.InvalidArgumentError,
     "add_(): unsupported operation: more than one element of the written-to tensor refers to a single "
     "memory location (it was expanded, or made by as_strided or unfold), so it cannot be written in place. "
     "Hint: clone() it first"),
    (lambda: leaf(2).add_(1), E.AutogradError,
     "add_(): a leaf Variable that requires grad is being used in an in-place operation. Hint: do it "
     "under no_grad(), or use the form that makes a new tensor"),
    (lambda: leaf(2, 2).transpose(0, 1).add_(1), E.AutogradError,
     "add_(): a view of a leaf Variable that requires grad is being used in an in-place operation. "
     "Hint: do it under no_grad(), or use the form that makes a new tensor"),
    (lambda: (leaf(2, 2) * 1).unbind(0)[0].add_(1), E.AutogradError,
     "add_(): Output 0 of Unbind is a view and is being modified inplace. This view is the output of "
     "a function that returns multiple views. Such functions do not allow them to be modified "
     "inplace. Hint: use the form of the operator that makes a new tensor"),
    # --- gradients ---
    (lambda: t(2).sum().backward(), E.AutogradError,
     "element 0 of tensors does not require grad and does not have a grad_fn"),
    (lambda: (leaf(2) * 1).backward(), E.AutogradError,
     "grad can be implicitly created only for scalar outputs, but output[0] has shape [2]. Hint: "
     "sum() it, or pass a gradient"),
    (lambda: (leaf(2) * 1).backward(t(3)), E.InvalidArgumentError,
     "Mismatch in shape: grad_output[0] has a shape of [3] and output[0] has a shape of [2]"),
    (lambda: (leaf(2) * 1).backward([1, 1]), E.DTypeError,
     "backward(): argument 'gradient' must be a Tensor, but got list"),
    (used_twice, E.AutogradError,
     "Trying to backward through the graph a second time (or directly access saved tensors after they "
     "have already been freed): those of ExpBackward0 were freed when backward() ran through it "
     "before. Specify retain_graph=True in the first call, or run the forward again\n  in the backward of "
     "ExpBackward0, recorded at PLACE"),
    (detached, E.AutogradError,
     "Trying to use a saved tensor that has been detached in-place: what MulBackward0 saved as "
     "'input' lost its history by detach_(). Hint: detach() makes a new tensor and leaves this one "
     "as it is\n  in the backward of MulBackward0, recorded at PLACE"),
    (lambda: product()._saved_nothing, AttributeError,
     "'MulBackward0' object has no attribute '_saved_nothing'"),
    (lambda: product()._saved_self, E.AutogradError,
     "Trying to backward through the graph a second time (or directly access saved tensors after they "
     "have already been freed): those of MulBackward0 were freed when backward() ran through it "
     "before. Specify retain_graph=True in the first call, or run the forward again"),
    (lambda: product()._raw_saved_self.register_hooks(same, same), E.AutogradError,
     "Calling register_hooks on a saved tensor after it has been freed. Hint: pass "
     "retain_graph=True to the backward() that freed it"),
    (lambda: (leaf(2) * t(2)).grad_fn._raw_saved_self.register_hooks(same, same), E.AutogradError,
     "Calling register_hooks on a saved tensor with value None is forbidden"),
    (hooked_twice, E.AutogradError,
     "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
     "pair of hooks is allowed at a time"),
    (hooked_too_late, E.AutogradError,
     "Calling register_hooks on a saved tensor that has been modified by an inplace operation since "
     "it was saved: its values are lost"),
    (lambda: (leaf(2) * leaf(2)).grad_fn._raw_saved_self.register_hooks(1, 2), E.DTypeError,
     "register_hooks(): both hooks must be functions, but got int and int"),
    (lambda: leaf(2).exp().grad_fn._raw_saved_result.register_hooks(lambda x: x.add_(1), same),
     E.AutogradError,
     "A saved tensor pack hook is modifying its input in place, which would change the values for "
     "everybody else. Hint: clone() the tensor first"),
    (unpacked_to_a_number, E.DTypeError,
     "Output of saved tensor unpack_hook expected to be a Tensor but got result of type int"),
    (lambda: type((leaf(2) * leaf(2)).grad_fn._raw_saved_self)(), E.AutogradError,
     "Trying to create a SavedTensor object from Python is forbidden. Hint: the attributes "
     "_raw_saved_* of a grad_fn give those that are there"),
    (mutated_elsewhere, AssertionError,
     "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the "
     "graph was originally recorded."),
    (mutation_in_mutation, RuntimeError,
     "allow_mutation_on_saved_tensors contexts cannot be nested"),
    (lambda: E.autograd.Variable(1), TypeError,
     "Variable(): argument 'data' must be a Tensor, but got int"),
    (modified, E.AutogradError,
     "one of the variables needed for gradient computation has been modified by an inplace "
     "operation: the float32 tensor of shape [2] that MulBackward0 saved as 'other' is at version 1; "
     "expected version 0\n  changed by add_() at PLACE\n  Hint: use the form of that operator that "
     "makes a new tensor, or clone() before it\n  in the backward of MulBackward0, recorded at "
     "PLACE"),
    (lambda: bad_hook(t(3)), E.AutogradError,
     "hook '<lambda>' has changed the size of value: it returned [3] for the gradient that enters "
     "AccumulateGrad, which is [2]. Hint: return the same kind of tensor, or nothing\n  in the backward of AccumulateGrad"),
    (lambda: bad_hook(t(2, dtype=E.float64)), E.AutogradError,
     "hook '<lambda>' has changed the type of value: it returned float64 for the gradient that enters "
     "AccumulateGrad, which is float32. Hint: return the same kind of tensor, or nothing\n  in the backward of AccumulateGrad"),
    (lambda: bad_hook(1), E.DTypeError,
     "hook '<lambda>' must return a Tensor or None, but got int\n  in the backward of AccumulateGrad"),
    (lambda: t(2).register_hook(print), E.AutogradError,
     "cannot register a hook on a tensor that doesn't require gradient"),
    (lambda: E.autograd.grad(leaf(1) * 1, []), E.InvalidArgumentError,
     "grad(): argument 'inputs' cannot be empty"),
    (lambda: E.autograd.grad(leaf(1) * 1, t(1)), E.AutogradError,
     "One of the differentiated Tensors does not require grad: the one at index 0"),
    (lambda: E.autograd.grad(leaf(1) * 1, leaf(1)), E.AutogradError,
     "The differentiated Tensor at index 0 appears to not have been used in the graph. Set "
     "allow_unused=True if this is the desired behavior: its gradient is None then"),
    (lambda: E.ones(1).expand(2**40).unbind(), E.OutOfMemoryError,
     "unbind(): the result would be a list of 1099511627776 tensors; at most 16777216 are made at "
     "once. Hint: work on parts of the tensor"),
    (lambda: E.ones(1).expand(2**40).split(2), E.OutOfMemoryError,
     "split(): the result would be a list of 549755813888 tensors; at most 16777216 are made at "
     "once. Hint: work on parts of the tensor"),
    (lambda: E.ones(2, 0).chunk(2**31, 1), E.OutOfMemoryError,
     "chunk(): the result would be a list of 2147483648 tensors; at most 16777216 are made at once. "
     "Hint: work on parts of the tensor"),
    (lambda: E.autograd.grad("y", leaf(1)), E.DTypeError,
     "grad(): argument 'outputs' must be a Tensor or GradientEdge, or a list or tuple of them, but got str "
     "whose element 0 is str"),
    (lambda: E.autograd.backward([leaf(1) * 1], [t(1), t(1)]), E.InvalidArgumentError,
     "got 1 tensors and 2 gradients"),
    (lambda: t(2, dtype=E.int64).requires_grad_(), E.InvalidArgumentError,
     "only Tensors of floating point and complex dtype can require gradients, but this one is int64"),
    (lambda: (leaf(2) * 1).requires_grad_(False), E.InvalidArgumentError,
     "you can only change requires_grad of leaf tensors, and this one is the result of an operator. "
     "Hint: use detach() for a tensor without history"),
    (lambda: setattr(leaf(2), "requires_grad", 1), E.DTypeError,
     "requires_grad must be a bool, but got int"),
    (lambda: setattr(leaf(2), "grad", t(3)), E.InvalidArgumentError,
     "assigned grad has shape [3], but the tensor has shape [2]"),
    (lambda: setattr(leaf(2), "grad", t(2, dtype=E.float64)), E.InvalidArgumentError,
     "assigned grad has dtype float64, but the tensor has dtype float32"),
    (lambda: setattr(leaf(2), "grad", 1), E.DTypeError, "grad must be a Tensor or None, but got int"),
    (lambda: (leaf(2) * 1).grad, UserWarning,
     "the .grad of a tensor that is not a leaf is not filled by backward(). Hint: call its retain_grad() before"),
    # --- values ---
    (lambda: t(2).item(), E.InvalidArgumentError,
     "item(): a tensor with 2 elements cannot be converted to a number"),
    (lambda: float(t(2)), E.InvalidArgumentError,
     "float(): a tensor with 2 elements cannot be converted to a number"),
    (lambda: bool(t(2)), E.InvalidArgumentError,
     "bool(): Boolean value of Tensor with more than one value is ambiguous: it has shape "
     "[2]. Hint: use any() or all()"),
    (lambda: len(t()), E.DTypeError, "len(): a 0-dim tensor has no length"),
    (lambda: t(2) == t(3), E.InvalidArgumentError,
     "eq(): The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
     "dimension 0: shapes [2] and [3] do not broadcast. Hint: sizes must be equal, or one of "
     "them 1, counted from the last dimension"),
    (lambda: pow(t(2), 2, 3), TypeError,
     "pow(): a third argument is not supported for tensors"),
    (lambda: eagre.arange(1j), E.InvalidArgumentError,
     "arange(): the numbers must be real, but one of them is complex"),
    (lambda: t(2).to(3), E.DTypeError,
     "to(): argument 'target' must be a dtype, a device or a Tensor, but got int"),
    (lambda: t(2).size(3), E.IndexOutOfRangeError,
     "size(): Dimension out of range (expected to be in range of [-1, 0], but got 3) in "
     "argument 'dim'"),
    # --- data ---
    (lambda: E.tensor([[1, 2], [3]]), E.InvalidArgumentError,
     "tensor(): argument 'data' must be nested lists of equal lengths: of 2 elements at depth 1, as "
     "the first one there, but got one of 1"),
    (lambda: E.tensor([[1], 2]), E.InvalidArgumentError,
     "tensor(): argument 'data' must be nested lists of equal lengths: of 1 elements at depth 1, as "
     "the first one there, but got int"),
    (lambda: E.tensor([1, [2]]), E.InvalidArgumentError,
     "tensor(): argument 'data' must be nested lists of equal depth, but got a list where the first "
     "element is a number"),
    (lambda: E.tensor([leaf(2), leaf(2)]), E.InvalidArgumentError,
     "tensor(): only one element tensors can be converted to Python scalars, but argument 'data' is a list with a "
     "tensor of shape [2]. Hint: eagre.stack(list) joins tensors"),
    (lambda: E.tensor("text"), E.DTypeError,
     "tensor(): argument 'data' must be a number, an array, or nested lists of numbers, but got str"),
    (lambda: E.tensor([None]), E.DTypeError,
     "tensor(): argument 'data' must be a number, an array, or nested lists of numbers, but got None"),
    (lambda: E.from_numpy([1.0]), E.DTypeError,
     "from_numpy(): argument 'ndarray' must be a NumPy array, but got list. Hint: eagre.tensor() "
     "takes numbers and lists"),
    (lambda: E.from_numpy(np.ones(2, np.longdouble)), E.DTypeError,
     "from_numpy(): argument 'ndarray' must be an array of booleans, integers, floating-point or "
     "complex numbers, but got one of float128 (numpy.longdouble). Hint: convert it with array.astype(...)"),
    (lambda: E.from_numpy(np.array(["a"])), E.DTypeError,
     "from_numpy(): argument 'ndarray' must be an array of booleans, integers, floating-point or "
     "complex numbers, but got one of <U1 (numpy.str_). Hint: convert it with array.astype(...)"),
    (lambda: E.from_numpy(np.array([None])), E.DTypeError,
     "from_numpy(): argument 'ndarray' must be an array of booleans, integers, floating-point or "
     "complex numbers, but got one of object (numpy.object_). Hint: convert it with array.astype(...)"),
    (lambda: E.tensor(np.ones(2, ">i4")), E.InvalidArgumentError,
     "tensor(): given numpy array has byte order different from the native byte order: >i4 "
     "(numpy.int32). Hint: convert it with array.astype(array.dtype.newbyteorder('='))"),
    (lambda: E.from_numpy(np.ones(2)[::-1]), E.InvalidArgumentError,
     "from_numpy(): argument 'ndarray' must be an array without negative strides, but got a stride "
     "of -8 bytes in dimension 0. Hint: array.copy() gives one that runs forward"),
    (lambda: E.from_numpy(np.zeros(2, [("a", "f8"), ("b", "f4")])["a"]), E.InvalidArgumentError,
     "from_numpy(): argument 'ndarray' must be an array whose strides are whole elements, but got a "
     "stride of 12 bytes in dimension 0. Hint: array.copy() gives a packed one"),
    (read_only_from_numpy, UserWarning,
     "from_numpy(): The given NumPy array is not writable, and tensors can always be written: "
     "a non-writable array is not shared, but copied"),
    (lambda: leaf(2).numpy(), E.AutogradError,
     "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead. It shares "
     "the values without their history"),
    (lambda: np.asarray(leaf(2)), E.AutogradError,
     "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead. It shares "
     "the values without their history"),
    # --- settings ---
    (lambda: E.set_flags({"speed": True}), E.NotFoundError,
     "there is no flag 'speed'; the flags are: " + ALL_FLAGS),
    (lambda: E.get_flags("memory_limits"), E.NotFoundError,
     "there is no flag 'memory_limits'; did you mean 'memory_limit'? The flags are: " + ALL_FLAGS),
    (lambda: E.set_flags({"kernel_fallback": 2}), E.DTypeError,
     "set_flags(): flag 'kernel_fallback' must be a bool, but got an int"),
    (lambda: E.set_flags({"kernel_fallback": []}), E.DTypeError,
     "set_flags(): flag 'kernel_fallback' must be a bool, an int, a float or a str, but got list"),
    (lambda: E.set_flags({"log": "loud"}), E.InvalidArgumentError,
     "set_flags(): flag 'log' must be one of off, error, warn, info, debug, but got 'loud'"),
    (lambda: E.set_flags({"memory_cache_fraction": 2}), E.InvalidArgumentError,
     "set_flags(): flag 'memory_cache_fraction' must be from 0 to 1, but got 2"),
    (lambda: E.set_flags({"memory_limit": -1}), E.InvalidArgumentError,
     "set_flags(): flag 'memory_limit' must be at least 0, but got -1"),
    (lambda: E.set_flags({1: True}), E.DTypeError,
     "set_flags(): the name of a flag must be a str, but got int"),
    (lambda: E.set_flags(["log"]), E.DTypeError,
     "set_flags(): argument 'flags' must be a dict of names and values, but got list"),
    (lambda: E.set_num_threads(0), E.InvalidArgumentError,
     "set_num_threads(): argument 'count' must be from 1 to 1024, but got 0"),
    (lambda: E.set_num_threads(2.0), E.DTypeError,
     "set_num_threads(): argument 'count' must be an int, but got float"),
    (lambda: E.cpu.set_memory_limit(-5), E.InvalidArgumentError,
     "set_memory_limit(): argument 'bytes' must be at least 0, but got -5. Hint: 0 stands for no "
     "limit"),
    (lambda: E.cpu.set_memory_limit("1G"), E.DTypeError,
     "set_memory_limit(): argument 'bytes' must be an int, but got str"),
    (lambda: E.set_rng_state([1, 2]), E.DTypeError,
     "set_state(): argument 'new_state' must be a uint8 tensor on the CPU, but got list. Hint: use "
     "what get_state() returned"),
    (lambda: E.set_rng_state(t(24)), E.DTypeError,
     "set_state(): argument 'new_state' must be a uint8 tensor on the CPU, but got a float32 tensor "
     "on cpu. Hint: use what get_state() returned"),
    (lambda: E.set_rng_state(t(3, dtype=E.uint8)), E.InvalidArgumentError,
     "set_state(): argument 'new_state' must be 24 bytes long, but got 3 bytes. Hint: use what "
     "get_state() returned"),
    (lambda: E.Generator().set_state(t(24, dtype=E.uint8)), E.InvalidArgumentError,
     "set_state(): argument 'new_state' must be the state of a generator, but got other bytes. "
     "Hint: use what get_state() returned"),
    (lambda: E.Generator(device=3), E.DTypeError,
     "Generator(): argument 'device' must be a string or a device, but got int"),
    (lambda: E.set_default_dtype(E.int64), E.DTypeError,
     "set_default_dtype(): only floating-point types of 16 bits or more can be the default type, but got int64"),
    (lambda: E.device(3), E.DTypeError,
     "device(): argument 'type' must be a string or a device, but got int"),
    (lambda: E.load_device_plugin("/nowhere.so"), E.NotFoundError,
     "cannot load device plug-in '/nowhere.so': /nowhere.so: cannot open shared object file: No such "
     "file or directory"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), TABLE, ids=[row[2][:60] for row in TABLE])
def test_message(call, kind, message):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        with pytest.raises(kind) as caught:
            call()
    assert type(caught.value) is kind
    pattern = re.escape(message).replace("PLACE", PLACE).replace("NUMBER", r"\d+")
    assert re.fullmatch(pattern, str(caught.value)), str(caught.value)


BUILTINS = {
    E.InvalidArgumentError: ValueError,
    E.DTypeError: TypeError,
    E.IndexOutOfRangeError: IndexError,
    E.OutOfMemoryError: MemoryError,
    E.NotFoundError: LookupError,
    E.UnimplementedError: NotImplementedError,
    E.AutogradError: RuntimeError,
    E.DeviceLostError: RuntimeError,
    E.InternalError: RuntimeError,
    E.LinAlgError: RuntimeError,
    E.SignatureError: TypeError,
    E.IndexTypeError: (IndexError, TypeError),
    E.IntegerOverflowError: (ValueError, OverflowError, E.InvalidArgumentError),
}


@pytest.mark.parametrize("kind", BUILTINS, ids=lambda kind: kind.__name__)
def test_classes(kind):
    builtins = BUILTINS[kind] if isinstance(BUILTINS[kind], tuple) else (BUILTINS[kind],)
    assert all(issubclass(kind, builtin) for builtin in (*builtins, RuntimeError))
    assert issubclass(kind, E.Error) and kind.__module__ == "eagre"

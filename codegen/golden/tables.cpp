// What the generator makes of the records, file after file; for review.

// ======== dispatch/op_table.cpp
// All operators that have kernels. Generated from ops/*.yaml; do not edit.
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

extern OpEntry& add_entry;
extern OpEntry& mul_entry;
extern OpEntry& cast_entry;
extern OpEntry& eq_entry;
extern OpEntry& full_entry;
extern OpEntry& randn_entry;
extern OpEntry& matmul_entry;
extern OpEntry& sum_entry;
extern OpEntry& exp_entry;

OpTable all_ops() {
  static OpEntry* const entries[] = {
    &add_entry,
    &mul_entry,
    &cast_entry,
    &eq_entry,
    &full_entry,
    &randn_entry,
    &matmul_entry,
    &sum_entry,
    &exp_entry,
  };
  return {entries, 9};
}

}  // namespace eagre::dispatch

// ======== python/table.cpp
// The Python functions, methods and operators. Generated from ops/*.yaml; do not edit.
#include "method.h"
#include "results.h"
#include "tensor_type.h"

namespace eagre::python {

using FastFunction = PyObject*(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using TernaryFunction = PyObject*(PyObject*, PyObject*, PyObject*);
using BinaryFunction = PyObject*(PyObject*, PyObject*);
using UnaryFunction = PyObject*(PyObject*);

FastFunction add_function;
FastFunction add_method;
FastFunction add_inplace;
BinaryFunction add_slot;
BinaryFunction add_inplace_slot;
FastFunction mul_function;
FastFunction mul_method;
FastFunction mul_inplace;
BinaryFunction mul_slot;
BinaryFunction mul_inplace_slot;
FastFunction copy_inplace;
FastFunction eq_function;
FastFunction eq_method;
FastFunction eq_inplace;
BinaryFunction eq_slot;
FastFunction full_function;
FastFunction randn_function;
FastFunction matmul_function;
FastFunction matmul_method;
BinaryFunction matmul_slot;
FastFunction sum_function;
FastFunction sum_method;
FastFunction exp_function;
FastFunction exp_method;
FastFunction exp_inplace;
FastFunction transpose_function;
FastFunction transpose_method;
FastFunction transpose_inplace;

const PyMethodDef kGeneratedFunctions[] = {
    method("add", add_function, "add(input, other, *, alpha=1, out=None)\n--\n\nThe sum `input + alpha * other`, with broadcasting and type promotion.\n\n>>> eagre.add(eagre.tensor([1., 2.]), 10)\ntensor([11., 12.])"),
    method("mul", mul_function, "mul(input, other, *, out=None)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    method("multiply", mul_function, "mul(input, other, *, out=None)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    method("eq", eq_function, "eq(input, other, *, out=None)\n--\n\nTrue where `input` equals `other`.\n\n>>> eagre.tensor([1, 2]) == 2\ntensor([False,  True])"),
    method("full", full_function, "full(size, fill_value, *, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, out=None)\n--\n\nA tensor of shape `size` with every element `fill_value`.\n\n>>> eagre.full((2,), 3.)\ntensor([3., 3.])"),
    method("randn", randn_function, "randn(*size, generator=None, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, out=None)\n--\n\nNumbers from the normal distribution with mean 0 and variance 1.\n\n>>> generator = eagre.manual_seed(0)\n>>> eagre.randn(2, 3).shape\neagre.Size([2, 3])"),
    method("matmul", matmul_function, "matmul(input, other, *, out=None)\n--\n\nThe matrix product. Vectors are rows on the left and columns on the right; dimensions before the\nlast two are batches and broadcast. Floating-point sums may differ in their last bits between\nprocessors, as those that can multiply and add with one rounding do.\n\n>>> eagre.matmul(eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([1., 1.]))\ntensor([3., 7.])"),
    method("sum", sum_function, "sum(input, dim=None, keepdim=False, *, dtype=None, out=None)\n--\n\nThe sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.\n\n>>> eagre.sum(eagre.tensor([[1., 2.], [3., 4.]]), 0)\ntensor([4., 6.])"),
    method("exp", exp_function, "exp(input, *, out=None)\n--\n\nThe exponential function of each element. Integers are computed as the default floating type.\n\n>>> eagre.exp(eagre.tensor([0., 1.]))\ntensor([1.0000, 2.7183])"),
    method("transpose", transpose_function, "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    method("swapaxes", transpose_function, "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    method("swapdims", transpose_function, "transpose(input, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    {}};

const PyMethodDef kGeneratedMethods[] = {
    method("add", add_method, "add($self, other, *, alpha=1)\n--\n\nThe sum `input + alpha * other`, with broadcasting and type promotion.\n\n>>> eagre.add(eagre.tensor([1., 2.]), 10)\ntensor([11., 12.])"),
    method("add_", add_inplace, "add_($self, other, *, alpha=1)\n--\n\nThe same, written into this tensor."),
    method("mul", mul_method, "mul($self, other)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    method("multiply", mul_method, "mul($self, other)\n--\n\nThe product `input * other`, with broadcasting and type promotion.\n\n>>> eagre.mul(eagre.tensor([1., 2.]), eagre.tensor([3., 4.]))\ntensor([3., 8.])"),
    method("mul_", mul_inplace, "mul_($self, other)\n--\n\nThe same, written into this tensor."),
    method("multiply_", mul_inplace, "mul_($self, other)\n--\n\nThe same, written into this tensor."),
    method("copy_", copy_inplace, "copy_($self, src, non_blocking=False)\n--\n\nWrites the values of `src` into this tensor: broadcast to its shape, as its dtype, on its device.\n\n>>> eagre.zeros(2).copy_(eagre.tensor([1, 2]))\ntensor([1., 2.])"),
    method("eq", eq_method, "eq($self, other)\n--\n\nTrue where `input` equals `other`.\n\n>>> eagre.tensor([1, 2]) == 2\ntensor([False,  True])"),
    method("eq_", eq_inplace, "eq_($self, other)\n--\n\nThe same, written into this tensor."),
    method("matmul", matmul_method, "matmul($self, other)\n--\n\nThe matrix product. Vectors are rows on the left and columns on the right; dimensions before the\nlast two are batches and broadcast. Floating-point sums may differ in their last bits between\nprocessors, as those that can multiply and add with one rounding do.\n\n>>> eagre.matmul(eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([1., 1.]))\ntensor([3., 7.])"),
    method("sum", sum_method, "sum($self, dim=None, keepdim=False, *, dtype=None)\n--\n\nThe sum over the dimensions in `dim`, or over all. Sums of bool and integers are int64.\n\n>>> eagre.sum(eagre.tensor([[1., 2.], [3., 4.]]), 0)\ntensor([4., 6.])"),
    method("exp", exp_method, "exp($self)\n--\n\nThe exponential function of each element. Integers are computed as the default floating type.\n\n>>> eagre.exp(eagre.tensor([0., 1.]))\ntensor([1.0000, 2.7183])"),
    method("exp_", exp_inplace, "exp_($self)\n--\n\nThe same, written into this tensor."),
    method("transpose", transpose_method, "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    method("swapaxes", transpose_method, "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    method("swapdims", transpose_method, "transpose($self, dim0, dim1)\n--\n\nThe tensor with two dimensions swapped, as a view.\n\n>>> eagre.transpose(eagre.tensor([[1., 2.], [3., 4.]]), 0, 1)\ntensor([[1., 3.],\n        [2., 4.]])"),
    method("transpose_", transpose_inplace, "transpose_($self, dim0, dim1)\n--\n\nThe same, written into this tensor."),
    method("swapaxes_", transpose_inplace, "transpose_($self, dim0, dim1)\n--\n\nThe same, written into this tensor."),
    method("swapdims_", transpose_inplace, "transpose_($self, dim0, dim1)\n--\n\nThe same, written into this tensor."),
    {}};

const NamedResults kGeneratedResults[] = {

    {}};

void fill_operators(PyNumberMethods& slots) {
  slots.nb_add = add_slot;
  slots.nb_inplace_add = add_inplace_slot;
  slots.nb_multiply = mul_slot;
  slots.nb_inplace_multiply = mul_inplace_slot;
  slots.nb_matrix_multiply = matmul_slot;
}

PyObject* compare_tensors([[maybe_unused]] PyObject* self, [[maybe_unused]] PyObject* other,
                          int comparison) {
  switch (comparison) {
    case Py_EQ: return eq_slot(self, other);
    default: Py_RETURN_NOTIMPLEMENTED;
  }
}

}  // namespace eagre::python

// What the generator makes of the records, file after file; for review.

// ======== dispatch/op_table.cpp
// All operators that have kernels. Generated from ops/*.yaml; do not edit.
#include <eagre/dispatch/pointwise.h>

namespace eagre::dispatch {

extern PointwiseOp add_op;
extern PointwiseOp mul_op;
extern PointwiseOp eq_op;
extern PointwiseOp cast_op;
extern OpEntry full_op;
extern PointwiseOp exp_op;
extern OpEntry matmul_op;
extern OpEntry randn_op;
extern OpEntry sum_op;

OpTable all_ops() {
  static OpEntry* const entries[] = {
      &add_op.entry,
      &mul_op.entry,
      &eq_op.entry,
      &cast_op.entry,
      &full_op,
      &exp_op.entry,
      &matmul_op,
      &randn_op,
      &sum_op,
  };
  return {entries, 9};
}

}  // namespace eagre::dispatch

// ======== python/table.cpp
// The Python functions, methods and operators. Generated from ops/*.yaml; do not edit.
#include "call/method.h"
#include "call/results.h"
#include "tensor/parts.h"

namespace eagre::python {

using TernaryFunction = PyObject*(PyObject*, PyObject*, PyObject*);
using BinaryFunction = PyObject*(PyObject*, PyObject*);
using UnaryFunction = PyObject*(PyObject*);

BinaryFunction add_slot;
BinaryFunction add_inplace_slot;
BinaryFunction mul_slot;
BinaryFunction mul_inplace_slot;
BinaryFunction eq_slot;
BinaryFunction matmul_slot;

extern const PyMethodDef arithmetic_0_functions[], compare_0_functions[], copy_0_functions[],
    creation_0_functions[], elementary_0_functions[], linalg_0_functions[], random_0_functions[],
    reduction_0_functions[], view_0_functions[];
Span<const PyMethodDef* const> generated_functions() {
  static const PyMethodDef* const all[] = {
      arithmetic_0_functions, compare_0_functions, copy_0_functions, creation_0_functions,
      elementary_0_functions, linalg_0_functions, random_0_functions, reduction_0_functions,
      view_0_functions};
  return all;
}

extern const PyMethodDef arithmetic_0_methods[], compare_0_methods[], copy_0_methods[],
    creation_0_methods[], elementary_0_methods[], linalg_0_methods[], random_0_methods[],
    reduction_0_methods[], view_0_methods[];
Span<const PyMethodDef* const> generated_methods() {
  static const PyMethodDef* const all[] = {arithmetic_0_methods, compare_0_methods, copy_0_methods,
                                           creation_0_methods, elementary_0_methods,
                                           linalg_0_methods, random_0_methods, reduction_0_methods,
                                           view_0_methods};
  return all;
}

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

// What the generator makes of the records, file after file; for review.

// ======== dispatch/dtypes.cpp
// What the generator took for granted about dtypes. Generated from codegen/model.py; do not edit.
#include <eagre/core/dtype.h>
#include <eagre/dispatch/device_plugin.h>

namespace eagre {

static_assert(kDTypeCount == 18);
static_assert(
    to_string(kBool) == "bool" && static_cast<int>(kBool) == EAGRE_BOOL &&
    DTypeOf<bool>::value == kBool && element_size(kBool) == 1 && cpu_compute_dtype(kBool) == kBool);
static_assert(to_string(kUInt8) == "uint8" && static_cast<int>(kUInt8) == EAGRE_UINT8 &&
              DTypeOf<uint8_t>::value == kUInt8 && element_size(kUInt8) == 1 &&
              cpu_compute_dtype(kUInt8) == kInt32);
static_assert(to_string(kInt8) == "int8" && static_cast<int>(kInt8) == EAGRE_INT8 &&
              DTypeOf<int8_t>::value == kInt8 && element_size(kInt8) == 1 &&
              cpu_compute_dtype(kInt8) == kInt32);
static_assert(to_string(kInt16) == "int16" && static_cast<int>(kInt16) == EAGRE_INT16 &&
              DTypeOf<int16_t>::value == kInt16 && element_size(kInt16) == 2 &&
              cpu_compute_dtype(kInt16) == kInt32);
static_assert(to_string(kInt32) == "int32" && static_cast<int>(kInt32) == EAGRE_INT32 &&
              DTypeOf<int32_t>::value == kInt32 && element_size(kInt32) == 4 &&
              cpu_compute_dtype(kInt32) == kInt32);
static_assert(to_string(kInt64) == "int64" && static_cast<int>(kInt64) == EAGRE_INT64 &&
              DTypeOf<int64_t>::value == kInt64 && element_size(kInt64) == 8 &&
              cpu_compute_dtype(kInt64) == kInt64);
static_assert(to_string(kUInt16) == "uint16" && static_cast<int>(kUInt16) == EAGRE_UINT16 &&
              DTypeOf<uint16_t>::value == kUInt16 && element_size(kUInt16) == 2 &&
              cpu_compute_dtype(kUInt16) == kInt32);
static_assert(to_string(kUInt32) == "uint32" && static_cast<int>(kUInt32) == EAGRE_UINT32 &&
              DTypeOf<uint32_t>::value == kUInt32 && element_size(kUInt32) == 4 &&
              cpu_compute_dtype(kUInt32) == kInt64);
static_assert(to_string(kUInt64) == "uint64" && static_cast<int>(kUInt64) == EAGRE_UINT64 &&
              DTypeOf<uint64_t>::value == kUInt64 && element_size(kUInt64) == 8 &&
              cpu_compute_dtype(kUInt64) == kInt64);
static_assert(to_string(kFloat16) == "float16" && static_cast<int>(kFloat16) == EAGRE_FLOAT16 &&
              DTypeOf<Half>::value == kFloat16 && element_size(kFloat16) == 2 &&
              cpu_compute_dtype(kFloat16) == kFloat32);
static_assert(to_string(kBFloat16) == "bfloat16" && static_cast<int>(kBFloat16) == EAGRE_BFLOAT16 &&
              DTypeOf<BFloat16>::value == kBFloat16 && element_size(kBFloat16) == 2 &&
              cpu_compute_dtype(kBFloat16) == kFloat32);
static_assert(to_string(kFloat32) == "float32" && static_cast<int>(kFloat32) == EAGRE_FLOAT32 &&
              DTypeOf<float>::value == kFloat32 && element_size(kFloat32) == 4 &&
              cpu_compute_dtype(kFloat32) == kFloat32);
static_assert(to_string(kFloat64) == "float64" && static_cast<int>(kFloat64) == EAGRE_FLOAT64 &&
              DTypeOf<double>::value == kFloat64 && element_size(kFloat64) == 8 &&
              cpu_compute_dtype(kFloat64) == kFloat64);
static_assert(
    to_string(kComplex64) == "complex64" && static_cast<int>(kComplex64) == EAGRE_COMPLEX64 &&
    DTypeOf<Complex<float>>::value == kComplex64 && element_size(kComplex64) == 8 &&
    cpu_compute_dtype(kComplex64) == kComplex64);
static_assert(
    to_string(kComplex128) == "complex128" && static_cast<int>(kComplex128) == EAGRE_COMPLEX128 &&
    DTypeOf<Complex<double>>::value == kComplex128 && element_size(kComplex128) == 16 &&
    cpu_compute_dtype(kComplex128) == kComplex128);
static_assert(to_string(kFloat8_e4m3fn) == "float8_e4m3fn" && static_cast<int>(
    kFloat8_e4m3fn) == EAGRE_FLOAT8_E4M3FN && DTypeOf<Float8_e4m3fn>::value == kFloat8_e4m3fn &&
    element_size(kFloat8_e4m3fn) == 1 && cpu_compute_dtype(kFloat8_e4m3fn) == kFloat32);
static_assert(to_string(kFloat8_e5m2) == "float8_e5m2" && static_cast<int>(
    kFloat8_e5m2) == EAGRE_FLOAT8_E5M2 && DTypeOf<Float8_e5m2>::value == kFloat8_e5m2 &&
    element_size(kFloat8_e5m2) == 1 && cpu_compute_dtype(kFloat8_e5m2) == kFloat32);
static_assert(
    to_string(kComplex32) == "complex32" && static_cast<int>(kComplex32) == EAGRE_COMPLEX32 &&
    DTypeOf<Complex<Half>>::value == kComplex32 && element_size(kComplex32) == 4 &&
    cpu_compute_dtype(kComplex32) == kComplex64);
static_assert(dtypes::kAll == DTypeSet{
    kBool, kUInt8, kInt8, kInt16, kInt32, kInt64, kUInt16, kUInt32, kUInt64, kFloat16, kBFloat16,
    kFloat32, kFloat64, kComplex64, kComplex128, kFloat8_e4m3fn, kFloat8_e5m2, kComplex32});
static_assert(dtypes::kArithmetic == DTypeSet{kBool, kUInt8, kInt8, kInt16, kInt32, kInt64, kUInt16,
                                              kUInt32, kUInt64, kFloat16, kBFloat16, kFloat32,
                                              kFloat64, kComplex64, kComplex128, kComplex32});
static_assert(dtypes::kIntegers == DTypeSet{kUInt8, kInt8, kInt16, kInt32, kInt64});
static_assert(dtypes::kUnsigned == DTypeSet{kUInt16, kUInt32, kUInt64});
static_assert(dtypes::kFloats == DTypeSet{kFloat16, kBFloat16, kFloat32, kFloat64});
static_assert(dtypes::kComplex == DTypeSet{kComplex64, kComplex128, kComplex32});
static_assert(dtypes::kFloat8 == DTypeSet{kFloat8_e4m3fn, kFloat8_e5m2});

}  // namespace eagre

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

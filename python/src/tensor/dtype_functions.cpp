// Functions about dtypes: promotion and what a tensor holds.
#include <eagre/core/dtype.h>
#include <eagre/core/promotion.h>

#include "call/arguments.h"
#include "call/method.h"
#include "tensor/tables.h"
#include "types/dtype.h"

namespace eagre::python {
namespace {

constexpr Parameter kOperandParameters[] = {{"tensor1"}, {"tensor2"}};
constexpr Signature kResultType{"result_type", kOperandParameters, 2};
PyObject* type_of_result(const Arguments& a) {
  return Py_NewRef(dtype_object(result_type(a.operand(0), a.operand(1))));
}

constexpr Parameter kCastParameters[] = {{"from_"}, {"to"}};
constexpr Signature kCanCast{"can_cast", kCastParameters, 2};
PyObject* may_cast(const Arguments& a) { return PyBool_FromLong(can_cast(a.dtype(0), a.dtype(1))); }

constexpr Parameter kTypeParameters[] = {{"type1"}, {"type2"}};
constexpr Signature kPromoteTypes{"promote_types", kTypeParameters, 2};
PyObject* promoted(const Arguments& a) {
  return Py_NewRef(dtype_object(promote_types(a.dtype(0), a.dtype(1))));
}

constexpr Parameter kInputParameters[] = {{"input", "x"}};
constexpr Signature kIsFloatingPoint{"is_floating_point", kInputParameters, 1};
PyObject* holds_floats(const Arguments& a) {
  return PyBool_FromLong(is_floating_point(a.tensor(0).dtype()));
}
constexpr Signature kIsComplex{"is_complex", kInputParameters, 1};
PyObject* holds_complex(const Arguments& a) {
  return PyBool_FromLong(is_complex(a.tensor(0).dtype()));
}
constexpr Signature kIsSigned{"is_signed", kInputParameters, 1};
PyObject* holds_signed(const Arguments& a) {
  return PyBool_FromLong(is_signed(a.tensor(0).dtype()));
}
constexpr Signature kNumel{"numel", kInputParameters, 1};
PyObject* count_elements(const Arguments& a) { return PyLong_FromLongLong(a.tensor(0).numel()); }

}  // namespace

const PyMethodDef kDTypeFunctions[] = {
    with_keywords<kResultType, type_of_result, false>(
        "result_type", "The dtype of a result of two tensors or numbers."),
    with_keywords<kCanCast, may_cast, false>(
        "can_cast", "True if values of the first dtype may be stored as the second in place."),
    with_keywords<kPromoteTypes, promoted, false>(
        "promote_types", "The smallest dtype that both dtypes promote to."),
    with_keywords<kIsFloatingPoint, holds_floats, false>(
        "is_floating_point", "True if the tensor holds floating-point numbers."),
    with_keywords<kIsComplex, holds_complex, false>("is_complex",
                                                    "True if the tensor holds complex numbers."),
    with_keywords<kIsSigned, holds_signed, false>(
        "is_signed", "True if the tensor holds numbers that may be negative."),
    with_keywords<kNumel, count_elements, false>("numel", "The number of elements."),
    {}};

}  // namespace eagre::python

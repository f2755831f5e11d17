// How generated functions run an operator: call site, GIL, wrapping of the result.
#pragma once

#include <algorithm>

#include <eagre/base/within.h>
#include <eagre/core/operand.h>

#include "call/arguments.h"
#include "call/overrides.h"
#include "call/results.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/site.h"
#include "types/array.h"
#include "types/tensor.h"

namespace eagre::python {

// Work on fewer elements is done before another thread could make use of the lock.
constexpr int64_t kReleaseElements = 65536;

// Counts end there, since more makes no difference, and wrong lengths count as nothing: a sum of
// them does not overflow.
inline int64_t element_count(int64_t length) {
  return std::clamp<int64_t>(length, 0, kReleaseElements);
}
inline int64_t element_count(const TensorBase& tensor) {
  return tensor.defined() ? element_count(tensor.numel()) : 0;
}
inline int64_t element_count(const Operand& operand) {
  return operand.is_tensor() ? element_count(operand.tensor()) : 0;
}
inline int64_t element_count(const OptionalOperand& operand) {
  return operand ? element_count(*operand) : 0;
}
inline int64_t element_count(TensorList tensors) {
  int64_t count = 0;
  for (const TensorBase& tensor : tensors) count += element_count(tensor);
  return count;
}
// Of a tensor to be made; too many to count is many.
inline int64_t element_count(Dims sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (__builtin_mul_overflow(count, size, &count)) return kReleaseElements;
  }
  return element_count(count);
}

// Of an operator that asks a question.
inline PyObject* wrap(bool answer) { return PyBool_FromLong(answer ? 1 : 0); }

// f(site), without the GIL when there is much to do.
template <class F>
auto run_op(int64_t elements, F&& f) {
  if (elements < kReleaseElements) [[likely]]
    return f(CallSite::language_frame());
  const CallSite at = current_site();  // while there is a frame to look at
  GilReleased released;
  return f(at);
}

template <class F, class... Inputs>
PyObject* run_and_wrap(F&& f, const Inputs&... inputs) {
  return wrap(run_op((element_count(inputs) + ... + 0), f));
}

// The same for several results, which become a tuple with names.
template <size_t N, class F, class... Inputs>
PyObject* run_and_wrap_many(const char* op, const char* const (&fields)[N], F&& f,
                            const Inputs&... inputs) {
  return wrap_named(op, fields, run_op((element_count(inputs) + ... + 0), f));
}

template <class F, class... Inputs>
PyObject* call_inplace_op(PyObject* self, F&& f, const Inputs&... inputs) {
  run_op((element_count(inputs) + ... + 0), f);
  return Py_NewRef(self);
}

// The tensors given as out=, several, under the names of the results.
template <size_t N, class F, class... Inputs>
PyObject* call_out_many(const char* op, const char* const (&fields)[N], TensorVector targets, F&& f,
                        const Inputs&... inputs) {
  run_op((element_count(inputs) + ... + 0), f);
  return wrap_named(op, fields, {targets.data(), targets.size()});
}

// The other side of an operator like +, made into what the operator takes.
class OperatorSide {
 public:
  // False if it is something that an operator leaves to the other side.
  bool read(const char* op, PyObject* object, bool is_left = false) {
    if (is_array_like(object)) {
      if (is_left) refuse_inplace(op, object);
      Scalar number;
      if (number_from_array(object, number)) {
        operand_ = number;
        return true;
      }
      owned_ = tensor_from_array("tensor", object);
      operand_ = owned_;
      return true;
    }
    Scalar number;
    if (!to_scalar(object, number, {op, "other"})) return false;
    operand_ = number;
    return true;
  }
  const Operand& operand() const { return operand_; }

 private:
  TensorBase owned_;
  Operand operand_ = 0;
};

// a ∘ b for an operator whose right side may be a number; at least one of the two is a tensor.
// `reflected` computes it with the tensor on the right.
template <class F, class Reflected>
PyObject* operand_slot(const char* op, const OperatorNames& names, PyObject* a, PyObject* b,
                       const F& f, const Reflected& reflected) {
  return guarded([&]() -> PyObject* {
    if (are_plain(a, b)) [[likely]] {
      const TensorBase& x = tensor_of(a);
      const Operand y = tensor_of(b);
      return run_and_wrap([&](CallSite at) { return f(x, y, at); }, x, y);
    }
    if (operator_is_taken_over(a, b)) return override_operator(names, a, b);
    const bool left = is_tensor(a);
    if (left && is_tensor(b)) {
      const TensorBase& x = tensor_of(a);
      const Operand y = tensor_of(b);
      return run_and_wrap([&](CallSite at) { return f(x, y, at); }, x, y);
    }
    OperatorSide side;
    if (!side.read(op, left ? b : a, !left)) Py_RETURN_NOTIMPLEMENTED;
    const TensorBase& x = tensor_of(left ? a : b);
    const Operand& y = side.operand();
    return run_and_wrap([&](CallSite at) { return left ? f(x, y, at) : reflected(x, y, at); }, x,
                        y);
  });
}

// The arguments of a function that are those of its operator with the tensor on the right.
inline bool is_number_first(PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (count != 2 || names != nullptr || is_tensor(args[0]) || !is_tensor(args[1])) return false;
  return PyFloat_Check(args[0]) || PyLong_Check(args[0]) || PyComplex_Check(args[0]);
}

// pow(a, b, modulus)
inline PyObject* no_modulus() {
  PyErr_SetString(PyExc_TypeError, "pow(): a third argument is not supported for tensors");
  return nullptr;
}

// The same for an operator between tensors.
template <class F>
PyObject* tensor_slot(const OperatorNames& names, PyObject* a, PyObject* b, const F& f) {
  if (operator_is_taken_over(a, b)) [[unlikely]]
    return override_operator(names, a, b);
  return guarded([&]() -> PyObject* {
    TensorBase owned;
    const auto side = [&](PyObject* object) -> const TensorBase* {
      if (is_tensor(object)) return &tensor_of(object);
      if (!is_array_like(object)) return nullptr;
      owned = tensor_from_array("tensor", object);
      return &owned;
    };
    const TensorBase* x = side(a);
    const TensorBase* y = side(b);
    if (x == nullptr || y == nullptr) Py_RETURN_NOTIMPLEMENTED;
    if (x == &owned) refuse_inplace(names.plain, a);
    return run_and_wrap([&](CallSite at) { return f(*x, *y, at); }, *x, *y);
  });
}

// a ∘= b
template <class F>
PyObject* inplace_slot(const char* op, PyObject* a, PyObject* b, const F& f) {
  if (operator_is_taken_over(a, b)) [[unlikely]]
    return override_inplace_operator(op, a, b);
  return guarded([&]() -> PyObject* {
    const TensorBase& x = tensor_of(a);
    if (is_tensor(b)) [[likely]] {
      const Operand y = tensor_of(b);
      return call_inplace_op(
          a, [&](CallSite at) { f(x, y, at); }, x, y);
    }
    OperatorSide side;
    if (!side.read(op, b)) Py_RETURN_NOTIMPLEMENTED;
    return call_inplace_op(
        a, [&](CallSite at) { f(x, side.operand(), at); }, x, side.operand());
  });
}

}  // namespace eagre::python

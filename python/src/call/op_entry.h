// The functions that Python calls for operators: who takes the call over, which overload it means,
// and the arguments bound to its signature.
#pragma once

#include <utility>

#include "call/method.h"
#include "call/run_op.h"

namespace eagre::python {

// What an operator does with its result: makes a tensor, writes into its first argument, or into
// those given as out=.
enum class Form : uint8_t { kNew, kInplace, kOut };

// Parameters that many operators have.
constexpr Parameter kOutParameter{.name = "out", .required = false, .may_be_none = true};
constexpr Parameter kInplaceParameter{
    .name = "inplace", .required = false, .kind = ParameterKind::kBool};
constexpr Parameter kDTypeOption{
    .name = "dtype", .required = false, .kind = ParameterKind::kDType, .may_be_none = true};
constexpr Parameter kDeviceOption{.name = "device", .required = false, .may_be_none = true};
constexpr Parameter kRequiresGradOption{
    .name = "requires_grad", .required = false, .kind = ParameterKind::kBool, .may_be_none = true};
constexpr Parameter kLayoutOption{.name = "layout", .required = false, .may_be_none = true};
constexpr Parameter kPinMemoryOption{
    .name = "pin_memory", .required = false, .kind = ParameterKind::kBool, .may_be_none = true};

// The call with a tensor for its argument `i`, which should be one but is a number: as in PyTorch,
// functions of arithmetic take two numbers.
template <BoundFunction kRun>
PyObject* with_number(const Arguments& given, size_t i, size_t other) {
  const Ref tensor(wrap(given.number_as_tensor(i, other)));
  Arguments arguments = given;
  arguments.replace(i, tensor.get());
  return kRun(arguments);
}

// One of the operators that share a public name.
template <const Signature& kSignature, BoundFunction kRun>
struct Overload {
  static constexpr const Signature& kTaken = kSignature;
  static constexpr bool kTakesLists = [] {
    for (const Parameter& parameter : kSignature.parameters) {
      if (parameter.kind == ParameterKind::kTensors) return true;
    }
    return false;
  }();
  static PyObject* run(const Arguments& arguments) { return kRun(arguments); }
};

// Does the call go to __torch_function__ or a mode? Then `result` is what that gave.
template <class First, bool kTakesLists>
EAGRE_INLINE bool is_overridden(PyObject* self, PyObject* const* args, Py_ssize_t count,
                                PyObject* names, PyObject*& result) {
  if (!call_is_taken_over<kTakesLists>(self, args, count, names)) [[likely]]
    return false;
  const char* name = First::kTaken.exposed;
  result = self == nullptr ? override_function(name, args, count, names)
                           : override_method(name, self, args, count, names);
  return true;
}

// A METH_FASTCALL function. `kNumberFirst`: what add(2, x) is, the slot of the operator.
template <bool kIsMethod, class Op, binaryfunc kNumberFirst = nullptr>
PyObject* call_one(PyObject* given, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* const self = kIsMethod ? given : nullptr;
  PyObject* result = nullptr;
  if (is_overridden<Op, Op::kTakesLists>(self, args, count, names, result)) [[unlikely]]
    return result;
  if constexpr (kNumberFirst != nullptr) {
    if (is_number_first(args, count, names)) [[unlikely]]
      return kNumberFirst(args[0], args[1]);
  }
  return guarded([&] { return Op::run(Arguments(Op::kTaken, self, args, count, names)); });
}

// The same for a name with overloads: the first that fits. `kSole`: see sole_overload().
template <bool kIsMethod, const auto& kSole, binaryfunc kNumberFirst, class First, class... More>
PyObject* call_overloads(PyObject* given, PyObject* const* args, Py_ssize_t count,
                         PyObject* names) {
  PyObject* const self = kIsMethod ? given : nullptr;
  PyObject* result = nullptr;
  constexpr bool kTakesLists = (First::kTakesLists || ... || More::kTakesLists);
  if (is_overridden<First, kTakesLists>(self, args, count, names, result)) [[unlikely]]
    return result;
  if constexpr (kNumberFirst != nullptr) {
    if (is_number_first(args, count, names)) [[unlikely]]
      return kNumberFirst(args[0], args[1]);
  }
  const int sole = sole_overload(kSole, count, names);
  return guarded([&] {
    int place = 0;
    const auto runs = [&]<class Op>(Op) {
      const bool is_it = sole == place || (sole < 0 && fits(Op::kTaken, self, args, count, names));
      ++place;
      if (is_it) result = Op::run(Arguments(Op::kTaken, self, args, count, names));
      return is_it;
    };
    if (runs(First()) || (runs(More()) || ...)) return result;
    const Signature* const known[] = {&First::kTaken, &More::kTaken...};
    raise_no_overload(known, self, args, count, names);
  });
}

// Rows of method tables.
template <const Signature& kSignature, BoundFunction kRun, binaryfunc kNumberFirst = nullptr>
PyMethodDef op_function(const char* name, const char* doc) noexcept {
  return method(name, call_one<false, Overload<kSignature, kRun>, kNumberFirst>, doc);
}
template <const Signature& kSignature, BoundFunction kRun>
PyMethodDef op_method(const char* name, const char* doc) noexcept {
  return method(name, call_one<true, Overload<kSignature, kRun>>, doc);
}
template <const auto& kSole, class... Overloads>
PyMethodDef op_functions(const char* name, const char* doc) noexcept {
  return method(name, call_overloads<false, kSole, nullptr, Overloads...>, doc);
}
template <const auto& kSole, binaryfunc kNumberFirst, class... Overloads>
PyMethodDef op_functions(const char* name, const char* doc) noexcept {
  return method(name, call_overloads<false, kSole, kNumberFirst, Overloads...>, doc);
}
template <const auto& kSole, class... Overloads>
PyMethodDef op_methods(const char* name, const char* doc) noexcept {
  return method(name, call_overloads<true, kSole, nullptr, Overloads...>, doc);
}

}  // namespace eagre::python

// Choosing between operators that share a name.
#include <algorithm>
#include <cstddef>
#include <string>

#include <eagre/base/error.h>
#include <eagre/base/span.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>

#include "call/arguments.h"
#include "call/keywords.h"
#include "interpreter/errors.h"
#include "types/array.h"
#include "types/dtype.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

bool is_sequence(PyObject* object) { return PyTuple_Check(object) || PyList_Check(object); }

bool is_integer(PyObject* object) {
  return PyIndex_Check(object) && !PyBool_Check(object) && !is_sequence(object);
}

bool is_number(PyObject* object) {
  if (PyLong_Check(object)) return true;  // however long: conversion says what is wrong
  Scalar number;
  return !is_sequence(object) && !is_tensor(object) && to_scalar(object, number);
}

// Lists of numbers are told from lists of tensors by their first element.
bool has_integers(PyObject* object) {
  if (!is_sequence(object)) return false;
  return PySequence_Fast_GET_SIZE(object) == 0 || is_integer(PySequence_Fast_GET_ITEM(object, 0));
}

bool is_kind(ParameterKind kind, PyObject* object) {
  DType dtype = kFloat32;
  switch (kind) {
    case ParameterKind::kAny: return true;
    case ParameterKind::kTensor: return is_tensor(object);
    case ParameterKind::kTensors: return is_sequence(object);
    case ParameterKind::kTensorOrNumber:
    case ParameterKind::kOperand:
    case ParameterKind::kNumber: return is_tensor(object) || is_number(object);
    case ParameterKind::kInteger: return is_integer(object);
    case ParameterKind::kBool: return is_bool(object);
    case ParameterKind::kFalse: return object == Py_False;
    case ParameterKind::kIntegers: return has_integers(object);
    case ParameterKind::kIntegerOrIntegers: return is_integer(object) || has_integers(object);
    case ParameterKind::kText: return PyUnicode_Check(object);
    case ParameterKind::kDType: return to_dtype(object, dtype);
  }
  return false;
}

bool accepts(const Parameter& parameter, PyObject* object) {
  return (object == Py_None && parameter.may_be_none) || is_kind(parameter.kind, object);
}

// An element of a list that is given one by one.
bool is_one(const Parameter& list, PyObject* object) {
  return list.kind == ParameterKind::kTensors ? is_tensor(object) : is_integer(object);
}

std::string signature_text(const Signature& signature) {
  std::string text = concat(signature.op, "(");
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    if (i != 0) text.append(", ");
    text.append(parameter.name).append(parameter.required ? "" : "=…");
  }
  return text.append(")");
}

// Is there a place for each argument, and for each place that needs one an argument? With kByKind
// it must be one of the kind that belongs there.
template <bool kByKind>
bool has_places(const Signature& signature, PyObject* self, PyObject* const* args, Py_ssize_t count,
                PyObject* names) {
  const auto suits = [](const Parameter& parameter, PyObject* object) {
    return !kByKind || accepts(parameter, object);
  };
  const Span<const Parameter> parameters = signature.parameters;
  bool given[Arguments::kMax] = {};
  size_t next = 0;
  if (self != nullptr) given[next++] = true;
  for (Py_ssize_t k = 0; k < count; ++k, ++next) {
    const auto is_element = [&](PyObject* object) {
      return !kByKind || is_one(parameters[next], object);
    };
    if (static_cast<int>(next) == signature.variadic && is_element(args[k])) {
      for (; k < count; ++k) {
        if (!is_element(args[k])) return false;
      }
      given[next] = true;
      break;
    }
    if (next >= signature.positional || !suits(parameters[next], args[k])) return false;
    given[next] = true;
  }
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < named; ++k) {
    const int i = place_of(PyTuple_GET_ITEM(names, k), signature);
    if (i < 0 || given[i] || !suits(parameters[i], args[count + k])) {
      return false;
    }
    given[i] = true;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].required && !given[i]) return false;
  }
  return true;
}

const char* name_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::kAny: break;
    case ParameterKind::kTensor: return "Tensor";
    case ParameterKind::kTensors: return "tuple of Tensors";
    case ParameterKind::kTensorOrNumber:
    case ParameterKind::kOperand: return "Tensor or number";
    case ParameterKind::kNumber: return "number";
    case ParameterKind::kInteger: return "int";
    case ParameterKind::kBool: return "bool";
    case ParameterKind::kFalse: return "False";
    case ParameterKind::kIntegers: return "tuple of ints";
    case ParameterKind::kIntegerOrIntegers: return "int or tuple of ints";
    case ParameterKind::kText: return "str";
    case ParameterKind::kDType: return "dtype";
  }
  return "something else";
}

// Of the only form that a call can mean: the first argument of another kind, "" if lists hide it.
std::string describe_misfit(const Signature& signature, PyObject* self, PyObject* const* args,
                            Py_ssize_t count, PyObject* names) {
  const Span<const Parameter> parameters = signature.parameters;
  const auto describe = [](const Parameter& parameter, PyObject* object, const std::string& at) {
    return concat("argument '", parameter.name, "'", at, " must be ", name_of(parameter.kind),
                  ", not ", describe_type(object), ": ");
  };
  const size_t first = self == nullptr ? 0 : 1;
  for (size_t k = 0; k < static_cast<size_t>(count); ++k) {
    if (static_cast<int>(first + k) == signature.variadic) return "";
    if (accepts(parameters[first + k], args[k])) continue;
    return describe(parameters[first + k], args[k], concat(" (position ", k + 1, ")"));
  }
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < named; ++k) {
    const Parameter& parameter = parameters[place_of(PyTuple_GET_ITEM(names, k), signature)];
    if (!accepts(parameter, args[count + k])) return describe(parameter, args[count + k], "");
  }
  return "";
}

}  // namespace

bool fits(const Signature& signature, PyObject* self, PyObject* const* args, Py_ssize_t count,
          PyObject* names) {
  return has_places<true>(signature, self, args, count, names);
}

void raise_no_overload(Span<const Signature* const> known, PyObject* self, PyObject* const* args,
                       Py_ssize_t count, PyObject* names) {
  std::string got;
  if (self != nullptr) got = "self";
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < count + named; ++k) {
    got.append(got.empty() ? "" : ", ");
    if (k >= count) {
      const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, k - count));
      if (name == nullptr) throw PythonError::take();
      got.append(name).append("=");
    }
    got.append(describe_type(args[k]));
  }
  std::string forms;
  for (size_t i = 0; i < known.size(); ++i) {
    const std::string form = signature_text(*known[i]);
    // They may differ in kinds only: fill_() takes a number or a tensor.
    const auto is_same = [&](const Signature* other) { return signature_text(*other) == form; };
    if (std::any_of(known.begin(), known.begin() + i, is_same)) continue;
    forms.append(forms.empty() ? "" : ", ").append(form);
  }
  // By their number and names alone.
  const Signature* meant = nullptr;
  size_t candidates = 0;
  for (const Signature* form : known) {
    if (!has_places<false>(*form, self, args, count, names)) continue;
    meant = form;
    ++candidates;
  }
  const std::string misfit =
      candidates == 1 ? describe_misfit(*meant, self, args, count, names) : "";
  const std::string message = concat(known[0]->op, "(): ", misfit, "the arguments (", got,
                                     ") fit none of its forms: ", forms);
  if (candidates != 0) throw Error(ErrorKind::kType, message);
  raise(PythonErrorKind::kSignature, message);
}

}  // namespace eagre::python

// Binding of arguments to parameters, and what is said when they do not fit.
#include "call/arguments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <eagre/base/error.h>
#include <eagre/base/span.h>
#include <eagre/base/warn.h>

#include "call/keywords.h"
#include "call/old_reduction.h"
#include "call/take_until.h"
#include "interpreter/errors.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

bool looks_like_number(PyObject* object) {
  return PyIndex_Check(object) && !PyTuple_Check(object) && !PyList_Check(object);
}

std::string names_of(Span<const Parameter> parameters, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text.append(text.empty() ? "" : ", ").append(parameters[i].name);
  }
  return text;
}

size_t place_named(std::string_view name, Span<const Parameter> parameters) {
  size_t i = 0;
  while (i < parameters.size() && parameters[i].name != name) ++i;
  return i;
}

}  // namespace

void Arguments::bind(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  const Signature& signature = signature_;
  std::fill_n(values_, signature.parameters.size() + 1, nullptr);
  size_t next = 0;
  if (self != nullptr) values_[next++] = self;
  auto given = static_cast<size_t>(count);
  const size_t room = signature.positional - next;
  const auto variadic = static_cast<size_t>(signature.variadic);
  if (signature.variadic >= 0 && given > variadic - next &&
      looks_like_number(args[variadic - next])) {
    const size_t before = variadic - next;
    one_by_one_ = {args + before, given - before};
    values_[variadic] = args[before];
    given = before;
  }
  if (given > room) [[unlikely]] {
    if (!bind_deprecated(self != nullptr, args, given)) too_many(given + next);
    given = 0;
  }
  for (size_t i = 0; i < given; ++i) values_[next + i] = args[i];
  if (names != nullptr) bind_names(args + count, names);
  if (signature.implicit_dim) bind_implicit_dim();
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    if (values_[i] != nullptr || !signature.parameters[i].required) continue;
    // None of them, one by one.
    const bool is_empty_list = signature.variadic == static_cast<int>(i) &&
                               signature.parameters[i].kind == ParameterKind::kTensors;
    if (!is_empty_list) missing(i);
    static PyObject* const no_tensors = checked(PyTuple_New(0));
    values_[i] = no_tensors;
  }
}

void Arguments::bind_names(PyObject* const* args, PyObject* names) {
  const Span<const Parameter> parameters = signature_.parameters;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
    PyObject* name = PyTuple_GET_ITEM(names, k);
    const int i = place_of(name, signature_);
    if (i < 0) {
      const size_t reduction = place_named("reduction", parameters);
      if (reduction < parameters.size() && bind_old_reduction(args, names, k, values_[reduction])) {
        continue;
      }
      const char* text = PyUnicode_AsUTF8(name);
      if (text == nullptr) throw PythonError::take();
      raise(PythonErrorKind::kSignature,
            concat(signature_.op, "(): there is no argument '", text,
                   "'; the arguments are: ", names_of(parameters, parameters.size())));
    }
    if (values_[i] != nullptr) {
      // The old names count more, as in PyTorch, whichever comes first.
      if (place_named("reduction", parameters) == static_cast<size_t>(i) &&
          has_old_reduction(names)) {
        continue;
      }
      raise(PythonErrorKind::kSignature,
            concat(signature_.op, "(): argument '", parameters[i].name, "' is given twice"));
    }
    values_[i] = args[k];
  }
}

void Arguments::bind_implicit_dim() {
  constexpr size_t kDim = 1;
  if ((values_[kDim] != nullptr && values_[kDim] != Py_None) || values_[0] == nullptr) return;
  const int64_t rank = tensor(0).dim();
  static PyObject* const dims[] = {checked(PyLong_FromLong(0)), checked(PyLong_FromLong(1))};
  values_[kDim] = dims[rank == 0 || rank == 1 || rank == 3 ? 0 : 1];
  warn(concat("Implicit dimension choice for ", signature_.op,
              " has been deprecated. Change the call to include dim=X as an argument."));
}

bool Arguments::bind_deprecated(bool has_self, PyObject* const* args, size_t given) {
  if (signature_.deprecated == nullptr) return false;
  const Span<const Parameter> parameters = signature_.parameters;
  for (std::string_view orders = signature_.deprecated; !orders.empty();) {
    const std::string_view order = take_until(orders, '|');
    if (static_cast<size_t>(std::count(order.begin(), order.end(), ' ')) + 1 != given + has_self) {
      continue;
    }
    size_t next = 0;
    bool fits = true;
    for (std::string_view rest = order; !rest.empty();) {
      const std::string_view name = take_until(rest, ' ');
      size_t i = 0;
      while (name != parameters[i].name) ++i;
      if (i == 0 && has_self) continue;
      const bool is_number = parameters[i].kind == ParameterKind::kNumber;
      fits = fits && (is_number || is_tensor(args[next]));
      values_[i] = args[next++];
    }
    if (!fits) return false;
    warn_once(concat("deprecated order of ", signature_.op),
              concat(signature_.op, "(): This overload of ", signature_.op, " is deprecated: (",
                     order, "). Hint: give the numbers by name: (",
                     names_of(parameters, parameters.size()), ")"));
    return true;
  }
  return false;
}

void Arguments::missing(size_t i) const {
  const Span<const Parameter> parameters = signature_.parameters;
  raise(PythonErrorKind::kSignature,
        concat(signature_.op, "(): argument '", parameters[i].name,
               "' is missing; the arguments are: ", names_of(parameters, parameters.size())));
}

void Arguments::too_many(size_t count) const {
  raise(PythonErrorKind::kSignature,
        concat(signature_.op, "(): at most ", signature_.positional,
               " arguments can be given by position (",
               names_of(signature_.parameters, signature_.positional), "), but got ", count));
}

void Arguments::wrong_type(size_t i, const char* expected) const {
  const bool is_other =
      !is_tensor(values_[i]) && PyObject_HasAttrString(values_[i], "__dlpack__") != 0;
  const char* const hint =
      is_other ? "eagre.from_dlpack(array) makes a tensor on the memory of an array" : "";
  raise(ErrorKind::kType, ArgumentProblem{signature_.op, signature_.parameters[i].name, expected,
                                          describe_type(values_[i]), hint});
}

void Arguments::wrong_element(size_t i, Py_ssize_t k, PyObject* element,
                              const char* expected) const {
  raise(ErrorKind::kType, ArgumentProblem{signature_.op, signature_.parameters[i].name, expected,
                                          concat(describe_type(values_[i]), " whose element ", k,
                                                 " is ", describe_type(element))});
}

}  // namespace eagre::python

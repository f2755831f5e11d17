// Conversion of single arguments.
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/span.h>
#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/full.h>
#include <eagre/ops/operand_to_tensor.h>

#include "call/arguments.h"
#include "interpreter/compat.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/array.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/generator.h"
#include "types/layout.h"
#include "types/memory_format.h"
#include "types/tensor.h"

namespace eagre::python {

bool to_integer(PyObject* object, int64_t& out, ArgumentName name) {
  if (compat::small_integer(object, out)) [[likely]]
    return true;
  if (!PyIndex_Check(object)) return false;
  const Ref number(PyNumber_Index(object));
  if (!number) {
    // A tensor says by a TypeError that it is no integer; then the caller words the complaint.
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw PythonError::take();
    PyErr_Clear();
    return false;
  }
  int overflow = 0;
  out = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow != 0) {
    const char* const expected = "an integer that fits in 64 bits";
    const char* const got = overflow > 0 ? "a larger one" : "a smaller one";
    raise(PythonErrorKind::kOverflow, *name.op == '\0'
                                          ? concat("expected ", expected)
                                          : concat(name.op, "(): argument '", name.argument,
                                                   "' must be ", expected, ", but got ", got));
  }
  return true;
}

bool to_scalar(PyObject* object, Scalar& out, ArgumentName name) {
  if (PyFloat_Check(object)) {
    out = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (PyBool_Check(object)) {
    out = object == Py_True;
    return true;
  }
  if (PyComplex_Check(object)) {
    out = Complex<double>(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object));
    return true;
  }
  if (is_tensor(object)) return false;
  if (!PyLong_Check(object) && is_array_like(object)) return number_from_array(object, out);
  int64_t integer = 0;
  if (!to_integer(object, integer, name)) return false;
  out = integer;
  return true;
}

ArgumentName Arguments::name_of(size_t i) const {
  return {signature_.op, signature_.parameters[i].name};
}

Operand Arguments::operand(size_t i) const {
  if (is_tensor(values_[i])) [[likely]]
    return tensor_of(values_[i]);
  Scalar number;
  if (!to_scalar(values_[i], number, name_of(i))) wrong_type(i, "a Tensor or a number");
  return number;
}

TensorBase Arguments::number_as_tensor(size_t i, size_t other) const {
  Scalar number;
  if (!to_scalar(values_[i], number, name_of(i))) wrong_type(i, "a Tensor or a number");
  const CallSite at = CallSite::none();
  if (is_tensor(values_[other]))
    return ops::operand_to_tensor(number, tensor_of(values_[other]), at);
  return ops::full(Dims(), number, TensorOptions(dtype_of(number)), at);
}

Scalar Arguments::scalar(size_t i) const {
  Scalar number;
  if (is_tensor(values_[i])) {  // with one element, and no gradient that would be lost
    const TensorBase& tensor = tensor_of(values_[i]);
    if (tensor.dim() != 0 || tensor.requires_grad() || !tensor.device().is_cpu()) {
      wrong_type(i, "a number");
    }
    return Scalar::load(tensor.dtype(), tensor.data_ptr());
  }
  if (!to_scalar(values_[i], number, name_of(i))) wrong_type(i, "a number");
  return number;
}

int64_t Arguments::integer(size_t i) const {
  int64_t value = 0;
  // True is no dimension and no count, though it is one of Python's ints.
  if (PyBool_Check(values_[i]) || !to_integer(values_[i], value, name_of(i))) {
    wrong_type(i, "an int");
  }
  return value;
}

double Arguments::real(size_t i) const {
  const Scalar number = scalar(i);
  if (number.category() == DTypeCategory::kComplex) wrong_type(i, "a real number");
  return number.wrapped<double>();
}

std::string_view Arguments::text(size_t i) const {
  if (!PyUnicode_Check(values_[i])) wrong_type(i, "a str");
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(values_[i], &size);
  if (data == nullptr) throw PythonError::take();
  return {data, static_cast<size_t>(size)};
}

MemoryFormat Arguments::memory_format(size_t i, MemoryFormat missing) const {
  if (!has(i)) return missing;
  MemoryFormat value = missing;
  if (!to_memory_format(values_[i], value)) {
    wrong_type(i, "a memory format like eagre.channels_last");
  }
  return value;
}

Device Arguments::device(size_t i) const {
  Device value;
  if (!to_device(values_[i], value)) wrong_type(i, "a device or its name");
  return value;
}

const TensorBase& Arguments::optional_tensor(size_t i) const {
  static const TensorBase& missing = *new TensorBase;
  return has(i) ? tensor(i) : missing;
}

// The elements of a list, which may have been given one by one.
Span<PyObject* const> Arguments::items_of(size_t i) const {
  if (!one_by_one_.empty() && signature_.variadic == static_cast<int>(i)) return one_by_one_;
  PyObject* list = values_[i];
  if (!PyTuple_Check(list) && !PyList_Check(list)) {
    throw Error(ErrorKind::kType, concat(name_of(i).op, "(): argument '", name_of(i).argument,
                                         "' (position ", i + 1, ") must be tuple of Tensors, not ",
                                         is_tensor(list) ? "Tensor" : describe_type(list),
                                         ". Hint: put the tensors in a list or tuple"));
  }
  return {PySequence_Fast_ITEMS(list), static_cast<size_t>(PySequence_Fast_GET_SIZE(list))};
}

Span<PyObject* const> Arguments::tensor_items(size_t i, bool may_have_none) const {
  const Span<PyObject* const> items = items_of(i);
  for (size_t k = 0; k < items.size(); ++k) {
    if (is_tensor(items[k]) || (may_have_none && items[k] == Py_None)) continue;
    raise(
        ErrorKind::kType,
        ArgumentProblem{signature_.op, signature_.parameters[i].name, "a list or tuple of Tensors",
                        concat("one with ", describe_type(items[k]), " at position ", k)});
  }
  return items;
}

TensorVector Arguments::tensors(size_t i) const {
  TensorVector tensors;
  for (PyObject* item : tensor_items(i, false)) tensors.push_back(tensor_of(item));
  return tensors;
}

TensorVector Arguments::out(size_t i, size_t count) const {
  if (count == 1) return {tensor(i)};
  TensorVector targets = tensors(i);
  if (targets.size() != count) {
    raise(ErrorKind::kType,
          ArgumentProblem{signature_.op, "out", concat("a tuple of ", count, " Tensors"),
                          concat(targets.size(), " of them")});
  }
  return targets;
}

bool Arguments::boolean(size_t i) const {
  if (!is_bool(values_[i])) wrong_type(i, "a bool");
  return PyObject_IsTrue(values_[i]) == 1;
}

int64_t Arguments::element(size_t i, PyObject* number, size_t position) const {
  int64_t value = 0;
  if (PyBool_Check(number) || !to_integer(number, value, name_of(i))) {
    raise(ErrorKind::kType, concat(signature_.op, "(): argument '", signature_.parameters[i].name,
                                   "' must be tuple of ints, but found element of type ",
                                   describe_type(number), " at pos ", position));
  }
  return value;
}

DimVector Arguments::ints(size_t i) const {
  DimVector values;
  if (!one_by_one_.empty() && signature_.variadic == static_cast<int>(i)) {
    for (PyObject* number : one_by_one_) values.push_back(element(i, number, values.size()));
    return values;
  }
  PyObject* list = values_[i];
  if (!PyTuple_Check(list) && !PyList_Check(list)) wrong_type(i, "a list or tuple of ints");
  // A list may change while __index__ of its elements runs, so its size is asked every time.
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(list); ++k) {
    const Ref number = Ref::share(PySequence_Fast_GET_ITEM(list, k));
    values.push_back(element(i, number.get(), values.size()));
  }
  return values;
}

// A number where there may be None, which is handed on as a number of its own.
static int64_t checked_size(ArgumentName name, int64_t number) {
  if (number == kSizeOfInput) [[unlikely]] {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{name.op, name.argument, "greater than or equal to 0, or None",
                          concat(number)});
  }
  return number;
}

IntsArgument Arguments::sizes(size_t i) const {
  PyObject* list = values_[i];
  if (list == nullptr || (!PyTuple_Check(list) && !PyList_Check(list))) {
    IntsArgument result = optional_ints(i);
    for (const int64_t number : result.values) checked_size(name_of(i), number);
    if (!result.given) result.values.push_back(kSizeOfInput);
    result.given = true;
    return result;
  }
  IntsArgument result;
  result.given = true;
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(list); ++k) {
    const Ref number = Ref::share(PySequence_Fast_GET_ITEM(list, k));
    const bool is_own = number.get() == Py_None;
    result.values.push_back(
        is_own ? kSizeOfInput
               : checked_size(name_of(i), element(i, number.get(), result.values.size())));
  }
  return result;
}

IntsArgument Arguments::optional_ints(size_t i) const {
  IntsArgument result;
  if (!has(i)) return result;
  result.given = true;
  result.values = int_or_ints(i);
  return result;
}

DimVector Arguments::int_or_ints(size_t i) const {
  if (PyTuple_Check(values_[i]) || PyList_Check(values_[i])) return ints(i);
  int64_t single = 0;
  if (PyBool_Check(values_[i]) || !to_integer(values_[i], single, name_of(i)))
    wrong_type(i, "an int, or a list or tuple of ints");
  return DimVector({single});
}

DType Arguments::dtype(size_t i) const {
  DType value = DType::kFloat32;
  if (!to_dtype(values_[i], value)) wrong_type(i, "a dtype like eagre.float32");
  return value;
}

std::optional<DType> Arguments::optional_dtype(size_t i) const {
  if (!has(i)) return {};
  return dtype(i);
}

Generator* Arguments::generator(size_t i) const {
  if (!has(i)) return nullptr;
  Generator* generator = to_generator(values_[i]);
  if (generator == nullptr) wrong_type(i, "an eagre.Generator");
  return generator;
}

void Arguments::check_only_choice(size_t first) const {
  const auto refuse = [&](size_t i, std::string expected, std::string got) {
    raise(ErrorKind::kUnimplemented, ArgumentProblem{signature_.op, signature_.parameters[i].name,
                                                     std::move(expected), std::move(got)});
  };
  if (has(first) && values_[first] != strided_layout()) {
    if (!is_layout(values_[first])) wrong_type(first, "a layout like eagre.strided");
    const Ref text(checked(PyObject_Repr(values_[first])));
    refuse(first, "eagre.strided, since there are no sparse tensors", PyUnicode_AsUTF8(text.get()));
  }
  if (has(first + 1) && boolean(first + 1)) {
    refuse(first + 1, "False, since there is no accelerator that pinned memory would serve",
           "True");
  }
}

TensorOptions Arguments::options(size_t first) const {
  TensorOptions options;
  if (has(first)) options = options.dtype(dtype(first));
  if (has(first + 1)) options = options.device(device(first + 1));
  if (values_[first + 3] != nullptr || values_[first + 4] != nullptr) [[unlikely]]
    check_only_choice(first + 3);
  return options.requires_grad(boolean(first + 2, false));
}

}  // namespace eagre::python

// From Python's keys to the entries of an index.
#include "tensor/index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/indexing.h>
#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/select.h>
#include <eagre/ops/slice.h>
#include <eagre/ops/unbind.h>

#include "call/arguments.h"
#include "call/run_op.h"
#include "interpreter/compat.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "tensor/data.h"
#include "types/array.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

constexpr ArgumentName kIndex{"index", "indices"};

std::optional<int64_t> slice_bound(PyObject* object) {
  if (object == Py_None) return {};
  int64_t value = 0;
  if (!to_integer(object, value, kIndex)) {
    raise(
        PythonErrorKind::kIndexType,
        concat("index(): slice indices must be integers or None, but got ", describe_type(object)));
  }
  return value;
}

// A 0-dim tensor of integers counts as the number it holds, unless it is of uint8, which are masks,
// or the number differs from sample to sample of a vmap().
bool is_number_tensor(PyObject* object) {
  if (!is_tensor(object)) return false;
  const TensorBase& tensor = tensor_of(object);
  return tensor.dim() == 0 && tensor.get().key.kind == TensorKind::kDense &&
         tensor.dtype() != kBool && tensor.dtype() != kUInt8 &&
         category(tensor.dtype()) == DTypeCategory::kInteger && tensor.device().is_cpu();
}

TensorIndex entry(PyObject* object) {
  if (PyBool_Check(object)) return object == Py_True;
  if (object == Py_None) return indexing::None;
  if (object == Py_Ellipsis) return indexing::Ellipsis;
  if (PySlice_Check(object)) {
    const auto* slice = reinterpret_cast<PySliceObject*>(object);
    return indexing::Slice(slice_bound(slice->start), slice_bound(slice->stop),
                           slice_bound(slice->step).value_or(1));
  }
  int64_t integer = 0;
  if (is_number_tensor(object) || (!is_tensor(object) && !is_array_like(object))) {
    if (to_integer(object, integer, kIndex)) return integer;
  }
  if (is_tensor(object)) return tensor_of(object);
  if (is_array_like(object)) {
    if (to_integer(object, integer, kIndex)) return integer;  // NumPy's integers
    return tensor_from_array("index", object);
  }
  if (PyList_Check(object) || PyTuple_Check(object) || PyRange_Check(object)) {
    const Ref list(checked(PySequence_List(object)));
    TensorBase indices = tensor_from_data(PyRange_Check(object) ? list.get() : object, {});
    if (indices.numel() == 0) indices = Tensor(indices).toType(kInt64, CallSite::none());
    return indices;
  }
  raise(PythonErrorKind::kIndexType,
        concat("index(): only integers, slices (`:`), ellipsis (`...`), None and long or "
               "bool tensors are valid indices, but got ",
               describe_type(object)));
}

// x[[0, slice(2)]] means x[0, :2], as long as PyTorch reads it so: a list that could not be one of
// numbers.
bool is_tuple_in_disguise(PyObject* key) {
  constexpr Py_ssize_t kLongest = 31;
  if (!PyList_Check(key) || PyList_GET_SIZE(key) > kLongest) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(key); ++i) {
    PyObject* item = PyList_GET_ITEM(key, i);
    if (is_tensor(item) || PySequence_Check(item) || PySlice_Check(item) || item == Py_None ||
        item == Py_Ellipsis) {
      warn(
          "index(): a list of several indices is read as a tuple of them; this is deprecated. "
          "Hint: "
          "write x[tuple(indices)], or x[eagre.tensor(indices)] for the elements they name");
      return true;
    }
  }
  return false;
}

std::vector<TensorIndex> entries(PyObject* key) {
  std::vector<TensorIndex> result;
  if (!PyTuple_Check(key)) {
    if (is_tuple_in_disguise(key)) {
      const Ref tuple(checked(PySequence_Tuple(key)));
      return entries(tuple.get());
    }
    result.push_back(entry(key));
    return result;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
    result.push_back(entry(PyTuple_GET_ITEM(key, i)));
  }
  return result;
}

TensorBase value_of(const TensorBase& tensor, PyObject* value) {
  if (is_tensor(value)) return tensor_of(value);
  Scalar number;
  if (is_array_like(value) && !number_from_array(value, number)) {
    return tensor_from_array("index", value);
  }
  if (!to_scalar(value, number, {"index", "value"})) {
    const std::string dtype(to_string(tensor.dtype()));
    throw Error(ErrorKind::kType,
                concat("index(): can't assign a ", describe_type(value), " to elements of ",
                       dtype[0] == 'i' ? "an " : "a ", dtype, " tensor"));
  }
  return number_for(tensor, number);
}

bool short_bound(PyObject* object, std::optional<int64_t>& out) {
  int64_t value = 0;
  if (object == Py_None) return true;
  if (!compat::small_integer(object, value)) return false;
  out = value;
  return true;
}

// x[1] and x[1:3], of plain integers and without problems: undefined if it is anything else.
TensorBase short_index(const TensorBase& tensor, PyObject* key) {
  if (tensor.dim() == 0) return {};
  int64_t place = 0;
  if (compat::small_integer(key, place)) {
    const int64_t size = tensor.sizes()[0];
    if (place < -size || place >= size) return {};
    return ops::select(tensor, 0, place, CallSite::language_frame());
  }
  if (!PySlice_Check(key)) return {};
  const auto* slice = reinterpret_cast<PySliceObject*>(key);
  std::optional<int64_t> start, stop;
  if (slice->step != Py_None || !short_bound(slice->start, start)) return {};
  if (!short_bound(slice->stop, stop)) return {};
  return ops::slice(tensor, 0, start, stop, 1, CallSite::language_frame());
}

}  // namespace

PyObject* tensor_subscript(PyObject* self, PyObject* key) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    TensorBase view = short_index(tensor, key);
    if (view.defined()) return wrap(std::move(view));
    const std::vector<TensorIndex> indices = entries(key);
    return run_and_wrap([&](CallSite at) { return read_index(tensor, indices, at); }, tensor);
  });
}

int tensor_assign_subscript(PyObject* self, PyObject* key, PyObject* value) {
  return guarded_number([&] {
    if (value == nullptr) {
      throw Error(ErrorKind::kType, "elements of a tensor cannot be deleted");
    }
    const TensorBase& tensor = tensor_of(self);
    const std::vector<TensorIndex> indices = entries(key);
    const TensorBase values = value_of(tensor, value);
    run_op(element_count(values), [&](CallSite at) {
      write_index(tensor, indices, values, false, at);
      return 0;
    });
    return 0;
  });
}

int tensor_contains(PyObject* self, PyObject* element) {
  return guarded_number([&] {
    Scalar number;
    if (!is_tensor(element) && !to_scalar(element, number)) {
      const Ref type(checked(PyObject_Repr(reinterpret_cast<PyObject*>(Py_TYPE(element)))));
      const char* const text = PyUnicode_AsUTF8(type.get());
      throw Error(ErrorKind::kInvalidArgument,
                  concat("Tensor.__contains__ only supports Tensor or scalar, but you passed in a ",
                         text == nullptr ? "thing of another type" : text, "."));
    }
    const Ref same(checked(PyObject_RichCompare(self, element, Py_EQ)));
    const Ref found(checked(PyObject_CallMethod(same.get(), "any", nullptr)));
    return PyObject_IsTrue(found.get());
  });
}

PyObject* tensor_iterator(PyObject* self) {
  return guarded([&]() -> PyObject* {
    const TensorBase& tensor = tensor_of(self);
    if (tensor.dim() == 0) throw Error(ErrorKind::kType, "iteration over a 0-d tensor");
    const Ref parts(
        checked(run_and_wrap([&](CallSite at) { return ops::unbind(tensor, 0, at); }, tensor)));
    return PyObject_GetIter(parts.get());
  });
}

}  // namespace eagre::python

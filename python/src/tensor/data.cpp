// Nested lists are read in two passes: shape from the first element at every depth, then all
// numbers, whose highest category (bool, int, float, complex) is the dtype.
#include "tensor/data.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/factory.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/clone.h>

#include "call/arguments.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/array.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

bool is_list(PyObject* object) {
  if (PyList_Check(object) || PyTuple_Check(object)) return true;
  if (PyUnicode_Check(object) || PyBytes_Check(object) || is_tensor(object)) return false;
  return PySequence_Check(object) && !PyMapping_HasKeyString(object, "keys");
}

[[noreturn]] EAGRE_COLD void complain(ErrorKind kind, std::string expected, std::string got) {
  raise(kind, ArgumentProblem{"tensor", "data", std::move(expected), std::move(got)});
}

// An int beyond 64 bits.
bool is_large(PyObject* object) {
  if (!PyLong_CheckExact(object)) return false;
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow != 0;
}

// A tensor of another library, on its memory; undefined of anything else.
TensorBase share_dlpack(PyObject* data) {
  if (PyList_Check(data) || PyTuple_Check(data) || PyFloat_Check(data) || PyLong_Check(data)) {
    return {};
  }
  if (PyObject_HasAttrString(data, "__dlpack__") == 0) return {};
  const Ref module(checked(PyImport_ImportModule("eagre._dlpack")));
  const Ref shared(checked(PyObject_CallMethod(module.get(), "from_dlpack", "O", data)));
  return tensor_of(shared.get());
}

class ListReader {
 public:
  ListReader(PyObject* data, std::optional<DType> wanted)
      : holds_large_(wanted && is_differentiable(*wanted)) {
    find_shape(data);
    checked_numel("tensor", shape_);
    read(data, 0);
  }

  // Numbers are kept as they came until all are known: 2**60 + 1 must not pass through a double.
  TensorBase make(const TensorOptions& options) const {
    return tensor_of(numbers_, natural_dtype(), shape_, options);
  }

 private:
  void find_shape(PyObject* data) {
    Ref list = Ref::share(data);
    while (is_list(list.get())) {
      if (shape_.size() == static_cast<size_t>(kMaxDims)) {
        complain(ErrorKind::kInvalidArgument, concat("lists nested at most ", kMaxDims, " deep"),
                 "a deeper one");
      }
      const Py_ssize_t size = PySequence_Size(list.get());
      if (size < 0) throw PythonError::take();
      shape_.push_back(size);
      if (size == 0) return;
      Ref first(PySequence_GetItem(list.get(), 0));
      if (!first) {
        PyErr_Clear();
        throw Error(ErrorKind::kInvalidArgument,
                    concat("tensor(): could not determine the shape of object type '",
                           describe_type(list.get()), "': it has a length, but no first element"));
      }
      list = std::move(first);
    }
  }

  void read(PyObject* data, size_t depth) {
    if (depth == shape_.size()) return read_number(data);
    if (!is_list(data)) ragged(depth, describe_type(data));
    const Ref list(checked(PySequence_Fast(data, "")));
    const auto size = PySequence_Fast_GET_SIZE(list.get());
    if (size != shape_[depth]) ragged(depth, concat("one of ", size));
    for (Py_ssize_t i = 0; i < shape_[depth]; ++i) {
      if (i >= PySequence_Fast_GET_SIZE(list.get())) ragged(depth, "one that shrank meanwhile");
      const Ref item = Ref::share(PySequence_Fast_GET_ITEM(list.get(), i));
      read(item.get(), depth + 1);
    }
  }

  [[noreturn]] EAGRE_COLD void ragged(size_t depth, const std::string& got) const {
    complain(ErrorKind::kInvalidArgument,
             concat("nested lists of equal lengths: of ", shape_[depth], " elements at depth ",
                    depth, ", as the first one there"),
             got);
  }

  void read_number(PyObject* object) {
    Scalar number;
    if (is_tensor(object)) {
      if (tensor_of(object).numel() != 1) {
        raise(ErrorKind::kInvalidArgument,
              concat("tensor(): only one element tensors can be converted to Python scalars, but "
                     "argument 'data' is a list with a tensor of shape ",
                     tensor_of(object).sizes(), ". Hint: eagre.stack(list) joins tensors"));
      }
      const Ref item(checked(PyObject_CallMethod(object, "item", nullptr)));
      to_scalar(item.get(), number);
      add_dtype(tensor_of(object).dtype());
    } else if (!PyFloat_CheckExact(object) && is_array_like(object) &&
               number_from_array(object, number)) {
      add_dtype(dtype_of_array(object).value_or(natural_dtype(number.category())));
    } else if (is_list(object)) {
      complain(ErrorKind::kInvalidArgument, "nested lists of equal depth",
               concat("a ", describe_type(object), " where the first element is a number"));
    } else if (holds_large_ && is_large(object)) {
      const double real = PyLong_AsDouble(object);
      if (real == -1 && PyErr_Occurred() != nullptr) throw PythonError::take();
      number = real;
      category_ = std::max(category_.value_or(DTypeCategory::kBool), number.category());
    } else if (to_scalar(object, number, {"tensor", "data"})) {
      category_ = std::max(category_.value_or(DTypeCategory::kBool), number.category());
    } else if (const TensorBase shared = share_dlpack(object);
               shared.defined() && shared.numel() == 1) {
      number = Scalar::load(shared.dtype(), shared.data_ptr());
      add_dtype(shared.dtype());
    } else {
      complain(ErrorKind::kType, "a number, an array, or nested lists of numbers",
               describe_type(object));
    }
    numbers_.push_back(number);
  }

  // Tensors and numbers of NumPy bring a dtype.
  void add_dtype(DType dtype) { brought_ = brought_ ? promote_types(*brought_, dtype) : dtype; }

  DType natural_dtype() const {
    if (!category_) return brought_.value_or(default_dtype());
    const DType natural = natural_dtype(*category_);
    return brought_ ? promote_types(*brought_, natural) : natural;
  }

  static DType natural_dtype(DTypeCategory kind) {
    switch (kind) {
      case DTypeCategory::kBool: return kBool;
      case DTypeCategory::kInteger: return kInt64;
      case DTypeCategory::kFloating: return default_dtype();
      case DTypeCategory::kComplex: break;
    }
    return complex_dtype(default_dtype());
  }

  DimVector shape_;
  std::vector<Scalar> numbers_;
  bool holds_large_;  // the dtype that was asked for takes integers beyond 64 bits
  std::optional<DTypeCategory> category_;  // the highest of Python's own numbers
  std::optional<DType> brought_;
};

}  // namespace

TensorBase tensor_from_data(PyObject* data, const TensorOptions& options) {
  TensorBase copy;
  const bool is_array = is_array_like(data);
  const TensorBase shared = is_tensor(data) || is_array ? TensorBase() : share_dlpack(data);
  if (is_tensor(data) || shared.defined()) {
    NoGradGuard no_grad;
    const Tensor source = shared.defined() ? shared : tensor_of(data);
    const CallSite at = CallSite::language_frame();
    copy = ops::clone(source.toType(options.chosen_dtype().value_or(source.dtype()), at), at);
  } else if (is_array) {
    copy = Tensor(tensor_from_array("tensor", data));
    copy = Tensor(copy).toType(options.chosen_dtype().value_or(copy.dtype()), CallSite::none());
  } else {
    return ListReader(data, options.chosen_dtype()).make(options);
  }
  // The copy of a tensor stays on its device unless another one is asked for.
  copy = Tensor(copy).to(options.chosen_device().value_or(copy.device()), false, false, {},
                         CallSite::none());
  if (options.requires_grad_is_set()) autograd::set_requires_grad(copy, true);
  return copy;
}

}  // namespace eagre::python

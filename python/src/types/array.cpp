// Reading of buffers.
#include "types/array.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

#include "interpreter/compat.h"
#include "interpreter/errors.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// The formats of the struct module that stand for our dtypes on this machine.
std::optional<DType> dtype_of_format(const char* format) {
  std::string_view text = format == nullptr ? "B" : format;
  if (!text.empty() && (text[0] == '@' || text[0] == '=' || text[0] == '<')) text.remove_prefix(1);
  constexpr std::pair<char, DType> kFormats[] = {
      {'?', kBool},   {'B', kUInt8},   {'b', kInt8},    {'h', kInt16},  {'i', kInt32},
      {'l', kInt64},  {'q', kInt64},   {'H', kUInt16},  {'I', kUInt32}, {'L', kUInt64},
      {'Q', kUInt64}, {'e', kFloat16}, {'f', kFloat32}, {'d', kFloat64}};
  if (text == "Zf") return kComplex64;
  if (text == "Zd") return kComplex128;
  for (const auto& [letter, dtype] : kFormats) {
    if (text.size() == 1 && text[0] == letter) return dtype;
  }
  return {};
}

[[noreturn]] void refuse_dtype(const char* op, std::string got) {
  raise(ErrorKind::kType,
        ArgumentProblem{op, "ndarray",
                        "an array of booleans, integers, floating-point or complex numbers",
                        std::move(got), "convert it with array.astype(...)"});
}

// As NumPy calls it: "datetime64[s] (numpy.datetime64)". `other` where there is no dtype.
std::string dtype_name(PyObject* array, std::string other) {
  const Ref dtype(PyObject_GetAttrString(array, "dtype"));
  const Ref type(dtype ? PyObject_GetAttrString(dtype.get(), "type") : nullptr);
  const Ref text(type ? PyObject_Str(dtype.get()) : nullptr);
  PyErr_Clear();
  const char* name = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (name == nullptr || !PyType_Check(type.get())) return other;
  return concat(name, " (", reinterpret_cast<PyTypeObject*>(type.get())->tp_name, ")");
}

// NumPy has no buffer for some of its own types, dates among them.
Ref view_of(const char* op, PyObject* object) {
  Ref view(PyMemoryView_FromObject(object));
  if (view || !PyErr_ExceptionMatches(PyExc_ValueError)) {
    if (!view) throw PythonError::take();
    return view;
  }
  PyErr_Clear();
  refuse_dtype(op, concat("one of ", dtype_name(object, "another kind")));
}

// An array as its buffer describes it.
class Array {
 public:
  Array(const char* op, PyObject* object) : view_(view_of(op, object)), op_(op) {
    const std::optional<DType> dtype = dtype_of_format(buffer().format);
    if (!dtype) {
      const char* const format = buffer().format == nullptr ? "B" : buffer().format;
      EAGRE_CHECK(format[0] != '>' && format[0] != '!', kInvalidArgument, op,
                  "(): given numpy array has byte order different from the native byte order: ",
                  dtype_name(object, format),
                  ". Hint: convert it with array.astype(array.dtype.newbyteorder('='))");
      refuse_dtype(op, concat("one of ", dtype_name(object, concat("format '", format, "'"))));
    }
    dtype_ = *dtype;
    const bool plain = buffer().suboffsets == nullptr &&
                       static_cast<size_t>(buffer().itemsize) == element_size(dtype_);
    if (!plain) {
      complain(
          ErrorKind::kType, "an array whose elements lie in one piece of memory",
          concat("elements of ", buffer().itemsize, " bytes for format '", buffer().format, "'"),
          "copy it with numpy.array(...)");
    }
    if (buffer().ndim > kMaxDims) {
      complain(ErrorKind::kInvalidArgument, concat("an array of at most ", kMaxDims, " dimensions"),
               std::to_string(buffer().ndim), "");
    }
    for (int i = 0; i < buffer().ndim; ++i) sizes_.push_back(buffer().shape[i]);
  }

  const Py_buffer& buffer() const { return *PyMemoryView_GET_BUFFER(view_.get()); }
  PyObject* view() const { return view_.get(); }
  DType dtype() const { return dtype_; }
  Dims sizes() const { return sizes_; }

  // In elements. Raises for those that a tensor cannot have.
  DimVector strides() const {
    DimVector strides(sizes_.size());
    const auto size = static_cast<int64_t>(element_size(dtype_));
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const Py_ssize_t bytes = buffer().strides[i];
      if (bytes < 0) {
        complain(ErrorKind::kInvalidArgument, "an array without negative strides",
                 concat("a stride of ", bytes, " bytes in dimension ", i),
                 "array.copy() gives one that runs forward");
      }
      if (bytes % size != 0) {
        complain(ErrorKind::kInvalidArgument, "an array whose strides are whole elements",
                 concat("a stride of ", bytes, " bytes in dimension ", i),
                 "array.copy() gives a packed one");
      }
      strides[i] = bytes / size;
    }
    if (reinterpret_cast<uintptr_t>(buffer().buf) % static_cast<uintptr_t>(size) != 0) {
      complain(ErrorKind::kInvalidArgument, "an array whose elements are aligned in memory",
               "one that is not", "array.copy() gives an aligned one");
    }
    return strides;
  }

 private:
  [[noreturn]] void complain(ErrorKind kind, std::string expected, std::string got,
                             const char* hint) const {
    raise(kind, ArgumentProblem{op_, "ndarray", std::move(expected), std::move(got), hint});
  }

  Ref view_;
  const char* op_;
  DType dtype_ = kFloat32;
  DimVector sizes_;
};

TensorBase copy_of(const Array& array) {
  auto copy = TensorBase::adopt(new_tensor(array.sizes(), array.dtype(), Device()));
  if (copy.numel() == 0) return copy;
  // In row-major order, whatever the strides are.
  const auto bytes =
      static_cast<Py_ssize_t>(static_cast<size_t>(copy.numel()) * element_size(array.dtype()));
  if (PyBuffer_ToContiguous(copy.data_ptr(), &array.buffer(), bytes, 'C') != 0) {
    throw PythonError::take();
  }
  return copy;
}

}  // namespace

bool is_array_like(PyObject* object) {
  return PyObject_CheckBuffer(object) && !is_tensor(object) && !PyBytes_Check(object) &&
         !PyByteArray_Check(object);
}

bool is_bool(PyObject* object) {
  return PyBool_Check(object) || std::strncmp(Py_TYPE(object)->tp_name, "numpy.bool", 10) == 0;
}

void refuse_inplace(const char* op, PyObject* array) {
  // NumPy's numbers are no arrays: `number += tensor` gives a name to the sum.
  const PyNumberMethods* slots = Py_TYPE(array)->tp_as_number;
  const bool is_changeable = slots != nullptr && slots->nb_inplace_add != nullptr;
  if (!is_changeable || !compat::runs_inplace_operator()) return;
  throw Error(ErrorKind::kType,
              concat(op, "(): unsupported operand types of an operator like +=: ",
                     describe_type(array), " and eagre.Tensor. Hint: array += tensor.numpy()"));
}

TensorBase tensor_from_array(const char* op, PyObject* array) { return copy_of(Array(op, array)); }

TensorBase share_array(PyObject* object) {
  const Array array("from_numpy", object);
  const DimVector strides = array.strides();
  if (array.buffer().readonly != 0) {
    warn(
        "from_numpy(): The given NumPy array is not writable, and tensors can always be written: "
        "a non-writable array is not shared, but copied");
    return copy_of(array);
  }
  Held view(array.view());  // which holds the buffer, which holds the array
  // To the end of the last element, however often strides repeat or leave out some.
  const size_t bytes =
      checked_extent("from_numpy", array.sizes(), strides, element_size(array.dtype()));
  auto storage = IntrusivePtr<Storage>::adopt(new_foreign_storage(
      array.buffer().buf, bytes, Device(),
      {[](void* entry) { release_later(static_cast<HeldEntry*>(entry)); }, view.give()}));
  storage->set(Storage::kExported);
  return TensorBase::adopt(
      new_tensor_on(std::move(storage), array.sizes(), strides, array.dtype()));
}

std::optional<DType> dtype_of_array(PyObject* array) {
  const Ref view = view_of("tensor", array);
  return dtype_of_format(PyMemoryView_GET_BUFFER(view.get())->format);
}

bool number_from_array(PyObject* object, Scalar& out) {
  const Ref view = view_of("tensor", object);
  const Py_buffer& buffer = *PyMemoryView_GET_BUFFER(view.get());
  if (buffer.ndim != 0) return false;
  const std::optional<DType> dtype = dtype_of_format(buffer.format);
  if (!dtype) {  // a long double, say: whatever its __index__ or __float__ says
    const Ref number(PyIndex_Check(object) ? PyNumber_Index(object) : PyNumber_Float(object));
    if (!number) throw PythonError::take();
    if (PyFloat_Check(number.get())) {
      out = PyFloat_AS_DOUBLE(number.get());
    } else {
      const int64_t value = PyLong_AsLongLong(number.get());
      if (value == -1 && PyErr_Occurred()) throw PythonError::take();
      out = value;
    }
    return true;
  }
  out = Scalar::load(*dtype, buffer.buf);
  return true;
}

}  // namespace eagre::python

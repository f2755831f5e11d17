// Methods of Tensor that are not operators: shape, values, conversions.
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/base/call_site.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interop/numpy.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "runtime/stream.h"
#include "tensor/data.h"
#include "tensor/number.h"
#include "tensor/parts.h"
#include "tensor/to.h"
#include "types/size.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// The whole list, or the entry of one dimension: x.size(), x.size(1).
template <class All>
PyObject* dims_or_one(const Arguments& a, Dims dims, const All& all) {
  if (!a.has(1)) return all(dims);
  return PyLong_FromLongLong(dims[wrap_dim("size", "dim", a.integer(1), a.tensor(0).dim())]);
}

constexpr Parameter kDim[] = {{"self"}, {"dim", "axis", false}};
constexpr Signature kSize{"size", kDim, 2}, kStride{"stride", kDim, 2};

PyObject* size(const Arguments& a) { return dims_or_one(a, a.tensor(0).sizes(), new_size); }

PyObject* stride(const Arguments& a) {
  return dims_or_one(a, a.tensor(0).strides(), [](Dims dims) -> PyObject* {
    const Ref size(checked(new_size(dims)));
    return PySequence_Tuple(size.get());
  });
}

PyObject* dim(PyObject* self, PyObject*) { return PyLong_FromLongLong(tensor_of(self).dim()); }
PyObject* numel(PyObject* self, PyObject*) { return PyLong_FromLongLong(tensor_of(self).numel()); }
PyObject* element_size(PyObject* self, PyObject*) {
  return PyLong_FromSize_t(tensor_of(self).element_size());
}
PyObject* data_ptr(PyObject* self, PyObject*) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    if (tensor.get().key.kind == TensorKind::kBatched) dispatch::raise_batched("data_ptr");
    // Of no elements there is no first one, whatever memory the tensor is a view of.
    return PyLong_FromVoidPtr(tensor.numel() == 0 ? nullptr : tensor.data_ptr());
  });
}
constexpr Parameter kFormatParameters[] = {{"self"}, {"memory_format", nullptr, false}};
constexpr Signature kIsContiguous{"is_contiguous", kFormatParameters, 1};

PyObject* is_contiguous(const Arguments& a) {
  const TensorImpl& impl = a.tensor(0).get();
  return PyBool_FromLong(a.memory_format(1) == MemoryFormat::kChannelsLast
                             ? is_channels_last(impl.sizes(), impl.strides())
                             : impl.is_contiguous());
}
PyObject* storage_offset(PyObject* self, PyObject*) {
  return PyLong_FromLongLong(tensor_of(self).storage_offset());
}

constexpr Parameter kResizeParameters[] = {{"self"}, {"sizes"}, {"memory_format", nullptr, false}};
constexpr Signature kResize{"resize_", kResizeParameters, 2, 1};

PyObject* resize(const Arguments& a) {
  Tensor(a.tensor(0)).resize_(a.ints(1), a.memory_format(2), CallSite::language_frame());
  return Py_NewRef(a[0]);
}

PyObject* item_method(PyObject* self, PyObject*) {
  return guarded([&] { return item("item", tensor_of(self)); });
}
PyObject* tolist(PyObject* self, PyObject*) {
  return guarded([&] { return to_list(tensor_of(self)); });
}
constexpr Parameter kNumpyParameters[] = {{"self"}, {"force", nullptr, false}};
constexpr Signature kNumpy{"numpy", kNumpyParameters, 1};

// Forced, it is whatever it takes: without history, on the CPU.
PyObject* numpy(const Arguments& a) {
  if (!a.boolean(1, false)) return to_numpy(a[0]);
  const Ref plain(checked(wrap(Tensor(autograd::detach(a.tensor(0))).cpu(CallSite::none()))));
  return to_numpy(plain.get());
}

// What NumPy calls for an array of this tensor, when it needs another dtype or a copy.
constexpr Parameter kArrayParameters[] = {
    {"self"}, {"dtype", nullptr, false}, {"copy", nullptr, false}};
constexpr Signature kArray{"__array__", kArrayParameters, 3};

PyObject* array(const Arguments& a) {
  Ref array(checked(to_numpy(a[0])));
  if (a.has(1)) array = Ref(checked(PyObject_CallMethod(array.get(), "astype", "O", a[1])));
  if (a.has(2) && a[2] == Py_True) {
    array = Ref(checked(PyObject_CallMethod(array.get(), "copy", nullptr)));
  }
  return array.give();
}

// A tensor without dimensions is formatted like the number it holds.
PyObject* format(PyObject* self, PyObject* spec) {
  if (!PyUnicode_Check(spec)) {
    return PyErr_Format(PyExc_TypeError, "__format__() argument must be str, not %s",
                        Py_TYPE(spec)->tp_name);
  }
  return guarded([&]() -> PyObject* {
    if (tensor_of(self).dim() != 0 || tensor_of(self).device().is_meta()) {
      return PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyBaseObject_Type), "__format__",
                                 "OO", self, spec);
    }
    const Ref number(checked(item("__format__", tensor_of(self))));
    return PyObject_Format(number.get(), spec);
  });
}

constexpr Parameter kNewTensorParameters[] = {{"self"},
                                              {"data"},
                                              {"dtype", nullptr, false},
                                              {"device", nullptr, false},
                                              {"requires_grad", nullptr, false},
                                              {"layout", nullptr, false},
                                              {"pin_memory", nullptr, false}};
constexpr Signature kNewTensor{"new_tensor", kNewTensorParameters, 2};

// Of this tensor's dtype and device where nothing else is asked for.
PyObject* new_tensor_like_self(const Arguments& a) {
  const TensorBase& self = a.tensor(0);
  TensorOptions options = a.options(2);
  options = options.dtype(options.chosen_dtype().value_or(self.dtype()))
                .device(options.chosen_device().value_or(self.device()));
  return wrap(tensor_from_data(a[1], options));
}

constexpr Parameter kRecordStreamParameters[] = {{"self"}, {"stream"}};
constexpr Signature kRecordStream{"record_stream", kRecordStreamParameters, 2};

// Nothing to note down: memory of a device is freed when all its streams have passed.
PyObject* record_stream(const Arguments& a) {
  if (!is_stream(a[1])) a.wrong_type(1, "a Stream");
  Py_RETURN_NONE;
}

constexpr Signature kCpu{"cpu", kFormatParameters, 1};
constexpr Signature kBoolCast{"bool", kFormatParameters, 1};
constexpr Signature kByteCast{"byte", kFormatParameters, 1};
constexpr Signature kCharCast{"char", kFormatParameters, 1};
constexpr Signature kShortCast{"short", kFormatParameters, 1};
constexpr Signature kIntCast{"int", kFormatParameters, 1};
constexpr Signature kLongCast{"long", kFormatParameters, 1};
constexpr Signature kHalfCast{"half", kFormatParameters, 1};
constexpr Signature kBFloat16Cast{"bfloat16", kFormatParameters, 1};
constexpr Signature kFloatCast{"float", kFormatParameters, 1};
constexpr Signature kDoubleCast{"double", kFormatParameters, 1};
constexpr Signature kChalfCast{"chalf", kFormatParameters, 1};
constexpr Signature kCfloatCast{"cfloat", kFormatParameters, 1};
constexpr Signature kCdoubleCast{"cdouble", kFormatParameters, 1};

template <DType kTarget>
PyObject* cast(const Arguments& a) {
  return convert(a.tensor(0), kTarget, {}, a.memory_format(1, MemoryFormat::kPreserve));
}
PyObject* cpu(const Arguments& a) {
  return convert(a.tensor(0), {}, Device(), a.memory_format(1, MemoryFormat::kPreserve));
}

constexpr Parameter kTypeAsParameters[] = {{"self"}, {"other"}};
constexpr Signature kTypeAs{"type_as", kTypeAsParameters, 2};

PyObject* type_as(const Arguments& a) {
  return convert(a.tensor(0), a.tensor(1).dtype(), a.tensor(1).device());
}

PyObject* is_complex_method(PyObject* self, PyObject*) {
  return PyBool_FromLong(is_complex(tensor_of(self).dtype()));
}
PyObject* is_floating_point_method(PyObject* self, PyObject*) {
  return PyBool_FromLong(is_floating_point(tensor_of(self).dtype()));
}
PyObject* is_signed_method(PyObject* self, PyObject*) {
  return PyBool_FromLong(is_signed(tensor_of(self).dtype()));
}

}  // namespace

const PyMethodDef kTensorMethods[] = {
    with_keywords<kSize, size>("size", "size(dim=None): the shape, or the size of one dimension"),
    with_keywords<kStride, stride>("stride", "stride(dim=None): steps in memory, in elements"),
    without_arguments<dim>("dim", "dim(): the number of dimensions"),
    without_arguments<dim>("ndimension", "ndimension(): the number of dimensions"),
    without_arguments<numel>("numel", "numel(): the number of elements"),
    without_arguments<numel>("nelement", "nelement(): the number of elements"),
    without_arguments<element_size>("element_size", "element_size(): bytes of one element"),
    without_arguments<data_ptr>("data_ptr", "data_ptr(): the address of the first element"),
    with_keywords<kIsContiguous, is_contiguous>(
        "is_contiguous", "is_contiguous(memory_format=contiguous_format): dense in this order?"),
    without_arguments<storage_offset>("storage_offset", "storage_offset(): of the first element"),
    with_keywords<kResize, resize>(
        "resize_",
        "resize_(*sizes, memory_format=contiguous_format): other sizes in the same storage"),
    without_arguments<item_method>("item", "item(): the only element, as a Python number"),
    with_argument<format>("__format__", nullptr),
    without_arguments<tolist>("tolist", "tolist(): the values as nested lists"),
    with_keywords<kNumpy, numpy>("numpy", "numpy(force=False): an array that shares the memory"),
    with_keywords<kArray, array>("__array__", nullptr),
    with_keywords<kTo, to>(
        "to",
        "to(dtype), to(device), to(device, dtype), to(other), each with non_blocking=, copy= and "
        "memory_format="),
    with_keywords<kNewTensor, new_tensor_like_self>(
        "new_tensor", "new_tensor(data): as eagre.tensor, of this tensor's dtype and device"),
    with_keywords<kRecordStream, record_stream>(
        "record_stream", "record_stream(stream): the memory stays until the stream has passed"),
    with_keywords<kTypeAs, type_as>("type_as", "type_as(other): of the dtype and device of other"),
    without_arguments<is_complex_method>("is_complex", "is_complex(): of complex numbers?"),
    without_arguments<is_floating_point_method>("is_floating_point",
                                                "is_floating_point(): of floating-point numbers?"),
    without_arguments<is_signed_method>("is_signed",
                                        "is_signed(): of numbers that may be negative?"),
    with_keywords<kCpu, cpu>("cpu", "cpu(memory_format=preserve_format): in host memory"),
    with_keywords<kBoolCast, cast<kBool>>("bool",
                                          "bool(memory_format=preserve_format): as eagre.bool"),
    with_keywords<kByteCast, cast<kUInt8>>("byte",
                                           "byte(memory_format=preserve_format): as eagre.uint8"),
    with_keywords<kCharCast, cast<kInt8>>("char",
                                          "char(memory_format=preserve_format): as eagre.int8"),
    with_keywords<kShortCast, cast<kInt16>>("short",
                                            "short(memory_format=preserve_format): as eagre.int16"),
    with_keywords<kIntCast, cast<kInt32>>("int",
                                          "int(memory_format=preserve_format): as eagre.int32"),
    with_keywords<kLongCast, cast<kInt64>>("long",
                                           "long(memory_format=preserve_format): as eagre.int64"),
    with_keywords<kHalfCast, cast<kFloat16>>(
        "half", "half(memory_format=preserve_format): as eagre.float16"),
    with_keywords<kBFloat16Cast, cast<kBFloat16>>(
        "bfloat16", "bfloat16(memory_format=preserve_format): as eagre.bfloat16"),
    with_keywords<kFloatCast, cast<kFloat32>>(
        "float", "float(memory_format=preserve_format): as eagre.float32"),
    with_keywords<kDoubleCast, cast<kFloat64>>(
        "double", "double(memory_format=preserve_format): as eagre.float64"),
    with_keywords<kChalfCast, cast<kComplex32>>(
        "chalf", "chalf(memory_format=preserve_format): as eagre.complex32"),
    with_keywords<kCfloatCast, cast<kComplex64>>(
        "cfloat", "cfloat(memory_format=preserve_format): as eagre.complex64"),
    with_keywords<kCdoubleCast, cast<kComplex128>>(
        "cdouble", "cdouble(memory_format=preserve_format): as eagre.complex128"),
    {}};

}  // namespace eagre::python

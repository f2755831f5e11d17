// Tensors of one element as Python numbers, and values as lists.
#include "tensor/number.h"

#include <cstddef>
#include <cstdint>

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>

#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

PyObject* number_at(const TensorImpl& impl, int64_t place) {
  const DType dtype = impl.key.dtype;
  const void* element =
      static_cast<const char*>(impl.data()) + place * static_cast<int64_t>(element_size(dtype));
  if (dtype == kUInt64) {  // the only one whose numbers a Scalar cannot all hold
    return PyLong_FromUnsignedLongLong(*static_cast<const uint64_t*>(element));
  }
  if (dtype == kFloat32) return PyFloat_FromDouble(*static_cast<const float*>(element));
  const Scalar number = Scalar::load(dtype, element);
  switch (number.category()) {
    case DTypeCategory::kBool: return PyBool_FromLong(number.wrapped<bool>());
    case DTypeCategory::kInteger: return PyLong_FromLongLong(number.wrapped<int64_t>());
    case DTypeCategory::kFloating: break;
    case DTypeCategory::kComplex: {
      const auto value = number.wrapped<Complex<double>>();
      return PyComplex_FromDoubles(value.real, value.imag);
    }
  }
  return PyFloat_FromDouble(number.wrapped<double>());
}

// The values in host memory, without history.
class OnHost {
 public:
  OnHost(const char* op, const TensorBase& tensor) : tensor_(&tensor) {
    if (tensor.get().key.kind == TensorKind::kBatched) dispatch::raise_batched(op);
    if (tensor.device().is_cpu()) return;
    moved_ = Tensor(autograd::detach(tensor)).cpu(CallSite::none());
    tensor_ = &moved_;
  }
  const TensorImpl& get() const { return tensor_->get(); }

 private:
  TensorBase moved_;
  const TensorBase* tensor_;
};

constexpr int64_t kBetweenSignals = 1 << 16;  // elements

PyObject* list_of(const TensorImpl& impl, size_t dim, int64_t place) {
  if (dim == impl.key.rank) return number_at(impl, place);
  const int64_t size = impl.sizes()[dim];
  Ref list(checked(PyList_New(size)));
  for (int64_t i = 0; i < size; ++i) {
    if (i % kBetweenSignals == kBetweenSignals - 1 && PyErr_CheckSignals() != 0) {
      throw PythonError::take();
    }
    PyList_SET_ITEM(list.get(), i,
                    checked(list_of(impl, dim + 1, place + i * impl.strides()[dim])));
  }
  return list.give();
}

PyObject* convert(PyObject* self, const char* op, PyObject* (*conversion)(PyObject*)) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    const Ref number(checked(item(op, tensor)));
    if (tensor.requires_grad()) [[unlikely]] {
      warn_once("number of a tensor that requires grad",
                concat(op,
                       "(): Converting a tensor with requires_grad=True to a scalar may lead to "
                       "unexpected behavior. No gradient flows through the number. Hint: use "
                       "tensor.detach() first"));
    }
    if (!PyComplex_Check(number.get())) return conversion(number.get());
    EAGRE_CHECK(PyComplex_ImagAsDouble(number.get()) == 0, kType, op,
                "(): value cannot be converted to type double without overflow: it is complex, and "
                "its imaginary part is not 0");
    const Ref real(checked(PyFloat_FromDouble(PyComplex_RealAsDouble(number.get()))));
    return conversion(real.get());
  });
}
PyObject* as_float(PyObject* self) { return convert(self, "float", PyNumber_Float); }
PyObject* as_int(PyObject* self) { return convert(self, "int", PyNumber_Long); }

PyObject* positive(PyObject* self) {
  return guarded([&] {
    EAGRE_CHECK(tensor_of(self).dtype() != kBool, kType,
                "the + operator on a bool tensor is not defined");
    return Py_NewRef(self);
  });
}

PyObject* as_index(PyObject* self) {
  const TensorBase& tensor = tensor_of(self);
  if (tensor.numel() != 1 || is_differentiable(tensor.dtype())) {
    PyErr_SetString(PyExc_TypeError,
                    "only integer tensors of a single element can be converted to an index");
    return nullptr;
  }
  return convert(self, "index", PyNumber_Index);
}

int as_bool(PyObject* self) {
  return guarded_number([&] {
    EAGRE_CHECK(
        tensor_of(self).numel() == 1, kInvalidArgument, "bool(): Boolean value of Tensor with ",
        tensor_of(self).numel() == 0 ? "no values" : "more than one value",
        " is ambiguous: it has shape ", tensor_of(self).sizes(), ". Hint: use any() or all()");
    const Ref number(checked(item("bool", tensor_of(self))));
    return PyObject_IsTrue(number.get());
  });
}

}  // namespace

PyObject* item(const char* op, const TensorBase& tensor) {
  EAGRE_CHECK(tensor.numel() == 1, kInvalidArgument, op, "(): a tensor with ", tensor.numel(),
              " elements cannot be converted to a number");
  return number_at(OnHost(op, tensor).get(), 0);
}

PyObject* to_list(const TensorBase& tensor) {
  return list_of(OnHost("tolist", tensor).get(), 0, 0);
}

Py_ssize_t tensor_length(PyObject* self) {
  return guarded_number([&]() -> Py_ssize_t {
    const TensorBase& tensor = tensor_of(self);
    EAGRE_CHECK(tensor.dim() != 0, kType, "len(): a 0-dim tensor has no length");
    return tensor.sizes()[0];
  });
}

void fill_number_conversions(PyNumberMethods& slots) {
  slots.nb_float = as_float;
  slots.nb_int = as_int;
  slots.nb_index = as_index;
  slots.nb_positive = positive;
  slots.nb_bool = as_bool;
}

}  // namespace eagre::python

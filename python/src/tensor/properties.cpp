// Attributes of Tensor.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <eagre/api/tensor_handle.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/imag.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/real.h>
#include <eagre/ops/t.h>
#include <eagre/ops/transpose.h>

#include "autograd/hooks.h"
#include "autograd/node_object.h"
#include "interpreter/errors.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "lifetime/wrapper.h"
#include "tensor/class.h"
#include "tensor/parts.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/size.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

PyObject* shape(PyObject* self, void*) { return new_size(tensor_of(self).sizes()); }
PyObject* ndim(PyObject* self, void*) { return PyLong_FromLongLong(tensor_of(self).dim()); }
PyObject* dtype(PyObject* self, void*) { return Py_NewRef(dtype_object(tensor_of(self).dtype())); }
PyObject* device(PyObject* self, void*) { return new_device_object(tensor_of(self).device()); }
PyObject* version(PyObject* self, void*) {
  return guarded([&] { return PyLong_FromLong(tensor_of(self).version()); });
}
PyObject* is_leaf(PyObject* self, void*) { return PyBool_FromLong(tensor_of(self).is_leaf()); }

PyObject* requires_grad(PyObject* self, void*) {
  return PyBool_FromLong(tensor_of(self).requires_grad());
}

// A setter of a bool that hands it to `set`.
template <class Set>
int set_bool(const char* name, PyObject* value, Set set) {
  return guarded_number([&] {
    if (value == nullptr || !PyBool_Check(value)) {
      throw Error(ErrorKind::kType, concat(name, " must be a bool, but got ",
                                           value == nullptr ? "nothing" : describe_type(value)));
    }
    set(value == Py_True);
    return 0;
  });
}

int set_requires_grad(PyObject* self, PyObject* value, void*) {
  return set_bool("requires_grad", value, [&](bool wanted) {
    const TensorBase& tensor = tensor_of(self);
    EAGRE_CHECK(tensor.get().grad_node == nullptr, kInvalidArgument,
                "you can only change requires_grad flags of leaf variables, and this one is the "
                "result of an operator. Hint: use detach() for a tensor without history");
    autograd::set_requires_grad(tensor, wanted);
  });
}

PyObject* stop_gradient(PyObject* self, void*) {
  return PyBool_FromLong(!tensor_of(self).requires_grad());
}
int set_stop_gradient(PyObject* self, PyObject* value, void*) {
  return set_bool("stop_gradient", value,
                  [&](bool stop) { autograd::set_stop_gradient(tensor_of(self), stop); });
}

PyObject* persistable(PyObject* self, void*) {
  return PyBool_FromLong(tensor_of(self).get().has(TensorImpl::kPersistable));
}
int set_persistable(PyObject* self, PyObject* value, void*) {
  return set_bool("persistable", value,
                  [&](bool is_set) { TensorHandle(tensor_of(self)).set_persistable(is_set); });
}

PyObject* grad(PyObject* self, void*) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    TensorBase grad = autograd::grad_of(tensor);
    if (!grad.defined() && !tensor.is_leaf() && !autograd::retains_grad(tensor)) {
      warn(
          "the .grad of a tensor that is not a leaf is not filled by backward(). Hint: call its "
          "retain_grad() before");
    }
    return wrap(std::move(grad));
  });
}
int set_grad(PyObject* self, PyObject* value, void*) {
  return guarded_number([&] {
    const bool clears = value == nullptr || value == Py_None;
    if (!clears && !is_tensor(value)) {
      throw Error(ErrorKind::kType,
                  concat("grad must be a Tensor or None, but got ", describe_type(value)));
    }
    autograd::set_grad(tensor_of(self), clears ? TensorBase() : tensor_of(value));
    drop_released();
    return 0;
  });
}

PyObject* grad_fn(PyObject* self, void*) {
  return guarded([&] {
    // What is kept with the node may lead back to this object.
    if (tensor_of(self).get().grad_node != nullptr) give_state(self);
    return new_node_object(
        IntrusivePtr<autograd::Node>::share(autograd::history_of(tensor_of(self))));
  });
}

int set_grad_fn(PyObject* self, PyObject* value, void*) {
  return guarded_number([&] {
    EAGRE_CHECK(value != nullptr, kAutograd,
                "Deletion of _grad_fn not allowed. Detach tensor instead! Hint: detach_()");
    EAGRE_CHECK(value == Py_None, kType, "_grad_fn can be only set to None, but got ",
                describe_type(value));
    autograd::detach_in_place(tensor_of(self));
    return 0;
  });
}

constexpr const char* kGivenHooks = "_given_backward_hooks";

// The functions that register_hook() was given, by number; None without any. Those of a tensor
// without gradient are what the user set.
PyObject* backward_hooks(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const TensorBase& tensor = tensor_of(self);
    if (PyObject* given = PyObject_GetAttrString(self, kGivenHooks)) return given;
    PyErr_Clear();
    if (!tensor.requires_grad()) Py_RETURN_NONE;
    const autograd::Edge edge = autograd::gradient_edge(tensor);
    const autograd::HookTable* hooks = autograd::hooks_of(*edge.node);
    const auto list = hooks == nullptr ? nullptr : hooks->list(autograd::HookKind::kTensor);
    if (list == nullptr) Py_RETURN_NONE;
    Ref functions(checked(PyDict_New()));
    for (const auto& registered : *list) {
      auto* function = static_cast<PyObject*>(registered.hook->language_object());
      if (registered.slot != edge.slot || function == nullptr) continue;
      const Ref number(checked(PyLong_FromUnsignedLongLong(registered.id)));
      if (PyDict_SetItem(functions.get(), number.get(), function) != 0) throw PythonError::take();
    }
    return PyDict_GET_SIZE(functions.get()) == 0 ? Py_NewRef(Py_None) : functions.give();
  });
}

// A dict of functions: those in it when backward() runs are called in its order.
int set_backward_hooks(PyObject* self, PyObject* value, void*) {
  return guarded_number([&] {
    EAGRE_CHECK(value != nullptr, kAutograd,
                "Deletion of _backward_hooks not allowed! Hint: set it to None");
    EAGRE_CHECK(value == Py_None || PyDict_Check(value), kType,
                "_backward_hooks must be a dict of functions or None, but got ",
                describe_type(value));
    const TensorBase& tensor = tensor_of(self);
    if (tensor.requires_grad()) {
      give_state(self);
      remove_tensor_hooks(autograd::gradient_edge(tensor));
      if (value != Py_None) autograd::add_tensor_hook(tensor, new_dict_hook(value));
    }
    if (PyObject_SetAttrString(self, kGivenHooks, value) != 0) throw PythonError::take();
    return 0;
  });
}

PyObject* output_nr(PyObject* self, void*) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    autograd::history_of(tensor);
    return PyLong_FromLong(tensor.get().output_slot);
  });
}

PyObject* retains_grad(PyObject* self, void*) {
  return PyBool_FromLong(autograd::retains_grad(tensor_of(self)));
}

PyObject* grad_dtype(PyObject* self, void*) {
  const std::optional<DType> dtype = autograd::grad_dtype(tensor_of(self));
  return Py_NewRef(dtype ? dtype_object(*dtype) : Py_None);
}
int set_grad_dtype(PyObject* self, PyObject* value, void*) {
  return guarded_number([&] {
    DType dtype{};
    const bool is_none = value == Py_None;
    EAGRE_CHECK(is_none || (value != nullptr && to_dtype(value, dtype)), kType,
                "grad_dtype must be a dtype or None, but got ",
                value == nullptr ? "nothing" : describe_type(value));
    autograd::set_grad_dtype(tensor_of(self), is_none ? std::nullopt : std::optional<DType>(dtype));
    return 0;
  });
}

PyObject* data(PyObject* self, void*) {
  return guarded([&] { return wrap(autograd::variable_data(tensor_of(self))); });
}
int set_data(PyObject* self, PyObject* value, void*) {
  return guarded_number([&] {
    EAGRE_CHECK(value != nullptr, kAutograd,
                "deleting tensor data is not allowed. Hint: delete the tensor instead");
    EAGRE_CHECK(is_tensor(value), kType, "data must be a Tensor, but got ", describe_type(value));
    autograd::set_data(tensor_of(self), tensor_of(value));
    return 0;
  });
}

// PyTorch's mode of long ago, which still says there that it is gone.
PyObject* is_volatile(PyObject*, void*) {
  return guarded([] {
    warn("volatile was removed: it is always False");
    return Py_NewRef(Py_False);
  });
}
int set_volatile(PyObject*, PyObject*, void*) {
  return guarded_number([] {
    warn("volatile was removed and now has no effect. Hint: use `with eagre.no_grad():`");
    return 0;
  });
}

PyObject* base(PyObject* self, void*) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    if (!tensor.is_view()) Py_RETURN_NONE;
    return wrap(TensorBase::share(tensor.get().view_info().base));
  });
}

PyObject* transposed(PyObject* self, void*) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    if (tensor.dim() <= 2) return wrap(ops::t(tensor, CallSite::language_frame()));
    warn_once("T",
              "x.T of a tensor of more than 2 dimensions reverses all of them, which is "
              "deprecated. Hint: x.mT transposes matrices, x.permute(...) says the order");
    DimVector reversed;
    for (int64_t d = tensor.dim(); d-- > 0;) reversed.push_back(d);
    return wrap(ops::permute(tensor, reversed, CallSite::language_frame()));
  });
}

// The last two dimensions swapped, of all that are matrices.
TensorBase swapped(const char* name, const TensorBase& matrices, CallSite at) {
  EAGRE_CHECK(matrices.dim() >= 2, kInvalidArgument, name,
              " is for matrices and batches of them, but this tensor has ", matrices.dim(),
              " dimensions");
  return ops::transpose(matrices, -2, -1, at);
}

PyObject* matrix_transposed(PyObject* self, void*) {
  return guarded([&] { return wrap(swapped("mT", tensor_of(self), CallSite::language_frame())); });
}
PyObject* matrix_adjoint(PyObject* self, void*) {
  return guarded([&] {
    const CallSite at = CallSite::language_frame();
    return wrap(ops::conj(swapped("mH", tensor_of(self), at), at));
  });
}
PyObject* adjoint(PyObject* self, void*) {
  return guarded([&] {
    const TensorBase& tensor = tensor_of(self);
    EAGRE_CHECK(tensor.dim() == 2 || tensor.dim() == 0, kInvalidArgument,
                "H is for matrices, but this tensor has ", tensor.dim(),
                " dimensions. Hint: mH is for batches of matrices");
    const CallSite at = CallSite::language_frame();
    return wrap(ops::conj(tensor.dim() == 0 ? tensor : swapped("H", tensor, at), at));
  });
}

PyObject* real_part(PyObject* self, void*) {
  return guarded([&] { return wrap(ops::real(tensor_of(self), CallSite::language_frame())); });
}
PyObject* imaginary_part(PyObject* self, void*) {
  return guarded([&] { return wrap(ops::imag(tensor_of(self), CallSite::language_frame())); });
}

// A setter that copies into the part.
int set_part(PyObject* self, PyObject* value, void* part) {
  return guarded_number([&] {
    EAGRE_CHECK(value != nullptr, kType, "parts of a tensor cannot be deleted");
    const Ref view(checked(PyObject_GetAttrString(self, static_cast<const char*>(part))));
    const Ref done(checked(PyObject_CallMethod(view.get(), "copy_", "O", value)));
    return 0;
  });
}

PyObject* itemsize(PyObject* self, void*) {
  return PyLong_FromSize_t(tensor_of(self).element_size());
}
PyObject* nbytes(PyObject* self, void*) {
  const TensorBase& tensor = tensor_of(self);
  return PyLong_FromSize_t(static_cast<size_t>(tensor.numel()) * tensor.element_size());
}

char real_name[] = "real";
char imag_name[] = "imag";

}  // namespace

PyGetSetDef tensor_properties[] = {
    {"shape", shape, nullptr, "the sizes of the dimensions", nullptr},
    {"ndim", ndim, nullptr, "the number of dimensions", nullptr},
    {"dtype", dtype, nullptr, "the type of the elements", nullptr},
    {"device", device, nullptr, "where the memory is", nullptr},
    {"requires_grad", requires_grad, set_requires_grad, "do operators record gradients?", nullptr},
    {"stop_gradient", stop_gradient, set_stop_gradient,
     "the opposite of requires_grad; True makes any tensor one without history, for good", nullptr},
    {"persistable", persistable, set_persistable, "a mark for the user's bookkeeping", nullptr},
    {"grad", grad, set_grad, "the gradient that backward() has added up, or None", nullptr},
    {"_grad", grad, set_grad, "grad", nullptr},
    {"grad_dtype", grad_dtype, set_grad_dtype, "the dtype of .grad; None for any", nullptr},
    {"retains_grad", retains_grad, nullptr, "was retain_grad() called?", nullptr},
    {"data", data, set_data, "the same memory, where autograd does not see writes", nullptr},
    {"grad_fn", grad_fn, nullptr, "the node that made this tensor; None for a leaf", nullptr},
    {"_grad_fn", grad_fn, set_grad_fn, "grad_fn; None makes the tensor a leaf", nullptr},
    {"_backward_hooks", backward_hooks, set_backward_hooks, "functions given to register_hook()",
     nullptr},
    {"is_leaf", is_leaf, nullptr, "True unless it is a recorded result", nullptr},
    {"_base", base, nullptr, "the tensor this one is a view of, or None", nullptr},
    {"output_nr", output_nr, nullptr, "which output of grad_fn this is", nullptr},
    {"_version", version, nullptr, "how often the memory was written in place", nullptr},
    {"inplace_version", version, nullptr, "how often the memory was written in place", nullptr},
    {"volatile", is_volatile, set_volatile, "removed: always False", nullptr},
    {"T", transposed, nullptr, "the matrix with rows and columns swapped", nullptr},
    {"mT", matrix_transposed, nullptr, "the last two dimensions swapped", nullptr},
    {"H", adjoint, nullptr, "the matrix with rows and columns swapped, conjugated", nullptr},
    {"mH", matrix_adjoint, nullptr, "the last two dimensions swapped, conjugated", nullptr},
    {"real", real_part, set_part, "the real parts, on the same memory", real_name},
    {"imag", imaginary_part, set_part, "the imaginary parts, on the same memory", imag_name},
    {"itemsize", itemsize, nullptr, "bytes of one element", nullptr},
    {"nbytes", nbytes, nullptr, "bytes of all elements", nullptr},
    {"__class__", class_of_tensor, set_class_of_tensor, "its class", nullptr},
    {"__dict__", tensor_attributes, set_tensor_attributes, "attributes of users", nullptr},
    {}};

}  // namespace eagre::python

// Methods of Tensor about gradients.
#include <atomic>
#include <vector>

#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/base/call_site.h>

#include "autograd/edge_arguments.h"
#include "autograd/hooks.h"
#include "autograd/saved_hooks.h"
#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/site.h"
#include "lifetime/hidden_tensors.h"
#include "lifetime/wrapper.h"
#include "tensor/parts.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

PyObject* register_hook(PyObject* self, PyObject* function) {
  return guarded([&] {
    give_state(self);
    if (tensor_of(self).get().grad_node != nullptr) show_tensors_behind(function);
    return new_hook_handle(autograd::add_tensor_hook(tensor_of(self), new_tensor_hook(function)));
  });
}

PyObject* register_accumulated_hook(PyObject* self, PyObject* function) {
  return guarded([&] {
    check_hook("register_post_accumulate_grad_hook", function);
    give_state(self);
    return new_hook_handle(
        autograd::add_accumulated_hook(tensor_of(self), new_accumulated_hook(function, true)));
  });
}

PyObject* register_reduce_hook(PyObject* self, PyObject* function) {
  return guarded([&] {
    check_hook("_register_backward_hook", function);
    give_state(self);
    return new_hook_handle(
        autograd::add_accumulated_hook(tensor_of(self), new_accumulated_hook(function, false)));
  });
}

PyObject* retain_grad(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    autograd::retain_grad(tensor_of(self));
    Py_RETURN_NONE;
  });
}

constexpr Parameter kBackwardParameters[] = {{"self"},
                                             {"gradient", nullptr, false},
                                             {"retain_graph", nullptr, false},
                                             {"create_graph", nullptr, false},
                                             {"inputs", nullptr, false}};
constexpr Signature kBackward{"backward", kBackwardParameters, 5};

PyObject* backward(const Arguments& a) {
  const autograd::GradOptions options = graph_options(a, 2);
  autograd::Edge root = autograd::gradient_edge(a.tensor(0));
  const TensorBase gradient = a.has(1) ? a.tensor(1) : TensorBase();
  const std::vector<autograd::Edge> inputs = backward_inputs(a, 4);
  const CallSite at = current_site();
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    autograd::backward_impl({&root, 1}, {&gradient, 1}, inputs, options, at);
  }
  Py_RETURN_NONE;
}

constexpr Parameter kRequiresGradParameters[] = {{"self"}, {"requires_grad", nullptr, false}};
constexpr Signature kRequiresGrad{"requires_grad_", kRequiresGradParameters, 2};

PyObject* requires_grad(const Arguments& a) {
  autograd::set_requires_grad(a.tensor(0), a.boolean(1, true));
  return Py_NewRef(a[0]);
}

PyObject* detach(PyObject* self, PyObject*) {
  return guarded([&] { return wrap(autograd::detach(tensor_of(self))); });
}

PyObject* is_inference(PyObject* self, PyObject*) {
  return guarded([&] { return PyBool_FromLong(tensor_of(self).is_inference()); });
}

PyObject* detach_in_place(PyObject* self, PyObject*) {
  return guarded([&] {
    autograd::detach_in_place(tensor_of(self));
    return Py_NewRef(self);
  });
}

PyObject* reset_inplace_version(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    autograd::reset_inplace_version(tensor_of(self));
    Py_RETURN_NONE;
  });
}

PyObject* use_count(PyObject* self, PyObject*) {
  return guarded([&] {
    return PyLong_FromUnsignedLong(tensor_of(self).get().refs.load(std::memory_order_relaxed));
  });
}

PyObject* is_view(PyObject* self, PyObject*) {
  return guarded([&] { return PyBool_FromLong(tensor_of(self).is_view()); });
}

}  // namespace

const PyMethodDef kAutogradMethods[] = {
    with_keywords<kBackward, backward>(
        "backward",
        "backward(gradient=None, retain_graph=None, create_graph=False, inputs=None)\n\n"
        "Adds the gradients of this tensor to .grad of the leaves it was made from, or of `inputs` "
        "only."),
    with_keywords<kRequiresGrad, requires_grad>(
        "requires_grad_", "requires_grad_(requires_grad=True): sets it and returns the tensor"),
    without_arguments<detach>("detach", "detach(): the same values without history"),
    without_arguments<is_inference>("is_inference",
                                    "is_inference(): was it made in inference mode?"),
    without_arguments<detach_in_place>("detach_", "detach_(): makes this very tensor a leaf"),
    without_arguments<retain_grad>(
        "retain_grad",
        "retain_grad(): backward() fills .grad of this tensor though it is not a leaf"),
    without_arguments<reset_inplace_version>(
        "_reset_inplace_version",
        "_reset_inplace_version(): forgets how often the memory was written in place"),
    without_arguments<use_count>("_use_count", "_use_count(): how many handles hold the tensor"),
    without_arguments<is_view>("_is_view", "_is_view(): does it share the history of a base?"),
    with_argument<register_hook>(
        "register_hook",
        "register_hook(hook): hook(gradient) may return another gradient. Returns a handle with "
        "remove()."),
    with_argument<register_accumulated_hook>(
        "register_post_accumulate_grad_hook",
        "register_post_accumulate_grad_hook(hook): hook(leaf) when .grad has grown"),
    with_argument<register_reduce_hook>(
        "_register_backward_hook",
        "_register_backward_hook(hook): hook() when .grad of this leaf has grown"),
    {}};

}  // namespace eagre::python

// Methods of Tensor about gradients.
#include <eagre/api/autograd.h>
#include <eagre/autograd/accumulate.h>

#include "gil.h"
#include "method.h"
#include "node_object.h"
#include "site.h"
#include "tensor_type.h"

namespace eagre::python {
namespace {

// A Python function as a hook: called in whatever thread runs the node, with or without the GIL.
class PythonHook {
 public:
  explicit PythonHook(PyObject* function) : function_(function) {}

  Tensor operator()(const Tensor& gradient) {
    GilHeld gil;
    // The engine goes on with the site of its node; this frame is gone when the lock is.
    struct KeepSite {
      CallSite site = thread_state.site;
      ~KeepSite() { thread_state.site = site; }
    } keep;
    const Ref argument(checked(wrap(gradient)));
    const Ref result(
        checked(AsleepAtExit().returned(PyObject_CallOneArg(function_.get(), argument.get()))));
    if (result.get() == Py_None) return {};
    if (is_tensor(result.get())) return tensor_of(result.get());
    throw Error(ErrorKind::kType, concat("a hook must return a Tensor or None, but got ",
                                         describe_type(result.get())));
  }

 private:
  Held function_;
};

PyObject* register_hook(PyObject* self, PyObject* function) {
  return guarded([&] {
    if (!PyCallable_Check(function)) {
      raise(ErrorKind::kType, ArgumentProblem{"register_hook", "hook", "a function of the gradient",
                                              describe_type(function)});
    }
    return new_hook_handle(Tensor(tensor_of(self)).register_hook(PythonHook(function)));
  });
}

constexpr Parameter kBackwardParameters[] = {{"self"},
                                             {"gradient", nullptr, false},
                                             {"retain_graph", nullptr, false},
                                             {"create_graph", nullptr, false}};
constexpr Signature kBackward{"backward", kBackwardParameters, 4};

PyObject* backward(const Arguments& a) {
  const bool create_graph = a.boolean(3, false);
  const bool retain_graph = a.has(2) ? a.boolean(2, false) : create_graph;
  const TensorBase& root = a.tensor(0);
  const TensorBase gradient = a.has(1) ? a.tensor(1) : TensorBase();
  const CallSite at = current_site();
  {
    GilReleased released;
    autograd::backward_impl({&root, 1}, {&gradient, 1},
                            {retain_graph || create_graph, create_graph}, at);
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

PyObject* is_view(PyObject* self, PyObject*) {
  return guarded([&] { return PyBool_FromLong(tensor_of(self).is_view()); });
}

}  // namespace

const PyMethodDef kAutogradMethods[] = {
    with_keywords<kBackward, backward>(
        "backward",
        "backward(gradient=None, retain_graph=None, create_graph=False)\n\n"
        "Adds the gradients of this tensor to .grad of the leaves it was made from."),
    with_keywords<kRequiresGrad, requires_grad>(
        "requires_grad_", "requires_grad_(requires_grad=True): sets it and returns the tensor"),
    {"detach", detach, METH_NOARGS, "detach(): the same values without history"},
    {"is_inference", is_inference, METH_NOARGS, "is_inference(): was it made in inference mode?"},
    {"_is_view", is_view, METH_NOARGS, "_is_view(): does it share the history of a base?"},
    {"register_hook", register_hook, METH_O,
     "register_hook(hook): hook(gradient) may return another gradient. Returns a handle with "
     "remove()."},
    {}};

}  // namespace eagre::python

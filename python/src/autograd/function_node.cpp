// Calling backward of a user's Function, and who holds whom.
#include "autograd/function_node.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/autograd/function/custom_function.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/site_table.h>
#include <eagre/base/spin_lock.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>

#include "autograd/function_class.h"
#include "autograd/objects.h"
#include "interpreter/callback.h"
#include "interpreter/compat.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {

FunctionNode::FunctionNode(Shape shape, uint32_t site, PyObject* context)
    : CustomNode(std::move(shape), site), name_(Py_TYPE(context)->tp_name), context_(context) {}

IntrusivePtr<FunctionNode> FunctionNode::make(Shape shape, uint32_t site, PyObject* context) {
  auto node = IntrusivePtr<FunctionNode>::adopt(new FunctionNode(std::move(shape), site, context));
  context_of(context).base.node = IntrusivePtr<Node>::share(node.get());
  return node;
}

FunctionNode::~FunctionNode() {
  if (held_ == nullptr) return;
  {
    const SpinLock lock(context_of(context_).lock);
    context_of(context_).loose = nullptr;
  }
  python::release_later(held_);
}

void FunctionNode::take_context(PyObject* reference) {
  PyContext& context = context_of(reference);
  held_ = new HeldEntry{reference, nullptr};
  {
    const SpinLock lock(context.lock);
    context.loose = this;
  }
  // Perhaps the last hold on the node.
  const IntrusivePtr<Node> dropped = std::exchange(context.base.node, nullptr);
}

PyObject* FunctionNode::give_context() {
  if (held_ == nullptr) return Py_XNewRef(context_);
  PyContext& context = context_of(context_);
  context.base.node = IntrusivePtr<Node>::share(this);
  {
    const SpinLock lock(context.lock);
    context.loose = nullptr;
  }
  compat::may_finalize_again(context_);
  delete std::exchange(held_, nullptr);
  return context_;
}

namespace {

// backward, or vjp, its second name.
Ref backward_of(PyObject* function) {
  Ref backward = function_method(function, FunctionMethod::kBackward);
  Ref vjp = function_method(function, FunctionMethod::kVjp);
  if (!is_own_method(vjp.get(), FunctionMethod::kVjp)) return backward;
  EAGRE_CHECK(!is_own_method(backward.get(), FunctionMethod::kBackward), kAutograd,
              function_name(function),
              ": Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You "
              "should only implement one of them.");
  return vjp;
}

TensorBase gradient_from(PyObject* object, std::string_view name) {
  if (object == Py_None) return {};
  EAGRE_CHECK(is_tensor(object), kType, name, ": expected Variable or None (got ",
              Py_TYPE(object)->tp_name, "). Hint: backward returns a Tensor or None for every ",
              "argument of forward");
  return tensor_of(object);
}

TensorVector gradients_from(PyObject* result, std::string_view name) {
  if (!PyTuple_Check(result)) return {gradient_from(result, name)};
  TensorVector gradients;
  gradients.reserve(static_cast<size_t>(PyTuple_GET_SIZE(result)));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(result); ++i) {
    gradients.push_back(gradient_from(PyTuple_GET_ITEM(result, i), name));
  }
  return gradients;
}

// In its scope backward of this context runs; perhaps in several threads.
class Running {
 public:
  explicit Running(PyContext& context) : context_(context) { ++context_.backward_calls; }
  ~Running() { --context_.backward_calls; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  PyContext& context_;
};

Ref call_backward(PyObject* function, PyObject* context, TensorVector gradients) {
  const Ref backward = backward_of(function);
  if (function_flag(function, FunctionFlag::kBoxedGrads)) {
    Ref list(checked(PyList_New(static_cast<Py_ssize_t>(gradients.size()))));
    for (size_t i = 0; i < gradients.size(); ++i) {
      PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i),
                      checked(wrap(std::move(gradients[i]))));
    }
    // The list is backward's alone, so that what it takes out ends there.
    PyObject* args[] = {nullptr, context, list.get()};
    return call_back(backward.get(), args + 1, 2);
  }
  std::vector<Ref> owned;
  std::vector<PyObject*> args = {nullptr, context};
  for (TensorBase& gradient : gradients) {
    owned.emplace_back(checked(wrap(std::move(gradient))));
    args.push_back(owned.back().get());
  }
  return call_back(backward.get(), args.data() + 1, args.size() - 1);
}

}  // namespace

TensorVector FunctionNode::run_backward(TensorVector gradients) {
  const GilHeld gil;
  EAGRE_CHECK(context_ != nullptr, kAutograd, name_,
              ": its context was collected as garbage before the graph was done");
  const Ref context = Ref::share(context_);
  PyContext& fields = context_of(context.get());
  const Running running(fields);
  const Ref result = [&] {
    try {
      return call_backward(fields.function, context.get(), std::move(gradients));
    } catch (const PythonError& error) {
      error.add_note(
          concat("  in the backward of ", name_, ", recorded at ", describe_site(site())));
      throw;
    }
  }();
  // Somebody kept the context: held by us and by `context`, it has two references.
  if (held_ != nullptr && Py_REFCNT(context.get()) > 2) Py_DECREF(give_context());
  return gradients_from(result.get(), name_);
}

bool FunctionNode::is_once_differentiable() const {
  const GilHeld gil;
  if (context_ == nullptr) return false;
  const Ref backward = backward_of(context_of(context_).function);
  const Ref mark(PyObject_GetAttrString(backward.get(), "_is_once_differentiable"));
  if (!mark) PyErr_Clear();
  return mark && mark.get() == Py_True;
}

IntrusivePtr<autograd::Node> node_of_context(PyObject* object) {
  PyContext& context = context_of(object);
  if (context.base.node) return context.base.node;
  const SpinLock lock(context.lock);
  if (context.loose == nullptr) return nullptr;
  EAGRE_CHECK(context.backward_calls > 0, kAutograd, Py_TYPE(object)->tp_name,
              ": a context that was reached by a weak reference does not lead to its graph. Hint: "
              "ask a result of apply() for its grad_fn");
  return IntrusivePtr<autograd::Node>::share(context.loose);
}

PyObject* context_of_node(autograd::Node& node) {
  auto* function_node = dynamic_cast<FunctionNode*>(&node);
  return function_node == nullptr ? nullptr : function_node->give_context();
}

PyObject* context_held_by(const autograd::Node& node) {
  const auto* function_node = dynamic_cast<const FunctionNode*>(&node);
  return function_node != nullptr && function_node->holds_context() ? function_node->context()
                                                                    : nullptr;
}

}  // namespace eagre::python

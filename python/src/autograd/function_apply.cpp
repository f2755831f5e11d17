// One call of a user's Function: forward, what it said about its results, and the node. Read
// FunctionCall::run() first.
#include "autograd/function_apply.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/forward_ad.h>
#include <eagre/autograd/function/custom_function.h>
#include <eagre/autograd/function/custom_transforms.h>
#include <eagre/autograd/function/custom_vmap.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/warn.h>
#include <eagre/core/tensor_list.h>

#include "autograd/function_class.h"
#include "autograd/function_node.h"
#include "autograd/function_values.h"
#include "autograd/objects.h"
#include "call/arguments.h"
#include "interpreter/callback.h"
#include "interpreter/errors.h"
#include "interpreter/site.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

using autograd::BatchRule;
using autograd::CustomMarks;
using autograd::CustomNode;

uint16_t checked_count(size_t count) {
  EAGRE_CHECK(count <= UINT16_MAX, kInvalidArgument, "a Function can have at most ", UINT16_MAX,
              " arguments and results, but got ", count);
  return static_cast<uint16_t>(count);
}

class FunctionCall final : public autograd::CustomCall {
 public:
  FunctionCall(PyObject* function, PyObject* forward, PyObject* setup, const GivenArguments& given)
      : function_(function), forward_(forward), setup_(setup), given_(given), at_(current_site()) {
    look_at_arguments();
  }

  PyObject* run() {
    if (autograd::transforms_active() && autograd::carry_transforms(inputs_)) [[unlikely]]
      return run_transformed();
    context_ = new_context(needs_of_arguments());
    const Ref result = run_forward();
    TensorVector outputs = tensors_of(result.get());
    const CustomMarks marks = take_marks();
    IntrusivePtr<CustomNode> node;
    if (any_needs_ && GradMode::is_enabled()) {
      node = node_for(context_.get(), inputs_, outputs.size());
    }
    finish_custom(node, Py_TYPE(context_.get())->tp_name, inputs_, outputs, marks, at_);
    hand_over_context();
    return with_tensors(result.get(), std::move(outputs));
  }

  // --- CustomCall ---
  const std::string& name() const override { return name_; }
  bool has_jvp() const override { return has_own_method(function_, FunctionMethod::kJvp); }

  IntrusivePtr<CustomNode> make_node(const TensorVector& inputs, size_t outputs) override {
    const bool is_needed =
        GradMode::is_enabled() && std::any_of(inputs.begin(), inputs.end(), [](const auto& input) {
          return input.defined() && input.requires_grad();
        });
    if (!is_needed) return {};
    if (is_innermost(inputs)) return node_for(context_.get(), inputs, outputs);
    Ref own = copied_context();  // of a layer outside of a vmap
    auto node = node_for(own.get(), inputs, outputs);
    node->take_context(own.give());
    return node;
  }

  TensorVector jvp(const TensorVector& saved, TensorVector tangents) override {
    std::vector<Ref> owned;
    std::vector<PyObject*> args = {nullptr, context_.get()};
    for (size_t i = 0, t = 0; i < is_tensor_.size(); ++i) {
      owned.emplace_back(is_tensor_[i] ? checked(wrap(std::move(tangents[t++])))
                                       : Py_NewRef(Py_None));
      args.push_back(owned.back().get());
    }
    PyContext& context = context_of(context_.get());
    struct Scope {
      const TensorVector*& field;
      ~Scope() { field = nullptr; }
    } scope{context.for_jvp = &saved};
    const Ref jvp = function_method(function_, FunctionMethod::kJvp);
    return tensors_of(call_back(jvp.get(), args.data() + 1, args.size() - 1).get());
  }

 private:
  // The layers outside of a vmap see other tensors.
  bool is_innermost(const TensorVector& inputs) const {
    return std::equal(inputs.begin(), inputs.end(), inputs_.begin(), inputs_.end(),
                      [](const auto& a, const auto& b) { return a.is_same(b); });
  }

  void look_at_arguments() {
    is_tensor_.resize(given_.size());
    for (size_t i = 0; i < given_.size(); ++i) {
      if (!is_tensor(given_[i])) continue;
      is_tensor_[i] = true;
      inputs_.push_back(tensor_of(given_[i]));
      any_needs_ = any_needs_ || inputs_.back().requires_grad();
    }
  }

  // A tuple with a bool per argument; `needs` says it of the tensors.
  template <class Needs>
  Ref needs_tuple(const Needs& needs) const {
    Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(given_.size()))));
    for (size_t i = 0, t = 0; i < given_.size(); ++i) {
      const bool is_needed = is_tensor_[i] && needs(t++);
      PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), PyBool_FromLong(is_needed));
    }
    return tuple;
  }
  Ref needs_of_arguments() const {
    return needs_tuple([&](size_t t) { return inputs_[t].requires_grad(); });
  }

  Ref new_context(Ref needs) const {
    static PyObject* const name = PyUnicode_InternFromString("_backward_cls");
    const Ref type(checked(PyObject_GetAttr(function_, name)));
    EAGRE_CHECK(PyType_Check(type.get()) &&
                    PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type.get()), &context_type),
                kType, name_, ": _backward_cls must be a class of contexts");
    auto* context_class = reinterpret_cast<PyTypeObject*>(type.get());
    Ref context(checked(context_class->tp_alloc(context_class, 0)));
    context_of(context.get()).function = Py_NewRef(function_);
    context_of(context.get()).needs_input_grad = needs.give();
    return context;
  }

  Ref copied_context() const {
    Ref copy = new_context(Ref::share(context_of(context_.get()).needs_input_grad));
    const Ref attributes(checked(PyObject_GetAttrString(context_.get(), "__dict__")));
    const Ref own(checked(PyObject_GetAttrString(copy.get(), "__dict__")));
    if (PyDict_Update(own.get(), attributes.get()) != 0) throw PythonError::take();
    return copy;
  }

  // From now on the node holds it, unless somebody in Python does.
  void hand_over_context() {
    auto* node = static_cast<FunctionNode*>(context_of(context_.get()).base.node.get());
    if (node != nullptr && Py_REFCNT(context_.get()) == 1) node->take_context(context_.give());
  }

  // --- forward ---

  Ref run_forward() {
    const NoGradGuard no_grad;
    if (given_.by_name() != nullptr) [[unlikely]]
      return run_forward_with_names();
    std::vector<PyObject*> args;
    args.reserve(given_.size() + 2);
    args.push_back(nullptr);
    if (setup_ == nullptr) args.push_back(context_.get());
    for (size_t i = 0; i < given_.size(); ++i) args.push_back(given_[i]);
    Ref result = call_back(forward_, args.data() + 1, args.size() - 1);
    if (setup_ != nullptr) run_setup(result.get());
    return result;
  }

  Ref run_forward_with_names() {
    Ref args = given_.tuple();
    if (setup_ == nullptr) {
      const Ref first(checked(PyTuple_Pack(1, context_.get())));
      args = Ref(checked(PySequence_Concat(first.get(), args.get())));
    }
    Ref result(checked(PyObject_Call(forward_, args.get(), given_.by_name())));
    if (setup_ != nullptr) run_setup(result.get());
    return result;
  }

  void run_setup(PyObject* result) {
    const Ref inputs = given_.tuple();
    PyObject* args[] = {nullptr, context_.get(), inputs.get(), result};
    call_back(setup_, args + 1, 3);
  }

  // --- after forward ---

  CustomMarks take_marks() {
    PyContext& context = context_of(context_.get());
    CustomMarks marks;
    marks.to_save = tensors_in(context.to_save);
    marks.to_save_forward = tensors_in(context.to_save_forward);
    marks.dirty = tensors_in(context.dirty);
    marks.non_differentiable = tensors_in(context.non_differentiable);
    marks.materialize = !context.drops_gradients;
    marks.materialize_non_differentiable = !context.drops_non_differentiable;
    marks.is_pure_view = context.is_pure_view;
    Py_CLEAR(context.to_save);
    Py_CLEAR(context.to_save_forward);
    Py_CLEAR(context.dirty);
    Py_CLEAR(context.non_differentiable);
    for (const TensorBase& dirty : marks.dirty) {
      const bool is_input = std::any_of(inputs_.begin(), inputs_.end(),
                                        [&](const auto& input) { return input.is_same(dirty); });
      if (is_input || dirty.get().has(TensorImpl::kIsView)) continue;
      warn(
          "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, "
          "there is no need to pass it to mark_dirty().");
    }
    return marks;
  }

  IntrusivePtr<FunctionNode> node_for(PyObject* context, const TensorVector& inputs,
                                      size_t outputs) {
    auto node = FunctionNode::make(
        {checked_count(inputs.size()), checked_count(outputs), is_tensor_}, at_.intern(), context);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].defined()) node->connect(i, inputs[i]);
    }
    return node;
  }

  // --- forward mode and vmap ---

  BatchRule batch_rule() const {
    const bool is_generated = function_flag(function_, FunctionFlag::kGenerateVmapRule);
    if (!has_own_method(function_, FunctionMethod::kVmap)) {
      return is_generated ? BatchRule::kGenerated : BatchRule::kNone;
    }
    EAGRE_CHECK(!is_generated, kAutograd, "You tried to vmap over ", name_,
                ", but it has both generate_vmap_rule=True and an overridden vmap staticmethod. "
                "Please set generate_vmap_rule=False or delete the overridden vmap staticmethod to "
                "avoid ambiguity.");
    EAGRE_CHECK(setup_ != nullptr, kAutograd, name_,
                ": a Function with a vmap staticmethod must override the setup_context "
                "staticmethod too");
    return BatchRule::kOwn;
  }

  PyObject* run_transformed() {
    name_ = function_name(function_);
    const BatchRule rule = batch_rule();
    check_transforms(*this, inputs_, rule);
    context_ = new_context(needs_in_layers());
    const Ref result = [&] {
      const autograd::forward_ad::ForwardMode off(false);  // tangents come from jvp
      if (rule == BatchRule::kOwn) {
        if (autograd::Level* const level = autograd::batch_level_of(inputs_)) {
          Ref mapped = run_vmap(*level);
          const NoGradGuard no_grad;
          run_setup(mapped.get());
          return mapped;
        }
      }
      return run_forward();
    }();
    TensorVector outputs = tensors_of(result.get());
    finish_transformed(*this, inputs_, outputs, take_marks(), rule, at_);
    hand_over_context();
    return with_tensors(result.get(), std::move(outputs));
  }

  // A gradient may be needed in any layer.
  Ref needs_in_layers() const {
    std::vector<bool> needs;
    autograd::note_transformed_needs(inputs_, needs);
    return needs_tuple([&](size_t t) { return needs[t]; });
  }

  // The user's rule on the batches.
  Ref run_vmap(autograd::Level& level) {
    const autograd::forward_ad::ForwardMode on(true);
    const autograd::CustomBatch batch(level, inputs_);
    const char* randomness = batch.randomness() == autograd::Randomness::kError  ? "error"
                             : batch.randomness() == autograd::Randomness::kSame ? "same"
                                                                                 : "different";
    const Ref info(checked(PyObject_CallFunction(
        function_support().vmap_info, "Ls", static_cast<long long>(batch.size()), randomness)));
    const Ref dims(checked(PyTuple_New(static_cast<Py_ssize_t>(given_.size()))));
    std::vector<Ref> owned;
    std::vector<PyObject*> args = {nullptr, info.get(), dims.get()};
    for (size_t i = 0, t = 0; i < given_.size(); ++i) {
      const autograd::BatchDim dim = is_tensor_[i] ? batch.dims()[t] : std::nullopt;
      PyTuple_SET_ITEM(dims.get(), static_cast<Py_ssize_t>(i),
                       dim ? checked(PyLong_FromLongLong(*dim)) : Py_NewRef(Py_None));
      owned.emplace_back(is_tensor_[i] ? checked(wrap(batch.inputs()[t++])) : Py_NewRef(given_[i]));
      args.push_back(owned.back().get());
    }
    const Ref vmap = function_method(function_, FunctionMethod::kVmap);
    const Ref pair = call_back(vmap.get(), args.data() + 1, args.size() - 1);
    EAGRE_CHECK(PyTuple_Check(pair.get()) && PyTuple_GET_SIZE(pair.get()) == 2, kAutograd, name_,
                ": the vmap staticmethod must return a pair (output, out_dims), but got ",
                describe_type(pair.get()));
    PyObject* output = PyTuple_GET_ITEM(pair.get(), 0);
    TensorVector outputs = tensors_of(output);
    const autograd::BatchDims out_dims = dims_from(PyTuple_GET_ITEM(pair.get(), 1), outputs);
    return Ref(checked(with_tensors(output, batch.samples(name_, std::move(outputs), out_dims))));
  }

  // One per output; a single one counts for all.
  autograd::BatchDims dims_from(PyObject* given, const TensorVector& outputs) const {
    const auto one = [&](PyObject* object) -> autograd::BatchDim {
      if (object == Py_None) return std::nullopt;
      int64_t dim = 0;
      EAGRE_CHECK(to_integer(object, dim), kType, name_,
                  ": the vmap staticmethod must return out_dims of ints and None, but got ",
                  describe_type(object));
      return dim;
    };
    autograd::BatchDims dims;
    if (!PyTuple_Check(given)) {
      for (const TensorBase& output : outputs) {
        dims.push_back(output.defined() ? one(given) : std::nullopt);
      }
      return dims;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given); ++i) {
      dims.push_back(one(PyTuple_GET_ITEM(given, i)));
    }
    return dims;
  }

  PyObject* function_;  // the user's class
  PyObject* forward_;
  PyObject* setup_;  // null if forward takes the context
  const GivenArguments& given_;
  CallSite at_;
  TensorVector inputs_;  // the tensors among the arguments
  std::vector<bool> is_tensor_;
  bool any_needs_ = false;
  Ref context_;
  std::string name_;
};

}  // namespace

PyObject* apply_function(PyObject* function, PyObject* const* args, Py_ssize_t count,
                         PyObject* names) {
  return guarded([&] {
    const Ref forward = function_method(function, FunctionMethod::kForward);
    const Ref setup = function_method(function, FunctionMethod::kSetupContext);
    const bool takes_context = !is_own_method(setup.get(), FunctionMethod::kSetupContext);
    const GivenArguments given(forward.get(), takes_context, args, count, names);
    return FunctionCall(function, forward.get(), takes_context ? nullptr : setup.get(), given)
        .run();
  });
}

}  // namespace eagre::python

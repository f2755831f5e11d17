// The rules for what a custom function may return, and its node.
#include <eagre/autograd/function/custom_function.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <eagre/autograd/function/custom_vmap.h>
#include <eagre/autograd/tape/copy_slices.h>  // IWYU pragma: keep
#include <eagre/autograd/tape/detach.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/span.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/sum_to_size.h>

namespace eagre::autograd {
namespace {

bool contains(Span<const TensorBase> tensors, const TensorBase& wanted) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const TensorBase& tensor) { return tensor.is_same(wanted); });
}

// Stands behind the gradients of a function that can be differentiated only once.
class OnceNode final : public Node {
 public:
  OnceNode(std::string function, uint32_t site) : Node(1, site), function_(std::move(function)) {}
  std::string name() const override { return "OnceDifferentiable"; }
  void apply(BackwardCall&) override {
    raise(ErrorKind::kAutograd,
          concat("trying to differentiate twice a function that was marked with "
                 "@once_differentiable: ",
                 function_, ". Hint: its backward must be made of differentiable operators"));
  }

 private:
  std::string function_;
};

// For a while, `current` is something else.
template <class T>
class Current {
 public:
  Current(const T*& current, const T& value)
      : current_(current), outer_(std::exchange(current, &value)) {}
  ~Current() { current_ = outer_; }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const T*& current_;
  const T* outer_;
};
thread_local const BackwardCall* current_call = nullptr;
thread_local const ReopenedLayers* current_layers = nullptr;

// One call of finish_custom().
class Finish {
 public:
  Finish(const IntrusivePtr<CustomNode>& node, const char* name, Span<const TensorBase> inputs,
         TensorVector& outputs, const CustomMarks& marks, CallSite at, bool counts_writes)
      : node_(node),
        name_(name),
        inputs_(inputs),
        outputs_(outputs),
        marks_(marks),
        at_(at),
        counts_writes_(counts_writes) {}

  void run() {
    for (const TensorBase& dirty : marks_.dirty) {
      EAGRE_CHECK(contains(outputs_, dirty), kAutograd, name_,
                  ": Some elements marked as dirty during the forward method were not returned as "
                  "output. The inputs that are modified inplace must all be outputs of the "
                  "Function.");
    }
    const TensorVector made = outputs_;  // as forward returned them
    for (size_t slot = 0; slot < made.size(); ++slot) {
      const auto first = std::find_if(made.begin(), made.begin() + static_cast<ptrdiff_t>(slot),
                                      [&](const TensorBase& t) { return t.is_same(made[slot]); });
      if (!made[slot].defined()) continue;
      if (node_) node_->describe_output(static_cast<uint16_t>(slot), made[slot].get());
      if (first != made.begin() + static_cast<ptrdiff_t>(slot)) {  // returned twice
        outputs_[slot] = outputs_[static_cast<size_t>(first - made.begin())];
        continue;
      }
      finish(static_cast<uint16_t>(slot));
    }
  }

 private:
  void finish(uint16_t slot) {
    TensorBase& output = outputs_[slot];
    const bool is_input = contains(inputs_, output);
    const bool is_differentiable = node_ && !contains(marks_.non_differentiable, output) &&
                                   eagre::is_differentiable(output.dtype());
    if (contains(marks_.dirty, output)) return finish_written(slot, is_input, is_differentiable);
    // An input that comes back is another tensor, or its own history would be lost.
    if (is_input) {
      output = TensorBase::adopt(
          new_view(output.get(), output.sizes(), output.strides(), output.get().offset));
    }
    TensorImpl& impl = output.get();
    if (!is_differentiable) {
      // Under no_grad() a view that forward made is what the same operator gives there.
      const bool is_plain_view = !node_ && !is_input && impl.has(TensorImpl::kIsView);
      if (output.requires_grad() && !is_plain_view) output = detach(output);
      return;
    }
    node_->set_output(slot, impl);
    if (impl.has(TensorImpl::kIsView)) {
      if (marks_.is_pure_view) {
        impl.view_info().origin = ViewOrigin::kPlain;
        impl.view_info().stamp.store(output.version(), std::memory_order_release);
        return;
      }
      impl.view_info().origin = ViewOrigin::kCustom;
      impl.view_info().stamp.store(output.version(), std::memory_order_release);
    }
  }

  void finish_written(uint16_t slot, bool is_input, bool is_differentiable) {
    TensorBase& output = outputs_[slot];
    TensorImpl& impl = output.get();
    if (counts_writes_) note_write(output, name_, at_);
    if (!node_) return;
    EAGRE_CHECK(is_input || !impl.has(TensorImpl::kIsView), kAutograd, name_,
                ": mark_dirty() received a tensor that was not an input. This one is a view of an "
                "intermediate result. Hint: only inputs that forward wrote are dirty");
    if (!is_differentiable) {
      // The result has no gradient; the input goes on with the history that it had.
      if (output.requires_grad()) output = detach(output);
      return;
    }
    check_inplace(name_, output);
    const bool is_view = impl.has(TensorImpl::kIsView);
    EAGRE_CHECK(
        !is_view || outputs_.size() == 1, kAutograd, name_,
        ": If your Function modifies a view in place and returns it, it must return nothing "
        "else, because the history of its base changes with it");
    if (is_view) return rebase_history(IntrusivePtr<Node>::share(node_.get()), impl);
    follow_history(impl, node_.get(), slot);
    node_->set_output(slot, impl);
  }

  const IntrusivePtr<CustomNode>& node_;
  const char* name_;
  Span<const TensorBase> inputs_;
  TensorVector& outputs_;
  const CustomMarks& marks_;
  CallSite at_;
  bool counts_writes_;
};

}  // namespace

void finish_custom(const IntrusivePtr<CustomNode>& node, const char* name,
                   Span<const TensorBase> inputs, TensorVector& outputs, const CustomMarks& marks,
                   CallSite at, bool counts_writes) {
  const TensorVector made = outputs;
  Finish(node, name, inputs, outputs, marks, at, counts_writes).run();
  if (!node) return;
  node->materialize_ = marks.materialize;
  for (size_t slot = 0; slot < outputs.size(); ++slot) {
    const bool is_missing =
        !outputs[slot].defined() ||
        (!marks.materialize_non_differentiable && contains(marks.non_differentiable, made[slot]));
    if (is_missing) node->no_gradients_.push_back(static_cast<uint16_t>(slot));
  }
  node->save(marks.to_save);
}

// Also a view that forward has written: its base has the history, and that runs this node.
bool CustomNode::is_result(const TensorBase& tensor) const {
  if (history_of(tensor) == this) return true;
  const TensorImpl& impl = tensor.get();
  const NodeExtras* more = extras();
  return more != nullptr && more->inside != nullptr && impl.has(TensorImpl::kIsView) &&
         impl.view_info().base->grad_node == static_cast<const Node*>(more->inside);
}

void CustomNode::save(const TensorVector& tensors) {
  saved_count_ = tensors.size();
  if (saved_count_ == 0) return;
  saved_ = std::make_unique<SavedTensor[]>(saved_count_);
  for (size_t i = 0; i < saved_count_; ++i) {
    if (!tensors[i].defined()) continue;
    if (is_result(tensors[i])) {
      saved_[i].save_output(tensors[i]);
    } else {
      saved_[i].save_input(tensors[i]);
    }
  }
}

TensorVector CustomNode::saved_tensors() {
  TensorVector tensors;
  tensors.reserve(saved_count_);
  for (size_t i = 0; i < saved_count_; ++i) {
    tensors.push_back(saved_[i].look(*this, "a saved tensor"));
  }
  if (layers_.empty() || current_layers == nullptr) return tensors;
  return current_layers->samples(std::move(tensors), &BatchLayer::saved);
}

void CustomNode::give_up_saved() {
  const BackwardCall last(nullptr, nullptr, 0, false);
  for (size_t i = 0; i < saved_count_; ++i) saved_[i].skip(last);
}

bool CustomNode::wants_input(size_t input) {
  return current_call == nullptr || current_call->wants(input);
}

TensorVector CustomNode::gradients_of(const BackwardCall& call) const {
  TensorVector gradients(slot_count());
  for (size_t slot = 0; slot < gradients.size(); ++slot) {
    const bool is_missing = !call.grad(slot).defined();
    if (is_missing && materialize_ &&
        std::find(no_gradients_.begin(), no_gradients_.end(), slot) == no_gradients_.end()) {
      gradients[slot] = gradient_or_zeros(*this, call, slot);
    } else {
      gradients[slot] = std::move(call.grad(slot));
    }
  }
  return gradients;
}

void CustomNode::check_results(TensorVector& results) const {
  const size_t expected = argument_is_tensor_.size();
  while (results.size() > expected && !results.back().defined()) results.pop_back();
  EAGRE_CHECK(results.size() == expected, kAutograd, "function ", name(),
              " returned an incorrect number of gradients (expected ", expected, ", got ",
              results.size(), ")");
  for (size_t i = 0; i < expected; ++i) {
    EAGRE_CHECK(argument_is_tensor_[i] || !results[i].defined(), kAutograd, "function ", name(),
                " returned a gradient different from None at position ", i,
                ", but the corresponding forward input was not a tensor");
  }
}

// What the engine does with every gradient: one of a broadcast argument is summed. Here, since in
// the batch the dimensions of the samples do not line up.
void CustomNode::make_fit(TensorVector& gradients) const {
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Dims wanted = sample_sizes_[i];
    if (!gradients[i].defined() || gradients[i].sizes() == wanted) continue;
    EAGRE_CHECK(is_expandable_to(wanted, gradients[i].sizes()), kAutograd, name(),
                " returned for its input ", i, " an invalid gradient: got shape ",
                gradients[i].sizes(), ", but expected a shape compatible with ", wanted);
    gradients[i] = ops::sum_to_size(gradients[i], wanted, CallSite::of_id(site()));
  }
}

// One for every argument of forward; those that are no tensors have none.
TensorVector CustomNode::results_for(TensorVector gradients) {
  if (layers_.empty()) {
    TensorVector results = run_backward(std::move(gradients));
    check_results(results);
    return results;
  }
  const ReopenedLayers layers(layers_, CallSite::of_id(site()));
  const Current current(current_layers, layers);
  TensorVector results = run_backward(layers.gradient_samples(std::move(gradients)));
  check_results(results);
  TensorVector of_tensors;
  for (size_t i = 0; i < results.size(); ++i) {
    if (argument_is_tensor_[i]) of_tensors.push_back(results[i]);
  }
  make_fit(of_tensors);
  of_tensors = layers.gradient_batches(std::move(of_tensors));
  for (size_t i = 0, t = 0; i < results.size(); ++i) {
    if (argument_is_tensor_[i]) results[i] = of_tensors[t++];
  }
  return results;
}

void CustomNode::apply(BackwardCall& call) {
  const Current current(current_call, call);
  TensorVector gradients = gradients_of(call);
  const bool is_once = GradMode::is_enabled() && is_once_differentiable();
  const bool was_recorded =
      is_once && std::any_of(gradients.begin(), gradients.end(), [](const TensorBase& gradient) {
        return gradient.defined() && gradient.requires_grad();
      });
  TensorVector results;
  if (is_once) {
    const NoGradGuard no_grad;
    results = results_for(std::move(gradients));
  } else {
    results = results_for(std::move(gradients));
  }
  for (size_t i = 0; i < saved_count_; ++i) saved_[i].skip(call);
  size_t input = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!argument_is_tensor_[i]) continue;
    if (was_recorded && results[i].defined()) {
      results[i] = detach(results[i]);
      const auto once = IntrusivePtr<Node>::adopt(new OnceNode(std::string(name()), site()));
      once->set_output(0, results[i].get());
    }
    call.set(input++, std::move(results[i]));
  }
}

void CustomNode::visit_saved(SavedVisitor& visitor) {
  for (size_t i = 0; i < saved_count_; ++i) visitor.see("saved_tensors", saved_[i]);
}

}  // namespace eagre::autograd

// What generated operators need to record themselves.
#pragma once

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_dims.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/saved_tensors.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/autograd/tape/write_watch.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {

// --- does an argument need a gradient? (Undefined: it was left out.) ---

inline bool needs_grad(const TensorBase& tensor) {
  return tensor.defined() && tensor.requires_grad();
}
inline bool needs_grad(const Operand& operand) {
  return operand.is_tensor() && needs_grad(operand.tensor());
}
inline bool needs_grad(const OptionalOperand& operand) { return operand && needs_grad(*operand); }
EAGRE_API bool needs_grad(eagre::TensorList tensors);

inline bool is_same(const TensorBase& a, const TensorBase& b) { return a.is_same(b); }
inline bool is_same(const Operand& a, const TensorBase& b) {
  return a.is_tensor() && a.tensor().is_same(b);
}

template <class... Inputs>
EAGRE_INLINE bool should_record(const Inputs&... inputs) {
  return GradMode::is_enabled() && (needs_grad(inputs) || ...);
}
inline bool should_record() { return false; }
// A view of an inference tensor is one too, so nobody will ask for its history.
inline bool should_record_view(const TensorBase& input) {
  return should_record(input) && !input.impl()->has(TensorImpl::kInference);
}

// Will somebody differentiate, or batch, what is computed of these? Then it must be written with
// operators that know how.
template <class... Inputs>
bool is_traced(const Inputs&... inputs) {
  return should_record(inputs...) || are_transformed(inputs...);
}

// --- from arguments to edges, from a node to its outputs ---

inline void connect(Node& node, size_t input, const TensorBase& tensor) {
  if (tensor.defined()) node.connect(input, tensor);
}
inline void connect(Node& node, size_t input, const Operand& operand) {
  if (operand.is_tensor()) node.connect(input, operand.tensor());
}
EAGRE_API void connect(Node& node, size_t first, eagre::TensorList tensors);

// A number of inputs or outputs as nodes count them; too many are an error.
EAGRE_API uint16_t count(size_t number);

EAGRE_API void set_history_of_all(Node& node, const TensorVector& outputs);

// --- what was saved ---

// For a gradient that is wanted; else it is only let go.
template <class Saved, class... Owner>
EAGRE_INLINE auto read_if(bool wanted, Saved& saved, Node& node, const BackwardCall& call,
                          const char* argument, Owner&... owner)
    -> decltype(saved.read(node, call, argument, owner...)) {
  if (wanted) return saved.read(node, call, argument, owner...);
  saved.skip(call);
  if constexpr (sizeof...(Owner) != 0) {
    return 0;
  } else {
    return {};
  }
}
template <class... Saved>
EAGRE_INLINE void skip(const BackwardCall& call, Saved&... saved) {
  (saved.skip(call), ...);
}

// --- gradients of nodes with several outputs ---

// Are the gradients of all inputs wanted that have a history?
EAGRE_API bool wants_all(Node& node, const BackwardCall& call);
EAGRE_API bool any_gradient(const Node& node, const BackwardCall& call);
EAGRE_API TensorBase gradient_or_zeros(const Node& node, const BackwardCall& call, size_t slot);
EAGRE_API TensorVector gradients_or_zeros(const Node& node, const BackwardCall& call);
// Results for a list argument.
EAGRE_API void set_list(const BackwardCall& call, size_t first, const TensorVector& gradients);

// --- writing ---

// Before one that has no gradient: what it overwrites must not need one.
EAGRE_API void check_overwritten(const char* op, const TensorBase& self);
// Before an out= form, which cannot be recorded or transformed.
EAGRE_API EAGRE_COLD void check_out(const char* op, bool recording, bool transformed);
template <class... Tensors>
void check_out(const char* op, const Tensors&... tensors) {
  check_out(op, should_record(tensors...), are_transformed(tensors...));
}

// What to read instead of an argument that may be `self`, which is about to be overwritten.
inline const TensorBase& instead(const TensorBase& argument, const TensorBase& self,
                                 const TensorBase& original) {
  return argument.is_same(self) ? original : argument;  // NOLINT: both outlive the operator
}
inline Operand instead(const Operand& argument, const TensorBase& self,
                       const TensorBase& original) {
  return is_same(argument, self) ? Operand(original) : argument;
}

// After any in-place operator.
inline void note_write(const TensorBase& self, const char* op, CallSite at) {
  self.get().version->bump(op, at.intern());
}

// An out= form: `run` writes to `out`. `written_name` is how a message about the write calls it.
template <class Run, class... Inputs>
void run_out(const char* op, const char* written_name, const TensorBase& out, CallSite at,
             const Run& run, const Inputs&... inputs) {
  thread_state.site = at;
  check_out(op, inputs..., out);
  before_write(out);
  run();
  note_write(out, written_name, at);
  thread_state.site = CallSite::none();
}

// The in-place form of an operator made of others: self = result, with its history.
EAGRE_API void assign_result(const char* op, const TensorBase& self, const TensorBase& result,
                             CallSite at);

}  // namespace eagre::autograd

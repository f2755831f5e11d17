// Recording of operators with lists and several outputs, and of writes.
#include <eagre/autograd/tape/recording.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <eagre/autograd/tape/input_metadata.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/full.h>

namespace eagre::autograd {

bool needs_grad(TensorList tensors) {
  for (const TensorBase& tensor : tensors) {
    if (needs_grad(tensor)) return true;
  }
  return false;
}

void connect(Node& node, size_t first, TensorList tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) connect(node, first + i, tensors[i]);
}

uint16_t count(size_t number) {
  EAGRE_CHECK(number <= UINT16_MAX, kInvalidArgument, "an operator that is recorded has at most ",
              UINT16_MAX, " tensors in a list, but got ", number,
              ". Hint: work on parts of the list, or under no_grad()");
  return static_cast<uint16_t>(number);
}

void set_history_of_all(Node& node, const TensorVector& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    node.set_output(static_cast<uint16_t>(i), outputs[i].get());
  }
}

bool wants_all(Node& node, const BackwardCall& call) {
  for (size_t i = 0; i < node.edge_count(); ++i) {
    if (node.has_edge(i) && !call.wants(i)) return false;
  }
  return true;
}

bool any_gradient(const Node& node, const BackwardCall& call) {
  for (size_t i = 0; i < node.slot_count(); ++i) {
    if (call.grad(i).defined()) return true;
  }
  return false;
}

TensorBase gradient_or_zeros(const Node& node, const BackwardCall& call, size_t slot) {
  if (call.grad(slot).defined()) return call.grad(slot);
  const InputMetadata& meta = node.input_metadata(slot);
  const auto options = TensorOptions(meta.dtype()).device(meta.device());
  return ops::full(meta.sizes(), 0, options, CallSite::of_id(node.site()));
}

TensorVector gradients_or_zeros(const Node& node, const BackwardCall& call) {
  TensorVector gradients;
  for (size_t i = 0; i < node.slot_count(); ++i) {
    gradients.push_back(gradient_or_zeros(node, call, i));
  }
  return gradients;
}

void set_list(const BackwardCall& call, size_t first, const TensorVector& gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (call.wants(first + i)) call.set(first + i, gradients[i]);
  }
}

void check_overwritten(const char* op, const TensorBase& self) {
  EAGRE_CHECK(!should_record(self), kAutograd, op,
              "(): its result has no gradient, so it cannot overwrite a tensor that requires grad. "
              "Hint: do it under no_grad(), or detach() the tensor first");
}

void check_out(const char* op, bool recording, bool transformed) {
  EAGRE_CHECK(!recording, kAutograd, op,
              "(): functions with out=... arguments don't support automatic differentiation, but "
              "one of the arguments requires grad. Hint: call it under no_grad(), or without out=");
  EAGRE_CHECK(!transformed, kUnimplemented, op,
              "(): Trying to use forward AD or vmap() with a function that does not support it "
              "because it is an out= function: one of the arguments has a tangent or a batch. "
              "Hint: call it without out=");
}

void assign_result(const char* op, const TensorBase& self, const TensorBase& result, CallSite at) {
  EAGRE_CHECK(result.sizes() == self.sizes(), kInvalidArgument, op, "(): the result has shape ",
              result.sizes(), ", but the tensor it is written to has shape ", self.sizes());
  EAGRE_CHECK(can_cast(category(result.dtype()), self.dtype()), kInvalidArgument, op,
              "(): the result is ", result.dtype(), ", which cannot be stored in the ",
              self.dtype(), " tensor it is written to");
  ops::copy_(self, result, false, at);
  self.get().version->last_op.store(op, std::memory_order_relaxed);
}

}  // namespace eagre::autograd

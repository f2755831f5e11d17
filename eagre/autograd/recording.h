// What generated operators need to record themselves.
#pragma once

#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/node.h>
#include <eagre/autograd/saved_dims.h>
#include <eagre/autograd/saved_tensor.h>
#include <eagre/core/operand.h>

namespace eagre::autograd {

inline bool needs_grad(const TensorBase& tensor) { return tensor.requires_grad(); }
inline bool needs_grad(const Operand& operand) {
  return operand.is_tensor() && operand.tensor().requires_grad();
}

inline bool is_same(const TensorBase& a, const TensorBase& b) { return a.is_same(b); }
inline bool is_same(const Operand& a, const TensorBase& b) {
  return a.is_tensor() && a.tensor().is_same(b);
}

template <class... Inputs>
EAGRE_INLINE bool should_record(const Inputs&... inputs) {
  return GradMode::is_enabled() && (needs_grad(inputs) || ...);
}

inline void connect(Node& node, size_t input, const TensorBase& tensor) {
  node.connect(input, tensor);
}
inline void connect(Node& node, size_t input, const Operand& operand) {
  if (operand.is_tensor()) node.connect(input, operand.tensor());
}

// Before a recorded in-place operator: may this tensor get a new history?
EAGRE_API void check_inplace(const char* op, const TensorBase& self);

// After any in-place operator.
inline void note_write(const TensorBase& self, const char* op, CallSite at) {
  self.get().version->bump(op, at.intern());
}

}  // namespace eagre::autograd

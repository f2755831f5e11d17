// Forward mode: tensors that carry a tangent, from which every operator computes that of its
// result. One pass gives the value of a function and its derivative in one direction.
//
//   autograd::forward_ad::DualLevel level;
//   Tensor y = f(make_dual(x, v));
//   auto [value, derivative] = unpack_dual(y);
#pragma once

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/level.h>

namespace eagre::autograd::forward_ad {

// Tangents live as long as the level they were made in; its end takes them from all tensors. Levels
// nest: what is inside sees the tangents of those outside as a part of the values.
class DualLevel {
 public:
  DualLevel() : scope_(IntrusivePtr<Level>::adopt(new Level(Level::Kind::kDual))) {}
  Level& level() const { return scope_.level(); }

 private:
  LevelScope scope_;
};

// A tensor with the values of `primal` (of which it is a view) and a tangent of the same shape.
EAGRE_API Tensor make_dual(const Tensor& primal, const Tensor& tangent,
                           CallSite at = std::source_location::current());

struct Unpacked {
  Tensor primal;   // without the tangent
  Tensor tangent;  // undefined if the tensor has none
};
EAGRE_API Unpacked unpack_dual(const Tensor& tensor);

// The same for a level that is not the innermost.
EAGRE_API Tensor make_dual(const Tensor& primal, const Tensor& tangent, Level& level,
                           CallSite at = std::source_location::current());
EAGRE_API Unpacked unpack_dual(const Tensor& tensor, Level& level);

// For a while, operators compute no tangents (or do again).
class EAGRE_API ForwardMode {
 public:
  explicit ForwardMode(bool enabled);
  ~ForwardMode() { thread_state.modes.tangents_off = was_off_; }
  ForwardMode(const ForwardMode&) = delete;
  ForwardMode& operator=(const ForwardMode&) = delete;
  static bool is_enabled() { return !thread_state.modes.tangents_off; }

 private:
  bool was_off_;
};

}  // namespace eagre::autograd::forward_ad

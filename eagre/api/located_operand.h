// The right-hand side of an operator like +, with the line it stands on: operators cannot have
// default arguments, but the conversion of their operand can.
#pragma once

#include <concepts>

#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>

namespace eagre {

class LocatedOperand : public Operand {
 public:
  LocatedOperand(const Tensor& tensor, CallSite at = std::source_location::current())  // NOLINT
      : Operand(tensor), site_(at) {}
  LocatedOperand(const Scalar& scalar, CallSite at = std::source_location::current())  // NOLINT
      : Operand(scalar), site_(at) {}
  template <Number T>
  LocatedOperand(T number, CallSite at = std::source_location::current())  // NOLINT
      : Operand(number), site_(at) {}

  CallSite site() const { return site_; }

 private:
  CallSite site_;
};

// The same for what must be a tensor: the operand of -x, and of 2 * x.
class LocatedTensor {
 public:
  LocatedTensor(const Tensor& tensor, CallSite at = std::source_location::current())  // NOLINT
      : tensor_(tensor), site_(at) {}

  const Tensor& tensor() const { return tensor_; }
  CallSite site() const { return site_; }

 private:
  const Tensor& tensor_;
  CallSite site_;
};

template <class T>
concept NumberOrScalar = Number<T> || std::same_as<T, Scalar>;

}  // namespace eagre

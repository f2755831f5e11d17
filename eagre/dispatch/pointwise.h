// Dispatch of pointwise operators: all of them share this one path; a record gives the rules.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

// The dtype a pointwise kernel runs in.
enum class ComputeRule : uint8_t {
  kPromote,       // what the operands promote to
  kPromoteFloat,  // the same, but integers become the default floating type
  kArgument,      // given by the call (cast)
};

struct PointwiseOp {
  static constexpr size_t kMaxAttributes = 4;

  OpEntry entry;
  ComputeRule compute;
  bool native;  // kernels exist for every dtype itself, not only for those the CPU computes in
  uint8_t attributes;          // numbers that every element's computation takes
  const char* input_names[3];  // for messages
  const char* attribute_names[kMaxAttributes];
};

// Results have the shape the operands broadcast to.
TensorBase unary(PointwiseOp& op, const TensorBase& input, const Scalar* attributes = nullptr,
                 std::optional<DType> compute = {});
TensorBase binary(PointwiseOp& op, const TensorBase& input, const Operand& other,
                  const Scalar* attributes = nullptr);

// The same, written into `self`, whose dtype and shape do not change. Nothing is written if the
// call is refused.
void unary_inplace(PointwiseOp& op, const TensorBase& self, const Scalar* attributes = nullptr);
void binary_inplace(PointwiseOp& op, const TensorBase& self, const Operand& other,
                    const Scalar* attributes = nullptr);

// Does the work of binary() inside `input` if that is a temporary nobody else can see and the
// result fits into it. False: nothing was done.
bool binary_reusing(PointwiseOp& op, const TensorBase& input, const Operand& other,
                    const Scalar* attributes = nullptr);

}  // namespace eagre::dispatch

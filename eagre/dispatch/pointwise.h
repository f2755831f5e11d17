// Dispatch of pointwise operators: all of them share this one path; a record gives the rules.
#pragma once

#include <optional>

#include <eagre/core/operand.h>
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

// The dtype a pointwise kernel runs in.
enum class ComputeRule : uint8_t {
  kPromote,        // what the operands promote to
  kPromoteNumber,  // the same, but bool becomes int64
  kPromoteFloat,   // the same, but integers become the default floating type
  kFirst,          // that of the first operand, which the others become
  kArgument,       // given by the call (cast)
};

// The dtype of the result.
enum class ResultRule : uint8_t {
  kCompute,
  kBool,
  kReal,  // the compute dtype, but the real type of a complex one
};

struct PointwiseOp {
  static constexpr size_t kMaxInputs = 3;
  static constexpr size_t kMaxAttributes = 4;

  OpEntry entry;
  ComputeRule compute;
  ResultRule result;
  uint8_t attributes = 0;  // numbers that every element's computation takes
  uint8_t masks = 0;       // bits of the inputs that are bool and do not take part in promotion
  // As PyTorch: operands are rounded to the common dtype before a kernel computes in a wider one
  // (halves, small integers), but numbers that are multiplied keep what they are.
  bool wide_numbers = false;
  bool whole_numbers = false;                // integers take the whole part of a fraction
  const char* input_names[kMaxInputs] = {};  // for messages
  const char* attribute_names[kMaxAttributes] = {};
};

// Results have the shape the operands broadcast to. These have fast paths for plain operands; the
// name says what the result is.
TensorBase unary(PointwiseOp& op, const TensorBase& input, const Scalar* attributes = nullptr,
                 std::optional<DType> compute = {});
TensorBase unary_bool(PointwiseOp& op, const TensorBase& input, const Scalar* attributes = nullptr);
TensorBase unary_real(PointwiseOp& op, const TensorBase& input, const Scalar* attributes = nullptr);
TensorBase binary(PointwiseOp& op, const TensorBase& input, const Operand& other,
                  const Scalar* attributes = nullptr);
TensorBase binary_bool(PointwiseOp& op, const TensorBase& input, const Operand& other,
                       const Scalar* attributes = nullptr);

// The same, written into `self`, whose dtype and shape do not change. Nothing is written if the
// call is refused.
void unary_inplace(PointwiseOp& op, const TensorBase& self, const Scalar* attributes = nullptr);
void binary_inplace(PointwiseOp& op, const TensorBase& self, const Operand& other,
                    const Scalar* attributes = nullptr);

// Any number of operands; into `target` if there is one.
TensorBase pointwise(PointwiseOp& op, Span<const Operand> operands, const Scalar* attributes,
                     std::optional<DType> compute, const TensorBase* target);
// Into `out`, which gets the shape of the result.
void pointwise_out(PointwiseOp& op, Span<const Operand> operands, const Scalar* attributes,
                   std::optional<DType> compute, const TensorBase& out);

// Does the work of binary() inside `input` if that is a temporary nobody else can see and the
// result fits into it. False: nothing was done.
bool binary_reusing(PointwiseOp& op, const TensorBase& input, const Operand& other,
                    const Scalar* attributes = nullptr);

}  // namespace eagre::dispatch

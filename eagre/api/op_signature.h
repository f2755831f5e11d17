// Signatures of custom operators, as text:
//
//   (Tensor input, Tensor? weight=None, *, float scale=1.0, int[] sizes=[1, 2]) -> Tensor
//   (Tensor[] tensors, str mode='sum') -> (Tensor values, Tensor indices)
//
// Types are Tensor, Tensor[], int, float, bool, str, Scalar, int[] and dtype; with a question mark
// the argument may be None. What stands after the star is given by name, in languages that have
// names for arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <eagre/api/op_value.h>

namespace eagre {

enum class ArgumentType : uint8_t {
  kTensor,
  kTensors,
  kInt,
  kFloat,
  kBool,
  kText,
  kScalar,
  kInts,
  kDType,
};
// As signatures spell it.
EAGRE_API std::string_view to_string(ArgumentType type);

struct OpParameter {
  std::string name;
  ArgumentType type = ArgumentType::kTensor;
  bool may_be_none = false;
  bool by_name_only = false;
  bool has_default = false;
  OpValue missing = {};  // its default

  bool is_tensor() const { return type == ArgumentType::kTensor || type == ArgumentType::kTensors; }
};

struct OpSignature {
  static constexpr size_t kMaxParameters = 16;

  std::string text;
  std::vector<OpParameter> parameters;
  // A single result is called "result", several without names "result0", "result1", …
  std::vector<std::string> results;
  bool has_result_names = false;

  // The position of a parameter or result with this name.
  EAGRE_API std::optional<size_t> find_parameter(std::string_view name) const;
  EAGRE_API std::optional<size_t> find_result(std::string_view name) const;
};

// Raises an error that shows where the text cannot be read.
EAGRE_API OpSignature parse_signature(std::string_view text);

// The value as the parameter keeps it (a number as float where that is asked for), or nothing if
// it does not fit.
EAGRE_API std::optional<OpValue> fitted(const OpParameter& parameter, const OpValue& value);

// "a Tensor", "an int or None": for messages.
EAGRE_API std::string describe_wanted(const OpParameter& parameter);

}  // namespace eagre

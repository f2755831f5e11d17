// The parameters of a function that Python calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/base/span.h>

namespace eagre::python {

// What may be given for a parameter. It chooses between overloads; conversion checks more.
enum class ParameterKind : uint8_t {
  kAny,
  kTensor,
  kTensorOrNumber,
  kTensors,
  kOperand,
  kNumber,
  kInteger,
  kBool,
  kFalse,
  kIntegers,
  kIntegerOrIntegers,
  kText,
  kDType,
};

struct Parameter {
  const char* name;
  const char* aliases = nullptr;  // other names, as NumPy or Paddle call it: "x x1"
  bool required = true;
  ParameterKind kind = ParameterKind::kAny;
  bool may_be_none = false;
};

// How many arguments a call must have; more than any has if one of them must be named.
constexpr size_t count_required(Span<const Parameter> parameters, size_t positional) {
  size_t count = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].required) continue;
    if (i >= positional) return SIZE_MAX;
    count = i + 1;
  }
  return count;
}

struct Signature {
  const char* op;
  Span<const Parameter> parameters;
  size_t positional;  // so many may be given without a name
  int variadic = -1;  // the parameter whose numbers or tensors may be given one by one
  size_t least = count_required(parameters, positional);
  const char* exposed = op;  // the name that Python finds it under
  // Orders that old programs give more arguments in by position: "input value tensor1 tensor2",
  // one after the other with a '|' between.
  const char* deprecated = nullptr;
  // Without `dim`, the second parameter, a rule of old programs chooses one.
  bool implicit_dim = false;
};

}  // namespace eagre::python

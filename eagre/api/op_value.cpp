// Values of custom operators in words, and what needs no template of them.
#include <eagre/api/op_value.h>

#include <cstdio>

#include <eagre/base/error.h>

namespace eagre {

std::string describe(const OpValue& value) {
  switch (value.kind()) {
    case ValueKind::kNone: return "nothing (or an undefined tensor)";
    case ValueKind::kTensor: return "a Tensor";
    case ValueKind::kTensors: return "a list of Tensors";
    case ValueKind::kNumber: {
      const Scalar& number = *value.get<Scalar>();
      if (number.category() == DTypeCategory::kBool) return number.to<bool>() ? "true" : "false";
      if (number.category() != DTypeCategory::kFloating) return "the number " + text_of(number);
      char text[32];
      std::snprintf(text, sizeof text, "the number %g", number.to<double>());
      return text;
    }
    case ValueKind::kText: return concat("the text '", *value.get<std::string>(), "'");
    case ValueKind::kInts: return "a list of integers";
    case ValueKind::kDType: return concat("the dtype ", *value.get<DType>());
  }
  return "an unknown value";
}

OpResults::operator Tensor() const {
  EAGRE_CHECK(tensors_.size() == 1, kInvalidArgument, "the operator has ", tensors_.size(),
              " results, but one tensor was asked for. Hint: results[0] is the first");
  return tensors_[0];
}

}  // namespace eagre

// Values of custom operators in words, and what needs no template of them.
#include <eagre/api/op_value.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <eagre/api/tensor.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

OpValue::OpValue(const TensorBase& tensor) {
  if (tensor.defined()) value_.emplace<Tensor>(tensor);
}

OpValue::OpValue(const char* text) {
  if (text != nullptr) value_.emplace<std::string>(text);
}

std::optional<size_t> undefined_in(const std::vector<Tensor>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined()) return i;
  }
  return {};
}

std::string describe(const OpValue& value) {
  switch (value.kind()) {
    case ValueKind::kNone: return "nothing (or an undefined tensor)";
    case ValueKind::kTensor: return "a Tensor";
    case ValueKind::kTensors: {
      const auto hole = undefined_in(*value.get<std::vector<Tensor>>());
      return concat("a list of Tensors",
                    hole ? concat(" with an undefined one at position ", *hole) : "");
    }
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

const Tensor& OpResults::operator[](size_t i) const {
  EAGRE_CHECK(i < tensors_.size(), kIndex, "the operator has ", tensors_.size(),
              " results, but number ", i, " was asked for");
  return tensors_[i];
}

OpResults::operator Tensor() const {
  EAGRE_CHECK(tensors_.size() == 1, kInvalidArgument, "the operator has ", tensors_.size(),
              " results, but one tensor was asked for. Hint: results[0] is the first");
  return tensors_[0];
}

}  // namespace eagre

// The three levels of promotion.
#include <eagre/core/promotion.h>

namespace eagre {

void Promotion::add(const Scalar& number) {
  constexpr DType kWeakest[] = {DType::kBool, DType::kInt64, DType::kFloat32};
  const bool floating = number.category() == DTypeCategory::kFloating;
  raise_to(number_, floating ? default_dtype() : kWeakest[static_cast<size_t>(number.category())]);
}

DType Promotion::result() const {
  std::optional<DType> result = dimensioned_;
  for (const auto& weaker : {zero_dim_, number_}) {
    if (weaker && (!result || category(*weaker) > category(*result))) result = weaker;
  }
  return result.value_or(default_dtype());
}

DType result_type(const Operand& a, const Operand& b) {
  Promotion promotion;
  promotion.add(a);
  promotion.add(b);
  return promotion.result();
}

}  // namespace eagre

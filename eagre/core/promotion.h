// Which dtype an operation on several operands has: PyTorch's rules.
#pragma once

#include <eagre/base/export.h>
#include <eagre/core/operand.h>

namespace eagre {

// The dtype a number has on its own.
inline DType dtype_of(const Scalar& number) {
  switch (number.category()) {
    case DTypeCategory::kBool: return kBool;
    case DTypeCategory::kInteger: return kInt64;
    case DTypeCategory::kFloating: break;
    case DTypeCategory::kComplex: return complex_dtype(default_dtype());
  }
  return default_dtype();
}

// Tensors with dimensions decide; 0-dim tensors, then numbers, only raise the category.
class Promotion {
 public:
  void add(const TensorImpl& tensor) {
    strongest(tensor.key.rank == 0 ? kZeroDim : kDimensioned, tensor.key.dtype);
  }
  void add(const Scalar& number) { strongest(kNumber, dtype_of(number)); }
  void add(const Operand& operand) {
    operand.is_tensor() ? add(operand.tensor().get()) : add(operand.scalar());
  }

  DType result() const {
    const auto is_float8 = [](int dtype) {
      return dtypes::kFloat8.contains(static_cast<DType>(dtype));
    };
    int best = dtypes_[kDimensioned];
    for (int rank : {kZeroDim, kNumber}) {
      const int weaker = dtypes_[rank];
      if (weaker == kNone) continue;
      // A floating number replaces an integer, also where the two would not be promoted; but the
      // float8 types take no part in any of this.
      if (best == kNone ||
          (category(static_cast<DType>(weaker)) >= DTypeCategory::kFloating &&
           category(static_cast<DType>(best)) < DTypeCategory::kFloating && !is_float8(weaker))) {
        best = weaker;
      } else if (dtypes::kFloats.contains(static_cast<DType>(best)) &&
                 is_complex(static_cast<DType>(weaker))) {
        best = static_cast<int>(complex_dtype(static_cast<DType>(best)));
      } else if (category(static_cast<DType>(weaker)) > category(static_cast<DType>(best))) {
        best =
            static_cast<int>(promote_types(static_cast<DType>(best), static_cast<DType>(weaker)));
      }
    }
    return best == kNone ? default_dtype() : static_cast<DType>(best);
  }

 private:
  enum Rank { kDimensioned, kZeroDim, kNumber };
  static constexpr int kNone = -1;

  void strongest(Rank rank, DType dtype) {
    int& current = dtypes_[rank];
    if (current == static_cast<int>(dtype)) return;
    current = static_cast<int>(
        current == kNone ? dtype : promote_types(static_cast<DType>(current), dtype));
  }
  int dtypes_[3] = {kNone, kNone, kNone};
};

// A value of category `from` may be stored as `to` without losing its kind.
constexpr bool can_cast(DTypeCategory from, DType to) { return from <= category(to); }
constexpr bool can_cast(DType from, DType to) { return can_cast(category(from), to); }

inline DType result_type(const Operand& a, const Operand& b) {
  // The frequent cases: two tensors with dimensions, and a number that changes nothing.
  if (a.is_tensor() && a.tensor().get().key.rank != 0) [[likely]] {
    const DType own = a.tensor().get().key.dtype;
    if (!b.is_tensor()) {
      if (b.scalar().category() <= category(own)) return own;
    } else if (b.tensor().get().key.rank != 0) {
      const DType other = b.tensor().get().key.dtype;
      return own == other ? own : promote_types(own, other);
    }
  }
  Promotion promotion;
  promotion.add(a);
  promotion.add(b);
  return promotion.result();
}

}  // namespace eagre

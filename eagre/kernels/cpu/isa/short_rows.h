// Many short rows at once: element i of every row of a group lies in one vector, so that what rows
// do one after the other, groups do side by side. Rows of few classes are common.
#pragma once

#include <eagre/kernels/cpu/isa/inner_rows.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
class ShortRows {
 public:
  static constexpr int64_t kLongest = 7;
  static constexpr int kCount = 64 / static_cast<int>(sizeof(T));  // rows; the same with every isa

  ShortRows(const InnerRows<T>& rows, int64_t first, int64_t last)
      : length_(rows.length()), count_(last - first < kCount ? last - first : kCount) {
    T room[kLongest];
    for (int w = 0; w < kCount; ++w) {
      const T* row = rows.get(w < count_ ? first + w : first, room);
      for (int64_t i = 0; i < length_; ++i) values_[i][w] = row[i];
    }
  }
  int64_t count() const { return count_; }

  template <class F>
  void map(F f) {
    for (int64_t i = 0; i < length_; ++i) {
#pragma GCC ivdep
      for (int w = 0; w < kCount; ++w) values_[i][w] = f(values_[i][w], w);
    }
  }

  // One number per row; pairwise, in an order that depends on the length alone. What is in the rows
  // is used up.
  template <class Op>
  void fold(T (&result)[kCount]) {
    int64_t n = length_;
    while (n > 1) {
      const int64_t half = (n + 1) / 2;
      for (int64_t i = 0; i + half < n; ++i) {
#pragma GCC ivdep
        for (int w = 0; w < kCount; ++w) {
          values_[i][w] = Op::combine(values_[i][w], values_[i + half][w]);
        }
      }
      n = half;
    }
    std::memcpy(result, values_[0], sizeof(result));
  }

  // The same for what can be folded in any order, which leaves the rows as they are.
  template <class Op>
  void fold_in_order(T (&result)[kCount]) const {
    std::memcpy(result, values_[0], sizeof(result));
    for (int64_t i = 1; i < length_; ++i) {
#pragma GCC ivdep
      for (int w = 0; w < kCount; ++w) result[w] = Op::combine(result[w], values_[i][w]);
    }
  }

 private:
  int64_t length_, count_;
  T values_[kLongest][kCount];
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

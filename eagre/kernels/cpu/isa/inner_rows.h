// A tensor as rows made of its last dimensions, each row contiguous: as it lies, or copied.
#pragma once

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
class InnerRows {
 public:
  InnerRows(const TensorView& view, int64_t inner_rank)
      : view_(view), outer_rank_(view.rank() - inner_rank) {
    for (int64_t d = view.rank(); d-- > outer_rank_;) {
      is_packed_ = is_packed_ && (view.sizes[d] == 1 || view.strides[d] == length_);
      length_ *= view.sizes[d];
    }
    for (int64_t d = outer_rank_; d-- > 0;) {
      if (count_ == 1) pitch_ = view.strides[d];
      is_even_ = is_even_ && (view.sizes[d] == 1 || view.strides[d] == pitch_ * count_);
      count_ *= view.sizes[d];
    }
  }
  int64_t length() const { return length_; }
  int64_t count() const { return count_; }
  T at(int64_t index, int64_t i) const {
    return row(index)[is_packed_ ? i : offset(i, outer_rank_, view_.rank())];
  }

  // Row `index`; `room` takes the copy if one is needed.
  const T* get(int64_t index, T* room) const {
    const T* data = row(index);
    if (is_packed_) return data;
    for (int64_t i = 0; i < length_; ++i) room[i] = data[offset(i, outer_rank_, view_.rank())];
    return room;
  }

 private:
  const T* row(int64_t index) const {
    return view_.as<const T>() + (is_even_ ? index * pitch_ : offset(index, 0, outer_rank_));
  }
  int64_t offset(int64_t index, int64_t first, int64_t last) const {
    int64_t sum = 0;
    for (int64_t d = last; d-- > first; index /= view_.sizes[d]) {
      sum += index % view_.sizes[d] * view_.strides[d];
    }
    return sum;
  }

  const TensorView& view_;
  int64_t outer_rank_, length_ = 1, count_ = 1;
  int64_t pitch_ = 0;  // from row to row, if rows are even
  bool is_packed_ = true, is_even_ = true;
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

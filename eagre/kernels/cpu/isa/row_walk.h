// The rows of tensors along one dimension, for kernels that need whole rows: contiguous rows as
// they lie, others copied to and fro, several neighbours at once so that no cache line is read
// twice.
#pragma once

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

constexpr int64_t kStagedBytes = 512 * 1024;

// View 0 is written, the others are read; all have the same sizes.
template <class T, int kViews>
class RowWalk {
 public:
  RowWalk(const TensorView* const (&views)[kViews], int64_t dim) : views_(views) {
    const TensorView& out = *views[0];
    const int64_t rank = out.rank();
    dim_ = dim < 0 ? dim + rank : dim;
    length_ = rank == 0 ? 1 : out.sizes[dim_];
    inner_ = -1;
    for (int64_t d = 0; d < rank; ++d) {
      if (d != dim_ && out.sizes[d] != 1) inner_ = d;
    }
    neighbours_ = inner_ < 0 ? 1 : out.sizes[inner_];
    for (int v = 0; v < kViews; ++v) {
      step_[v] = rank == 0 || length_ == 1 ? 1 : views[v]->strides[dim_];
      across_[v] = inner_ < 0 ? 0 : views[v]->strides[inner_];
      is_staged_[v] = step_[v] != 1;
    }
  }

  // f(T* const rows[kViews], n): fills rows[0] from the others. A row may serve as both.
  template <class F>
  void run(F f) {
    const TensorView& out = *views_[0];
    if (out.numel == 0) return;
    group_ = kStagedBytes / (length_ * static_cast<int64_t>(sizeof(T)));
    group_ = group_ < 1 ? 1 : group_ > 16 ? 16 : group_;
    pitch_ = length_ + 16;  // rows of 4 KiB apart would share few places of the cache
    const int64_t groups = (neighbours_ - 1) / group_ + 1;
    const int64_t tasks = out.numel / length_ / neighbours_ * groups;
    share(tasks, group_ * length_, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) {
        T* base[kViews];
        for (int v = 0; v < kViews; ++v) {
          base[v] = views_[v]->template as<T>() + offset(v, task / groups * neighbours_);
        }
        const int64_t first = task % groups * group_;
        run_group(base, first, neighbours_ - first < group_ ? neighbours_ - first : group_, f);
      }
    });
  }

 private:
  // Of row `row`, counted through all dimensions but dim_ and with inner_ running fastest.
  int64_t offset(int v, int64_t row) const {
    int64_t rest = row / neighbours_, sum = 0;
    for (int64_t d = views_[0]->rank(); d-- > 0;) {
      if (d == dim_ || d == inner_) continue;
      sum += rest % views_[0]->sizes[d] * views_[v]->strides[d];
      rest /= views_[0]->sizes[d];
    }
    return sum;
  }
  T* staged(int v) const {
    return static_cast<T*>(scratch(Scratch::kBlock,
                                   static_cast<size_t>(kViews * group_ * pitch_) * sizeof(T))) +
           v * group_ * pitch_;
  }
  template <class F>
  void run_group(T* const (&base)[kViews], int64_t first, int64_t count, F f) {
    T* room[kViews];
    for (int v = 0; v < kViews; ++v) {
      room[v] = is_staged_[v] ? staged(v) : nullptr;
      if (v == 0 || !is_staged_[v]) continue;
      const T* from = base[v] + first * across_[v];
      for (int64_t i = 0; i < length_; ++i) {
        for (int64_t w = 0; w < count; ++w) {
          room[v][w * pitch_ + i] = from[i * step_[v] + w * across_[v]];
        }
      }
    }
    for (int64_t w = 0; w < count; ++w) {
      T* rows[kViews];
      for (int v = 0; v < kViews; ++v) {
        rows[v] = is_staged_[v] ? room[v] + w * pitch_ : base[v] + (first + w) * across_[v];
      }
      f(rows, length_);
    }
    if (!is_staged_[0]) return;
    T* to = base[0] + first * across_[0];
    for (int64_t i = 0; i < length_; ++i) {
      for (int64_t w = 0; w < count; ++w) {
        to[i * step_[0] + w * across_[0]] = room[0][w * pitch_ + i];
      }
    }
  }

  const TensorView* const (&views_)[kViews];
  int64_t dim_, inner_, length_, neighbours_, group_ = 1, pitch_ = 0;
  int64_t step_[kViews], across_[kViews];
  bool is_staged_[kViews];
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

// The elements of a contiguous tensor that are reduced together.
#pragma once

#include <vector>

#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::typed {

class ReducedGroup {
 public:
  ReducedGroup(Dims sizes, const OptionalDims& dim) : sizes_(sizes), offsets_{0} {
    const auto rank = static_cast<int64_t>(sizes.size());
    reduced_ = dim.values().empty() ? ~uint64_t{0} : 0;
    for (int64_t d : dim.values()) reduced_ |= uint64_t{1} << (d < 0 ? d + rank : d);
    int64_t stride = 1;
    for (int64_t d = rank; d-- > 0; stride *= sizes[d]) {
      if (!is_reduced(d)) continue;
      std::vector<int64_t> more;
      for (int64_t step = 0; step < sizes[d]; ++step) {
        for (int64_t offset : offsets_) more.push_back(step * stride + offset);
      }
      offsets_ = std::move(more);
    }
  }
  int64_t size() const { return static_cast<int64_t>(offsets_.size()); }
  // Where member `i` lies after the first one.
  int64_t offset(int64_t i) const { return offsets_[static_cast<size_t>(i)]; }

  // The first member of the group that element `position` is in, and its own number there.
  void find(int64_t position, int64_t& first, int64_t& own) const {
    first = own = 0;
    int64_t stride = 1, count = 1;
    for (size_t d = sizes_.size(); d-- > 0; stride *= sizes_[d], position /= sizes_[d]) {
      const int64_t step = position % sizes_[d];
      if (is_reduced(static_cast<int64_t>(d))) {
        own += step * count;
        count *= sizes_[d];
      } else {
        first += step * stride;
      }
    }
  }

 private:
  bool is_reduced(int64_t d) const { return (reduced_ >> d & 1) != 0; }

  Dims sizes_;
  uint64_t reduced_;
  std::vector<int64_t> offsets_;
};

}  // namespace eagre::kernels::cpu::typed

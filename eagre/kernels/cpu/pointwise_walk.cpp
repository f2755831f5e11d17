// From operands of any geometry to calls of one-dimensional loops: dimensions that can be walked as
// one are merged, the rest is counted through, and operands of another dtype pass through a buffer.
#include <eagre/kernels/cpu/pointwise_walk.h>

#include <algorithm>

#include <eagre/kernels/cpu/cast.h>

namespace eagre::kernels::cpu {
namespace {

constexpr int64_t kBufferElements = 512;
constexpr size_t kMaxElementSize = 8;

struct Dimension {
  int64_t size;
  int64_t strides[kMaxOperands];  // in bytes
};

class Walk {
 public:
  Walk(PointwiseLoop loop, DType compute, Span<const WalkOperand> operands, const void* attributes)
      : loop_(loop), compute_(compute), attributes_(attributes), count_(operands.size()) {
    for (size_t i = 0; i < count_; ++i) {
      data_[i] = operands[i].data;
      dtypes_[i] = operands[i].dtype;
      casts_ |= operands[i].dtype != compute;
    }
    collect_dimensions(operands);
    merge_dimensions();
  }

  void run() {
    if (rank_ == 0) return run_row(1, kNoStrides);
    const Dimension& inner = dims_[0];
    if (rank_ == 1) return run_row(inner.size, inner.strides);
    int64_t index[kMaxDims] = {};
    while (true) {
      run_row(inner.size, inner.strides);
      size_t d = 1;
      for (; d < rank_; ++d) {
        const Dimension& dim = dims_[d];
        if (++index[d] < dim.size) {
          for (size_t i = 0; i < count_; ++i) data_[i] += dim.strides[i];
          break;
        }
        index[d] = 0;
        for (size_t i = 0; i < count_; ++i) data_[i] -= dim.strides[i] * (dim.size - 1);
      }
      if (d == rank_) return;
    }
  }

 private:
  static constexpr int64_t kNoStrides[kMaxOperands] = {};

  // Innermost first; dimensions of size 1 are left out.
  void collect_dimensions(Span<const WalkOperand> operands) {
    const Dims shape = operands[0].sizes;
    for (size_t from_last = 0; from_last < shape.size(); ++from_last) {
      const int64_t size = shape[shape.size() - 1 - from_last];
      if (size == 1) continue;
      Dimension& dim = dims_[rank_++];
      dim.size = size;
      for (size_t i = 0; i < count_; ++i) {
        const Dims sizes = operands[i].sizes;
        const bool repeats = from_last >= sizes.size() || sizes[sizes.size() - 1 - from_last] == 1;
        dim.strides[i] = repeats ? 0
                                 : operands[i].strides[sizes.size() - 1 - from_last] *
                                       static_cast<int64_t>(element_size(dtypes_[i]));
      }
    }
    // The output is written in the order of its memory.
    const auto by_output = [](const Dimension& a, const Dimension& b) {
      return a.strides[0] < b.strides[0];
    };
    if (!std::is_sorted(dims_, dims_ + rank_, by_output)) {
      std::stable_sort(dims_, dims_ + rank_, by_output);
    }
  }

  void merge_dimensions() {
    if (rank_ == 0) return;
    size_t last = 0;
    for (size_t d = 1; d < rank_; ++d) {
      bool merges = true;
      for (size_t i = 0; i < count_; ++i) {
        merges &= dims_[d].strides[i] == dims_[last].strides[i] * dims_[last].size;
      }
      if (merges) {
        dims_[last].size *= dims_[d].size;
      } else {
        dims_[++last] = dims_[d];
      }
    }
    rank_ = last + 1;
  }

  void run_row(int64_t n, const int64_t* strides) {
    if (!casts_) return loop_(data_, strides, n, attributes_);
    for (int64_t start = 0; start < n; start += kBufferElements) {
      run_buffered(start, std::min(kBufferElements, n - start), strides);
    }
  }

  void run_buffered(int64_t start, int64_t n, const int64_t* strides) {
    alignas(64) char buffers[kMaxOperands][kBufferElements * kMaxElementSize];
    const auto step = static_cast<int64_t>(element_size(compute_));
    char* data[kMaxOperands];
    int64_t steps[kMaxOperands];
    for (size_t i = 0; i < count_; ++i) {
      data[i] = data_[i] + start * strides[i];
      steps[i] = strides[i];
      if (dtypes_[i] == compute_) continue;
      const StridedMemory memory{data[i], strides[i], dtypes_[i]};
      // An operand that repeats is converted once.
      const bool repeats = strides[i] == 0 && i != 0;
      data[i] = buffers[i];
      steps[i] = repeats ? 0 : step;
      if (i != 0) cast({buffers[i], step, compute_}, memory, repeats ? 1 : n);
    }
    loop_(data, steps, n, attributes_);
    if (dtypes_[0] != compute_) {
      cast({data_[0] + start * strides[0], strides[0], dtypes_[0]}, {data[0], step, compute_}, n);
    }
  }

  PointwiseLoop loop_;
  DType compute_;
  const void* attributes_;
  size_t count_;
  size_t rank_ = 0;
  bool casts_ = false;
  char* data_[kMaxOperands];
  DType dtypes_[kMaxOperands];
  Dimension dims_[kMaxDims];
};

}  // namespace

void walk_pointwise(PointwiseLoop loop, DType compute, Span<const WalkOperand> operands,
                    const void* attributes) {
  for (int64_t size : operands[0].sizes) {
    if (size == 0) return;
  }
  Walk(loop, compute, operands, attributes).run();
}

}  // namespace eagre::kernels::cpu

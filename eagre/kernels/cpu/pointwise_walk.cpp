// From operands of any geometry to calls of one-dimensional loops: dimensions that can be walked as
// one are merged, the rest is counted through, and operands of another dtype pass through a buffer.
#include <eagre/kernels/cpu/pointwise_walk.h>

#include <algorithm>

#include <eagre/kernels/cpu/cast.h>

namespace eagre::kernels::cpu {
namespace {

constexpr int64_t kBufferElements = 512;
constexpr size_t kMaxElementSize = 16;

template <size_t kCount>
class Walk {
 public:
  Walk(PointwiseLoop loop, const WalkOperand* operands, const void* attributes)
      : loop_(loop), attributes_(attributes) {
    for (size_t i = 0; i < kCount; ++i) {
      data_[i] = operands[i].data;
      dtypes_[i] = operands[i].dtype;
      loop_dtypes_[i] = operands[i].loop;
      items_[i] = static_cast<int64_t>(element_size(operands[i].dtype));
      casts_ |= operands[i].dtype != operands[i].loop;
    }
    const WalkOperand& output = operands[0];
    for (uint32_t from_end = 1; from_end <= output.rank; ++from_end) {
      const int64_t size = output.sizes[output.rank - from_end];
      if (size != 1) add_dimension(operands, from_end, size);
    }
  }

  void run() {
    if (rank_ == 0) return run_row(1, kNoStrides);
    const Dimension& inner = dims_[0];
    if (rank_ == 1) return run_row(inner.size, inner.strides);
    int64_t index[kMaxDims];
    for (size_t d = 1; d < rank_; ++d) index[d] = 0;
    while (true) {
      run_row(inner.size, inner.strides);
      size_t d = 1;
      for (; d < rank_; ++d) {
        const Dimension& dim = dims_[d];
        if (++index[d] < dim.size) {
          for (size_t i = 0; i < kCount; ++i) data_[i] += dim.strides[i];
          break;
        }
        index[d] = 0;
        for (size_t i = 0; i < kCount; ++i) data_[i] -= dim.strides[i] * (dim.size - 1);
      }
      if (d == rank_) return;
    }
  }

 private:
  struct Dimension {
    int64_t size;
    int64_t strides[kCount];  // in bytes
  };
  static constexpr int64_t kNoStrides[kCount] = {};

  // Dimensions come from the last to the first. One that continues the one before it for every
  // operand only makes that longer; the others are kept in the order of the output's memory.
  void add_dimension(const WalkOperand* operands, uint32_t from_end, int64_t size) {
    Dimension fresh;
    fresh.size = size;
    for (size_t i = 0; i < kCount; ++i) {
      const WalkOperand& operand = operands[i];
      const uint32_t d = operand.rank - from_end;
      const bool repeats = from_end > operand.rank || operand.sizes[d] == 1;
      fresh.strides[i] = repeats ? 0 : operand.strides[d] * items_[i];
    }
    if (rank_ != 0 && continues(dims_[rank_ - 1], fresh)) {
      dims_[rank_ - 1].size *= size;
      return;
    }
    size_t place = rank_++;
    for (; place > 0 && dims_[place - 1].strides[0] > fresh.strides[0]; --place) {
      dims_[place] = dims_[place - 1];
    }
    dims_[place] = fresh;
  }

  static bool continues(const Dimension& inner, const Dimension& outer) {
    for (size_t i = 0; i < kCount; ++i) {
      if (outer.strides[i] != inner.strides[i] * inner.size) return false;
    }
    return true;
  }

  void run_row(int64_t n, const int64_t* strides) {
    if (!casts_) [[likely]]
      return loop_(data_, strides, n, attributes_);
    for (int64_t start = 0; start < n; start += kBufferElements) {
      run_buffered(start, std::min(kBufferElements, n - start), strides);
    }
  }

  EAGRE_NOINLINE void run_buffered(int64_t start, int64_t n, const int64_t* strides) {
    alignas(64) char buffers[kCount][kBufferElements * kMaxElementSize];
    char* data[kCount];
    int64_t steps[kCount];
    for (size_t i = 0; i < kCount; ++i) {
      data[i] = data_[i] + start * strides[i];
      steps[i] = strides[i];
      if (dtypes_[i] == loop_dtypes_[i]) continue;
      const auto step = static_cast<int64_t>(element_size(loop_dtypes_[i]));
      const StridedMemory memory{data[i], strides[i], dtypes_[i]};
      // An operand that repeats is converted once.
      const bool repeats = strides[i] == 0 && i != 0;
      data[i] = buffers[i];
      steps[i] = repeats ? 0 : step;
      if (i != 0) cast({buffers[i], step, loop_dtypes_[i]}, memory, repeats ? 1 : n);
    }
    loop_(data, steps, n, attributes_);
    if (dtypes_[0] != loop_dtypes_[0]) {
      cast({data_[0] + start * strides[0], strides[0], dtypes_[0]},
           {data[0], steps[0], loop_dtypes_[0]}, n);
    }
  }

  PointwiseLoop loop_;
  const void* attributes_;
  size_t rank_ = 0;
  bool casts_ = false;
  char* data_[kCount];
  int64_t items_[kCount];
  DType dtypes_[kCount];
  DType loop_dtypes_[kCount];
  Dimension dims_[kMaxDims];
};

}  // namespace

void walk_pointwise(PointwiseLoop loop, Span<const WalkOperand> operands, const void* attributes) {
  switch (operands.size()) {
    case 2: return Walk<2>(loop, operands.data(), attributes).run();
    case 3: return Walk<3>(loop, operands.data(), attributes).run();
    default: return Walk<4>(loop, operands.data(), attributes).run();
  }
}

}  // namespace eagre::kernels::cpu

// sum over some dimensions. Long rows are added pairwise, so the error grows with log(n), in an
// order that depends on the shape alone.
#include <cstdint>

#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
T sum_row(const T* data, int64_t stride, int64_t n) {
  constexpr int64_t kLeaf = 256;
  if (n > kLeaf) {
    const int64_t half = n / 2 / kLeaf * kLeaf;
    const int64_t split = half == 0 ? kLeaf : half;
    return sum_row(data, stride, split) + sum_row(data + split * stride, stride, n - split);
  }
  constexpr int kLanes = 16;
  T lanes[kLanes] = {};
  int64_t i = 0;
  if (stride == 1) {
    for (; i + kLanes <= n; i += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += data[i + lane];
    }
  } else {
    for (; i + kLanes <= n; i += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += data[(i + lane) * stride];
    }
  }
  T total = 0;
  for (; i < n; ++i) total += data[i * stride];
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0] + total;
}

// Long rows in chunks that depend on the length alone, so that several threads may add them.
template <class T>
T sum_long_row(const T* data, int64_t stride, int64_t n) {
  constexpr int64_t kGrain = 1 << 16, kMaxChunks = 256;
  if (n <= kGrain) return sum_row(data, stride, n);
  const int64_t grain = (n / kGrain + kMaxChunks) / kMaxChunks * kGrain;
  T partial[kMaxChunks];
  parallel_for(0, n, grain, [&](int64_t begin, int64_t end) {
    partial[begin / grain] = sum_row(data + begin * stride, stride, end - begin);
  });
  return sum_row(partial, 1, (n - 1) / grain + 1);
}

// Sums dimensions [d, rank) of a block whose last dimension is the row.
template <class T>
T sum_block(const T* data, const int64_t* sizes, const int64_t* strides, int64_t rank) {
  if (rank == 0) return *data;
  if (rank == 1) return sum_long_row(data, strides[0], sizes[0]);
  T total = 0;
  for (int64_t i = 0; i < sizes[0]; ++i) {
    total += sum_block(data + i * strides[0], sizes + 1, strides + 1, rank - 1);
  }
  return total;
}

// The dimensions of the input, sorted into those that stay and those that are summed away.
struct Split {
  int64_t kept_sizes[kMaxDims], kept_strides[kMaxDims], kept = 0;
  int64_t summed_sizes[kMaxDims], summed_strides[kMaxDims], summed = 0;

  Split(const TensorView& input, const OptionalDims& dims) {
    // No list and an empty list both mean all dimensions.
    uint64_t mask = dims.values().empty() ? ~uint64_t{0} : 0;
    const int64_t extent = input.rank() == 0 ? 1 : input.rank();  // 0-dim: 0 and -1 are good
    for (int64_t dim : dims.values()) mask |= uint64_t{1} << (dim < 0 ? dim + extent : dim);
    for (int64_t d = 0; d < input.rank(); ++d) {
      if ((mask >> d & 1) != 0) {
        if (summed != 0 && summed_strides[summed - 1] == input.strides[d] * input.sizes[d]) {
          summed_sizes[summed - 1] *= input.sizes[d];
          summed_strides[summed - 1] = input.strides[d];
          continue;
        }
        summed_sizes[summed] = input.sizes[d];
        summed_strides[summed++] = input.strides[d];
      } else {
        kept_sizes[kept] = input.sizes[d];
        kept_strides[kept++] = input.strides[d];
      }
    }
  }
};

// `out` is contiguous: its elements are the kept dimensions in order.
template <class T>
void sum(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  const Split split(input, dims);
  T* result = out.as<T>();
  const auto sum_some = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (input.numel == 0) {
        result[i] = 0;
        continue;
      }
      const T* data = input.as<T>();
      int64_t rest = i;
      for (int64_t d = split.kept; d-- > 0; rest /= split.kept_sizes[d]) {
        data += rest % split.kept_sizes[d] * split.kept_strides[d];
      }
      result[i] = sum_block(data, split.summed_sizes, split.summed_strides, split.summed);
    }
  };
  constexpr int64_t kGrain = 1 << 15;
  if (out.numel == 0) return;
  const int64_t each = input.numel / out.numel;  // elements behind one result
  if (out.numel == 1 || input.numel < 2 * kGrain) return sum_some(0, out.numel);
  parallel_for(0, out.numel, each >= kGrain ? 1 : kGrain / (each + 1) + 1, sum_some);
}

}  // namespace

void sum_i32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  sum<int32_t>(out, input, dim);
}
void sum_i64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  sum<int64_t>(out, input, dim);
}
void sum_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  sum<float>(out, input, dim);
}
void sum_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  sum<double>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL

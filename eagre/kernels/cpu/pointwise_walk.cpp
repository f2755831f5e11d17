// From operands of any geometry to calls of one-dimensional loops: dimensions that can be walked as
// one are merged, the rest is counted through, and operands of another dtype pass through a buffer.
// Large walks are cut into chunks for the thread pool, and into tiles where an operand runs along
// another dimension than the output (a transposed matrix), so that every cache line is read once.
#include <eagre/kernels/cpu/pointwise_walk.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/kernels/cpu/cast.h>
#include <eagre/kernels/cpu/transpose_tile.h>

namespace eagre::kernels::cpu {
namespace {

constexpr int64_t kBufferElements = 512;
constexpr size_t kMaxElementSize = 16;
constexpr int64_t kMaxTurnedSize =
    8;                             // of elements that are turned in tiles, which lie on the stack
constexpr int64_t kGrain = 32768;  // elements per chunk
constexpr int64_t kStripElements = 2048;  // of rows that are short, together

constexpr int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

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
    if (rank_ == 0) return run_row(data_, kNoStrides, 1);
    if (elements_ >= 2 * kGrain) [[unlikely]]
      return run_large();
    const Dimension& inner = dims_[0];
    if (rank_ == 1) return run_row(data_, inner.strides, inner.size);
    Position position;
    for (size_t d = 1; d < rank_; ++d) position.index[d] = 0;
    std::copy_n(data_, kCount, position.data);
    do {
      run_row(position.data, inner.strides, inner.size);
    } while (advance(position, 1));
  }

 private:
  struct Dimension {
    int64_t size;
    int64_t strides[kCount];  // in bytes
  };
  static constexpr int64_t kNoStrides[kCount] = {};

  // Where a walk through the dimensions from some `first` on is.
  struct Position {
    int64_t index[kMaxDims];
    char* data[kCount];
  };

  // To the next position, counting dimensions from `first` on. False at the end.
  EAGRE_INLINE bool advance(Position& position, size_t first) const {
    return advance(position, first, rank_);
  }
  EAGRE_INLINE bool advance(Position& position, size_t first, size_t end) const {
    for (size_t d = first; d < end; ++d) {
      const Dimension& dim = dims_[d];
      if (++position.index[d] < dim.size) {
        for (size_t i = 0; i < kCount; ++i) position.data[i] += dim.strides[i];
        return true;
      }
      position.index[d] = 0;
      for (size_t i = 0; i < kCount; ++i) position.data[i] -= dim.strides[i] * (dim.size - 1);
    }
    return false;
  }

  // The position after `steps` steps from the start.
  Position position_at(int64_t steps, size_t first) const {
    Position position;
    std::copy_n(data_, kCount, position.data);
    for (size_t d = first; d < rank_; ++d) {
      position.index[d] = steps % dims_[d].size;
      steps /= dims_[d].size;
      for (size_t i = 0; i < kCount; ++i) {
        position.data[i] += position.index[d] * dims_[d].strides[i];
      }
    }
    return position;
  }

  EAGRE_NOINLINE void run_large() {
    for (size_t d = 1; d < rank_; ++d) {
      if (runs_across(d)) {
        std::swap(dims_[1], dims_[d]);
        return run_tiles();
      }
    }
    if (const size_t d = first_long_dimension(); d != 0) return run_strips(d);
    const Dimension& inner = dims_[0];
    const int64_t rows = elements_ / inner.size;
    if (inner.size > kGrain) {
      const int64_t pieces = divide_up(inner.size, kGrain);
      return parallel_for(0, rows * pieces, 1, [&](int64_t unit, int64_t) {
        const int64_t start = unit % pieces * kGrain;
        Position row = position_at(unit / pieces, 1);
        for (size_t i = 0; i < kCount; ++i) row.data[i] += start * inner.strides[i];
        run_row(row.data, inner.strides, std::min(kGrain, inner.size - start));
      });
    }
    parallel_for(0, rows, kGrain / inner.size, [&](int64_t begin, int64_t end) {
      Position row = position_at(begin, 1);
      for (int64_t i = begin; i < end; ++i) {
        run_row(row.data, inner.strides, inner.size);
        advance(row, 1);
      }
    });
  }

  // Where rows are short, as those of a few channels that change places: the first dimension that
  // is not, if a strip of it and all that is within fits in the L1 cache. 0: there is none.
  size_t first_long_dimension() const {
    constexpr int64_t kLong = 16;
    int64_t within = 1;
    for (size_t d = 0; d < rank_ && within <= kStripElements / kLong; ++d) {
      if (dims_[d].size >= kLong) return d;
      within *= dims_[d].size;
    }
    return 0;
  }

  // Strips of dimension d are rows; what is within is counted through.
  void run_strips(size_t d) {
    const Dimension& longer = dims_[d];
    int64_t within = 1;
    for (size_t i = 0; i < d; ++i) within *= dims_[i].size;
    const int64_t length = std::min(kStripElements / within, longer.size);
    const int64_t pieces = divide_up(longer.size, length);
    const int64_t strips = elements_ / (within * longer.size) * pieces;
    parallel_for(0, strips, kGrain / kStripElements, [&](int64_t begin, int64_t end) {
      for (int64_t strip = begin; strip < end; ++strip) {
        Position position = position_at(strip / pieces, d + 1);
        const int64_t start = strip % pieces * length;
        for (size_t i = 0; i < kCount; ++i) position.data[i] += start * longer.strides[i];
        for (size_t i = 0; i < d; ++i) position.index[i] = 0;
        const int64_t count = std::min(length, longer.size - start);
        do {
          run_row(position.data, longer.strides, count);
        } while (advance(position, 0, d));
      }
    });
  }

  bool is_across(size_t i, size_t d) const {
    const int64_t along = dims_[0].strides[i];
    return dims_[d].strides[i] == items_[i] && along != items_[i] && along != 0 &&
           items_[i] <= kMaxTurnedSize;
  }
  // Does an input lie in memory along dimension d, while the output lies along dimension 0?
  bool runs_across(size_t d) const {
    if (dims_[0].size < kTileEdge / 4 || dims_[d].size < kTileEdge / 4) return false;
    for (size_t i = 1; i < kCount; ++i) {
      if (is_across(i, d)) return true;
    }
    return false;
  }

  // Dimensions 0 and 1 in squares, the others one by one.
  void run_tiles() {
    const int64_t columns = divide_up(dims_[0].size, kTileEdge);
    const int64_t tiles = columns * divide_up(dims_[1].size, kTileEdge);
    const int64_t planes = elements_ / (dims_[0].size * dims_[1].size);
    constexpr int64_t kTilesPerChunk = kGrain / (kTileEdge * kTileEdge);
    parallel_for(0, planes * tiles, kTilesPerChunk, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        Position plane = position_at(unit / tiles, 2);
        const int64_t tile = unit % tiles;
        run_tile(plane.data, tile % columns * kTileEdge, tile / columns * kTileEdge);
      }
    });
  }

  // Inputs that lie across are turned in a buffer.
  EAGRE_NOINLINE void run_tile(char** data, int64_t column, int64_t row) const {
    alignas(64) char turned[kCount - 1][kTileEdge * kTileEdge * kMaxTurnedSize];
    const int64_t width = std::min(kTileEdge, dims_[0].size - column);
    const int64_t height = std::min(kTileEdge, dims_[1].size - row);
    int64_t along[kCount], down[kCount];
    // The output's rows are far apart: fetch them while the inputs are turned.
    char* corner = data[0] + column * dims_[0].strides[0] + row * dims_[1].strides[0];
    for (int64_t j = 0; j < height; ++j) {
      char* line = corner + j * dims_[1].strides[0];
      for (int64_t at = 0; at < width * items_[0]; at += 64) __builtin_prefetch(line + at, 1, 2);
    }
    for (size_t i = 0; i < kCount; ++i) {
      along[i] = dims_[0].strides[i];
      down[i] = dims_[1].strides[i];
      data[i] += column * along[i] + row * down[i];
      if (i == 0 || !is_across(i, 1)) continue;
      transpose_tile(turned[i - 1], data[i], along[i], {width, height}, items_[i]);
      data[i] = turned[i - 1];
      along[i] = items_[i];
      down[i] = kTileEdge * items_[i];
    }
    for (int64_t j = 0; j < height; ++j) {
      run_row(data, along, width);
      for (size_t i = 0; i < kCount; ++i) data[i] += down[i];
    }
  }

  // Dimensions come from the last to the first. One that continues the one before it for every
  // operand only makes that longer; the others are kept in the order of the output's memory.
  void add_dimension(const WalkOperand* operands, uint32_t from_end, int64_t size) {
    Dimension fresh;
    fresh.size = size;
    elements_ *= size;
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

  EAGRE_INLINE void run_row(char* const* row, const int64_t* strides, int64_t n) const {
    if (!casts_) [[likely]]
      return loop_(row, strides, n, attributes_);
    for (int64_t start = 0; start < n; start += kBufferElements) {
      run_buffered(row, start, std::min(kBufferElements, n - start), strides);
    }
  }

  EAGRE_NOINLINE void run_buffered(char* const* row, int64_t start, int64_t n,
                                   const int64_t* strides) const {
    alignas(64) char buffers[kCount][kBufferElements * kMaxElementSize];
    char* data[kCount];
    int64_t steps[kCount];
    for (size_t i = 0; i < kCount; ++i) {
      data[i] = row[i] + start * strides[i];
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
      cast({row[0] + start * strides[0], strides[0], dtypes_[0]},
           {data[0], steps[0], loop_dtypes_[0]}, n);
    }
  }

  PointwiseLoop loop_;
  const void* attributes_;
  size_t rank_ = 0;
  int64_t elements_ = 1;
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

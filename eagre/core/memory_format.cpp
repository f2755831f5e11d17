// Strides of the memory formats.
#include <eagre/core/memory_format.h>

#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>

namespace eagre {
namespace {

// Calls f(dimension) from the innermost to the outermost of channels_last: C, W, H, (D,) N.
template <class F>
void for_channels_last(size_t rank, F f) {
  f(size_t{1});
  for (size_t i = rank - 1; i > 1; --i) f(i);
  f(size_t{0});
}

// What a dimension spans; as much as there is, if that is no number: strides are the user's.
int64_t span_of(int64_t size, int64_t stride) {
  int64_t span = 0;
  return __builtin_mul_overflow(size, stride, &span) ? INT64_MAX : span;
}

bool can_be_channels_last(size_t rank) { return rank == 4 || rank == 5; }

}  // namespace

DimVector strides_of(const char* op, Dims sizes, MemoryFormat format) {
  DimVector strides(sizes.size());
  if (format != MemoryFormat::kChannelsLast) {
    contiguous_strides(sizes, strides.data());
    return strides;
  }
  if (!can_be_channels_last(sizes.size())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "memory_format",
                          "contiguous_format or preserve_format for a tensor without 4 or 5 "
                          "dimensions (channels_last needs them)",
                          concat("channels_last for shape ", sizes)});
  }
  int64_t stride = 1;
  for_channels_last(sizes.size(), [&](size_t i) {
    strides[i] = stride;
    stride *= sizes[i] == 0 ? 1 : sizes[i];
  });
  return strides;
}

bool is_channels_last(Dims sizes, Dims strides) {
  if (!can_be_channels_last(sizes.size())) return false;
  int64_t expected = 1;
  bool matches = true;
  for_channels_last(sizes.size(), [&](size_t i) {
    if (sizes[i] != 1) matches &= strides[i] == expected;
    expected *= sizes[i] == 0 ? 1 : sizes[i];
  });
  return matches;
}

// PyTorch's rule: going outwards from C, no dimension may lie within the one before. It asks for
// no dense tensor, and of dimensions of size 1 for their strides too, since these are all that
// tells the two formats of a single pixel or a single channel apart.
bool suggests_channels_last(Dims sizes, Dims strides) {
  const size_t rank = sizes.size();
  if (!can_be_channels_last(rank)) return false;
  // Nearly all row-major tensors are told apart here.
  if (strides[1] == 0 || strides[rank - 1] < span_of(sizes[1], strides[1])) return false;
  int64_t least = 0;
  bool matches = true;
  for_channels_last(rank, [&](size_t i) {
    matches &= sizes[i] != 0 && strides[i] >= least;
    // One column of single pixels and one channel: it could be either.
    if (i == 0) matches &= least != strides[1];
    least = span_of(sizes[i], strides[i]);
  });
  return matches;
}

}  // namespace eagre

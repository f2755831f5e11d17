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

bool suggests_channels_last(Dims sizes, Dims strides) {
  if (!is_channels_last(sizes, strides)) return false;
  int64_t image = 1;
  for (size_t d = 1; d < sizes.size(); ++d) image *= sizes[d];
  return strides[0] >= image;
}

}  // namespace eagre

// The order in which the dimensions of a dense tensor lie in memory.
#pragma once

#include <cstdint>
#include <string_view>

#include <eagre/core/shape.h>

namespace eagre {

enum class MemoryFormat : uint8_t {
  kContiguous,    // row-major
  kPreserve,      // as the source has it
  kChannelsLast,  // N, H, W, C in memory for sizes N, C, H, W; also with three spatial dimensions
  // libtorch's names. NOLINTBEGIN(readability-identifier-naming)
  Contiguous = kContiguous,
  Preserve = kPreserve,
  ChannelsLast = kChannelsLast,
  ChannelsLast3d = kChannelsLast,
  // NOLINTEND(readability-identifier-naming)
};

constexpr std::string_view to_string(MemoryFormat format) {
  constexpr std::string_view kNames[] = {"contiguous_format", "preserve_format", "channels_last"};
  return kNames[static_cast<size_t>(format)];
}

// The strides of a dense tensor of these sizes. channels_last needs 4 or 5 dimensions: an error in
// the name of `op` otherwise. (kPreserve has no strides of its own and gives row-major ones.)
EAGRE_API DimVector strides_of(const char* op, Dims sizes, MemoryFormat format);

EAGRE_API bool is_channels_last(Dims sizes, Dims strides);
// Should results lie so? As in PyTorch not of `image[None]`, whose one image has no stride of its
// own.
EAGRE_API bool suggests_channels_last(Dims sizes, Dims strides);

}  // namespace eagre

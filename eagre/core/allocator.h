// Where the bytes of tensors come from.
#pragma once

#include <cstddef>

#include <eagre/core/device.h>

namespace eagre {

class Allocator {
 public:
  // Never null for bytes > 0: throws OutOfMemory.
  virtual void* allocate(size_t bytes, Device device) const = 0;
  virtual void free(void* data, size_t bytes, Device device) const noexcept = 0;
  // Between two places of one device; done when it returns.
  virtual void copy(void* to, const void* from, size_t bytes, Device device) const = 0;

 protected:
  ~Allocator() = default;
};

}  // namespace eagre

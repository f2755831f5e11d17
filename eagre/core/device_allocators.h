// The allocator of each kind of device.
#pragma once

#include <eagre/base/export.h>
#include <eagre/core/allocator.h>

namespace eagre {

EAGRE_API const Allocator& allocator_for(Device device);
EAGRE_API void set_allocator(DeviceKind kind, const Allocator* allocator);

}  // namespace eagre

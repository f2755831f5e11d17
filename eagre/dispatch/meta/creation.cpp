// Shapes that the user gives.
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector sizes(const char* op, Dims size) {
  checked_numel(op, size);
  return size;
}

}  // namespace eagre::dispatch::meta

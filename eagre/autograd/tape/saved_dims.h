// An optional list of dimensions as a node keeps it.
#pragma once

#include <eagre/core/shape.h>

namespace eagre {

class SavedDims {
 public:
  SavedDims& operator=(const OptionalDims& dims) {
    given_ = dims.given();
    values_ = dims.values();
    return *this;
  }
  OptionalDims get() const { return given_ ? OptionalDims(Dims(values_)) : OptionalDims(); }

 private:
  bool given_ = false;
  DimVector values_;
};

}  // namespace eagre

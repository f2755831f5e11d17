// Runs a pointwise loop over operands of any shape, strides and dtype.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>

namespace eagre::kernels::cpu {

// data[0] is the output, then the inputs; strides in bytes; `attributes` in slots of 16 bytes.
using PointwiseLoop = void (*)(char* const* data, const int64_t* strides, int64_t n,
                               const void* attributes);

constexpr int kMaxOperands = 4;

struct WalkOperand {
  char* data = nullptr;
  DType dtype = DType::kFloat32;
  Dims sizes;    // broadcasts to the shape of the walk
  Dims strides;  // in elements
};

// operands[0] is the output and has the shape of the walk.
EAGRE_API void walk_pointwise(PointwiseLoop loop, DType compute, Span<const WalkOperand> operands,
                              const void* attributes);

}  // namespace eagre::kernels::cpu

// Runs a pointwise loop over operands of any shape, strides and dtype.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::kernels::cpu {

// data[0] is the output, then the inputs; strides in bytes; `attributes` 16 bytes each.
using PointwiseLoop = void (*)(char* const* data, const int64_t* strides, int64_t n,
                               const void* attributes);

struct WalkOperand {
  char* data;
  const int64_t* sizes;    // broadcast to the shape of the walk
  const int64_t* strides;  // in elements
  uint32_t rank;
  DType dtype;  // in memory
  DType loop;   // as the loop takes it: conversion happens on the way if it differs

  WalkOperand() {}  // arrays of them are filled one by one
  WalkOperand(char* number, DType type)
      : data(number), sizes(nullptr), strides(nullptr), rank(0), dtype(type), loop(type) {}
  WalkOperand(const TensorImpl& tensor, DType as)
      : data(static_cast<char*>(tensor.data())),
        sizes(tensor.sizes_data()),
        strides(tensor.strides_data()),
        rank(tensor.key.rank),
        dtype(tensor.key.dtype),
        loop(as) {}
};

// operands[0] is the output and has the shape of the walk, which is not empty.
EAGRE_API void walk_pointwise(PointwiseLoop loop, Span<const WalkOperand> operands,
                              const void* attributes);

}  // namespace eagre::kernels::cpu

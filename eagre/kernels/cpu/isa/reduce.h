// A reduction that folds the input itself: the shape of sum, prod, amax, all and their like.
#pragma once

#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/cpu/isa/fold_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class Op, class T>
void reduce(const TensorView& out, const TensorView& input, uint64_t mask) {
  T* result = out.as<T>();
  if (input.numel == 0) {
    for (int64_t i = 0; i < out.numel; ++i) result[i] = Op::kIdentity;
    return;
  }
  for_each_cell(Reduction(input, mask), input.as<const T>(),
                [&](const Cell<T>& cell) { fold<Op>(result + cell.out, cell, result + cell.out); });
}

template <class Op, class T>
void reduce(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  reduce<Op, T>(out, input, reduced_dims(input, dims));
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

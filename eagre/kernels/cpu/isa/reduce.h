// Reductions that fold the input itself: sum, prod, amax, all and their like (`kernel: {reduce:
// …}`).
#pragma once

#include <type_traits>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/scalar/reduce_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class Op, class T>
void fold_all(const TensorView& out, const TensorView& input, uint64_t mask) {
  T* result = out.as<T>();
  if (input.numel == 0) {
    for (int64_t i = 0; i < out.numel; ++i) result[i] = Op::kIdentity;
  } else {
    for_each_cell(Reduction(input, mask), input.as<const T>(), [&](const Cell<T>& cell) {
      fold<Op>(result + cell.out, cell, result + cell.out);
    });
  }
  if constexpr (Op::kFinishes) {
    const int64_t count = out.numel == 0 ? 0 : input.numel / out.numel;
    for (int64_t i = 0; i < out.numel; ++i) result[i] = Op::finish(result[i], count);
  }
}

// Complex numbers with their parts as one more dimension, so that sums are those of reals.
class Parts {
 public:
  explicit Parts(const TensorView& complex) : view_(complex) {
    for (int64_t d = 0; d < complex.rank(); ++d) {
      sizes_[d] = complex.sizes[d];
      strides_[d] = complex.strides[d] * 2;
    }
    const auto rank = static_cast<size_t>(complex.rank());
    sizes_[rank] = 2;
    strides_[rank] = 1;
    view_.sizes = Dims(sizes_, rank + 1);
    view_.strides = Dims(strides_, rank + 1);
    view_.numel *= 2;
  }
  const TensorView& get() const { return view_; }

 private:
  int64_t sizes_[kMaxDims + 1], strides_[kMaxDims + 1];
  TensorView view_;
};

// Of complex numbers that are not folded by parts: there are no vectors of them.
template <class Op, class T>
void fold_complex(const TensorView& out, const TensorView& input, uint64_t mask) {
  T* result = out.as<T>();
  for (int64_t i = 0; i < out.numel; ++i) result[i] = Op::kIdentity;
  if (input.numel == 0) return;
  for_each_cell(Reduction(input, mask), input.as<const T>(), [&](const Cell<T>& cell) {
    const int64_t depth = cell.reduced.numel();
    for (int64_t i = 0; i < depth; ++i) {
      const T* row = cell.data + cell.reduced.offset(i);
      for (int64_t j = 0; j < cell.width; ++j) {
        result[cell.out + j] = Op::combine(result[cell.out + j], row[j]);
      }
    }
  });
}

template <template <class> class Op, class T>
void reduce(const TensorView& out, const TensorView& input, const OptionalDims& dims, bool) {
  const bool is_none = Op<T>::kEmptyMeansNone && dims.given() && dims.values().empty();
  const uint64_t mask = is_none ? 0 : reduced_dims(input, dims);
  if constexpr (!kIsComplex<T>) {
    fold_all<Op<T>, std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>(out, input, mask);
  } else if constexpr (Op<T>::kByParts) {
    const uint64_t parts = uint64_t{1} << input.rank();
    fold_all<Op<Real<T>>, Real<T>>(Parts(out).get(), Parts(input).get(), mask & ~parts);
  } else {
    fold_complex<Op<T>, T>(out, input, mask);
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

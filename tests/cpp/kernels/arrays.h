// Arrays with strides for tests that call kernels directly, and the instruction sets they are
// called at.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <eagre/core/dtype.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa.h>
#include <eagre/kernels/cpu/kernel_table.h>

namespace eagre::test {

using Sizes = std::vector<int64_t>;

template <class T, class Function>
Function* kernel_of(const kernels::cpu::KernelTable<Function>& table) {
  return table.by_dtype[static_cast<size_t>(DTypeOf<T>::value)];
}

// Memory of its own with any order of dimensions and gaps between elements.
template <class T>
class Array {
 public:
  explicit Array(Sizes sizes) : Array(sizes, {}, 1) {}
  // `order` lists the dimensions from the outermost in memory to the innermost.
  Array(Sizes sizes, Sizes order, int64_t gap) : sizes_(std::move(sizes)), strides_(sizes_.size()) {
    for (int64_t d = 0; order.size() < sizes_.size(); ++d) order.push_back(d);
    int64_t stride = gap;
    for (size_t i = order.size(); i-- > 0;) {
      const auto d = static_cast<size_t>(order[i]);
      strides_[d] = stride;
      stride *= sizes_[d];
    }
    memory_.resize(static_cast<size_t>(std::max<int64_t>(stride, 1)));
  }
  TensorView view() const {
    TensorView view;
    view.data = const_cast<T*>(reinterpret_cast<const T*>(memory_.data()));
    view.sizes = Dims(sizes_.data(), sizes_.size());
    view.strides = Dims(strides_.data(), strides_.size());
    view.numel = numel();
    return view;
  }
  int64_t numel() const {
    int64_t product = 1;
    for (int64_t size : sizes_) product *= size;
    return product;
  }
  const Sizes& sizes() const { return sizes_; }
  // The element that is number `index` in row-major order.
  T& at(int64_t index) {
    int64_t offset = 0;
    for (size_t d = sizes_.size(); d-- > 0; index /= sizes_[d]) {
      offset += index % sizes_[d] * strides_[d];
    }
    return *(reinterpret_cast<T*>(memory_.data()) + offset);
  }
  template <class Random>
  Array& fill(Random& random) {
    std::uniform_int_distribution<int> any(-1000, 1000);
    for (int64_t i = 0; i < numel(); ++i) {
      at(i) = std::is_floating_point_v<T> ? static_cast<T>(any(random) / 300.0)
                                          : static_cast<T>(any(random) % 10);
    }
    return *this;
  }

 private:
  struct alignas(sizeof(T)) Slot {  // vector<bool> has no memory of bools
    unsigned char bytes[sizeof(T)] = {};
  };
  Sizes sizes_, strides_;
  std::vector<Slot> memory_;
};

// Every order in which up to three dimensions can lie in memory.
inline std::vector<Sizes> orders(size_t rank) {
  if (rank == 3) return {{0, 1, 2}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2}};
  if (rank == 2) return {{0, 1}, {1, 0}};
  return {{}};
}

// The row-major index without dimension d, and the position in it.
inline std::pair<int64_t, int64_t> split_index(const Sizes& sizes, int64_t index, uint64_t mask) {
  int64_t kept = 0, kept_scale = 1, reduced = 0, reduced_scale = 1;
  for (size_t d = sizes.size(); d-- > 0; index /= sizes[d]) {
    const int64_t i = index % sizes[d];
    if ((mask >> d & 1) != 0) {
      reduced += i * reduced_scale;
      reduced_scale *= sizes[d];
    } else {
      kept += i * kept_scale;
      kept_scale *= sizes[d];
    }
  }
  return {kept, reduced};
}

// Calls check(kernels of the instruction set) for each that this machine has.
#define EAGRE_FOR_EACH_ISA(check)                   \
  do {                                              \
    using kernels::cpu::Isa;                        \
    {                                               \
      SCOPED_TRACE("baseline");                     \
      check(kBaseline);                             \
    }                                               \
    if (kernels::cpu::best_isa() >= Isa::kAvx2) {   \
      SCOPED_TRACE("avx2");                         \
      check(kAvx2);                                 \
    }                                               \
    if (kernels::cpu::best_isa() >= Isa::kAvx512) { \
      SCOPED_TRACE("avx512");                       \
      check(kAvx512);                               \
    }                                               \
  } while (false)

}  // namespace eagre::test

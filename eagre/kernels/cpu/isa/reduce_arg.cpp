// argmax, argmin, and max and min with their places: the first of equals, and NaN before all.
#include <optional>

#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/scalar/reduce_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class Op, class T>
EAGRE_INLINE bool is_better(T value, T best) {
  return (Op::combine(best, value) == value) & (value != best);
}

// The extreme of each block is found with vectors; only the winning block is searched for it, one
// by one, so blocks are short.
template <class Op, class T>
int64_t find_row(const T* data, int64_t n) {
  constexpr int64_t kBlock = 512;
  T best = Op::kIdentity;
  int64_t start = 0;
  for (int64_t i = 0; i < n; i += kBlock) {
    const T value = fold_leaf<Op, T>(data + i, n - i < kBlock ? n - i : kBlock, T{});
    if (i != 0 && !is_better<Op>(value, best) && value == value) continue;
    best = value;
    start = i;
    if (value != value) break;
  }
  for (int64_t i = start;; ++i) {
    const T value = Op::map(data[i], T{});
    if (value == best || value != value) return i;
  }
}

template <class Op, class T>
int64_t find_strided(const T* data, int64_t stride, int64_t n) {
  int64_t place = 0;
  for (int64_t i = 1; i < n; ++i) {
    const T best = Op::map(data[place * stride], T{}), value = Op::map(data[i * stride], T{});
    if (best != best) break;
    if (is_better<Op>(value, best) || value != value) place = i;
  }
  return place;
}

template <class Op, class T>
void find_columns(int64_t* places, const Cell<T>& cell) {
  T* best = static_cast<T*>(scratch(Scratch::kPanel, static_cast<size_t>(cell.width) * sizeof(T)));
  for (int64_t j = 0; j < cell.width; ++j) {
    best[j] = Op::map(cell.data[j], T{});
    places[j] = 0;
  }
  for (int64_t i = 1; i < cell.reduced.numel(); ++i) {
    const T* row = cell.data + cell.reduced.offset(i);
#pragma GCC ivdep
    for (int64_t j = 0; j < cell.width; ++j) {
      const T value = Op::map(row[j], T{});
      const bool takes = is_better<Op>(value, best[j]) | ((value != value) & (best[j] == best[j]));
      best[j] = takes ? value : best[j];
      places[j] = takes ? i : places[j];
    }
  }
}

template <class Op, class T>
void find(const TensorView& out, const TensorView& input, int64_t dim) {
  if (input.numel == 0) return;
  auto* result = out.as<int64_t>();
  for_each_cell(
      Reduction(input, reduced_dims(input, dim)), input.as<const T>(), [&](const Cell<T>& cell) {
        int64_t* places = result + cell.out;
        const Axes& axes = cell.reduced;
        if (cell.width > 1) return find_columns<Op>(places, cell);
        if (axes.count == 0) {
          *places = 0;
        } else if (axes.list[0].input_stride == 1) {
          *places = find_row<Op>(cell.data, axes.list[0].size);
        } else {
          *places = find_strided<Op>(cell.data, axes.list[0].input_stride, axes.list[0].size);
        }
      });
}

// No dimension: among all elements of a contiguous tensor.
template <class Op, class T>
void find(const TensorView& out, const TensorView& input, std::optional<int64_t> dim) {
  if (dim) return find<Op, T>(out, input, *dim);
  const int64_t sizes[] = {input.numel}, strides[] = {1};
  TensorView flat = input;
  flat.sizes = sizes;
  flat.strides = strides;
  find<Op, T>(out, flat, 0);
}

template <class Op, class T>
void choose(const TensorView& values, const TensorView& indices, const TensorView& input,
            int64_t dim) {
  if (input.numel == 0) return;
  find<Op, T>(indices, input, dim);
  const int64_t rank = input.rank();
  const int64_t along = dim < 0 ? dim + rank : dim;
  const int64_t step = rank == 0 ? 0 : input.strides[along];
  const T* data = input.as<const T>();
  int64_t place[kMaxDims] = {}, offset = 0;
  for (int64_t i = 0; i < values.numel; ++i) {
    values.as<T>()[i] = Op::map(data[offset + indices.as<int64_t>()[i] * step], T{});
    for (int64_t d = rank; d-- > 0;) {
      if (d == along) continue;
      offset += input.strides[d];
      if (++place[d] < input.sizes[d]) break;
      offset -= place[d] * input.strides[d];
      place[d] = 0;
    }
  }
}

}  // namespace

void argmax_i32(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Largest<int32_t>, int32_t>(out, input, dim);
}
void argmax_i64(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Largest<int64_t>, int64_t>(out, input, dim);
}
void argmax_f32(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Largest<float>, float>(out, input, dim);
}
void argmax_f64(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Largest<double>, double>(out, input, dim);
}
void argmin_i32(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Smallest<int32_t>, int32_t>(out, input, dim);
}
void argmin_i64(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Smallest<int64_t>, int64_t>(out, input, dim);
}
void argmin_f32(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Smallest<float>, float>(out, input, dim);
}
void argmin_f64(const TensorView& out, const TensorView& input, std::optional<int64_t> dim, bool) {
  find<scalar::Smallest<double>, double>(out, input, dim);
}
void max_dim_bool(const TensorView& values, const TensorView& indices, const TensorView& input,
                  int64_t dim, bool) {
  choose<scalar::Either, uint8_t>(values, indices, input, dim);
}
void max_dim_i32(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Largest<int32_t>, int32_t>(values, indices, input, dim);
}
void max_dim_i64(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Largest<int64_t>, int64_t>(values, indices, input, dim);
}
void max_dim_f32(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Largest<float>, float>(values, indices, input, dim);
}
void max_dim_f64(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Largest<double>, double>(values, indices, input, dim);
}
void min_dim_bool(const TensorView& values, const TensorView& indices, const TensorView& input,
                  int64_t dim, bool) {
  choose<scalar::Both, uint8_t>(values, indices, input, dim);
}
void min_dim_i32(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Smallest<int32_t>, int32_t>(values, indices, input, dim);
}
void min_dim_i64(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Smallest<int64_t>, int64_t>(values, indices, input, dim);
}
void min_dim_f32(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Smallest<float>, float>(values, indices, input, dim);
}
void min_dim_f64(const TensorView& values, const TensorView& indices, const TensorView& input,
                 int64_t dim, bool) {
  choose<scalar::Smallest<double>, double>(values, indices, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA

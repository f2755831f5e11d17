// Averages of windows, and their gradient.
#include <cstddef>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/pool_ops.h>
#include <eagre/kernels/cpu/isa/pool_rows.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/cpu/pool_geometry.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// What sums are divided by.
struct Divisors {
  const PoolGeometry& g;
  bool with_padding;
  int64_t fixed;  // 0: the number of elements

  int64_t of_row(int64_t d, int64_t h) const {
    return fixed != 0 ? fixed : g.depth.count(d, with_padding) * g.height.count(h, with_padding);
  }
  int64_t of_column(int64_t w) const { return fixed != 0 ? 1 : g.width.count(w, with_padding); }
};

template <class T>
T* row_of_numbers(Scratch use, int64_t count) {
  return static_cast<T*>(
      scratch(use, static_cast<size_t>(count + 4 * Lanes<T>::kCount) * sizeof(T)));
}

// What each element of a row of results is divided by, but for the size of its rows.
template <class T>
T* column_divisors(const PoolGeometry& g, const Divisors& divisors, Scratch use) {
  T* const counts = row_of_numbers<T>(use, g.width.out * g.inner);
  T* to = counts;
  for (int64_t o = 0; o < g.width.out; ++o) {
    const auto count = static_cast<T>(divisors.of_column(o));
    for (int64_t c = 0; c < g.inner; ++c) *to++ = count;
  }
  for (int i = 0; i < Lanes<T>::kCount; ++i) to[i] = 1;
  return counts;
}

template <class T>
T sum_of(const T* values, int64_t n) {
  using L = Lanes<T>;
  typename L::Vector sums{};
  int64_t i = 0;
  for (; i + L::kCount <= n; i += L::kCount) sums += L::load(values + i);
  if (i < n) sums += L::load_first(values + i, static_cast<int>(n - i));
  T sum = 0;
  for (int k = 0; k < L::kCount; ++k) sum += sums[k];
  return sum;
}

// One window over whole rows, which lie in one piece.
template <class T>
T sum_of_rows(const PoolGeometry& g, const T* plane, int64_t d, int64_t h) {
  const int64_t y = g.height.begin(h), rows = g.height.end(h) - y;
  T sum = 0;
  for (int64_t z = g.depth.begin(d); z < g.depth.end(d); ++z) {
    sum += sum_of(plane + (z * g.height.in + y) * g.width.in, rows * g.width.in);
  }
  return sum;
}

template <class T>
void avg_pool(const TensorView& out, const TensorView& input, Dims window, bool with_padding,
              int64_t divisor, int64_t spatial) {
  using L = Lanes<T>;
  if (out.numel == 0) return;
  const PoolGeometry g(input, out, window, spatial);
  const Divisors divisors{g, with_padding, divisor};
  const RowRoom room(g);
  const PoolAxis& axis = g.width;
  const bool is_whole =
      !g.channels_last && axis.out == 1 && axis.begin(0) == 0 && axis.end(0) == axis.in;
  const int64_t plane_size = g.in_elements() * g.inner, width = axis.out * g.inner;
  share(g.out_rows(), g.row_work(), [&](int64_t begin, int64_t end) {
    const auto columns = row_of_room<SumOp<T>>(room);
    const T* const counts = column_divisors<T>(g, divisors, Scratch::kSums);
    g.each_row(begin, end, [&](int64_t row, int64_t plane, int64_t d, int64_t h) {
      T* const to = out.as<T>() + row * width;
      const T* const from = input.as<const T>() + plane * plane_size;
      const auto rows = static_cast<T>(divisors.of_row(d, h));
      if (is_whole) {
        to[0] = sum_of_rows(g, from, d, h) / (rows * counts[0]);
        return;
      }
      const auto factor = L::splat(rows);
      pool_row<SumOp<T>>(
          g, room, columns, from, d, h, [&](int64_t at, const auto& cell, int count) {
            L::store_some(to + at, cell.value / (factor * L::load(counts + at)), count);
          });
    });
  });
}

// --- gradient ---

// sums[o * kStride + k] += parts[o] for every k of a window.
template <int kStride, class T>
void spread(T* sums, const T* parts, const PoolAxis& axis) {
  const int64_t step = kStride != 0 ? kStride : axis.stride, n = axis.out;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    T* const to = sums + k;
#pragma GCC ivdep
    for (int64_t o = 0; o < n; ++o) to[o * step] += parts[o];
  }
}

// A row of the gradient of the input from `parts`, the windows that have it, added up.
template <class T>
void spread_row(const PoolGeometry& g, const RowRoom& room, T* to, T* sums, const T* parts) {
  using L = Lanes<T>;
  const PoolAxis& axis = g.width;
  if (!room.is_regular && g.inner == 1) {
    for (int64_t x = 0; x < axis.in; ++x) to[x] = 0;
    for (int64_t o = 0; o < axis.out; ++o) {
      for (int64_t x = axis.begin(o); x < axis.end(o); ++x) to[x] += parts[o];
    }
    return;
  }
  if (!room.is_regular) {
    for (int64_t x = 0; x < axis.in; ++x) {
      const int64_t begin = axis.first_with(x), end = axis.end_with(x);
      for (int64_t c = 0; c < g.inner; c += L::kCount) {
        typename L::Vector sum{};
        for (int64_t w = begin; w < end; ++w) sum += L::load(parts + w * g.inner + c);
        const int64_t left = g.inner - c;
        L::store_some(to + x * g.inner + c, sum,
                      left < L::kCount ? static_cast<int>(left) : L::kCount);
      }
    }
    return;
  }
  for (int64_t x = 0; x < room.length; ++x) sums[x] = 0;
  if (axis.stride == 1) {
    spread<1>(sums, parts, axis);
  } else if (axis.stride == 2) {
    spread<2>(sums, parts, axis);
  } else {
    spread<0>(sums, parts, axis);
  }
  const T* const inside = sums + room.left;
  const int64_t n = axis.in;
  for (int64_t x = 0; x < n; ++x) to[x] = inside[x];
}

// By row of the input: every element gathers from the windows that have it, rows of them first.
template <class T>
void avg_pool_grad(const TensorView& out, const TensorView& grad, Dims window, bool with_padding,
                   int64_t divisor, int64_t spatial) {
  using L = Lanes<T>;
  if (out.numel == 0) return;
  if (grad.numel == 0) {  // without a window nothing has a size to divide by
    for (int64_t i = 0; i < out.numel; ++i) out.as<T>()[i] = T{};
    return;
  }
  const PoolGeometry g(out, grad, window, spatial);
  const Divisors divisors{g, with_padding, divisor};
  const RowRoom room(g);
  const int64_t width = g.width.out * g.inner, in_width = g.width.in * g.inner;
  share(g.planes * g.depth.in * g.height.in, 4 * in_width, [&](int64_t begin, int64_t end) {
    T* const sums = row_of_numbers<T>(Scratch::kRow, room.length);
    T* const parts = row_of_numbers<T>(Scratch::kBlock, width);
    const T* const counts = column_divisors<T>(g, divisors, Scratch::kSums);
    for (int64_t row = begin; row < end; ++row) {
      const int64_t y = row % g.height.in, z = row / g.height.in % g.depth.in;
      const T* const plane =
          grad.as<const T>() + row / g.height.in / g.depth.in * g.out_elements() * g.inner;
      for (int64_t i = 0; i < width; i += L::kCount) L::store(parts + i, L::splat(0));
      const int64_t d_end = g.depth.end_with(z), h_end = g.height.end_with(y);
      for (int64_t d = g.depth.first_with(z); d < d_end; ++d) {
        for (int64_t h = g.height.first_with(y); h < h_end; ++h) {
          const T* const from = plane + (d * g.height.out + h) * width;
          const auto rows = L::splat(static_cast<T>(divisors.of_row(d, h)));
          for (int64_t i = 0; i < width; i += L::kCount) {
            const int count = width - i < L::kCount ? static_cast<int>(width - i) : L::kCount;
            const auto part = L::load_some(from + i, count) / (rows * L::load(counts + i));
            L::store(parts + i, L::load(parts + i) + part);
          }
        }
      }
      spread_row(g, room, out.as<T>() + row * in_width, sums, parts);
    }
  });
}

}  // namespace

void avg_pool_i64(const TensorView& out, const TensorView& input, Dims window, bool with_padding,
                  int64_t divisor, int64_t spatial) {
  avg_pool<int64_t>(out, input, window, with_padding, divisor, spatial);
}
void avg_pool_f32(const TensorView& out, const TensorView& input, Dims window, bool with_padding,
                  int64_t divisor, int64_t spatial) {
  avg_pool<float>(out, input, window, with_padding, divisor, spatial);
}
void avg_pool_f64(const TensorView& out, const TensorView& input, Dims window, bool with_padding,
                  int64_t divisor, int64_t spatial) {
  avg_pool<double>(out, input, window, with_padding, divisor, spatial);
}
void avg_pool_grad_f32(const TensorView& out, const TensorView& input, Dims window,
                       bool with_padding, int64_t divisor, int64_t spatial) {
  avg_pool_grad<float>(out, input, window, with_padding, divisor, spatial);
}
void avg_pool_grad_f64(const TensorView& out, const TensorView& input, Dims window,
                       bool with_padding, int64_t divisor, int64_t spatial) {
  avg_pool_grad<double>(out, input, window, with_padding, divisor, spatial);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA

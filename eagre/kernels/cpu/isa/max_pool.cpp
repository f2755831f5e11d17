// The largest elements of windows, and where they were.
#include <cstdint>
#include <type_traits>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/pool_ops.h>
#include <eagre/kernels/cpu/isa/pool_rows.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/cpu/pool_geometry.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T, bool kPlaces>
void max_pool(const TensorView& out, int64_t* indices, const TensorView& input, Dims window,
              int64_t spatial) {
  using Op = std::conditional_t<kPlaces, MaxPlaceOp<T>, MaxOp<T>>;
  if (out.numel == 0) return;
  const PoolGeometry g(input, out, window, spatial);
  const RowRoom room(g);
  const int64_t plane_size = g.in_elements() * g.inner, width = g.width.out * g.inner;
  share(g.out_rows(), g.row_work(), [&](int64_t begin, int64_t end) {
    const auto columns = row_of_room<Op>(room);
    g.each_row(begin, end, [&](int64_t row, int64_t plane, int64_t d, int64_t h) {
      const auto put = [&](int64_t at, const auto& cell, int count) {
        Lanes<T>::store_some(out.as<T>() + row * width + at, cell.value, count);
        if constexpr (kPlaces) {
          Place<T> places[Lanes<T>::kCount];
          Lanes<Place<T>>::store(places, cell.place);
          int64_t* const to = indices + row * width + at;
          // A window without elements has no place.
          for (int i = 0; i < count; ++i) to[i] = places[i] < kNoPlace<T> ? places[i] : 0;
        }
      };
      pool_row<Op>(g, room, columns, input.as<const T>() + plane * plane_size, d, h, put);
    });
  });
}

// By plane, or, with channels last, by sample and some channels: nobody else adds there.
template <class T>
void max_pool_grad(const TensorView& out, const TensorView& g, const TensorView& indices,
                   int64_t spatial) {
  if (out.numel == 0) return;
  const PoolGeometry geometry(out, g, {}, spatial);
  const int64_t in = geometry.in_elements(), count = geometry.out_elements();
  const int64_t inner = geometry.inner;
  const int64_t* const places = indices.as<const int64_t>();
  const T* const from = g.as<const T>();
  T* const to = out.as<T>();
  // Indices are of a result that users have too, and may write to meanwhile.
  const auto inside = [in](int64_t place) {
    return static_cast<uint64_t>(place) < static_cast<uint64_t>(in) ? place : 0;
  };
  if (!geometry.channels_last) {
    return share(geometry.planes, in + 4 * count, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        T* const sums = to + plane * in;
        for (int64_t i = 0; i < in; ++i) sums[i] = 0;
        const T* const values = from + plane * count;
        const int64_t* const index = places + plane * count;
        for (int64_t i = 0; i < count; ++i) sums[inside(index[i])] += values[i];
      }
    });
  }
  constexpr int64_t kChannels = 64;
  const int64_t parts = (inner - 1) / kChannels + 1;
  share(geometry.planes * parts, (in + 4 * count) * kChannels, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t plane = task / parts, first = task % parts * kChannels;
      const int64_t n = inner - first < kChannels ? inner - first : kChannels;
      T* const sums = to + plane * in * inner + first;
      for (int64_t i = 0; i < in; ++i) {
        for (int64_t c = 0; c < n; ++c) sums[i * inner + c] = 0;
      }
      for (int64_t i = 0; i < count; ++i) {
        const int64_t pixel = (plane * count + i) * inner + first;
        for (int64_t c = 0; c < n; ++c) {
          sums[inside(places[pixel + c]) * inner + c] += from[pixel + c];
        }
      }
    }
  });
}

}  // namespace

void max_pool_values_i32(const TensorView& out, const TensorView& input, Dims window,
                         int64_t spatial) {
  max_pool<int32_t, false>(out, nullptr, input, window, spatial);
}
void max_pool_indices_i32(const TensorView& values, const TensorView& indices,
                          const TensorView& input, Dims window, int64_t spatial) {
  max_pool<int32_t, true>(values, indices.as<int64_t>(), input, window, spatial);
}
void max_pool_values_i64(const TensorView& out, const TensorView& input, Dims window,
                         int64_t spatial) {
  max_pool<int64_t, false>(out, nullptr, input, window, spatial);
}
void max_pool_indices_i64(const TensorView& values, const TensorView& indices,
                          const TensorView& input, Dims window, int64_t spatial) {
  max_pool<int64_t, true>(values, indices.as<int64_t>(), input, window, spatial);
}
void max_pool_values_f32(const TensorView& out, const TensorView& input, Dims window,
                         int64_t spatial) {
  max_pool<float, false>(out, nullptr, input, window, spatial);
}
void max_pool_indices_f32(const TensorView& values, const TensorView& indices,
                          const TensorView& input, Dims window, int64_t spatial) {
  max_pool<float, true>(values, indices.as<int64_t>(), input, window, spatial);
}
void max_pool_values_f64(const TensorView& out, const TensorView& input, Dims window,
                         int64_t spatial) {
  max_pool<double, false>(out, nullptr, input, window, spatial);
}
void max_pool_indices_f64(const TensorView& values, const TensorView& indices,
                          const TensorView& input, Dims window, int64_t spatial) {
  max_pool<double, true>(values, indices.as<int64_t>(), input, window, spatial);
}
void max_pool_grad_f32(const TensorView& out, const TensorView& g, const TensorView& indices,
                       int64_t spatial) {
  max_pool_grad<float>(out, g, indices, spatial);
}
void max_pool_grad_f64(const TensorView& out, const TensorView& g, const TensorView& indices,
                       int64_t spatial) {
  max_pool_grad<double>(out, g, indices, spatial);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA

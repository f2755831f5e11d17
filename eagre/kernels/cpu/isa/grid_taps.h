// The taps of points in images of two or three axes: products of those along each axis.
#pragma once

#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/grid_axis.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// How images are sampled, and the points (N, count, axes) at which; the last axis comes first.
template <class T>
struct GridCall {
  Dims sizes;  // of the images, which follow those of batch and channels
  const T* points;
  int64_t count, image_stride, point_stride, axis_stride;
  GridPadding padding;
  bool align_corners;
  Dims order;  // of the derivative by each number of a point

  GridCall(Dims image_sizes, const TensorView& view, int64_t padding_mode, bool corners,
           Dims derivative)
      : sizes(image_sizes),
        points(view.as<const T>()),
        count(view.sizes[1]),
        image_stride(view.strides[0]),
        point_stride(view.strides[1]),
        axis_stride(view.strides[2]),
        padding(static_cast<GridPadding>(padding_mode)),
        align_corners(corners),
        order(derivative) {}
};

// Of up to kGridPoints points. Places count through the pixels of an image.
template <class T, int kAxes, int kEach>
struct GridTaps {
  static constexpr int kTaps = kAxes == 3 ? kEach * kEach * kEach : kEach * kEach;
  // By the nearest element, nothing changes when a point moves a little.
  static constexpr bool kHasSlopes = kEach != 1;

  int32_t places[kTaps][kGridPoints];
  T weights[kTaps][kGridPoints];
  T slopes[kAxes][kTaps][kGridPoints];
  AxisTaps<T, kEach> axes[kAxes];
  bool are_inside;  // all of them

  static GridTaps& of_thread() {
    return *static_cast<GridTaps*>(scratch(Scratch::kRow, sizeof(GridTaps)));
  }

  // Of `points` points from `first` on; the others are somewhere inside.
  void compute(const GridCall<T>& call, int64_t image, int64_t first, int64_t points,
               bool wants_slopes) {
    wants_slopes = wants_slopes && kHasSlopes;
    for (int k = 0; k < kAxes; ++k) {
      T numbers[kGridPoints] = {};
      const T* const from = call.points + image * call.image_stride + first * call.point_stride +
                            k * call.axis_stride;
      for (int64_t p = 0; p < points; ++p) numbers[p] = from[p * call.point_stride];
      GridAxis<T> axis(call.sizes[call.sizes.size() - 1 - static_cast<size_t>(k)],
                       call.align_corners, call.padding);
      axis.template taps<kEach>(numbers, call.order[static_cast<size_t>(k)], wants_slopes, axes[k]);
    }
    const auto width = static_cast<int32_t>(call.sizes[call.sizes.size() - 1]);
    const auto height = static_cast<int32_t>(call.sizes[call.sizes.size() - 2]);
    int32_t lowest = 0;
    for (int t = 0; t < kTaps; ++t) {
      const int at[] = {t % kEach, t / kEach % kEach, t / (kEach * kEach)};
      combine(at, t, width, height);
      for (int p = 0; p < kGridPoints; ++p) {
        lowest = places[t][p] < lowest ? places[t][p] : lowest;
      }
      multiply(at, -1, weights[t]);
      for (int k = 0; wants_slopes && k < kAxes; ++k) multiply(at, k, slopes[k][t]);
    }
    are_inside = lowest == 0;
  }

 private:
  void combine(const int* at, int t, int32_t width, int32_t height) {
    const int32_t* const x = axes[0].places[at[0]];
    const int32_t* const y = axes[1].places[at[1]];
    const int32_t* const z = kAxes == 3 ? axes[kAxes - 1].places[at[kAxes - 1]] : y;
#pragma GCC ivdep
    for (int p = 0; p < kGridPoints; ++p) {
      const int32_t row = kAxes == 3 ? z[p] * height + y[p] : y[p];
      const int32_t sign = x[p] | y[p] | z[p];  // negative if one of them is outside
      places[t][p] = sign < 0 ? kOutside : row * width + x[p];
    }
  }
  // The product of weights, but for one axis that of its slope.
  void multiply(const int* at, int sloped, T* to) {
    const auto of = [&](int k) {
      return k == sloped ? axes[k].slopes[at[k]] : axes[k].weights[at[k]];
    };
    const T* const x = of(0);
    const T* const y = of(1);
    const T* const z = of(kAxes - 1);
#pragma GCC ivdep
    for (int p = 0; p < kGridPoints; ++p) {
      to[p] = kAxes == 3 ? x[p] * y[p] * z[p] : x[p] * y[p];
    }
  }
};

// f(kAxes, kEach) as constants, for images of this many axes.
template <class F>
void with_taps(size_t axes, int64_t mode, const F& f) {
  using Two = std::integral_constant<int, 2>;
  using Three = std::integral_constant<int, 3>;
  const auto with_each = [&](auto count) {
    if (mode == 0) f(count, Two());
    if (mode == 1) f(count, std::integral_constant<int, 1>());
    if (mode == 2) f(count, std::integral_constant<int, 4>());
  };
  if (axes == 2) with_each(Two());
  if (axes == 3) with_each(Three());
}

// Are blocks of channels worth their copies? An image of a block is at most 16 MiB.
inline bool pays_to_pack(int64_t channels, int64_t pixels, int64_t points) {
  return channels >= 4 && pixels <= (int64_t{1} << 18) && pixels <= 4 * points;
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

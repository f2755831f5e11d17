// Other sizes along a dimension: sums of a few elements with weights, and their gradient.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/resample_taps.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// A dimension between those before it and those behind it in memory.
struct Stretch {
  int64_t outer, large, small, inner;  // `small`: of the tensor that is resampled

  Stretch(const TensorView& resampled, const TensorView& source, int64_t dim) {
    const auto d = static_cast<size_t>(dim + source.rank());
    large = resampled.sizes[d];
    small = source.sizes[d];
    // Those of a dimension of size 1 say nothing.
    inner = small > 1 ? source.strides[d] : large > 1 ? resampled.strides[d] : 1;
    outer = source.numel / (small * inner);
  }
};

template <class T>
void resample(const TensorView& out, const TensorView& input, int64_t dim, std::string_view mode,
              bool align_corners, bool antialias, double scale) {
  if (out.numel == 0) return;
  const Stretch s(out, input, dim);
  const ResampleTaps<T> taps(s.small, s.large, mode, align_corners, antialias, scale);
  const T* const source = input.as<const T>();
  T* const target = out.as<T>();
  const int32_t* const places = taps.places.data();
  const T* const weights = taps.weights.data();
  const int64_t n = s.large, inner = s.inner;
  if (inner == 1) {
    return share(s.outer, n * taps.count, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* const from = source + row * s.small;
        T* const to = target + row * n;
#pragma GCC ivdep
        for (int64_t o = 0; o < n; ++o) to[o] = weights[o] * from[places[o]];
        for (int64_t k = 1; k < taps.count; ++k) {
          const int32_t* const place = places + k * n;
          const T* const weight = weights + k * n;
#pragma GCC ivdep
          for (int64_t o = 0; o < n; ++o) to[o] += weight[o] * from[place[o]];
        }
      }
    });
  }
  share(s.outer * n, inner * taps.count, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t o = row % n;
      const T* const from = source + row / n * s.small * inner;
      T* const to = target + row * inner;
      const T* const first = from + places[o] * inner;
      const T a = weights[o];
      if (taps.count == 1) {
        for (int64_t i = 0; i < inner; ++i) to[i] = first[i];
        continue;
      }
      const T* const second = from + places[n + o] * inner;
      const T b = weights[n + o];
#pragma GCC ivdep
      for (int64_t i = 0; i < inner; ++i) to[i] = a * first[i] + b * second[i];
      for (int64_t k = 2; k < taps.count; ++k) {
        const T* const more = from + places[k * n + o] * inner;
        const T weight = weights[k * n + o];
        if (weight == 0) continue;
#pragma GCC ivdep
        for (int64_t i = 0; i < inner; ++i) to[i] += weight * more[i];
      }
    }
  });
}

// By what lies before the dimension: nobody else adds there.
template <class T>
void resample_grad(const TensorView& out, const TensorView& grad, int64_t dim,
                   std::string_view mode, bool align_corners, bool antialias, double scale) {
  if (out.numel == 0) return;
  const Stretch s(grad, out, dim);
  const ResampleTaps<T> taps(s.small, s.large, mode, align_corners, antialias, scale);
  const int64_t n = s.large, inner = s.inner, own = s.small * inner;
  share(s.outer, n * inner * taps.count, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* const from = grad.as<const T>() + row * n * inner;
      T* const to = out.as<T>() + row * own;
      for (int64_t i = 0; i < own; ++i) to[i] = 0;
      for (int64_t k = 0; k < taps.count; ++k) {
        const int32_t* const places = taps.places.data() + k * n;
        const T* const weights = taps.weights.data() + k * n;
        if (inner == 1) {
          for (int64_t o = 0; o < n; ++o) to[places[o]] += weights[o] * from[o];
          continue;
        }
        for (int64_t o = 0; o < n; ++o) {
          const T* const values = from + o * inner;
          T* const sums = to + places[o] * inner;
          const T weight = weights[o];
#pragma GCC ivdep
          for (int64_t i = 0; i < inner; ++i) sums[i] += weight * values[i];
        }
      }
    }
  });
}

}  // namespace

void resample_f32(const TensorView& out, const TensorView& input, int64_t dim,
                  std::string_view mode, bool align_corners, bool antialias, double scale) {
  resample<float>(out, input, dim, mode, align_corners, antialias, scale);
}
void resample_f64(const TensorView& out, const TensorView& input, int64_t dim,
                  std::string_view mode, bool align_corners, bool antialias, double scale) {
  resample<double>(out, input, dim, mode, align_corners, antialias, scale);
}
void resample_grad_f32(const TensorView& out, const TensorView& input, int64_t dim,
                       std::string_view mode, bool align_corners, bool antialias, double scale) {
  resample_grad<float>(out, input, dim, mode, align_corners, antialias, scale);
}
void resample_grad_f64(const TensorView& out, const TensorView& input, int64_t dim,
                       std::string_view mode, bool align_corners, bool antialias, double scale) {
  resample_grad<double>(out, input, dim, mode, align_corners, antialias, scale);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA

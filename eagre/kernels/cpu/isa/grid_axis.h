// Sampling along one axis of images: the places that a coordinate leads to, and their weights.
#pragma once

#include <cmath>
#include <cstdint>

#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// As PyTorch's grid_sampler() numbers them.
enum class GridPadding : unsigned char { kZeros, kBorder, kReflection };
// Points whose taps are computed at once.
constexpr int kGridPoints = 64;
// A place outside of the image, which counts as zero.
constexpr int32_t kOutside = -1;

// What a point has along one axis, `kTaps` of them: 1 by the nearest element, 2 by a line, 4 by a
// cubic. `slopes` are the derivatives of `weights`.
template <class T, int kTaps>
struct AxisTaps {
  int32_t places[kTaps][kGridPoints];
  T weights[kTaps][kGridPoints], slopes[kTaps][kGridPoints];
};

template <class T>
class GridAxis {
 public:
  GridAxis(int64_t size, bool align_corners, GridPadding padding)
      : size_(static_cast<int32_t>(size)), last_(static_cast<T>(size - 1)), padding_(padding) {
    scale_ = static_cast<T>(align_corners ? size - 1 : size) / 2;
    shift_ = align_corners ? 0 : T(0.5);
    low_ = -shift_;
    span_ = 2 * scale_;
  }

  // Of `numbers`, from -1 to 1 where they are inside. `order`: which derivative the weights are.
  template <int kTaps>
  void taps(const T* numbers, int64_t order, bool wants_slopes, AxisTaps<T, kTaps>& taps) {
    if (padding_ == GridPadding::kZeros) places<GridPadding::kZeros>(numbers, taps);
    if (padding_ == GridPadding::kBorder) places<GridPadding::kBorder>(numbers, taps);
    if (padding_ == GridPadding::kReflection) places<GridPadding::kReflection>(numbers, taps);
    weights<kTaps>(order, taps.weights);
    if (wants_slopes) weights<kTaps>(order + 1, taps.slopes);
  }

 private:
  // `slope` is how fast the coordinate moves with the number.
  template <GridPadding kPadding>
  EAGRE_INLINE T padded(T x, T& slope) const {
    if constexpr (kPadding == GridPadding::kZeros) return x;
    if constexpr (kPadding == GridPadding::kReflection) {
      const T from = x - low_, far = std::fabs(from);
      const T turns = span_ > 0 ? std::floor(far / span_) : T(0), half = turns / 2;
      const T rest = far - turns * span_;
      const bool is_odd = half != std::floor(half);
      slope = is_odd == (from < 0) ? slope : -slope;
      x = (is_odd ? span_ - rest : rest) + low_;
    }
    slope = x > 0 && x < last_ ? slope : T(0);
    // A NaN becomes 0.
    const T above = x > 0 ? x : T(0);
    return above < last_ ? above : last_;
  }

  // A whole number as a place. Those far away would not fit an integer.
  EAGRE_INLINE int32_t place(T whole) const {
    const T above = whole > -2 ? whole : T(-2);
    const auto i = static_cast<int32_t>(above < last_ + 2 ? above : last_ + 2);
    return static_cast<uint32_t>(i) < static_cast<uint32_t>(size_) ? i : kOutside;
  }

  template <GridPadding kPadding, int kTaps>
  void places(const T* numbers, AxisTaps<T, kTaps>& taps) {
#pragma GCC ivdep
    for (int p = 0; p < kGridPoints; ++p) {
      T slope = scale_, x = (numbers[p] + 1) * scale_ - shift_;
      if constexpr (kTaps != 4) x = padded<kPadding>(x, slope);
      if constexpr (kTaps == 1) {
        taps.places[0][p] = place(std::nearbyint(x));
        continue;
      }
      // Of a NaN the part is one too, and so is the result.
      const T whole = std::floor(x), start = whole == whole ? whole : T(0);
      part_[p] = x - whole;
      slope_[p] = slope;
      if constexpr (kTaps == 2) {
        taps.places[0][p] = place(start);
        taps.places[1][p] = place(start + 1);
      }
      if constexpr (kTaps == 4) {
        T unused = 0;
        for (int t = 0; t < 4; ++t) {
          taps.places[t][p] = place(padded<kPadding>(start + static_cast<T>(t - 1), unused));
        }
      }
    }
  }

  // The derivative of that order by the number.
  template <int kTaps>
  void weights(int64_t order, T (*to)[kGridPoints]) const {
    if constexpr (kTaps == 1) {
      for (int p = 0; p < kGridPoints; ++p) to[0][p] = order == 0 ? T(1) : T(0);
    } else {
      for (int t = 0; t < kTaps; ++t) {
        T c[4];
        derivative<kTaps>(t, order, c);
        for (int p = 0; p < kGridPoints; ++p) {
          const T x = part_[p];
          to[t][p] = kTaps == 2 ? c[0] + c[1] * x : c[0] + x * (c[1] + x * (c[2] + x * c[3]));
        }
        for (int64_t i = 0; i < order && i < 4; ++i) {
          for (int p = 0; p < kGridPoints; ++p) to[t][p] *= slope_[p];
        }
      }
    }
  }

  // The coefficients of tap t, as a polynomial in the part behind the whole number. Cubic
  // convolution (R. G. Keys, 1981) with a = -3/4.
  template <int kTaps>
  static void derivative(int t, int64_t order, T* c) {
    constexpr T a = T(-0.75);
    constexpr T kLine[2][4] = {{1, -1, 0, 0}, {0, 1, 0, 0}};
    constexpr T kCubic[4][4] = {
        {0, a, -2 * a, a}, {1, 0, -(a + 3), a + 2}, {0, -a, 2 * a + 3, -(a + 2)}, {0, 0, a, -a}};
    for (int i = 0; i < 4; ++i) c[i] = kTaps == 2 ? kLine[t % 2][i] : kCubic[t][i];
    for (int64_t o = 0; o < order && o < 4; ++o) {
      for (int i = 0; i < 3; ++i) c[i] = static_cast<T>(i + 1) * c[i + 1];
      c[3] = 0;
    }
  }

  int32_t size_;
  T last_, scale_, shift_, low_, span_;
  GridPadding padding_;
  // Of the points at hand: what is behind the whole number, and how fast the coordinate moves.
  T part_[kGridPoints], slope_[kGridPoints];
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA

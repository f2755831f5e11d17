// Taps of resampling: their places and weights for each mode.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>

#include <eagre/kernels/cpu/resample_taps.h>

namespace eagre::kernels::cpu {
namespace {

// The weight of an element at a distance, of the cubic filter with that slope.
template <class T>
T cubic_weight(T x, T a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : T{0};
}

// sin(πx) / (πx).
template <class T>
T sinc(T x) {
  const T angle = x * static_cast<T>(std::numbers::pi);
  return angle == 0 ? T{1} : std::sin(angle) / angle;
}

// A filter around an element: no weight from `support` on.
template <class T>
struct Filter {
  T support;
  T (*weight)(T distance);
};

template <class T>
Filter<T> filter_of(std::string_view mode) {
  if (mode == "bicubic") return {2, [](T x) { return cubic_weight(x, T{-0.5}); }};
  if (mode == "lanczos") {
    return {3, [](T x) { return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : T{0}; }};
  }
  return {1, [](T x) { return std::max(T{0}, 1 - std::abs(x)); }};
}

}  // namespace

template <class T>
ResampleTaps<T>::ResampleTaps(int64_t in, int64_t out, std::string_view mode, bool align_corners,
                              bool antialias, double given_scale)
    : size(out), in_(in), align_corners_(align_corners) {
  const double ratio = static_cast<double>(in) / static_cast<double>(out);
  // As PyTorch rounds it, since places depend on it.
  scale_ = static_cast<T>(given_scale > 0 ? 1 / given_scale : ratio);
  if (align_corners) {
    scale_ = out > 1 ? static_cast<T>(in - 1) / static_cast<T>(out - 1) : T{0};
  }
  if (mode == "nearest" || mode == "nearest-exact") {
    const T half = mode == "nearest" ? T{0} : T{0.5};
    reserve(1);
    for (int64_t o = 0; o < out; ++o) set(0, o, nearest(o, half), 1);
  } else if (antialias) {
    smooth(mode);
  } else if (mode == "bicubic") {
    cubic();
  } else {
    linear();
  }
}

template <class T>
ResampleTaps<T>::~ResampleTaps() = default;

template <class T>
void ResampleTaps<T>::reserve(int64_t taps) {
  count = taps;
  places.assign(static_cast<size_t>(taps * size), 0);
  weights.assign(static_cast<size_t>(taps * size), T{0});
}

template <class T>
void ResampleTaps<T>::set(int64_t tap, int64_t o, int64_t place, T weight) {
  const auto at = static_cast<size_t>(tap * size + o);
  places[at] = static_cast<int32_t>(std::clamp<int64_t>(place, 0, in_ - 1));
  weights[at] = weight;
}

// Rounded down, and not far outside.
template <class T>
int64_t ResampleTaps<T>::whole(T place) const {
  const T low = std::floor(place), most = static_cast<T>(in_ + 2);
  return low > -2 ? static_cast<int64_t>(std::min(low, most)) : -2;
}

template <class T>
int64_t ResampleTaps<T>::nearest(int64_t o, T half) const {
  if (half == 0 && size == in_) return o;
  if (half == 0 && size == 2 * in_) return o / 2;
  const T place = (static_cast<T>(o) + half) * scale_;
  return whole(static_cast<T>(static_cast<float>(place)));
}

template <class T>
T ResampleTaps<T>::source(int64_t o) const {
  const auto place = static_cast<T>(o);
  return align_corners_ ? scale_ * place : scale_ * (place + T{0.5}) - T{0.5};
}

template <class T>
void ResampleTaps<T>::linear() {
  reserve(2);
  for (int64_t o = 0; o < size; ++o) {
    const T place = std::max(source(o), T{0});
    const int64_t low = std::min(whole(place), in_ - 1);
    const T part = std::clamp(place - static_cast<T>(low), T{0}, T{1});
    set(0, o, low, 1 - part);
    set(1, o, low + 1, part);
  }
}

template <class T>
void ResampleTaps<T>::cubic() {
  reserve(4);
  for (int64_t o = 0; o < size; ++o) {
    const T place = source(o);
    const int64_t low = whole(place);
    const T part = std::clamp(place - static_cast<T>(low), T{0}, T{1});
    for (int64_t k = 0; k < 4; ++k) {
      set(k, o, low - 1 + k, cubic_weight(static_cast<T>(1 - k) + part, T{-0.75}));
    }
  }
}

// A filter as wide as what it stands for, so that nothing is left out.
template <class T>
void ResampleTaps<T>::smooth(std::string_view mode) {
  const Filter<T> filter = filter_of<T>(mode);
  const T stretch = std::max(scale_, T{1});
  const T support = filter.support * stretch;
  const auto inside = [&](T place) {
    return place > 0 ? static_cast<int64_t>(std::min(place, static_cast<T>(in_))) : 0;
  };
  const auto range = [&](int64_t o) {
    const T center = scale_ * (static_cast<T>(o) + T{0.5});
    const int64_t first = inside(center - support + T{0.5});
    return std::pair(first, std::max(inside(center + support + T{0.5}), first));
  };
  int64_t most = 1;
  for (int64_t o = 0; o < size; ++o) most = std::max(most, range(o).second - range(o).first);
  reserve(most);
  for (int64_t o = 0; o < size; ++o) {
    const auto [first, last] = range(o);
    const T center = scale_ * (static_cast<T>(o) + T{0.5});
    T total = 0;
    for (int64_t i = first; i < last; ++i) {
      const T distance = (static_cast<T>(i) - center + T{0.5}) / stretch;
      const T weight = filter.weight(distance);
      set(i - first, o, i, weight);
      total += weight;
    }
    for (int64_t k = 0; k < last - first && total != 0; ++k) {
      weights[static_cast<size_t>(k * size + o)] /= total;
    }
  }
}

template struct ResampleTaps<float>;
template struct ResampleTaps<double>;

}  // namespace eagre::kernels::cpu

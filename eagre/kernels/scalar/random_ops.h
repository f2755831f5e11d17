// The operations of random fills (`kernel: {random: …}`): what becomes of each number drawn.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include <eagre/core/can_hold.h>
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/scalar/logic.h>
#include <eagre/kernels/scalar/random_below.h>
#include <eagre/kernels/scalar/random_counts.h>
#include <eagre/kernels/scalar/random_draws.h>
#include <eagre/kernels/scalar/random_input.h>

namespace eagre::scalar {

// What the numbers of a fill are computed as: parts of complex numbers each on its own, halves in
// float.
template <class T>
using RandomNumber =
    std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, Real<T>>;

// What an operation says, besides finish(number drawn, element of each input): how it begins with
// the numbers of the call, and, of inputs, which it refuses: refused(elements) is the place of that
// one, or -1, and input(place) what is expected of it.
template <class Drawn>
struct RandomOp {
  using Draw = Drawn;
  static constexpr int64_t kCost = 1;  // so many times the work of most
};

// The number of type S that comes before x, which is finite.
template <class S>
EAGRE_SCALAR double before(S x) {
  if constexpr (std::is_floating_point_v<S>) {
    return std::nextafter(x, -std::numeric_limits<S>::infinity());
  } else {
    const auto value = static_cast<float>(x);
    S result;
    result.bits = static_cast<uint16_t>(value > 0 ? x.bits - 1 : value < 0 ? x.bits + 1 : 0x8001);
    return static_cast<double>(static_cast<float>(result));
  }
}

// Numbers in [from, to): rounding up to the upper bound, which halves do often as they have few
// digits, stops at the number before it.
template <class T>
struct UniformBetween : RandomOp<UniformDraw<RandomNumber<T>>> {
  using Number = RandomNumber<T>;
  Number factor, start, last;

  UniformBetween(double from, double to) {
    using S = Real<T>;
    const S first(static_cast<Number>(from)), end(static_cast<Number>(to));
    const auto low = static_cast<double>(static_cast<Number>(first));
    const auto high = static_cast<double>(static_cast<Number>(end));
    const double most = largest_finite<Number>();
    factor = static_cast<Number>(high - low < most ? high - low : most);
    start = static_cast<Number>(low);
    const double below = before(end);
    last = static_cast<Number>(below > low ? below : low);
  }
  EAGRE_SCALAR_MEMBER Number finish(Number drawn) const {
    const Number value = drawn * factor + start;
    return value < last ? value : last;
  }
};

template <class T>
struct Uniform : RandomOp<UniformDraw<RandomNumber<T>>> {
  using Number = RandomNumber<T>;
  EAGRE_SCALAR_MEMBER Number finish(Number drawn) const { return drawn; }
};
template <>
struct Uniform<Half> : UniformBetween<Half> {
  Uniform() : UniformBetween(0, 1) {}
};
template <>
struct Uniform<BFloat16> : UniformBetween<BFloat16> {
  Uniform() : UniformBetween(0, 1) {}
};

// Both parts of a complex number together vary by `std`.
template <class T>
struct Normal : RandomOp<NormalDraw<RandomNumber<T>>> {
  using Number = RandomNumber<T>;
  Number factor, start;

  Normal(double mean, double std)
      : factor(static_cast<Number>(kIsComplex<T> ? std * std::numbers::sqrt2 / 2 : std)),
        start(static_cast<Number>(mean)) {}
  EAGRE_SCALAR_MEMBER Number finish(Number drawn) const { return drawn * factor + start; }
};

template <class T>
struct Randn : Normal<T> {
  Randn() : Normal<T>(0, 1) {}
  EAGRE_SCALAR_MEMBER RandomNumber<T> finish(RandomNumber<T> drawn) const {
    return kIsComplex<T> ? Normal<T>::finish(drawn) : drawn;
  }
};

// Whole numbers in [low, high).
template <class T>
struct RandintValues : RandomOp<WordDraw> {
  uint64_t low, count;

  RandintValues(int64_t first, int64_t end)
      : low(static_cast<uint64_t>(first)), count(static_cast<uint64_t>(end) - low) {}
  EAGRE_SCALAR_MEMBER T finish(uint64_t word) const {
    return static_cast<T>(static_cast<int64_t>(low + random_below(count, word)));
  }
};

// 1 with one probability for all elements, else 0.
template <class T>
struct BernoulliFill : RandomOp<WordDraw> {
  double chance;

  explicit BernoulliFill(double p) : chance(p) {}
  EAGRE_SCALAR_MEMBER T finish(uint64_t word) const {
    return random_fraction(word) < chance ? T(1) : T(0);
  }
};

// 1 with the probability that an element is, else 0.
template <class T>
struct Bernoulli : RandomOp<WordDraw> {
  static constexpr const char* kOperator = "bernoulli";
  EAGRE_SCALAR RandomInput input(int) { return {"input", "probabilities from 0 to 1"}; }
  EAGRE_SCALAR int refused(T chance) { return chance >= 0 && chance <= 1 ? -1 : 0; }
  EAGRE_SCALAR_MEMBER T finish(uint64_t word, T chance) const {
    return random_fraction(word) < static_cast<double>(chance) ? T(1) : T(0);
  }
};

// A random count for every rate. (Another thread may have written to the rates since the check.)
template <class T>
struct Poisson : RandomOp<WordDraw> {
  static constexpr int64_t kCost = 8;
  static constexpr const char* kOperator = "poisson";
  EAGRE_SCALAR RandomInput input(int) { return {"input", "rates from 0 on, and finite"}; }
  EAGRE_SCALAR int refused(T rate) { return rate >= 0 && scalar::isfinite(rate) ? -1 : 0; }
  EAGRE_SCALAR_MEMBER T finish(uint64_t word, T rate) const {
    RandomSequence own{word};
    return rate >= 0 ? static_cast<T>(poisson_count(static_cast<double>(rate), own)) : T(0);
  }
};

// How many tries succeed.
template <class T>
struct BinomialDraws : RandomOp<WordDraw> {
  static constexpr int64_t kCost = 8;
  static constexpr const char* kOperator = "binomial";
  EAGRE_SCALAR RandomInput input(int place) {
    return place == 0 ? RandomInput{"count", "finite numbers"}
                      : RandomInput{"prob", "probabilities"};
  }
  EAGRE_SCALAR int refused(T count, T prob) {
    if (!scalar::isfinite(count)) return 0;
    return scalar::isnan(prob) ? 1 : -1;
  }
  EAGRE_SCALAR_MEMBER T finish(uint64_t word, T count, T prob) const {
    RandomSequence own{word};
    return static_cast<T>(
        binomial_count(static_cast<double>(count), static_cast<double>(prob), own));
  }
};

// The mask of dropout: which elements stay, and what they are multiplied by.
template <class T>
struct DropoutMask : RandomOp<UniformDraw<float>> {
  float limit;
  T factor;

  explicit DropoutMask(double p)
      : limit(static_cast<float>(p)), factor(p < 1 ? static_cast<T>(1 / (1 - p)) : T{0}) {}
  EAGRE_SCALAR_MEMBER T finish(float drawn) const { return drawn < limit ? T{0} : factor; }
};

}  // namespace eagre::scalar

// The 8-bit floating types: every value there and back, rounding, and what is too large.
#include <cmath>
#include <cstdint>
#include <limits>

#include <eagre/core/float8.h>
#include <gtest/gtest.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

template <class T>
T from_bits(int bits) {
  T value;
  value.bits = static_cast<uint8_t>(bits);
  return value;
}

// What the bits of a finite number mean, by the definition of the formats.
template <class T>
double meaning(int bits) {
  constexpr int kFraction = std::is_same_v<T, Float8_e4m3fn> ? 3 : 2;
  constexpr int kBias = std::is_same_v<T, Float8_e4m3fn> ? 7 : 15;
  const int exponent = (bits & 0x7F) >> kFraction;
  const int fraction = bits & ((1 << kFraction) - 1);
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - kBias - kFraction);
  return sign * std::ldexp((1 << kFraction) + fraction, exponent - kBias - kFraction);
}

template <class T>
constexpr int kLargest = std::is_same_v<T, Float8_e4m3fn> ? 0x7E : 0x7B;

template <class T>
class Float8 : public ::testing::Test {};
using Float8Types = ::testing::Types<Float8_e4m3fn, Float8_e5m2>;
TYPED_TEST_SUITE(Float8, Float8Types);

TYPED_TEST(Float8, EveryValueThereAndBack) {
  for (int bits = 0; bits < 256; ++bits) {
    const float value = static_cast<float>(from_bits<TypeParam>(bits));
    const int magnitude = bits & 0x7F;
    if (magnitude <= kLargest<TypeParam>) {
      EXPECT_EQ(value, meaning<TypeParam>(bits)) << bits;
      EXPECT_EQ(std::signbit(value), bits >= 0x80) << bits;
    } else {
      const bool is_infinite = std::is_same_v<TypeParam, Float8_e5m2> && magnitude == 0x7C;
      EXPECT_EQ(std::isinf(value), is_infinite) << bits;
      EXPECT_EQ(std::isnan(value), !is_infinite) << bits;
    }
    const int back = std::isnan(value) ? bits | 0x7F : bits;
    EXPECT_EQ(TypeParam(value).bits, back) << bits;
  }
}

TYPED_TEST(Float8, RoundsToNearestAndTiesToEven) {
  for (int bits = 0; bits < kLargest<TypeParam>; ++bits) {
    const double low = meaning<TypeParam>(bits);
    const double high = meaning<TypeParam>(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);  // exact
    const int tie = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(TypeParam(middle).bits, tie);
    EXPECT_EQ(TypeParam(-middle).bits, tie | 0x80);
    EXPECT_EQ(TypeParam(std::nextafter(middle, 0.0F)).bits, bits);
    EXPECT_EQ(TypeParam(std::nextafter(middle, 1e9F)).bits, bits + 1);
  }
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TEST(Float8Range, TooLargeIsTheLargestOrInfinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float value : {448.0F, 464.0F, 465.0F, 1e30F, infinity}) {
    EXPECT_EQ(Float8_e4m3fn(value).bits, 0x7E) << value;
    EXPECT_EQ(Float8_e4m3fn(-value).bits, 0xFE) << value;
  }
  EXPECT_EQ(Float8_e5m2(61439.0F).bits, 0x7B);
  for (const float value : {61440.0F, 65536.0F, 1e30F, infinity}) {
    EXPECT_EQ(Float8_e5m2(value).bits, 0x7C) << value;
    EXPECT_EQ(Float8_e5m2(-value).bits, 0xFC) << value;
  }
}

TEST(Float8Range, NumbersAreHeldOrRefused) {
  EXPECT_TRUE(Scalar(448).fits(kFloat8_e4m3fn));
  EXPECT_FALSE(Scalar(449).fits(kFloat8_e4m3fn));
  EXPECT_TRUE(Scalar(-57344.0).fits(kFloat8_e5m2));
  EXPECT_FALSE(Scalar(60000.0).fits(kFloat8_e5m2));
  EXPECT_EQ(full({1}, 1.5, kFloat8_e4m3fn).item<double>(), 1.5);
}

TEST(Float8Gradients, ComeBackThroughACast) {
  const Tensor x = full({3}, 2, TensorOptions(kFloat8_e5m2).requires_grad());
  (x.to(kFloat32) * 3).sum().backward();
  EXPECT_EQ(x.grad().dtype(), kFloat8_e5m2);
  EXPECT_EQ(values(x.grad().to(kFloat64)), (Values{3, 3, 3}));
}

TEST(DTypeSets, AreReadFromTheTable) {
  EXPECT_TRUE(is_floating_point(kFloat8_e4m3fn));
  EXPECT_FALSE(dtypes::kFloats.contains(kFloat8_e4m3fn));
  EXPECT_TRUE(dtypes::kFloating == (dtypes::kFloats | dtypes::kFloat8));
  EXPECT_TRUE(dtypes::kAll == (dtypes::kArithmetic | DTypeSet{kFloat8_e4m3fn, kFloat8_e5m2}));
  EXPECT_FALSE(dtypes::kUnsigned.contains(kUInt8));
}

}  // namespace
}  // namespace eagre::test

// The 16-bit floating types: every value there and back, and rounding.
#include <cmath>
#include <cstdint>
#include <limits>

#include "cpp/support.h"

namespace eagre::test {
namespace {

Half half_of(int bits) {
  Half half;
  half.bits = static_cast<uint16_t>(bits);
  return half;
}
BFloat16 bfloat_of(int bits) {
  BFloat16 value;
  value.bits = static_cast<uint16_t>(bits);
  return value;
}

// What the bits of a half mean, by the definition of the format.
double meaning(int bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, EveryValueMeansWhatTheFormatSays) {
  for (int bits = 0; bits < 65536; ++bits) {
    const float value = static_cast<float>(half_of(bits));
    if ((bits & 0x7C00) == 0x7C00) {
      EXPECT_EQ((bits & 1023) == 0, std::isinf(value)) << bits;
      EXPECT_EQ((bits & 1023) != 0, std::isnan(value)) << bits;
    } else {
      EXPECT_EQ(value, meaning(bits)) << bits;
    }
    if (!std::isnan(value)) {
      EXPECT_EQ(Half(value).bits, bits);
    }
  }
}

TEST(Half, RoundsToNearestAndTiesToEven) {
  for (int bits = 0; bits < 0x7BFF; ++bits) {
    const double low = meaning(bits);
    const double high = meaning(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);  // exact
    EXPECT_EQ(Half(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(Half(std::nextafter(middle, 0.0F)).bits, bits);
    EXPECT_EQ(Half(std::nextafter(middle, 1e9F)).bits, bits + 1);
  }
}

TEST(Half, TooLargeIsInfinite) {
  EXPECT_EQ(Half(65519.0F).bits, 0x7BFF);
  EXPECT_EQ(Half(65520.0F).bits, 0x7C00);
  EXPECT_EQ(Half(-1e30F).bits, 0xFC00);
  EXPECT_TRUE(std::isnan(static_cast<float>(Half(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(BFloat16, EveryValueThereAndBack) {
  for (int bits = 0; bits < 65536; ++bits) {
    const float value = static_cast<float>(bfloat_of(bits));
    if (!std::isnan(value)) {
      EXPECT_EQ(BFloat16(value).bits, bits);
    }
  }
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_EQ(BFloat16(1.00390625F).bits, 0x3F80);  // a tie, to the even one
  EXPECT_EQ(BFloat16(1.01171875F).bits, 0x3F82);
  EXPECT_EQ(BFloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
}

TEST(Half, IsComputedInFloat) {
  const Tensor ones = full({4096}, 1, kFloat16);
  EXPECT_EQ(ones.sum().item<double>(), 4096);  // halves added one by one stop at 2048
  const Tensor row = full({1, 4096}, 1, kFloat16);
  EXPECT_EQ(matmul(row, row.transpose(0, 1)).item<double>(), 4096);
  EXPECT_EQ(ones.sum().dtype(), kFloat16);
}

TEST(Half, GradientsComeBackAsHalves) {
  const Tensor x = full({3}, 2, TensorOptions(kFloat16).requires_grad());
  (x * x).sum().backward();
  EXPECT_EQ(x.grad().dtype(), kFloat16);
  EXPECT_EQ(values(x.grad().to(kFloat64)), (Values{4, 4, 4}));
}

TEST(Integers, WrapAround) {
  const Tensor x = full({1}, 100, kInt8);
  EXPECT_EQ((x + x).item<int64_t>(), -56);
  EXPECT_EQ((full({1}, 200, kUInt8) * 2).item<int64_t>(), 144);
  EXPECT_EQ(full({1}, 300.7, kFloat64).to(kUInt8).item<int64_t>(), 44);
  EXPECT_EQ(full({1}, -1, kUInt64).data_ptr<uint64_t>()[0], UINT64_MAX);
}

// Row: Paddle A13
TEST(Casts, KeepWhatFits) {
  const Tensor x = tensor({1e19, -1.5, 70000.0}, kFloat64);
  EXPECT_EQ(x.to(kUInt64).data_ptr<uint64_t>()[0], 10000000000000000000ULL);
  EXPECT_EQ(x.to(kInt8).data_ptr<int8_t>()[1], -1);
  EXPECT_TRUE(std::isinf(x.to(kFloat16).to(kFloat64).data_ptr<double>()[2]));
  EXPECT_EQ(x.to(kBool).data_ptr<bool>()[1], true);
}

}  // namespace
}  // namespace eagre::test

// exp within 2 units in the last place of a long double reference, over all magnitudes.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

// The distance in units of the last place of T at `expected`.
template <class T>
long double ulps(T got, long double expected) {
  using Limits = std::numeric_limits<T>;
  const int exponent = expected == 0 ? Limits::min_exponent - 1 : std::ilogb(expected);
  const int lowest = std::max(exponent, Limits::min_exponent - 1) - (Limits::digits - 1);
  return std::fabs((static_cast<long double>(got) - expected) / std::ldexp(1.0L, lowest));
}

template <class T>
void expect_close(const std::vector<T>& inputs) {
  const int64_t sizes[] = {static_cast<int64_t>(inputs.size())};
  const Tensor result = tensor_from(inputs.data(), DTypeOf<T>::value, sizes).exp();
  const T* got = result.data_ptr<T>();
  const long double limit = std::numeric_limits<T>::max();
  long double worst = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const long double expected = std::exp(static_cast<long double>(inputs[i]));
    if (expected > limit) {
      ASSERT_TRUE(std::isinf(got[i]) || ulps(got[i], limit) <= 2)
          << inputs[i] << " gave " << got[i];
      continue;
    }
    ASSERT_FALSE(std::isinf(got[i]) && expected < limit * 0.999999L) << inputs[i];
    if (!std::isinf(got[i])) worst = std::max(worst, ulps(got[i], expected));
    ASSERT_LE(ulps(std::min(got[i], std::numeric_limits<T>::max()), expected), 2)
        << inputs[i] << " gave " << got[i];
  }
  ::testing::Test::RecordProperty("worst_ulps", std::to_string(static_cast<double>(worst)));
}

TEST(Exp, FloatOverTheWholeRange) {
  // Every k-th bit pattern: denormals, tiny and huge numbers of both signs.
  std::vector<float> inputs;
  const uint32_t step = kSanitized ? 99991 : 1499;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (!std::isnan(value)) inputs.push_back(value);
  }
  expect_close(inputs);
}

TEST(Exp, FloatWhereItMatters) {
  std::vector<float> inputs;
  const int count = kSanitized ? 15'000 : 1'500'000;
  for (int i = 0; i < count; ++i) {
    inputs.push_back(-105.0F + 195.0F * static_cast<float>(i) / static_cast<float>(count));
  }
  expect_close(inputs);
}

TEST(Exp, Double) {
  std::mt19937_64 random(3);
  std::vector<double> inputs;
  std::uniform_real_distribution<double> any(-750, 715);
  for (int i = 0; i < (kSanitized ? 20'000 : 500'000); ++i) inputs.push_back(any(random));
  for (int i = 0; i < 20'000; ++i) inputs.push_back(any(random) * 0x1p-60);
  expect_close(inputs);
}

template <class T>
void expect_special() {
  using Limits = std::numeric_limits<T>;
  const T inputs[] = {0,
                      T(-0.0),
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN(),
                      -Limits::quiet_NaN(),
                      Limits::signaling_NaN(),
                      Limits::max(),
                      Limits::lowest(),
                      Limits::denorm_min()};
  const T wanted[] = {1,
                      1,
                      Limits::infinity(),
                      0,
                      Limits::quiet_NaN(),
                      Limits::quiet_NaN(),
                      Limits::quiet_NaN(),
                      Limits::infinity(),
                      0,
                      1};
  // Alone, and in rows long enough for vector code.
  for (int64_t repeat : {1, 37}) {
    for (size_t i = 0; i < std::size(inputs); ++i) {
      const std::vector<T> row(static_cast<size_t>(repeat), inputs[i]);
      const Tensor result = tensor_from(row.data(), DTypeOf<T>::value, {repeat}).exp();
      for (int64_t k = 0; k < repeat; ++k) {
        const T got = result.data_ptr<T>()[k];
        EXPECT_TRUE(std::isnan(wanted[i]) ? std::isnan(got) : got == wanted[i])
            << inputs[i] << " gave " << got;
      }
    }
  }
}
TEST(Exp, SpecialFloats) { expect_special<float>(); }
TEST(Exp, SpecialDoubles) { expect_special<double>(); }

TEST(Exp, InPlaceAndStrided) {
  const Tensor t = arange_of({2, 2});
  const Tensor swapped = t.transpose(0, 1).exp();
  EXPECT_EQ(values(swapped), values(t.exp().transpose(0, 1)));
  t.transpose(0, 1).exp_();
  EXPECT_EQ(values(t), values(swapped.transpose(0, 1)));
  expect_parts(error_of(ErrorKind::kType, [] { tensor({1}).exp_(); }),
               {"exp_()", "float32", "int64"});
}

}  // namespace
}  // namespace eagre::test

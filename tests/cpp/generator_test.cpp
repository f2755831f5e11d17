// Random numbers: known answers, distribution, state, threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <set>
#include <vector>

#include <eagre/kernels/scalar/normal.h>
#include <eagre/kernels/scalar/philox.h>
#include <eagre/kernels/scalar/uniform.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(Philox, KnownAnswer) {
  // The first row of the test vectors that come with the paper's code (all bits zero).
  const auto zero = scalar::philox(0, 0);
  EXPECT_EQ(zero.word[0], 0x6627E8D5U);
  EXPECT_EQ(zero.word[1], 0xE169C58DU);
  EXPECT_EQ(zero.word[2], 0xBC57AC4CU);
  EXPECT_EQ(zero.word[3], 0x9B00DBD8U);
}

TEST(BoxMuller, AgreesWithTheFormula) {
  double worst_f32 = 0, worst_f64 = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    const auto bits = scalar::philox(5, i);
    const auto* w = bits.word;
    {
      const double u = (static_cast<float>(w[0] >> 1) + 0.5) * 0x1p-31;
      const double radius = std::sqrt(-2 * std::log(u));
      const double angle = 2 * std::numbers::pi * (w[1] * 0x1p-32);
      const auto pair = scalar::normal_f32(w[0], w[1]);
      worst_f32 = std::max({worst_f32, std::abs(pair.first - radius * std::cos(angle)),
                            std::abs(pair.second - radius * std::sin(angle))});
    }
    const double u = scalar::uniform_f64(w[0], w[1]) + 0x1p-54;
    const double angle =
        2 * std::numbers::pi * (static_cast<double>(uint64_t{w[2]} << 32 | w[3]) * 0x1p-64);
    const double radius = std::sqrt(-2 * std::log(u));
    const auto pair = scalar::normal_f64(w[0], w[1], w[2], w[3]);
    worst_f64 = std::max({worst_f64, std::abs(pair.first - radius * std::cos(angle)),
                          std::abs(pair.second - radius * std::sin(angle))});
  }
  EXPECT_LT(worst_f32, 2e-6);
  EXPECT_LT(worst_f64, 1e-14);
}

TEST(BoxMuller, EndsOfTheRange) {
  for (uint32_t size : {0U, 1U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    for (uint32_t angle : {0U, 0x1FFFFFFFU, 0x20000000U, 0x40000000U, 0x80000000U, 0xFFFFFFFFU}) {
      const auto narrow = scalar::normal_f32(size, angle);
      const auto wide = scalar::normal_f64(size, size, angle, angle);
      for (double x : {double{narrow.first}, double{narrow.second}, wide.first, wide.second}) {
        EXPECT_TRUE(std::isfinite(x)) << size << " " << angle;
        EXPECT_LT(std::abs(x), 9);
      }
    }
  }
}

// The largest distance between the sample's distribution and the wanted one.
template <class F>
double distance(Values sample, F distribution) {
  std::sort(sample.begin(), sample.end());
  double worst = 0;
  const auto n = static_cast<double>(sample.size());
  for (size_t i = 0; i < sample.size(); ++i) {
    const double expected = distribution(sample[i]);
    worst = std::max({worst, std::abs(expected - static_cast<double>(i) / n),
                      std::abs(expected - static_cast<double>(i + 1) / n)});
  }
  return worst;
}

TEST(Random, Distributions) {
  const int64_t n = kSanitized ? 20'000 : 200'000;
  const double bound = 1.63 / std::sqrt(static_cast<double>(n));  // Kolmogorov-Smirnov at 1 %
  for (DType dtype : {kFloat32, kFloat64}) {
    Generator generator(42);
    const Values normal = values(randn({n}, &generator, dtype));
    EXPECT_LT(distance(normal, [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }), bound);
    double mean = 0, square = 0, fourth = 0, neighbours = 0;
    for (size_t i = 0; i < normal.size(); ++i) {
      mean += normal[i];
      square += normal[i] * normal[i];
      fourth += std::pow(normal[i], 4);
      if (i > 0) neighbours += normal[i] * normal[i - 1];
    }
    const auto count = static_cast<double>(n);
    const double noise = 4 / std::sqrt(count);
    EXPECT_NEAR(mean / count, 0, noise);
    EXPECT_NEAR(square / count, 1, noise * 1.5);
    EXPECT_NEAR(fourth / count, 3, noise * 10);
    EXPECT_NEAR(neighbours / count, 0, noise);

    const Values uniform = values(rand({n}, &generator, dtype));
    EXPECT_LT(distance(uniform, [](double x) { return x; }), bound);
    EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), 0);
    EXPECT_LT(*std::max_element(uniform.begin(), uniform.end()), 1);
  }
}

TEST(Random, DoesNotDependOnThreadsOrLength) {
  const int before = get_num_threads();
  for (DType dtype : {kFloat32, kFloat64}) {
    const auto sample = [&](int threads, int64_t n) {
      set_num_threads(threads);
      Generator generator(9);
      return values(randn({n}, &generator, dtype));
    };
    const Values alone = sample(1, 100'003), shared = sample(4, 100'003);
    EXPECT_EQ(alone, shared);
    const Values shorter = sample(1, 33);
    EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), alone.begin()));
  }
  set_num_threads(before);
}

TEST(Random, CallsNeverShareNumbers) {
  Generator generator(1);
  std::set<double> seen;
  size_t count = 0;
  for (int64_t n : {1, 2, 3, 5, 64, 1, 7}) {
    const Values sample = values(randn({n}, &generator, kFloat64));
    seen.insert(sample.begin(), sample.end());
    count += sample.size();
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(GeneratorState, GoesOnFromTheSamePlace) {
  Generator generator(3);
  rand({10}, &generator);
  const Tensor state = get_rng_state(generator);
  EXPECT_EQ(state.dtype(), kUInt8);
  const Values first = values(randn({5}, &generator));
  EXPECT_NE(values(randn({5}, &generator)), first);
  set_rng_state(state, generator);
  EXPECT_EQ(values(randn({5}, &generator)), first);
  Generator other(77);
  set_rng_state(state, other);
  EXPECT_EQ(values(randn({5}, &other)), first);
  EXPECT_EQ(other.initial_seed(), 3U);
}

TEST(GeneratorState, BadStatesAreRefused) {
  Generator generator(3);
  const auto before = generator.get_state();
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { set_rng_state(full({5}, 0, kUInt8), generator); }),
               {"set_state(): argument 'new_state' must be 24 bytes long, but got 5 bytes"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { set_rng_state(full({24}, 0, kUInt8), generator); }),
               {"must be the state of a generator, but got other bytes"});
  expect_parts(error_of(ErrorKind::kType, [&] { set_rng_state(full({24}, 0.0), generator); }),
               {"must be a uint8 tensor on the CPU, but got a float32 tensor on cpu"});
  expect_parts(error_of(ErrorKind::kType, [&] { set_rng_state(Tensor(), generator); }),
               {"an undefined tensor"});
  EXPECT_EQ(generator.get_state(), before);
}

TEST(GeneratorState, RandomSeedsDiffer) {
  Generator a, b;
  EXPECT_NE(a.seed(), b.seed());
  EXPECT_NE(values(randn({4}, &a)), values(randn({4}, &b)));
  const uint64_t before = initial_seed();
  const uint64_t fresh = seed();
  EXPECT_EQ(initial_seed(), fresh);
  manual_seed(before);
}

TEST(GeneratorState, ThreadsShareAGenerator) {
  Generator generator(8);
  std::vector<Values> parts(4);
  in_threads(4, [&](int i) {
    for (int k = 0; k < 50; ++k) {
      const Values some = values(rand({3}, &generator, kFloat64));
      auto& mine = parts[static_cast<size_t>(i)];
      mine.insert(mine.end(), some.begin(), some.end());
    }
  });
  std::set<double> all;
  for (const Values& part : parts) all.insert(part.begin(), part.end());
  EXPECT_EQ(all.size(), 600U);
}

}  // namespace
}  // namespace eagre::test

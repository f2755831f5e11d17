// Random whole numbers whose distribution has a rate: Poisson's and the binomial one. Few are
// counted one by one, many found by rejection from a hat over the distribution (W. Hörmann, "The
// transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
// Economics 12, 1993; "The generation of binomial random variates", J. Stat. Comput. Simul. 46,
// 1993). In double.
#pragma once

#include <cmath>
#include <cstdint>

#include <eagre/kernels/scalar/philox.h>
#include <eagre/kernels/scalar/special.h>
#include <eagre/kernels/scalar/uniform.h>

namespace eagre::scalar {

// As many random numbers as one element needs: a sequence of its own, begun by a random word.
struct RandomSequence {
  uint64_t seed;
  uint64_t count = 0;
};

// A number in (0, 1].
EAGRE_SCALAR double next_fraction(RandomSequence& random) {
  const PhiloxBits bits = philox(random.seed, random.count++);
  return 1 - uniform_f64(bits.word[0], bits.word[1]);
}

EAGRE_SCALAR double next_normal(RandomSequence& random) {
  const double size = std::sqrt(-2 * std::log(next_fraction(random)));
  return size * std::cos(2 * 3.141592653589793 * next_fraction(random));
}

// From here on neighbours are hardly told apart, and the normal distribution is as good.
constexpr double kManyCounts = 1e15;

EAGRE_SCALAR double poisson_count(double rate, RandomSequence& random) {
  if (rate > kManyCounts) return std::floor(rate + std::sqrt(rate) * next_normal(random));
  if (rate < 10) {  // waits until the time is over
    const double end = std::exp(-rate);
    double product = next_fraction(random), count = 0;
    for (; product > end; ++count) product *= next_fraction(random);
    return count;
  }
  const double width = 0.931 + 2.53 * std::sqrt(rate), slant = -0.059 + 0.02483 * width;
  const double inverse = 1.1239 + 1.1328 / (width - 3.4), sure = 0.9277 - 3.6224 / (width - 2);
  const double log_rate = std::log(rate);
  while (true) {
    const double place = next_fraction(random) - 0.5, height = next_fraction(random);
    const double edge = 0.5 - std::fabs(place);
    if (edge <= 0) continue;
    const double count = std::floor((2 * slant / edge + width) * place + rate + 0.43);
    if (edge >= 0.07 && height <= sure) return count;
    if (count < 0 || (edge < 0.013 && height > edge)) continue;
    const double hat = std::log(height * inverse / (slant / (edge * edge) + width));
    if (hat <= count * log_rate - rate - scalar::lgamma(count + 1)) return count;
  }
}

// Of at most half of all tries succeed on average.
EAGRE_SCALAR double rare_successes(double count, double chance, RandomSequence& random) {
  const double mean = count * chance, spread = std::sqrt(mean * (1 - chance));
  if (count > kManyCounts) {
    const double drawn = std::floor(mean + spread * next_normal(random) + 0.5);
    return drawn < 0 ? 0 : drawn;
  }
  if (mean < 10) {  // from one success to the next
    const double log_failure = std::log1p(-chance);
    double tries = 0, successes = -1;
    for (; tries <= count; ++successes) {
      tries += std::floor(std::log(next_fraction(random)) / log_failure) + 1;
    }
    return successes;
  }
  const double width = 1.15 + 2.53 * spread, slant = -0.0873 + 0.0248 * width + 0.01 * chance;
  const double middle = mean + 0.5, sure = 0.92 - 4.2 / width;
  const double scale = (2.83 + 5.1 / width) * spread, mode = std::floor((count + 1) * chance);
  const double log_odds = std::log(chance / (1 - chance));
  const double at_mode = scalar::lgamma(mode + 1) + scalar::lgamma(count - mode + 1);
  while (true) {
    const double place = next_fraction(random) - 0.5, height = next_fraction(random);
    const double edge = 0.5 - std::fabs(place);
    if (edge <= 0) continue;
    const double drawn = std::floor((2 * slant / edge + width) * place + middle);
    if (drawn < 0 || drawn > count) continue;
    if (edge >= 0.07 && height <= sure) return drawn;
    const double hat = std::log(height * scale / (slant / (edge * edge) + width));
    const double there = scalar::lgamma(drawn + 1) + scalar::lgamma(count - drawn + 1);
    if (hat <= at_mode - there + (drawn - mode) * log_odds) return drawn;
  }
}

// Bounds are forgiving, as in PyTorch: less than no tries, or a chance beyond 0 and 1, are those.
EAGRE_SCALAR double binomial_count(double count, double chance, RandomSequence& random) {
  const double tries = std::floor(count);
  if (!(tries > 0) || !(chance > 0)) return 0;
  if (chance >= 1) return tries;
  if (chance <= 0.5) return rare_successes(tries, chance, random);
  return tries - rare_successes(tries, 1 - chance, random);
}

}  // namespace eagre::scalar

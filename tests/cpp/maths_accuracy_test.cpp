// The unary operators against libm in more precision: units in the last place of float32, relative
// error of float64, special values, and the same bits at every instruction set.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <vector>

#include <eagre/kernels/cpu/isa.h>

#include "cpp/child.h"
#include "cpp/support.h"

namespace eagre::test {
namespace {

using Reference = long double (*)(long double);

struct Function {
  const char* name;
  Tensor (*call)(const Tensor&);
  Reference reference;
  double ulps = 2;          // of float32
  double relative = 1e-15;  // of float64
};

long double sigmoid_of(long double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
long double silu_of(long double x) { return std::isinf(x) && x < 0 ? -0.0L : x * sigmoid_of(x); }
long double gelu_of(long double x) {
  constexpr long double kRootHalf = 0.70710678118654752440084436210484904L;
  return std::isinf(x) && x < 0 ? -0.0L : x * std::erfc(-x * kRootHalf) / 2;
}
long double softplus_of(long double x) {
  return x > 20 ? x : (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x)));
}

#define EAGRE_FUNCTION(name)                                                                       \
  {                                                                                                \
#name, [](const Tensor& t) { return eagre::name(t); },                                         \
                                                        [](long double x) { return std::name(x); } \
  }
#define EAGRE_ACTIVATION(name, ...)                                               \
  {                                                                               \
#name, [](const Tensor& t) { return eagre::name(t); }, name##_of, __VA_ARGS__ \
  }

const std::vector<Function>& functions() {
  // The exceptions from 2 units: each is a product or quotient of an exponential. In gelu the
  // rounding of the exponent shows between -4 and -2.
  static const std::vector<Function> all = {
      EAGRE_FUNCTION(exp),
      EAGRE_FUNCTION(expm1),
      EAGRE_FUNCTION(log),
      EAGRE_FUNCTION(log2),
      EAGRE_FUNCTION(log10),
      EAGRE_FUNCTION(log1p),
      EAGRE_FUNCTION(sin),
      EAGRE_FUNCTION(cos),
      EAGRE_FUNCTION(tan),
      EAGRE_FUNCTION(asin),
      EAGRE_FUNCTION(acos),
      EAGRE_FUNCTION(atan),
      EAGRE_FUNCTION(sinh),
      EAGRE_FUNCTION(cosh),
      EAGRE_FUNCTION(tanh),
      EAGRE_FUNCTION(erf),
      EAGRE_FUNCTION(sqrt),
      EAGRE_FUNCTION(ceil),
      EAGRE_FUNCTION(floor),
      EAGRE_FUNCTION(trunc),
      {"round", [](const Tensor& t) { return eagre::round(t); },
       [](long double x) { return std::nearbyint(x); }},
      {"rsqrt", [](const Tensor& t) { return eagre::rsqrt(t); },
       [](long double x) { return 1 / std::sqrt(x); }},
      {"softplus", [](const Tensor& t) { return eagre::softplus(t); }, softplus_of},
      EAGRE_ACTIVATION(sigmoid, 2.5),
      EAGRE_ACTIVATION(silu, 3.2),
      EAGRE_ACTIVATION(gelu, 28),
  };
  return all;
}

// Every k-th bit pattern, all special values, and angles close to multiples of pi/2.
std::vector<float> float_inputs() {
  std::vector<float> inputs = {0.0F, -0.0F, INFINITY, -INFINITY, NAN, 0x1p-149F, -0x1p-149F};
  const uint32_t step = kSanitized ? 1'000'003 : 40'009;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
    inputs.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  for (int n = -400; n <= 400; ++n) inputs.push_back(static_cast<float>(n * 1.5707963267948966));
  for (int n = 0; n < 20'000; ++n) inputs.push_back(static_cast<float>(n) * 1e-3F - 10);
  return inputs;
}

std::vector<double> double_inputs() {
  std::vector<double> inputs = {0.0,          -0.0,      HUGE_VAL,  -HUGE_VAL,
                                std::nan(""), 0x1p-1074, -0x1p-1074};
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < (kSanitized ? 500 : 6'000); ++i) {
    inputs.push_back(std::bit_cast<double>(random()));
    for (double size : {1.0, 5.0, 40.0, 800.0, 1e5}) inputs.push_back(unit(random) * size);
  }
  for (int n = -400; n <= 400; ++n) inputs.push_back(n * 1.5707963267948966);
  return inputs;
}

// The distance in units: of the last place at `expected` for float, of 2^-52 * expected for double.
// Huge where only one is NaN or where a zero has the wrong sign. A result beyond the largest number
// counts as one unit above it.
template <class T>
double distance(T got, long double expected) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(got) || std::isnan(expected)) {
    return std::isnan(got) == std::isnan(expected) ? 0 : INFINITY;
  }
  const T rounded = static_cast<T>(expected);
  if (got == rounded) return got == 0 && std::signbit(got) != std::signbit(rounded) ? INFINITY : 0;
  if (std::isinf(expected)) return INFINITY;
  const int exponent = expected == 0 ? Limits::min_exponent - 1 : std::ilogb(expected);
  const int lowest = std::max(exponent, Limits::min_exponent - 1) - (Limits::digits - 1);
  const long double last_place = std::ldexp(1.0L, lowest);
  const long double part = std::ldexp(std::fabs(expected), -52);
  const long double unit = sizeof(T) == 4 || exponent < Limits::min_exponent ? last_place : part;
  const T finite = std::isinf(got) ? std::copysign(Limits::max(), got) : got;
  const long double gap = std::fabs(static_cast<long double>(finite) - expected);
  return static_cast<double>(gap / unit) + (std::isinf(got) ? 1 : 0);
}

template <class T>
struct Measured {
  double worst = 0;
  T at = 0;
  uint64_t bits = 14695981039346656037ULL;
};

template <class T>
Measured<T> measure(const Function& function, const std::vector<T>& inputs) {
  const int64_t sizes[] = {static_cast<int64_t>(inputs.size())};
  const Tensor result = function.call(tensor_from(inputs.data(), DTypeOf<T>::value, sizes));
  const T* got = result.data_ptr<T>();
  Measured<T> measured;
  for (size_t i = 0; i < inputs.size(); ++i) {
    // NaNs differ in bits that mean nothing.
    const T value = std::isnan(got[i]) ? std::numeric_limits<T>::quiet_NaN() : got[i];
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char byte : bytes) measured.bits = (measured.bits ^ byte) * 1099511628211ULL;
    const double ulps = distance(got[i], function.reference(inputs[i]));
    if (ulps > measured.worst) measured = {ulps, inputs[i], measured.bits};
  }
  return measured;
}

// Not a test: what the child processes run.
TEST(MathsChild, DISABLED_PrintsItsErrors) {
  const std::vector<float> floats = float_inputs();
  const std::vector<double> doubles = double_inputs();
  for (const Function& function : functions()) {
    const Measured<float> f = measure(function, floats);
    const Measured<double> d = measure(function, doubles);
    std::printf("maths %s %s %.4g %a %016lx %.4g %a %016lx\n",
                std::string(to_string(kernels::cpu::current_isa())).c_str(), function.name, f.worst,
                static_cast<double>(f.at), static_cast<unsigned long>(f.bits), d.worst, d.at,
                static_cast<unsigned long>(d.bits));
  }
}

void expect_within_bounds(const Function& function, double float_ulps, const std::string& float_at,
                          double double_ulps, const std::string& double_at) {
  EXPECT_LE(float_ulps, function.ulps) << function.name << " of float32 " << float_at;
  EXPECT_LE(double_ulps * 0x1p-52, function.relative) << function.name << " of " << double_at;
}

TEST(Maths, AccurateAndEqualWithEveryIsa) {
  using kernels::cpu::Isa;
  std::map<std::string, std::string> bits_of;
  for (Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    const std::string name(to_string(isa));
    const std::vector<std::string> lines =
        lines_of_child("EAGRE_CPU_ISA=" + name, "MathsChild.*", "maths ");
    ASSERT_EQ(lines.size(), functions().size());
    if (!lines[0].starts_with(name + " ")) {
      EXPECT_NE(isa, Isa::kBaseline) << "every machine has it: " << lines[0];
      continue;  // this machine lacks it
    }
    for (size_t i = 0; i < lines.size(); ++i) {
      std::istringstream words(lines[i]);
      std::string word, function, float_worst, float_at, float_bits, double_worst, double_at, bits;
      words >> word >> function >> float_worst >> float_at >> float_bits >> double_worst >>
          double_at >> bits;
      ASSERT_EQ(function, functions()[i].name);
      expect_within_bounds(functions()[i], std::strtod(float_worst.c_str(), nullptr), float_at,
                           std::strtod(double_worst.c_str(), nullptr), double_at);
      std::string both = float_bits;
      both.append(" ").append(bits);
      EXPECT_EQ(bits_of.try_emplace(function, both).first->second, both) << lines[i];
    }
  }
}

}  // namespace
}  // namespace eagre::test

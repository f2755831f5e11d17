// Reduction kernels against plain loops, with every instruction set, for any order of dimensions in
// memory.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include <eagre/kernels/cpu/kernel_table.h>

#include "cpp/kernels/arrays.h"

namespace eagre::kernels::cpu {
#define EAGRE_DECLARE(isa)                                                               \
  namespace isa {                                                                        \
  using Reduce = void(const TensorView&, const TensorView&, const OptionalDims&, bool);  \
  using Spread = void(const TensorView&, const TensorView&, const OptionalDims&,         \
                      std::optional<double>, bool);                                      \
  using Find = void(const TensorView&, const TensorView&, std::optional<int64_t>, bool); \
  Reduce logsumexp_f32, logsumexp_f64;                                                   \
  extern const KernelTable<Reduce> sum_kernels, mean_kernels, largest_kernels;           \
  extern const KernelTable<Reduce> smallest_kernels, all_kernels, any_kernels;           \
  Spread var_f32, std_f64;                                                               \
  Find argmax_f32, argmin_f32, argmax_i64;                                               \
  }
EAGRE_DECLARE(baseline)
EAGRE_DECLARE(avx2)
EAGRE_DECLARE(avx512)
}  // namespace eagre::kernels::cpu

namespace eagre::test {
namespace {

using namespace kernels::cpu;
using baseline::Find;
using baseline::Reduce;
using baseline::Spread;

struct Kernels {
  Reduce *sum_i64, *sum_f32, *sum_f64, *mean_f32, *amax_f32, *amin_f32, *amax_i32;
  Reduce *all_bool, *any_bool, *logsumexp_f32, *logsumexp_f64;
  Spread *var_f32, *std_f64;
  Find *argmax_f32, *argmin_f32, *argmax_i64;
};
#define EAGRE_KERNELS(isa)                                                                       \
  {                                                                                              \
    kernel_of<int64_t>(isa::sum_kernels), kernel_of<float>(isa::sum_kernels),                    \
        kernel_of<double>(isa::sum_kernels), kernel_of<float>(isa::mean_kernels),                \
        kernel_of<float>(isa::largest_kernels), kernel_of<float>(isa::smallest_kernels),         \
        kernel_of<int32_t>(isa::largest_kernels), kernel_of<bool>(isa::all_kernels),             \
        kernel_of<bool>(isa::any_kernels), isa::logsumexp_f32, isa::logsumexp_f64, isa::var_f32, \
        isa::std_f64, isa::argmax_f32, isa::argmin_f32, isa::argmax_i64                          \
  }
const Kernels kBaseline = EAGRE_KERNELS(baseline);
const Kernels kAvx2 = EAGRE_KERNELS(avx2);
const Kernels kAvx512 = EAGRE_KERNELS(avx512);

const std::vector<Sizes> kShapes = {{},        {1},         {5},          {300},     {70000},
                                    {3, 4},    {70, 5},     {200, 130},   {5, 9000}, {4, 3, 5},
                                    {3, 1, 7}, {65, 2, 70}, {2, 131, 33}, {0, 3},    {3, 0}};

// The values that make each result, in row-major order.
template <class T>
std::vector<std::vector<double>> groups(Array<T>& input, uint64_t mask) {
  int64_t results = 1;
  for (size_t d = 0; d < input.sizes().size(); ++d) {
    if ((mask >> d & 1) == 0) results *= input.sizes()[d];
  }
  std::vector<std::vector<double>> found(static_cast<size_t>(results));
  for (int64_t i = 0; i < input.numel(); ++i) {
    found[static_cast<size_t>(split_index(input.sizes(), i, mask).first)].push_back(
        static_cast<double>(input.at(i)));
  }
  return found;
}

// run(out, input, dims) against expected(values of one result).
template <class T, class Run, class Expected>
void check_reduction(Run run, Expected expected, double tolerance) {
  std::mt19937 random(1);
  for (const Sizes& sizes : kShapes) {
    for (const Sizes& order : orders(sizes.size())) {
      for (int64_t gap : {1, 2}) {
        Array<T> input(sizes, order, gap);
        input.fill(random);
        for (uint64_t mask = 1; mask < uint64_t{1} << std::max<size_t>(sizes.size(), 1); ++mask) {
          Sizes dims;
          for (int64_t d = 0; d < 3; ++d) {
            if ((mask >> d & 1) != 0) dims.push_back(d);
          }
          const auto values = groups(input, mask);
          Array<T> out({static_cast<int64_t>(values.size())});
          run(out.view(), input.view(), OptionalDims(Dims(dims.data(), dims.size())));
          for (size_t i = 0; i < values.size(); ++i) {
            const double want = expected(values[i]);
            const double got = static_cast<double>(out.at(static_cast<int64_t>(i)));
            if (std::isnan(want) && std::isnan(got)) continue;
            ASSERT_NEAR(got, want, tolerance * (1 + std::abs(want)))
                << to_string(Dims(sizes.data(), sizes.size())) << " gap " << gap << " mask " << mask
                << " order " << to_string(Dims(order.data(), order.size()));
          }
        }
      }
    }
  }
}

double total(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

double variance(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return NAN;
  const double mean = total(values) / n;
  double sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / (n - 1);
}

TEST(ReduceKernels, SumAndMean) {
  const auto check = [](const Kernels& k) {
    const auto with = [](Reduce* f) {
      return [f](const auto&... arguments) { f(arguments..., false); };
    };
    check_reduction<int64_t>(with(k.sum_i64), total, 0);
    check_reduction<double>(with(k.sum_f64), total, 1e-12);
    check_reduction<float>(with(k.sum_f32), total, 2e-4);
    check_reduction<float>(
        with(k.mean_f32),
        [](const auto& values) { return total(values) / static_cast<double>(values.size()); },
        1e-5);
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(ReduceKernels, Extremes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto check = [](const Kernels& k) {
    const auto with = [](Reduce* f) {
      return [f](const auto&... arguments) {
        TensorView input = std::get<1>(std::tie(arguments...));
        if (input.numel != 0) f(arguments..., false);
      };
    };
    const auto largest = [](const auto& values) {
      return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    };
    check_reduction<float>(with(k.amax_f32), largest, 1e-7);
    check_reduction<int32_t>(with(k.amax_i32), largest, 0);
    check_reduction<float>(
        with(k.amin_f32),
        [](const auto& values) {
          return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
        },
        1e-7);
    Array<float> row({100}), out({1});
    row.at(70) = NAN;
    row.at(90) = static_cast<float>(kInfinity);
    for (Reduce* f : {k.amax_f32, k.amin_f32, k.sum_f32}) {
      f(out.view(), row.view(), {}, false);
      EXPECT_TRUE(std::isnan(out.at(0)));
    }
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(ReduceKernels, AllAndAny) {
  const auto check = [](const Kernels& k) {
    for (int64_t n : {0, 1, 7, 63, 64, 65, 1000}) {
      Array<bool> row({n}), out({1});
      for (int64_t hole = 0; hole <= n; ++hole) {
        for (int64_t i = 0; i < n; ++i) row.at(i) = i != hole;
        k.all_bool(out.view(), row.view(), {}, false);
        EXPECT_EQ(out.at(0), hole == n);
        for (int64_t i = 0; i < n; ++i) row.at(i) = i == hole;
        k.any_bool(out.view(), row.view(), {}, false);
        EXPECT_EQ(out.at(0), hole != n);
      }
    }
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(ReduceKernels, Spread) {
  const auto check = [](const Kernels& k) {
    check_reduction<float>([&](const auto&... a) { k.var_f32(a..., 1, false); }, variance, 1e-4);
    check_reduction<double>([&](const auto&... a) { k.std_f64(a..., 1, false); },
                            [](const auto& values) { return std::sqrt(variance(values)); }, 1e-12);
    // Far from zero the sum of squares would have no digits left.
    Array<float> row({1000}), out({1});
    for (int64_t i = 0; i < 1000; ++i) row.at(i) = 100000.0F + static_cast<float>(i % 2);
    k.var_f32(out.view(), row.view(), {}, 0, false);
    EXPECT_NEAR(out.at(0), 0.25, 1e-3);
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(ReduceKernels, Logsumexp) {
  const auto expected = [](const std::vector<double>& values) {
    double sum = 0;
    for (double value : values) sum += std::exp(value);
    return values.empty() ? 0 : std::log(sum);
  };
  const auto check = [&](const Kernels& k) {
    const auto with = [](Reduce* f) {
      return [f](const TensorView& out, const TensorView& input, const OptionalDims& dims) {
        if (input.numel != 0) f(out, input, dims, false);
      };
    };
    check_reduction<float>(with(k.logsumexp_f32), expected, 1e-5);
    check_reduction<double>(with(k.logsumexp_f64), expected, 1e-12);
    Array<float> row({3}), out({1});
    for (float value : {-INFINITY, 1000.0F}) {
      for (int64_t i = 0; i < 3; ++i) row.at(i) = value;
      k.logsumexp_f32(out.view(), row.view(), {}, false);
      EXPECT_EQ(out.at(0), std::isinf(value) ? value : 1000.0F + std::log(3.0F));
    }
  };
  EAGRE_FOR_EACH_ISA(check);
}

template <class T>
void check_find(Find* find, bool is_largest) {
  std::mt19937 random(2);
  for (const Sizes& sizes : kShapes) {
    for (const Sizes& order : orders(sizes.size())) {
      Array<T> input(sizes, order, 1);
      if (input.fill(random).numel() == 0) continue;
      if constexpr (std::is_floating_point_v<T>) {
        for (int64_t i = 3; i < input.numel(); i += 997) input.at(i) = NAN;
      }
      for (int64_t d = 0; d < std::max<int64_t>(static_cast<int64_t>(sizes.size()), 1); ++d) {
        const auto values = groups(input, uint64_t{1} << d);
        Array<int64_t> out({static_cast<int64_t>(values.size())});
        find(out.view(), input.view(), d, false);
        for (size_t i = 0; i < values.size(); ++i) {
          const auto better = [&](double a, double b) {  // is a before b?
            if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
            return is_largest ? a > b : a < b;
          };
          const auto best = std::min_element(values[i].begin(), values[i].end(), better);
          ASSERT_EQ(out.at(static_cast<int64_t>(i)), best - values[i].begin())
              << to_string(Dims(sizes.data(), sizes.size())) << " dim " << d;
        }
      }
    }
  }
}

TEST(ReduceKernels, ArgmaxAndArgmin) {
  const auto check = [](const Kernels& k) {
    check_find<float>(k.argmax_f32, true);
    check_find<float>(k.argmin_f32, false);
    check_find<int64_t>(k.argmax_i64, true);
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(ReduceKernels, SameBitsWithEveryIsa) {
  std::mt19937 random(3);
  for (const Sizes& sizes : kShapes) {
    for (const Sizes& order : orders(sizes.size())) {
      Array<float> input(sizes, order, 1);
      input.fill(random);
      for (int64_t d = -1; d < static_cast<int64_t>(sizes.size()); ++d) {
        const OptionalDims dims = d < 0 ? OptionalDims() : OptionalDims(d);
        const size_t results = groups(input, d < 0 ? ~uint64_t{0} : uint64_t{1} << d).size();
        Array<float> first({static_cast<int64_t>(results)});
        kBaseline.sum_f32(first.view(), input.view(), dims, false);
        const auto check = [&](const Kernels& k) {
          Array<float> out({static_cast<int64_t>(results)});
          k.sum_f32(out.view(), input.view(), dims, false);
          for (int64_t i = 0; i < out.numel(); ++i) ASSERT_EQ(out.at(i), first.at(i));
        };
        EAGRE_FOR_EACH_ISA(check);
      }
    }
  }
}

}  // namespace
}  // namespace eagre::test

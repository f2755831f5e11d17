// Kernels along rows (softmax, cumsum, layer_norm, cross_entropy) against plain loops in double, at
// every instruction set, for any order of dimensions in memory.
#include <functional>

#include <eagre/base/error.h>
#include <eagre/core/loss_reduction.h>

#include "cpp/kernels/arrays.h"

namespace eagre::kernels::cpu {
#define EAGRE_DECLARE(isa)                                                                      \
  namespace isa {                                                                               \
  using Along = void(const TensorView&, const TensorView&, int64_t);                            \
  using Back = void(const TensorView&, const TensorView&, const TensorView&, int64_t);          \
  using Norm = void(const TensorView&, const TensorView&, const TensorView&, const TensorView&, \
                    const TensorView&, const TensorView&, int64_t, double);                     \
  using NormInput = void(const TensorView&, const TensorView&, const TensorView&,               \
                         const TensorView&, const TensorView&, const TensorView&, int64_t);     \
  using NormWeight = void(const TensorView&, const TensorView&, const TensorView&,              \
                          const TensorView&, const TensorView&, int64_t);                       \
  using Loss = void(const TensorView&, const TensorView&, const TensorView&, const TensorView&, \
                    const TensorView&, int64_t, int64_t);                                       \
  using LossBack = void(const TensorView&, const TensorView&, const TensorView&,                \
                        const TensorView&, const TensorView&, int64_t);                         \
  Along softmax_f32, log_softmax_f32;                                                           \
  extern const KernelTable<Along> cumsum_kernels;                                               \
  Back softmax_backward_f32, log_softmax_backward_f32;                                          \
  Norm layer_norm_f32;                                                                          \
  NormInput layer_norm_grad_input_f64;                                                          \
  NormWeight layer_norm_grad_weight_f64;                                                        \
  Norm layer_norm_f64;                                                                          \
  Loss cross_entropy_f32;                                                                       \
  LossBack cross_entropy_backward_f32;                                                          \
  }
EAGRE_DECLARE(baseline)
EAGRE_DECLARE(avx2)
EAGRE_DECLARE(avx512)
}  // namespace eagre::kernels::cpu

namespace eagre::test {
namespace {

using namespace kernels::cpu;
using Row = std::vector<double>;

struct Kernels {
  baseline::Along *softmax, *log_softmax;
  const KernelTable<baseline::Along>& cumsum;
  baseline::Back *softmax_backward, *log_softmax_backward;
  baseline::Norm *layer_norm, *layer_norm_f64;
  baseline::NormInput* layer_norm_grad_input;
  baseline::NormWeight* layer_norm_grad_weight;
  baseline::Loss* cross_entropy;
  baseline::LossBack* cross_entropy_backward;
};
#define EAGRE_KERNELS(isa)                                                                       \
  {                                                                                              \
    isa::softmax_f32, isa::log_softmax_f32, isa::cumsum_kernels, isa::softmax_backward_f32,      \
        isa::log_softmax_backward_f32, isa::layer_norm_f32, isa::layer_norm_f64,                 \
        isa::layer_norm_grad_input_f64, isa::layer_norm_grad_weight_f64, isa::cross_entropy_f32, \
        isa::cross_entropy_backward_f32                                                          \
  }
const Kernels kBaseline = EAGRE_KERNELS(baseline);
const Kernels kAvx2 = EAGRE_KERNELS(avx2);
const Kernels kAvx512 = EAGRE_KERNELS(avx512);

const std::vector<Sizes> kShapes = {{},          {1},      {5},       {300},     {3, 4},
                                    {70, 5},     {40, 33}, {2, 5000}, {4, 3, 5}, {3, 1, 7},
                                    {17, 2, 70}, {0, 3},   {3, 0}};

template <class T>
std::vector<Row> rows_along(Array<T>& array, int64_t dim) {
  const uint64_t mask = uint64_t{1} << dim;
  std::vector<Row> rows;
  for (int64_t i = 0; i < array.numel(); ++i) {
    const auto row = static_cast<size_t>(split_index(array.sizes(), i, mask).first);
    if (rows.size() <= row) rows.resize(row + 1);
    rows[row].push_back(static_cast<double>(array.at(i)));
  }
  return rows;
}

// run(out, inputs…, dim) against expected(rows of the inputs), for kInputs inputs.
template <class T, int kInputs>
void check_rows(const std::function<void(TensorView, const std::vector<TensorView>&, int64_t)>& run,
                const std::function<Row(const std::vector<Row>&)>& expected, double tolerance) {
  std::mt19937 random(4);
  for (const Sizes& sizes : kShapes) {
    for (const Sizes& order : orders(sizes.size())) {
      std::vector<Array<T>> inputs;
      std::vector<TensorView> views;
      for (int i = 0; i < kInputs; ++i) {
        inputs.emplace_back(sizes, i == 0 ? order : Sizes{}, i == 0 ? 1 : 2);
        inputs.back().fill(random);
      }
      for (const auto& input : inputs) views.push_back(input.view());
      for (int64_t d = 0; d < std::max<int64_t>(static_cast<int64_t>(sizes.size()), 1); ++d) {
        Array<T> out(sizes);
        run(out.view(), views, d);
        const std::vector<Row> got = rows_along(out, d);
        for (size_t r = 0; r < got.size(); ++r) {
          std::vector<Row> own;
          for (auto& input : inputs) own.push_back(rows_along(input, d)[r]);
          const Row want = expected(own);
          for (size_t i = 0; i < want.size(); ++i) {
            ASSERT_NEAR(got[r][i], want[i], tolerance * (1 + std::abs(want[i])))
                << to_string(Dims(sizes.data(), sizes.size())) << " dim " << d << " row " << r;
          }
          if (r == 40) break;  // every kind of row has been met
        }
      }
    }
  }
}

Row softmax_of(const Row& x) {
  double sum = 0;
  Row y;
  for (double value : x) sum += std::exp(value);
  for (double value : x) y.push_back(std::exp(value) / sum);
  return y;
}

TEST(RowKernels, Softmax) {
  const auto check = [](const Kernels& k) {
    const auto forward = [](baseline::Along* f) {
      return [f](TensorView out, const auto& in, int64_t d) { f(out, in[0], d); };
    };
    check_rows<float, 1>(
        forward(k.softmax), [](const auto& in) { return softmax_of(in[0]); }, 1e-6);
    check_rows<float, 1>(
        forward(k.log_softmax),
        [](const auto& in) {
          Row y = softmax_of(in[0]);
          for (double& value : y) value = std::log(value);
          return y;
        },
        1e-5);
    const auto backward = [](baseline::Back* f) {
      return [f](TensorView out, const auto& in, int64_t d) { f(out, in[0], in[1], d); };
    };
    check_rows<float, 2>(
        backward(k.softmax_backward),
        [](const auto& in) {
          double sum = 0;
          Row result;
          for (size_t i = 0; i < in[0].size(); ++i) sum += in[0][i] * in[1][i];
          for (size_t i = 0; i < in[0].size(); ++i) result.push_back(in[1][i] * (in[0][i] - sum));
          return result;
        },
        1e-3);
    check_rows<float, 2>(
        backward(k.log_softmax_backward),
        [](const auto& in) {
          double sum = 0;
          Row result;
          for (double value : in[0]) sum += value;
          for (size_t i = 0; i < in[0].size(); ++i) {
            result.push_back(in[0][i] - std::exp(in[1][i]) * sum);
          }
          return result;
        },
        1e-3);
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(RowKernels, SoftmaxOfInfinities) {
  const auto check = [](const Kernels& k) {
    Array<float> row({3}), out({3});
    row.at(0) = -INFINITY;
    row.at(1) = 1000;
    row.at(2) = 1000;
    k.softmax(out.view(), row.view(), 0);
    EXPECT_EQ(out.at(0), 0);
    EXPECT_EQ(out.at(1), 0.5F);
    row.at(1) = NAN;
    k.softmax(out.view(), row.view(), 0);
    EXPECT_TRUE(std::isnan(out.at(2)));
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(RowKernels, Cumsum) {
  const auto check = [](const Kernels& k) {
    const auto expected = [](const auto& in) {
      Row sums;
      for (double value : in[0]) sums.push_back(sums.empty() ? value : sums.back() + value);
      return sums;
    };
    check_rows<float, 1>(
        [&](auto out, const auto& in, int64_t d) { kernel_of<float>(k.cumsum)(out, in[0], d); },
        expected, 1e-6);
    check_rows<int64_t, 1>(
        [&](auto out, const auto& in, int64_t d) { kernel_of<int64_t>(k.cumsum)(out, in[0], d); },
        expected, 0);
  };
  EAGRE_FOR_EACH_ISA(check);
}

// The gradients of sum(out * g) by differences in double.
TEST(RowKernels, LayerNorm) {
  const auto check = [](const Kernels& k) {
    std::mt19937 random(5);
    for (int64_t inner : {1, 2}) {
      for (const Sizes& order : orders(3)) {
        const Sizes normalized = inner == 1 ? Sizes{9} : Sizes{3, 9};
        const Sizes outer = inner == 1 ? Sizes{70, 3} : Sizes{70};
        Array<double> x({70, 3, 9}, order, 1), g({70, 3, 9}, order, 2);
        Array<double> w(normalized), b(normalized), out({70, 3, 9}), mean(outer), rstd(outer);
        x.fill(random), g.fill(random), w.fill(random), b.fill(random);
        const auto loss = [&] {
          k.layer_norm_f64(out.view(), mean.view(), rstd.view(), x.view(), w.view(), b.view(),
                           inner, 1e-3);
          double sum = 0;
          for (int64_t i = 0; i < out.numel(); ++i) sum += out.at(i) * g.at(i);
          return sum;
        };
        loss();
        const int64_t n = w.numel();
        for (int64_t row : {0, 5}) {
          double center = 0, spread = 0;
          for (int64_t i = 0; i < n; ++i) center += x.at(row * n + i) / static_cast<double>(n);
          for (int64_t i = 0; i < n; ++i) {
            spread += std::pow(x.at(row * n + i) - center, 2) / static_cast<double>(n);
          }
          for (int64_t i = 0; i < n; ++i) {
            const double want =
                (x.at(row * n + i) - center) / std::sqrt(spread + 1e-3) * w.at(i) + b.at(i);
            ASSERT_NEAR(out.at(row * n + i), want, 1e-12 * (1 + std::abs(want)));
          }
        }
        Array<double> dx({70, 3, 9}), dw(normalized);
        k.layer_norm_grad_input(dx.view(), g.view(), x.view(), mean.view(), rstd.view(), w.view(),
                                inner);
        k.layer_norm_grad_weight(dw.view(), g.view(), x.view(), mean.view(), rstd.view(), inner);
        const auto slope = [&](double& place) {
          const double kept = place, step = 1e-5;
          place = kept + step;
          const double above = loss();
          place = kept - step;
          const double below = loss();
          place = kept;
          return (above - below) / (2 * step);
        };
        for (int64_t i : {0, 4, 8}) {
          EXPECT_NEAR(dx.at(i), slope(x.at(i)), 1e-5);
          EXPECT_NEAR(dw.at(i), slope(w.at(i)), 1e-5);
        }
      }
    }
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(RowKernels, LayerNormWithoutWeightOrBias) {
  const auto check = [](const Kernels& k) {
    Array<float> x({2, 2}), out({2, 2}), mean({2}), rstd({2}), w({2});
    for (int64_t i = 0; i < 4; ++i) x.at(i) = static_cast<float>(i * i);
    w.at(0) = w.at(1) = 2;
    k.layer_norm(out.view(), mean.view(), rstd.view(), x.view(), {}, {}, 1, 0);
    EXPECT_EQ(out.at(2), -1);
    EXPECT_EQ(out.at(3), 1);
    k.layer_norm(out.view(), mean.view(), rstd.view(), x.view(), w.view(), {}, 1, 0);
    EXPECT_EQ(out.at(3), 2);
    k.layer_norm(out.view(), mean.view(), rstd.view(), x.view(), {}, w.view(), 1, 0);
    EXPECT_EQ(out.at(3), 3);
    EXPECT_EQ(mean.at(1), 6.5F);
  };
  EAGRE_FOR_EACH_ISA(check);
}

void check_cross_entropy(const Kernels& k, std::mt19937& random, int64_t count, int64_t classes,
                         const Sizes& order) {
  Array<float> x({count, classes}, order, 1), loss({count}), sums({count}), g({count});
  Array<float> dx({count, classes}), counted({1});
  Array<int64_t> target({count}, {}, 2);
  x.fill(random), g.fill(random);
  for (int64_t i = 0; i < count; ++i) target.at(i) = i % 5 == 3 ? -100 : i * 17 % classes;
  const auto run = [&](const Array<float>& result, LossReduction reduction) {
    k.cross_entropy(result.view(), sums.view(), counted.view(), x.view(), target.view(), -100,
                    static_cast<int64_t>(reduction));
  };
  run(loss, LossReduction::kNone);
  k.cross_entropy_backward(dx.view(), g.view(), x.view(), sums.view(), target.view(), -100);
  const auto rows = rows_along(x, 1);
  EXPECT_EQ(counted.at(0), static_cast<float>(count - (count + 1) / 5));
  for (int64_t r = 0; r < count; ++r) {
    const Row y = softmax_of(rows[static_cast<size_t>(r)]);
    const bool ignored = target.at(r) == -100;
    const auto wanted = static_cast<size_t>(ignored ? 0 : target.at(r));
    ASSERT_NEAR(loss.at(r), ignored ? 0 : -std::log(y[wanted]), 1e-5) << classes;
    for (size_t i = 0; i < static_cast<size_t>(classes); ++i) {
      const double want = ignored ? 0 : g.at(r) * (y[i] - (i == wanted ? 1 : 0));
      ASSERT_NEAR(dx.at(r * classes + static_cast<int64_t>(i)), want, 1e-5) << classes;
    }
  }
  double total = 0;
  for (int64_t r = 0; r < count; ++r) total += loss.at(r);
  Array<float> one({1});
  run(one, LossReduction::kSum);
  EXPECT_NEAR(one.at(0), total, 1e-5 * static_cast<double>(count));
  run(one, LossReduction::kMean);
  EXPECT_NEAR(one.at(0), total / counted.at(0), 1e-5);
  target.at(0) = classes;
  try {
    run(loss, LossReduction::kNone);
    ADD_FAILURE() << "class " << classes << " of " << classes << " was accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("0 to " + std::to_string(classes - 1)), std::string::npos)
        << error.message();
  }
}

// Less than 8 classes go by groups of rows, of which the last may not be full; up to 64 in vectors.
TEST(RowKernels, CrossEntropy) {
  const auto check = [](const Kernels& k) {
    std::mt19937 random(6);
    for (const Sizes& order : orders(2)) {
      for (const int64_t classes : {1, 2, 10, 16, 31, 32, 33, 70}) {
        for (const int64_t count : {1, 5, 16, 35}) {
          check_cross_entropy(k, random, count, classes, order);
        }
      }
    }
  };
  EAGRE_FOR_EACH_ISA(check);
}

TEST(RowKernels, CrossEntropyOfInfinities) {
  const auto check = [](const Kernels& k) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    for (const int64_t classes : {3, 40}) {
      Array<float> x({3, classes}), loss({3}), sums({3}), counted({1});
      Array<int64_t> target({3});
      for (int64_t i = 0; i < 3 * classes; ++i) x.at(i) = i < classes ? -kInf : 1;
      x.at(0) = 5;                            // all but the wanted one impossible
      x.at(classes + 1) = -kInf;              // another impossible
      x.at(2 * classes + 1) = std::nanf("");  // one unknown
      k.cross_entropy(loss.view(), sums.view(), counted.view(), x.view(), target.view(), -100,
                      static_cast<int64_t>(LossReduction::kNone));
      EXPECT_EQ(loss.at(0), 0);
      EXPECT_NEAR(loss.at(1), std::log(static_cast<double>(classes - 1)), 1e-6);
      EXPECT_TRUE(std::isnan(loss.at(2)));
    }
  };
  EAGRE_FOR_EACH_ISA(check);
}

}  // namespace
}  // namespace eagre::test

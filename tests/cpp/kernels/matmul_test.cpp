// Matrix products at every level, with sizes around those of the tiles and blocks.
#include "cpp/kernels/arrays.h"

namespace eagre::kernels::cpu {
#define EAGRE_DECLARE(level)                                                     \
  namespace level {                                                              \
  using Product = void(const TensorView&, const TensorView&, const TensorView&); \
  Product matmul_i32, matmul_i64, matmul_f32, matmul_f64;                        \
  }
EAGRE_DECLARE(baseline)
EAGRE_DECLARE(avx2)
EAGRE_DECLARE(avx512)
}  // namespace eagre::kernels::cpu

namespace eagre::test {
namespace {

using namespace kernels::cpu;

struct Kernels {
  baseline::Product *i32, *i64, *f32, *f64;
};
const Kernels kBaseline{baseline::matmul_i32, baseline::matmul_i64, baseline::matmul_f32,
                        baseline::matmul_f64};
const Kernels kAvx2{avx2::matmul_i32, avx2::matmul_i64, avx2::matmul_f32, avx2::matmul_f64};
const Kernels kAvx512{avx512::matmul_i32, avx512::matmul_i64, avx512::matmul_f32,
                      avx512::matmul_f64};

// Whole numbers: every order of summing gives the same.
template <class T>
void check_product(baseline::Product* product) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> digit(-9, 9);
  const Sizes shapes[] = {{1, 1, 1},    {3, 5, 0},      {8, 8, 8},    {13, 33, 7},
                          {12, 32, 70}, {25, 65, 40},   {1, 40, 30},  {40, 1, 30},
                          {7, 17, 300}, {70, 130, 270}, {5, 600, 20}, {30, 520, 258}};
  for (const Sizes& shape : shapes) {
    for (const Sizes& a_order : orders(2)) {
      for (const Sizes& b_order : orders(2)) {
        for (int64_t gap : {1, 3}) {
          const int64_t m = shape[0], n = shape[1], k = shape[2];
          Array<T> a({m, k}, a_order, gap), b({k, n}, b_order, gap), c({m, n});
          for (int64_t i = 0; i < a.numel(); ++i) a.at(i) = static_cast<T>(digit(random));
          for (int64_t i = 0; i < b.numel(); ++i) b.at(i) = static_cast<T>(digit(random));
          for (int64_t i = 0; i < c.numel(); ++i) c.at(i) = static_cast<T>(99);
          product(c.view(), a.view(), b.view());
          for (int64_t i = 0; i < m; i += 1 + m / 9) {
            for (int64_t j = 0; j < n; ++j) {
              T sum = 0;
              for (int64_t l = 0; l < k; ++l) sum += a.at(i * k + l) * b.at(l * n + j);
              ASSERT_EQ(c.at(i * n + j), sum)
                  << m << "x" << n << "x" << k << " at " << i << "," << j;
            }
          }
        }
      }
    }
  }
}

TEST(MatmulKernels, AgainstTheDefinition) {
  const auto check = [](const Kernels& k) {
    check_product<int32_t>(k.i32);
    check_product<int64_t>(k.i64);
    check_product<float>(k.f32);
    check_product<double>(k.f64);
  };
  EAGRE_FOR_EACH_LEVEL(check);
}

}  // namespace
}  // namespace eagre::test

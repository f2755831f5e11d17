// Matrix products with every instruction set, with sizes around those of the tiles and blocks.
#include "cpp/kernels/arrays.h"

#include <cstring>

#include <eagre/base/thread_pool.h>
#include <eagre/core/complex.h>
#include <eagre/core/half.h>

namespace eagre::kernels::cpu {
#define EAGRE_DECLARE(isa)                                                                     \
  namespace isa {                                                                              \
  using Product = void(const TensorView&, const TensorView&, const TensorView&);               \
  Product matmul_i32, matmul_i64, matmul_f32, matmul_f64, matmul_f16, matmul_bf16, matmul_c64, \
      matmul_c128;                                                                             \
  }
EAGRE_DECLARE(baseline)
EAGRE_DECLARE(avx2)
EAGRE_DECLARE(avx512)
}  // namespace eagre::kernels::cpu

namespace eagre::test {
namespace {

using namespace kernels::cpu;

struct Kernels {
  baseline::Product *i32, *i64, *f32, *f64, *f16, *bf16, *c64, *c128;
};
#define EAGRE_KERNELS(isa)                                                               \
  {                                                                                      \
    isa::matmul_i32, isa::matmul_i64, isa::matmul_f32, isa::matmul_f64, isa::matmul_f16, \
        isa::matmul_bf16, isa::matmul_c64, isa::matmul_c128                              \
  }
const Kernels kBaseline EAGRE_KERNELS(baseline);
const Kernels kAvx2 EAGRE_KERNELS(avx2);
const Kernels kAvx512 EAGRE_KERNELS(avx512);

// What sums are kept in.
template <class T>
struct Sum {
  using type = T;
};
template <>
struct Sum<Half> {
  using type = float;
};
template <>
struct Sum<BFloat16> {
  using type = float;
};

template <class T, class Random>
T digit_of(Random& random) {
  std::uniform_int_distribution<int> digit(-9, 9);
  if constexpr (kIsComplex<T>) {
    const int real = digit(random);
    return T(static_cast<Real<T>>(real), static_cast<Real<T>>(digit(random)));
  } else {
    return static_cast<T>(digit(random));
  }
}

// Whole numbers: every order of summing gives the same.
template <class T>
void check_product(baseline::Product* product) {
  std::mt19937 random(7);
  using S = typename Sum<T>::type;
  const Sizes shapes[] = {{1, 1, 1},    {3, 5, 0},      {8, 8, 8},    {13, 33, 7},    {12, 32, 70},
                          {25, 65, 40}, {1, 40, 30},    {40, 1, 30},  {1, 1, 1300},   {5, 1, 1300},
                          {7, 17, 300}, {70, 130, 270}, {5, 600, 20}, {30, 520, 258}, {970, 3, 5}};
  for (const Sizes& shape : shapes) {
    for (const Sizes& a_order : orders(2)) {
      for (const Sizes& b_order : orders(2)) {
        for (int64_t gap : {1, 3}) {
          const int64_t m = shape[0], n = shape[1], k = shape[2];
          Array<T> a({m, k}, a_order, gap), b({k, n}, b_order, gap), c({m, n});
          for (int64_t i = 0; i < a.numel(); ++i) a.at(i) = digit_of<T>(random);
          for (int64_t i = 0; i < b.numel(); ++i) b.at(i) = digit_of<T>(random);
          for (int64_t i = 0; i < c.numel(); ++i) c.at(i) = static_cast<T>(99);
          product(c.view(), a.view(), b.view());
          for (int64_t i = 0; i < m; i += 1 + m / 9) {
            for (int64_t j = 0; j < n; ++j) {
              S sum = 0;
              for (int64_t l = 0; l < k; ++l) {
                sum += static_cast<S>(a.at(i * k + l)) * static_cast<S>(b.at(l * n + j));
              }
              // Of halves, only the result is rounded.
              ASSERT_TRUE(static_cast<S>(c.at(i * n + j)) == static_cast<S>(static_cast<T>(sum)))
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
    check_product<Half>(k.f16);
    check_product<BFloat16>(k.bf16);
    check_product<Complex<float>>(k.c64);
    check_product<Complex<double>>(k.c128);
  };
  EAGRE_FOR_EACH_ISA(check);
}

// Any number of threads gives the same bits, for shapes that are shared by rows, by columns, by
// batches and as vectors, and cut into several blocks.
template <class T>
void check_threads(baseline::Product* product, const Sizes& left, const Sizes& right,
                   const Sizes& result) {
  std::mt19937 random(11);
  Array<T> a(left), b(right), c(result), d(result);
  const int threads = get_num_threads();
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < a.numel(); ++i) a.at(i) = static_cast<T>(normal(random));
  for (int64_t i = 0; i < b.numel(); ++i) b.at(i) = static_cast<T>(normal(random));
  set_num_threads(1);
  product(c.view(), a.view(), b.view());
  for (int64_t count : {2, 3, 5}) {
    set_num_threads(count);
    std::memset(d.view().data, 0x55, static_cast<size_t>(d.numel()) * sizeof(T));
    product(d.view(), a.view(), b.view());
    EXPECT_EQ(std::memcmp(c.view().data, d.view().data, static_cast<size_t>(c.numel()) * sizeof(T)),
              0)
        << count << " threads";
  }
  set_num_threads(threads);
}

TEST(MatmulKernels, SameBitsForAnyNumberOfThreads) {
  const auto check = [](const Kernels& k) {
    check_threads<float>(k.f32, {300, 600}, {600, 700}, {300, 700});
    check_threads<float>(k.f32, {5, 900}, {900, 3000}, {5, 3000});
    check_threads<float>(k.f32, {20000, 70}, {70, 20}, {20000, 20});
    check_threads<float>(k.f32, {203, 999}, {999}, {203});
    check_threads<float>(k.f32, {999}, {999, 203}, {203});
    check_threads<float>(k.f32, {100, 30, 40}, {100, 40, 50}, {100, 30, 50});
    check_threads<double>(k.f64, {150, 300}, {300, 350}, {150, 350});
    check_threads<Half>(k.f16, {150, 300}, {300, 350}, {150, 350});
    check_threads<BFloat16>(k.bf16, {203, 999}, {999}, {203});
    check_threads<Complex<float>>(k.c64, {150, 300}, {300, 350}, {150, 350});
    check_threads<Complex<double>>(k.c128, {203, 999}, {999}, {203});
  };
  EAGRE_FOR_EACH_ISA(check);
}

}  // namespace
}  // namespace eagre::test

// Pointwise operators against the plainest loop: random shapes, strides and dtypes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

using Random = std::mt19937;

int64_t pick(Random& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

// Complex numbers have tests of their own: the reference here computes with reals.
constexpr auto kLastReal = static_cast<int64_t>(DType::kFloat64);
DType any_dtype(Random& random) { return static_cast<DType>(pick(random, 0, kLastReal)); }

// A tensor of these sizes with memory in a random order, perhaps with repeated dimensions.
Tensor any_tensor(Random& random, const Sizes& sizes, DType dtype, bool may_repeat = true) {
  std::vector<size_t> order(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  Sizes memory;
  Sizes target = sizes;
  for (size_t i : order) memory.push_back(may_repeat && pick(random, 0, 5) == 0 ? 1 : sizes[i]);
  int64_t count = 1;
  for (int64_t size : memory) count *= size;
  Values list;
  for (int64_t i = 0; i < count; ++i) {
    list.push_back(dtype == kBool ? static_cast<double>(pick(random, 0, 1))
                                  : static_cast<double>(pick(random, -40, 40)) /
                                        (is_floating_point(dtype) ? 8 : 1));
  }
  Tensor t = make(memory, list, dtype);
  for (size_t i = 0; i < order.size(); ++i) {  // sort the dimensions back by swapping
    while (order[i] != i) {
      const size_t to = order[i];
      t = t.transpose(static_cast<int64_t>(i), static_cast<int64_t>(to));
      std::swap(order[i], order[to]);
    }
  }
  return t.expand(target);
}

// The element of `t` that stands at `index` of a result it broadcasts to.
template <class T>
T element(const Tensor& t, const Sizes& index) {
  int64_t place = 0;
  const auto lead = index.size() - static_cast<size_t>(t.dim());
  for (size_t i = lead; i < index.size(); ++i) {
    if (t.sizes()[i - lead] != 1) place += index[i] * t.strides()[i - lead];
  }
  T value{};
  visit_dtype(t.dtype(), [&](auto zero) {
    value = convert_element<T>(static_cast<decltype(zero)*>(t.data_ptr())[place]);
  });
  return value;
}

bool advance(Sizes& index, const Sizes& sizes) {
  for (size_t i = sizes.size(); i-- > 0;) {
    if (++index[i] < sizes[i]) return true;
    index[i] = 0;
  }
  return false;
}

template <class F>
void expect_elements(const Tensor& result, const Tensor& a, const Tensor& b, DType compute, F f) {
  const Sizes sizes = list(result.sizes());
  if (result.numel() == 0) return;
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    Sizes index(sizes.size());
    do {
      const T expected = f(element<T>(a, index), element<T>(b, index));
      visit_dtype(result.dtype(), [&](auto stored) {
        const auto rounded = convert_element<decltype(stored)>(expected);
        ASSERT_EQ(element<double>(result, index), convert_element<double>(rounded))
            << to_string(Dims(index));
      });
    } while (advance(index, sizes));
  };
  switch (cpu_compute_dtype(compute)) {
    case kBool: return check(bool{});
    case kInt32: return check(int32_t{});
    case kInt64: return check(int64_t{});
    case kFloat32: return check(float{});
    default: return check(double{});
  }
}

Sizes any_sizes(Random& random, int64_t max_rank) {
  Sizes sizes;
  for (int64_t rank = pick(random, 0, max_rank); rank > 0; --rank) {
    sizes.push_back(pick(random, 0, 19) == 0 ? 0 : pick(random, 1, 6));
  }
  return sizes;
}

// Sizes that broadcast to `sizes`.
Sizes partner(Random& random, Sizes sizes) {
  sizes.erase(sizes.begin(), sizes.begin() + pick(random, 0, static_cast<int64_t>(sizes.size())));
  for (int64_t& size : sizes) {
    if (pick(random, 0, 3) == 0) size = 1;
  }
  return sizes;
}

// Integers wrap around, as the kernels do; in unsigned numbers that is defined.
template <class T>
T times(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  } else {
    return x * y;
  }
}
template <class T>
T plus(T x, T y) {
  if constexpr (std::is_same_v<T, bool>) {
    return x || y;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
  } else {
    return x + y;
  }
}

bool promotes(const Tensor& a, const Tensor& b) {
  try {
    result_type(a, b);
    return true;
  } catch (const Error&) {
    return false;  // uint16, uint32 and uint64 join few
  }
}

TEST(Pointwise, RandomOperands) {
  Random random(7);
  for (int round = 0; round < (kSanitized ? 400 : 4000); ++round) {
    const Sizes sizes = any_sizes(random, 7);
    Tensor a = any_tensor(random, sizes, any_dtype(random));
    Tensor b = any_tensor(random, partner(random, sizes), any_dtype(random));
    if (pick(random, 0, 1) == 0) std::swap(a, b);
    if (!promotes(a, b)) continue;
    const DType compute = result_type(a, b);
    SCOPED_TRACE(concat("round ", round, ": ", a.sizes(), " ", a.strides(), " ", a.dtype(), " and ",
                        b.sizes(), " ", b.strides(), " ", b.dtype()));
    const Tensor product = a * b;
    ASSERT_EQ(list(product.sizes()), sizes);
    expect_elements(product, a, b, compute, [](auto x, auto y) { return times(x, y); });
    const int alpha = compute == kBool ? 1 : 3;
    // What is added is rounded first: a 0-dim tensor may be of a wider dtype.
    expect_elements(a.add(b, alpha), a.to(compute), b.to(compute), compute, [&](auto x, auto y) {
      return plus(x, times(static_cast<decltype(x)>(alpha), y));
    });
    if (HasFatalFailure()) return;
  }
}

TEST(Pointwise, RandomInPlace) {
  Random random(8);
  for (int round = 0; round < (kSanitized ? 200 : 2000); ++round) {
    const Sizes sizes = any_sizes(random, 6);
    const DType dtype = static_cast<DType>(pick(random, 1, kLastReal));
    Tensor a = any_tensor(random, sizes, dtype, false);
    const Tensor b =
        any_tensor(random, partner(random, sizes), pick(random, 0, 1) == 0 ? dtype : kBool);
    if (!promotes(a, b)) continue;
    const Tensor before = a.clone();
    const void* data = a.data_ptr();
    a.add_(b, 2);
    EXPECT_EQ(a.data_ptr(), data);
    expect_elements(a, before, b, result_type(before, b),
                    [](auto x, auto y) { return plus(x, times(static_cast<decltype(x)>(2), y)); });
    if (HasFatalFailure()) return;
  }
}

TEST(Pointwise, LongRowsOfMixedTypesPassThroughTheBuffer) {
  for (int64_t n : {511, 512, 513, 1500}) {
    const Tensor a = arange_of({n}, kInt64);
    const Tensor b = arange_of({n}, kFloat32);
    const Values sum = values(a + b);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(sum[static_cast<size_t>(i)], 2.0 * static_cast<double>(i));
    const Tensor one = tensor(1);
    const Values more = values(b + one);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(more[static_cast<size_t>(i)], static_cast<double>(i) + 1);
    const Tensor target = arange_of({n}, kFloat32);
    target.add_(arange_of({n}, kFloat64));
    EXPECT_EQ(values(target), sum);
  }
}

TEST(Pointwise, Numbers) {
  const Tensor t = tensor({1.0F, 2.0F});
  EXPECT_EQ(values(t + 1), (Values{2, 3}));
  EXPECT_EQ(values(1 + t), (Values{2, 3}));
  EXPECT_EQ(values(2.5 * t), (Values{2.5, 5}));
  EXPECT_EQ(values(t * true), (Values{1, 2}));
  EXPECT_EQ((tensor({1}) + 1.5).dtype(), kFloat32);
  EXPECT_EQ((tensor({1}) + 1).dtype(), kInt64);
  Tensor u = t.clone();
  u += 1;
  u *= 2;
  EXPECT_EQ(values(u), (Values{4, 6}));
}

TEST(Pointwise, IntegersWrapAround) {
  const Tensor largest = tensor({INT64_MAX});
  EXPECT_EQ((largest + 1).item<int64_t>(), INT64_MIN);
  EXPECT_EQ((largest * 2).item<int64_t>(), -2);
  EXPECT_EQ((largest + largest).item<int64_t>(), -2);
  EXPECT_EQ(tensor({INT64_MAX, INT64_MAX}).sum().item<int64_t>(), -2);
  EXPECT_EQ(matmul(tensor({INT64_MAX}), tensor({2})).item<int64_t>(), -2);
}

TEST(Pointwise, CastsOfOddNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor odd = tensor({nan, infinity, -infinity, 1e300, -1e300, -2.9, 0.5}, kFloat64);
  const Tensor whole = odd.to(kInt64);
  const int64_t* data = whole.data_ptr<int64_t>();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(data[i], INT64_MIN);
  EXPECT_EQ(data[5], -2);
  EXPECT_EQ(data[6], 0);
  EXPECT_EQ(values(odd.to(kBool)), (Values{1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(values(tensor({0.0, -0.0}, kFloat64).to(kBool)), (Values{0, 0}));
  EXPECT_EQ(values(tensor({1e300}, kFloat64).to(kFloat32)), (Values{infinity}));
}

// Row: Paddle A14
TEST(Pointwise, DenseOrderIsKept) {
  const Tensor t = arange_of({2, 3}).transpose(0, 1);
  EXPECT_EQ(list((t + t).strides()), list(t.strides()));
  EXPECT_EQ(list(t.exp().strides()), list(t.strides()));
  EXPECT_EQ(list((t + arange_of({3, 2})).strides()), list(t.strides()));  // the first decides
  EXPECT_TRUE((arange_of({3, 2}) + t).is_contiguous());
}

TEST(Pointwise, InPlaceRefusesOverlapAndRepeats) {
  const Tensor square = arange_of({2, 2});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { square.add_(square.transpose(0, 1)); }),
               {"add_()", "'other'", "single memory location"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] { Tensor(tensor({1.0}, kFloat64)).expand({3}).add_(1); }),
               {"expanded"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          tensor({1.0, 2.0}, kFloat64).add_(square);
                        }),
               {"[2, 2]", "[2]"});
  EXPECT_EQ(values(square), (Values{0, 1, 2, 3}));
  square.add_(square);
  EXPECT_EQ(values(square), (Values{0, 2, 4, 6}));
  square.add_(square.detach());  // the same elements under another name
  EXPECT_EQ(values(square), (Values{0, 4, 8, 12}));
}

TEST(Pointwise, QuestionsAboutWholeTensorsAreAnsweredByBools) {
  const Tensor a = tensor({1.0, 2.0}, kFloat64);
  const bool same = equal(a, tensor({1.0, 2.0}, kFloat64));
  EXPECT_TRUE(same);
  EXPECT_FALSE(a.equal(a + 1));
  EXPECT_TRUE(exp2(a).allclose(tensor({2.0, 4.0}, kFloat64)));
  EXPECT_FALSE(allclose(a, a * 1.1));
  EXPECT_TRUE(allclose(a, a * 1.1, 0.2));
  expect_parts(
      error_of(ErrorKind::kInvalidArgument, [&] { static_cast<void>(a.allclose(a.to(kFloat32))); }),
      {"allclose()", "'other'", "float64", "float32"});
}

}  // namespace
}  // namespace eagre::test

// The hand-written part of the public API: factories, values, conversions, random numbers.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(FromBlob, NeedsMemory) {
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { from_blob(nullptr, {3}, kFloat32); }),
               {"from_blob()", "'data'", "null pointer"});
  EXPECT_EQ(from_blob(nullptr, {0}, kFloat32).numel(), 0);
}

TEST(Factory, TensorFromLists) {
  EXPECT_EQ(tensor({1, 2}).dtype(), kInt64);
  EXPECT_EQ(tensor({1U, 2U}).dtype(), kInt64);
  EXPECT_EQ(tensor({1.0F}).dtype(), kFloat32);
  EXPECT_EQ(values(tensor(std::vector<double>{1, 2}, kFloat64).to(kFloat32)), (Values{1, 2}));
  EXPECT_EQ(tensor(std::vector<int64_t>{}).dtype(), kInt64);
  EXPECT_EQ(tensor({1.0}).dtype(), kFloat32);
  EXPECT_EQ(tensor({true, false}).dtype(), kBool);
  EXPECT_EQ(tensor(3).dim(), 0);
  EXPECT_EQ(tensor({1.5, 2.5}, kInt64).dtype(), kInt64);
  EXPECT_EQ(values(tensor({1.5, 2.5}, kInt64)), (Values{1, 2}));
  EXPECT_TRUE(tensor({1.0F}, requires_grad()).requires_grad());
  EXPECT_EQ(tensor(std::initializer_list<float>{}).numel(), 0);
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { tensor({1}, requires_grad()); }),
               {"int64"});
}

TEST(Factory, FullTakesTheNumbersType) {
  EXPECT_EQ(full({2}, 1).dtype(), kInt64);
  EXPECT_EQ(full({2}, true).dtype(), kBool);
  EXPECT_EQ(full({2}, 1.5).dtype(), kFloat32);
  EXPECT_EQ(full({2}, 1, kFloat64).dtype(), kFloat64);
  EXPECT_EQ(values(full({2, 0}, 1)), Values{});
  EXPECT_EQ(full({}, 7).item<int>(), 7);
}

TEST(Factory, NumbersThatDoNotFitAnInteger) {
  // Whatever the answer is, it must not depend on the processor.
  for (double odd : {std::numeric_limits<double>::quiet_NaN(), 1e300, -1e300}) {
    EXPECT_EQ(full({1}, odd, kFloat64).to(kInt64).item<int64_t>(), INT64_MIN);
    EXPECT_THROW(full({1}, odd, kInt64), Error);
  }
}

TEST(Factory, WritesIntoGivenTensors) {
  const Tensor out = zeros({0}, kInt16);
  EXPECT_TRUE(arange_out(out, 3).is_same(out));
  EXPECT_EQ(values(out), (Values{0, 1, 2}));
  const Tensor sorted = zeros({0}, kInt16), places = zeros({0}, kInt64);
  const auto [first, second] = sort_out(sorted, places, out, 0, true);
  EXPECT_TRUE(first.is_same(sorted) && second.is_same(places));
  EXPECT_EQ(values(places), (Values{2, 1, 0}));
}

TEST(Views, ChangeTheTensorItself) {
  const Tensor x = zeros({2, 3});
  EXPECT_TRUE(x.t_().unsqueeze_(0).is_same(x));
  EXPECT_TRUE(x.sizes() == Dims({1, 3, 2}));
  EXPECT_TRUE(x.strides() == Dims({3, 1, 3}));
}

TEST(Random, SeedsRepeat) {
  manual_seed(5);
  const Values first = values(randn({7}));
  const Values second = values(randn({7}));
  EXPECT_NE(first, second);
  manual_seed(5);
  EXPECT_EQ(values(randn({7})), first);
  EXPECT_EQ(values(randn({7})), second);
  Generator own(5);
  EXPECT_EQ(values(randn({7}, &own)), first);
  EXPECT_EQ(default_generator().initial_seed(), 5U);
}

TEST(Random, LooksNormal) {
  manual_seed(1);
  for (DType dtype : {kFloat32, kFloat64}) {
    const Values sample = values(randn({20'001}, dtype));
    double sum = 0, squares = 0;
    for (double x : sample) {
      ASSERT_TRUE(std::isfinite(x));
      sum += x;
      squares += x * x;
    }
    const auto n = static_cast<double>(sample.size());
    EXPECT_NEAR(sum / n, 0, 0.03);
    EXPECT_NEAR(squares / n, 1, 0.05);
  }
  expect_parts(error_of(ErrorKind::kUnimplemented, [] { randn({2}, kInt64); }),
               {"randn", "int64", "float32"});
}

TEST(Random, ThreadsTakeDifferentStretches) {
  manual_seed(2);
  std::vector<Values> parts(4);
  in_threads(4, [&](int i) { parts[static_cast<size_t>(i)] = values(randn({64})); });
  for (size_t i = 1; i < parts.size(); ++i) EXPECT_NE(parts[i], parts[0]);
}

// As libtorch does.
TEST(Item, ValuesThatTheTypeCannotHoldAreRefused) {
  const auto refused = [](const std::string& value, const std::string& type, auto f) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, f),
                 {"cannot be converted without overflow: " + value, " to a " + type});
  };
  const Tensor large = tensor({300}), huge = full({}, 1e300, kFloat64);
  refused("300", "8-bit integer", [&] { large.item<uint8_t>(); });
  refused("300", "8-bit integer", [&] { Scalar(300).to<int8_t>(); });
  refused("-256", "8-bit integer", [&] { Scalar(-256).to<uint8_t>(); });
  refused("2147483648", "32-bit integer", [&] { Scalar(int64_t{1} << 31).to<int32_t>(); });
  refused("nan", "64-bit integer", [&] { Scalar(std::nan("")).to<int64_t>(); });
  refused("9223372036854775808.0", "64-bit integer", [&] { Scalar(0x1p63).to<int64_t>(); });
  refused("1e+300", "32-bit floating-point number", [&] { huge.item<float>(); });
  refused("1.0 + 2.0i", "64-bit floating-point number",
          [&] { Scalar(Complex<double>(1, 2)).to<double>(); });
  refused("1.0 + 2.0i", "64-bit floating-point number",
          [&] { full({}, Complex<double>(1, 2), kComplex128).item<double>(); });
  // A fraction may get lost, negatives wrap around in unsigned types, infinity stays.
  EXPECT_EQ(Scalar(-1).to<uint8_t>(), 255);
  EXPECT_EQ(Scalar(127.9).to<int8_t>(), 127);
  EXPECT_EQ(Scalar(-0x1p63).to<int64_t>(), INT64_MIN);
  EXPECT_EQ(Scalar(Complex<double>(3, 0)).to<double>(), 3);
  EXPECT_EQ(full({}, HUGE_VAL, kFloat64).item<float>(), HUGE_VALF);
  EXPECT_TRUE(large.item<bool>());
  EXPECT_EQ(full({}, -1, kInt64).to(kUInt64).item<uint64_t>(), UINT64_MAX);
  // Elements are converted as ever.
  EXPECT_EQ(large.to(kUInt8).item<int>(), 44);
}

TEST(Item, EveryByteOfABoolButZeroIsTrue) {
  const Tensor odd = full({}, 255, kUInt8).view(kBool);
  EXPECT_EQ(odd.item<int>(), 1);
  EXPECT_EQ(Scalar::load(kBool, odd.data_ptr()).wrapped<int>(), 1);
}

TEST(Item, OneElementOnly) {
  EXPECT_EQ(full({1, 1}, 2.5).item<float>(), 2.5F);
  EXPECT_EQ(tensor({3}).item<double>(), 3);
  EXPECT_EQ(tensor({INT64_MAX}).item<int64_t>(), INT64_MAX);
  EXPECT_EQ(tensor(-2.9, kFloat64).item<int>(), -2);
  EXPECT_TRUE(tensor(0.5, kFloat64).item<bool>());
  EXPECT_FALSE(tensor(0.0, kFloat64).item<bool>());
  EXPECT_TRUE(tensor({true}).item<bool>());
  for (const Tensor& t : {tensor({1.0, 2.0}, kFloat64), full({0}, 1.0)}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { t.item<double>(); }),
                 {"item()", "elements"});
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { t.item<int>(); }), {"item()"});
  }
}

// Row: Paddle T1
TEST(To, SameDtypeIsTheSameTensor) {
  const Tensor t = tensor({1.0F});
  EXPECT_TRUE(t.to(kFloat32).is_same(t));
  EXPECT_TRUE(t.to(kCPU).is_same(t));
  EXPECT_FALSE(t.to(kFloat64).is_same(t));
  EXPECT_TRUE(t.cpu().is_same(t));
}

TEST(TensorList, BracesLendTheirTensors) {
  const Tensor a = ones({2}), b = ones({2});
  const auto count_in_call = [&](TensorList list) { return a.use_count() + list.size(); };
  EXPECT_EQ(count_in_call({a, b, a}), 1 + 3);
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(cat({a + b, a, Tensor(b)}).sum().item<float>(), 8);
}

TEST(Print, GoesToStreams) {
  std::ostringstream out;
  out << tensor({1.0F, 2.0F});
  EXPECT_EQ(out.str(), tensor({1.0F, 2.0F}).str());
  EXPECT_NE(out.str().find("tensor"), std::string::npos);
}

}  // namespace
}  // namespace eagre::test

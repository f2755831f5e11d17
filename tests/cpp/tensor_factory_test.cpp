// tensor() of numbers that stand in the program: braces, complex numbers, and those that the dtype
// cannot hold.
#include <cmath>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(WrittenNumbers, NestedBraces) {
  const Tensor matrix = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(matrix.sizes(), Dims({2, 3}));
  EXPECT_EQ(matrix.dtype(), kInt64);
  EXPECT_EQ(values(matrix), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(tensor({{{1.5F}, {2.5F}}}).sizes(), Dims({1, 2, 1}));
  EXPECT_EQ(tensor({{1, 2}}).sizes(), Dims({1, 2}));
  EXPECT_EQ(tensor({{true, false}}).dtype(), kBool);
  EXPECT_EQ(tensor({{1, 2}, {3, 4}}, kFloat32).dtype(), kFloat32);
  EXPECT_TRUE(tensor({{1.0F}}, requires_grad()).requires_grad());
}

TEST(WrittenNumbers, MixedOnesPromote) {
  EXPECT_EQ(tensor({1, 2.5}).dtype(), kFloat32);
  EXPECT_EQ(tensor({{1, 2.5F}, {true, 4}}).dtype(), kFloat32);
  EXPECT_EQ(values(tensor({{1, 2.5F}, {true, 4}})), (Values{1, 2.5, 1, 4}));
  EXPECT_EQ(tensor({{true, 2}}).dtype(), kInt64);
  EXPECT_EQ(tensor({{1.5F, 2.5}}).dtype(), kFloat32);
  EXPECT_EQ(tensor({{std::complex<float>(1, 2), 2.5}}).dtype(), kComplex64);
  // Numbers reach their dtype one by one: an integer does not pass through a double.
  const int64_t odd = (int64_t{1} << 60) + 1;
  EXPECT_EQ(tensor({{2.0, odd}}, kInt64)[0][1].item<int64_t>(), odd);
}

TEST(WrittenNumbers, EmptyBraces) {
  EXPECT_EQ(tensor({}).sizes(), Dims({0}));
  EXPECT_EQ(tensor({}).dtype(), kFloat32);
  EXPECT_EQ(tensor({{}, {}}, kInt64).sizes(), Dims({2, 0}));
}

TEST(WrittenNumbers, RaggedBracesAreRefused) {
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] {
                          tensor({{1, 2}, {3}});
                        }),
               {"tensor()", "of 2 elements at depth 1", "one of 1"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] {
                          tensor({{1, 2}, 3});
                        }),
               {"tensor()", "at depth 0", "a number beside braces"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] {
                          tensor({1, {2, 3}});
                        }),
               {"tensor()", "at depth 0", "braces beside numbers"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { tensor({{}, {1}}); }), {"one of 1"});
}

TEST(WrittenNumbers, Complex) {
  const Tensor single = tensor(std::complex<double>(1, 2));
  EXPECT_EQ(single.dim(), 0);
  EXPECT_EQ(single.dtype(), kComplex128);
  EXPECT_EQ(single.item<Complex<double>>(), Complex<double>(1, 2));
  EXPECT_EQ(tensor(Complex<float>(1, 2)).item<Complex<float>>(), Complex<float>(1, 2));
  EXPECT_EQ(tensor(std::complex<float>(1, 2), kComplex128).dtype(), kComplex128);
  const Tensor list = tensor(std::vector<std::complex<float>>{{1, 2}, {3, 4}});
  EXPECT_EQ(list.dtype(), kComplex64);
  EXPECT_EQ(list[1].item<Complex<float>>(), Complex<float>(3, 4));
  EXPECT_EQ(tensor({std::complex<double>(0, 1)}).sizes(), Dims({1}));
}

TEST(WrittenNumbers, ComplexNumbersAsOperands) {
  EXPECT_EQ(Scalar(std::complex<float>(1, 2)).to<Complex<double>>(), Complex<double>(1, 2));
  const Tensor two = tensor({2.0F});
  EXPECT_EQ((two * std::complex<double>(0, 1))[0].item<Complex<float>>(), Complex<float>(0, 2));
  EXPECT_EQ((std::complex<float>(0, 1) * two)[0].item<Complex<float>>(), Complex<float>(0, 2));
  EXPECT_EQ((two + Complex<float>(0, 1))[0].item<Complex<float>>(), Complex<float>(2, 1));
  EXPECT_EQ((two + Scalar(1)).item<float>(), 3);
  EXPECT_EQ(full({1}, std::complex<float>(1, 2)).dtype(), kComplex64);
}

TEST(WrittenNumbers, VectorOfBool) {
  const Tensor mask = tensor(std::vector<bool>{true, false, true});
  EXPECT_EQ(mask.dtype(), kBool);
  EXPECT_EQ(values(mask), (Values{1, 0, 1}));
  EXPECT_EQ(tensor(std::vector<bool>{true}, kFloat32).dtype(), kFloat32);
  EXPECT_EQ(tensor(std::vector<bool>{}).sizes(), Dims({0}));
}

TEST(WrittenNumbers, OneThatTheDtypeCannotHoldIsRefused) {
  const auto refused = [](auto make, std::initializer_list<std::string> parts) {
    const std::string text = error_of(ErrorKind::kInvalidArgument, make);
    expect_parts(text, {"tensor()"});
    expect_parts(text, parts);
  };
  refused([] { tensor({300}, kUInt8); }, {"uint8", "300"});
  refused([] { tensor({1, -256}, kUInt8); }, {"uint8", "-256"});
  refused([] { tensor(300, kInt8); }, {"int8", "300"});
  refused([] { tensor({1e10}, kInt32); }, {"int32"});
  refused([] { tensor({std::nanf("")}, kInt64); }, {"int64", "nan"});
  refused([] { tensor({{1, 300}}, kUInt8); }, {"uint8", "300"});
  refused([] { tensor(std::complex<float>(1, 2), kFloat32); }, {"float32", "1.0"});
  // As in PyTorch: unsigned types take the negative of what they hold, floats become infinite.
  EXPECT_EQ(tensor({-1}, kUInt8)[0].item<int>(), 255);
  EXPECT_EQ(tensor({1e300}, kFloat32)[0].item<double>(), HUGE_VAL);
  EXPECT_EQ(tensor({1.7}, kInt32)[0].item<int>(), 1);
}

TEST(WrittenNumbers, UnsignedOnesBeyondInt64) {
  const uint64_t large = (uint64_t{1} << 63) + 5;
  for (const auto& make :
       {+[](uint64_t n) { return tensor(n); }, +[](uint64_t n) { return tensor({n}); },
        +[](uint64_t n) { return tensor(n, kUInt8); },
        +[](uint64_t n) {
          return tensor(std::vector<uint64_t>{1, n});
        }}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { make(large); }),
                 {"tensor()", "9223372036854775813"});
  }
  EXPECT_EQ(tensor(large, kUInt64).item<uint64_t>(), large);
  EXPECT_EQ(tensor({large}, kUInt64)[0].item<uint64_t>(), large);
  EXPECT_EQ(tensor(large, kFloat64).item<double>(), static_cast<double>(large));
  EXPECT_EQ(tensor(uint64_t{7}).dtype(), kInt64);
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { Scalar{large}; }),
               {"9223372036854775813", "64-bit integer"});
  expect_parts(
      error_of(ErrorKind::kInvalidArgument, [&] { tensor(large, kUInt64).item<int64_t>(); }),
      {"9223372036854775813"});
}

}  // namespace
}  // namespace eagre::test

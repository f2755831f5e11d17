// Result dtypes against a table recorded from PyTorch.
#include <cstdint>

#include "cpp/support.h"

namespace eagre::test {
namespace {

enum Place : uint8_t { kDimensioned, kZeroDim, kNumber };
struct PromotionRow {
  DType default_dtype;
  Place a_place;
  DType a;
  Place b_place;
  DType b;
  DType result;
};
constexpr auto kRefused = static_cast<DType>(255);
#include "cpp/promotion_table.h"

Tensor tensor_at(Place place, DType dtype) {
  return place == kDimensioned ? full({1}, 1, dtype) : full({}, 1, dtype);
}
Scalar number_of(DType dtype) {
  if (dtype == kBool) return true;
  if (dtype == kInt64) return 1;
  if (dtype == kComplex128) return Complex<double>(0, 1);
  return 1.0;
}

class DefaultDType {
 public:
  explicit DefaultDType(DType dtype) { set_default_dtype(dtype); }
  ~DefaultDType() { set_default_dtype(kFloat32); }
};

// Row: Paddle A13
TEST(Promotion, AgreesWithTheTable) {
  for (const PromotionRow& row : kPromotionTable) {
    const DefaultDType scope(row.default_dtype);
    const Tensor a = row.a_place == kNumber ? Tensor() : tensor_at(row.a_place, row.a);
    const Tensor b = row.b_place == kNumber ? Tensor() : tensor_at(row.b_place, row.b);
    const Operand first = a.defined() ? Operand(a) : Operand(number_of(row.a));
    const Operand second = b.defined() ? Operand(b) : Operand(number_of(row.b));
    const std::string text = concat(to_string(row.a), "/", int{row.a_place}, " with ",
                                    to_string(row.b), "/", int{row.b_place});
    if (row.result == kRefused) {
      EXPECT_THROW(result_type(first, second), Error) << text;
      continue;
    }
    EXPECT_EQ(result_type(first, second), row.result) << text;
    if (!a.defined()) continue;
    EXPECT_EQ(mul(a, second).dtype(), row.result) << text;
    if (dtypes::kFloat8.contains(row.result)) continue;  // of which there are no sums
    EXPECT_EQ(add(a, second).dtype(), row.result) << text;
  }
}

TEST(Promotion, ExpOfIntegersIsTheDefaultType) {
  EXPECT_EQ(tensor({1, 2}).exp().dtype(), kFloat32);
  EXPECT_EQ(tensor({true}).exp().dtype(), kFloat32);
  const DefaultDType scope(kFloat64);
  EXPECT_EQ(tensor({1, 2}).exp().dtype(), kFloat64);
  EXPECT_EQ(tensor({1.0F}, kFloat32).exp().dtype(), kFloat32);
}

TEST(Promotion, SumsOfIntegersAreInt64) {
  EXPECT_EQ(tensor({true, true}).sum().dtype(), kInt64);
  EXPECT_EQ(tensor({true, true}).sum().item<int64_t>(), 2);
  EXPECT_EQ(tensor({1, 2}).sum({}, false, kFloat64).dtype(), kFloat64);
}

TEST(Promotion, InPlaceKeepsTheDtype) {
  const Tensor f = tensor({1.0F});
  f.add_(tensor({1.5}, kFloat64));
  EXPECT_EQ(f.dtype(), kFloat32);
  EXPECT_EQ(values(f), (Values{2.5}));
  const Tensor i = tensor({1});
  i.add_(tensor({true}));
  EXPECT_EQ(i.item<int64_t>(), 2);
  expect_parts(error_of(ErrorKind::kType, [&] { i.add_(1.5); }), {"add_()", "float32", "int64"});
  expect_parts(error_of(ErrorKind::kType, [&] { tensor({true}).mul_(2); }),
               {"mul_()", "int64", "bool"});
  EXPECT_EQ(i.version(), 1U) << "a refused call is not a write";
}

TEST(Promotion, AlphaMustFit) {
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { tensor({1}).add(tensor({2}), 1.5); }),
               {"add(): For integral input tensors, argument alpha must not be", "1.5", "int64"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { tensor({true}).add(true, 2.5); }),
               {"alpha", "bool"});
  EXPECT_TRUE(tensor({false}).add(true, 2).item<bool>());
  EXPECT_EQ(tensor({1}).add(tensor({2}), 3).item<int64_t>(), 7);
}

TEST(Promotion, CanCastKeepsTheKind) {
  EXPECT_TRUE(can_cast(kFloat64, kFloat16));
  EXPECT_TRUE(can_cast(kInt64, kComplex64));
  EXPECT_TRUE(can_cast(kInt64, kUInt8));
  EXPECT_FALSE(can_cast(kFloat16, kInt64));
  EXPECT_FALSE(can_cast(kComplex64, kFloat64));
  EXPECT_FALSE(can_cast(kInt64, kBool));
}

TEST(Promotion, DefaultDtypeMustBeFloating) {
  expect_parts(error_of(ErrorKind::kType, [] { set_default_dtype(kInt64); }), {"int64"});
}

}  // namespace
}  // namespace eagre::test

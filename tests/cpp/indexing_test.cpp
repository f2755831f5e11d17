// Indexing, accessors and changes of geometry as the C++ user writes them.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cpp/support.h"

namespace eagre {
namespace {

using namespace indexing;

Tensor counted(std::initializer_list<int64_t> sizes) {
  int64_t numel = 1;
  for (int64_t size : sizes) numel *= size;
  std::vector<float> values(static_cast<size_t>(numel));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return tensor_from(values.data(), kFloat32, Dims(sizes));
}

TEST(Indexing, SquareBracketsSelect) {
  const Tensor t = counted({2, 3});
  EXPECT_EQ(t[1][2].item<float>(), 5);
  EXPECT_EQ(t[-1][0].item<float>(), 3);
  t[0].mul_(10);
  EXPECT_EQ(t[0][2].item<float>(), 20);
  EXPECT_THROW(t[2], Error);
  EXPECT_THROW(tensor(1.0F)[0], Error);
}

TEST(Indexing, EntriesOfEveryKind) {
  const Tensor t = counted({4, 3, 5});
  EXPECT_EQ(t.index({Slice(1, 3), None, Ellipsis, 2}).sizes(), Dims({2, 1, 3}));
  EXPECT_EQ(t.index({Ellipsis, Slice(None, None, 2)}).sizes(), Dims({4, 3, 3}));
  EXPECT_EQ(t.index({1, 2, 3}).item<float>(), 28);
  EXPECT_EQ(t.index({tensor({0, 2}), Slice(), 1}).sizes(), Dims({2, 3}));
  const Tensor large = t > 50;
  EXPECT_EQ(t.index({large}).sizes(), Dims({9}));
  EXPECT_EQ(t.index({true}).sizes(), Dims({1, 4, 3, 5}));
}

TEST(Indexing, PutWritesWhatIndexShows) {
  const Tensor t = counted({3, 3});
  t.index_put_({Slice(), 1}, -1);
  EXPECT_EQ(t.sum().item<float>(), 36 - 1 - 4 - 7 - 3);
  t.index_put_({tensor({0, 2})}, tensor({7.0F, 8.0F, 9.0F}));
  EXPECT_EQ(t[2][2].item<float>(), 9);
  t.index_put_({t > 6}, 0.5);
  EXPECT_EQ(t[0][0].item<float>(), 0.5F);
}

TEST(Indexing, EntriesInAVector) {
  const Tensor t = counted({4, 3});
  const std::vector<TensorIndex> entries{Slice(1, 3), 2};
  EXPECT_EQ(t.index(entries).sizes(), Dims({2}));
  EXPECT_EQ(t.index(std::vector<TensorIndex>{3, 2}).item<float>(), 11);
  t.index_put_(entries, -1);
  EXPECT_EQ(t[2][2].item<float>(), -1);
  t.index_put_(entries, tensor({7.0F, 8.0F}));
  EXPECT_EQ(t[2][2].item<float>(), 8);
  EXPECT_EQ(t.index({}).sizes(), Dims({4, 3}));
}

TEST(Indexing, ThreeDotsAreAnEllipsis) {
  const Tensor t = counted({4, 3, 5});
  EXPECT_EQ(t.index({"...", 2}).sizes(), Dims({4, 3}));
  t.index_put_({0, "..."}, 1);
  EXPECT_EQ(t[0].sum().item<float>(), 15);
  test::expect_parts(test::error_of(ErrorKind::kType,
                                    [&] {
                                      t.index({"..", 2});
                                    }),
                     {"index()", "'indices'", "\"...\"", "\"..\""});
  const char* nothing = nullptr;
  EXPECT_THROW(t.index({nothing}), Error);
}

TEST(Indexing, SquareBracketsTakeATensorThatIsANumber) {
  const Tensor t = counted({2, 3});
  EXPECT_EQ(t[tensor(1)][tensor(-1, kInt8)].item<float>(), 5);
  t[tensor(0)].zero_();
  EXPECT_EQ(t.sum().item<float>(), 12) << "a view";
  EXPECT_THROW(t[tensor(2)], Error);
  for (const Tensor& bad : {tensor({1}), tensor(1.0F), tensor(true)}) {
    test::expect_parts(test::error_of(ErrorKind::kIndex, [&] { t[bad]; }),
                       {"index()", "0-dim tensor of integers"});
  }
  EXPECT_THROW(t[Tensor()], Error);
}

TEST(Indexing, ARefusedWriteChangesNothing) {
  const Tensor t = counted({3, 3});
  EXPECT_THROW(t.index_put_({tensor({0, 1, 5})}, -1), Error);
  EXPECT_EQ(t.sum().item<float>(), 36);
}

TEST(Accessor, ReadsAndWritesElements) {
  const Tensor t = counted({2, 3}).transpose(0, 1);
  auto a = t.accessor<float, 2>();
  EXPECT_EQ(a[2][1], 5);
  a[0][1] = 9;
  EXPECT_EQ(t[0][1].item<float>(), 9);
  EXPECT_EQ(a.size(0), 3);
  EXPECT_THROW((t.accessor<float, 1>()), Error);
  EXPECT_THROW((t.accessor<double, 2>()), Error);
}

TEST(Geometry, ResizeKeepsWhatWasThere) {
  const Tensor t = counted({4});
  const Tensor view = t.narrow(0, 0, 2);
  t.resize_({2, 300});
  EXPECT_EQ(t.sizes(), Dims({2, 300}));
  EXPECT_EQ(t[0][3].item<float>(), 3);
  t[0][0].add_(5);
  EXPECT_EQ(view[0].item<float>(), 5) << "the storage is still shared";
  t.resize_({2});
  EXPECT_EQ(t[1].item<float>(), 1);
  t.resize_({0});
  EXPECT_EQ(t.numel(), 0);
  EXPECT_THROW(t.resize_({-1}), Error);
  EXPECT_THROW(t.resize_({INT64_MAX, 2}), Error);
}

TEST(Geometry, ResizeOfManyDimensions) {
  const Tensor t = counted({4});
  t.resize_({1, 1, 2, 1, 1, 2, 1});
  EXPECT_EQ(t.sum().item<float>(), 6);
  t.resize_({4});
  EXPECT_EQ(t.sum().item<float>(), 6);
}

TEST(Geometry, ForeignMemoryCannotGrow) {
  float values[] = {1, 2};
  const Tensor t = from_blob(values, {2}, kFloat32);
  EXPECT_THROW(t.resize_({3}), Error);
  t.resize_({1});
  EXPECT_EQ(t.item<float>(), 1);
}

TEST(Geometry, SetSharesTheMemory) {
  const Tensor a = counted({2, 3});
  const Tensor b = counted({7});
  b.set_(a);
  b[0][0].add_(4);
  EXPECT_EQ(a[0][0].item<float>(), 4);
  EXPECT_EQ(b.data_ptr(), a.data_ptr());
  EXPECT_THROW(b.set_(tensor({1, 2})), Error);
  EXPECT_THROW(counted({2}).requires_grad_().set_(a), Error);
}

TEST(Geometry, OptionsDescribeATensor) {
  const Tensor t = counted({2}).to(dtype(kFloat64).device(kCPU));
  EXPECT_EQ(t.options().dtype(), kFloat64);
  EXPECT_EQ(full({2}, 1, t.options()).dtype(), kFloat64);
  EXPECT_FALSE(t.copy_to(kCPU).is_same(t));
}

}  // namespace
}  // namespace eagre

// The objects behind a tensor: layout, counts, and who keeps what alive.
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/base/block_pool.h>
#include <eagre/core/tensor_block.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

uint32_t impl_refs(const TensorBase& t) { return t.get().refs.load(); }
uint32_t storage_refs(const TensorBase& t) { return t.get().storage->refs.load(); }
uint32_t block_parts(const TensorBase& t) { return t.get().storage->parts.load(); }

TEST(Objects, SizesAreWithinTheBudget) {
  EXPECT_EQ(sizeof(Tensor), 8U);
  EXPECT_LE(sizeof(TensorImpl), 152U);
  EXPECT_LE(sizeof(Storage), 56U);
  EXPECT_LE(sizeof(autograd::Node), 128U);
  EXPECT_EQ(sizeof(autograd::SavedTensor), 16U);
  // A recorded scalar product: block of the result, node with two saved operands.
  const auto block = [](size_t bytes) { return pool_class_bytes(pool_class_of(bytes)); };
  EXPECT_LE(block(kInlineDataOffset + 4) +
                block(sizeof(autograd::Node) + 2 * sizeof(autograd::SavedTensor)),
            400U);
}

// Row: Paddle D10
TEST(Objects, SmallTensorIsOneBlock) {
  const Tensor t = tensor({1.0F, 2.0F});
  EXPECT_EQ(t.data_ptr(), reinterpret_cast<char*>(t.impl()) + kInlineDataOffset);
  EXPECT_TRUE(t.get().storage->has(Storage::kInline));
  EXPECT_EQ(impl_refs(t), 1U);
  EXPECT_EQ(storage_refs(t), 1U);
  EXPECT_EQ(block_parts(t), 2U);
}

TEST(Objects, BytesMoveOutOfTheBlockAtItsLimit) {
  const auto largest = static_cast<int64_t>(kMaxInlineBytes / sizeof(double));
  const Tensor inside = full({largest}, 1.0, kFloat64);
  const Tensor outside = full({largest + 1}, 1.0, kFloat64);
  EXPECT_TRUE(inside.get().storage->has(Storage::kInline));
  EXPECT_FALSE(outside.get().storage->has(Storage::kInline));
  EXPECT_TRUE(outside.get().storage->has(Storage::kEmbedded));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(outside.data_ptr()) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(inside.data_ptr()) % 16, 0U);
  for (double value : values(outside)) EXPECT_EQ(value, 1.0);
}

// Row: Paddle T1
TEST(Objects, HandlesShareTheImpl) {
  const Tensor a = tensor({1.0F});
  const Tensor b = a;  // NOLINT: the copy is what is tested
  EXPECT_TRUE(a.is_same(b));
  EXPECT_EQ(impl_refs(a), 2U);
  EXPECT_EQ(storage_refs(a), 1U);
}

TEST(Objects, AliasKeepsTheBytesAfterTheImplDied) {
  for (int64_t n : {3, 1000}) {
    Tensor alias;
    {
      const Tensor base = arange_of({n});
      alias = base.detach();
      EXPECT_EQ(impl_refs(base), 1U);
      EXPECT_EQ(storage_refs(base), 2U);
      EXPECT_EQ(block_parts(base), 2U);
    }
    EXPECT_EQ(storage_refs(alias), 1U);
    EXPECT_EQ(block_parts(alias), 1U);  // only the storage is left in the block
    EXPECT_EQ(values(alias), values(arange_of({n})));
  }
}

TEST(Objects, ViewKeepsItsBase) {
  for (int64_t n : {3, 1000}) {
    Tensor view;
    {
      const Tensor base = arange_of({n});
      view = base.unsqueeze(0);
      EXPECT_EQ(impl_refs(base), 2U);
      EXPECT_EQ(storage_refs(base), 1U);
    }
    EXPECT_EQ(block_parts(view), 2U);
    EXPECT_EQ(values(view), values(arange_of({n})));
  }
}

TEST(Objects, ViewOfAViewNeedsNeitherOfTheOthers) {
  Tensor last;
  {
    const Tensor base = arange_of({2, 3});
    const Tensor middle = base.transpose(0, 1);
    last = middle.unsqueeze(1);
  }
  EXPECT_EQ(list(last.sizes()), (Sizes{3, 1, 2}));
  EXPECT_EQ(values(last), (Values{0, 3, 1, 4, 2, 5}));
}

TEST(Objects, BaseEndsWithItsLastView) {
  Tensor view;
  std::weak_ptr<int> watched;
  {
    auto token = std::make_shared<int>(1);
    watched = token;
    const Tensor base = leaf({1, 2});
    base.register_hook([token](const Tensor&) {});
    token.reset();
    NoGradGuard no_grad;
    view = base.unsqueeze(0);
  }
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(values(view), (Values{1, 2}));
  view = Tensor();
  EXPECT_TRUE(watched.expired());
}

TEST(Objects, ForeignMemoryIsReleasedOnceByTheLastView) {
  int released = 0;
  double memory[] = {1, 2, 3, 4};
  Tensor view;
  {
    const Tensor t = from_blob(
        memory, {2, 2}, [&](void* data) { released += data == memory ? 1 : 100; }, kDouble);
    EXPECT_EQ(t.data_ptr(), memory);
    EXPECT_FALSE(t.get().is_sole_owner());  // someone outside sees it
    view = t.transpose(0, 1);
  }
  EXPECT_EQ(released, 0);
  view.mul_(2);
  EXPECT_EQ(memory[3], 8);
  view = Tensor();
  EXPECT_EQ(released, 1);
}

TEST(Objects, ForeignMemoryMayHaveStrides) {
  float memory[] = {1, 2, 3, 4, 5, 6};
  const Tensor columns = from_blob(memory, {3, 2}, {1, 3});
  EXPECT_EQ(values(columns.contiguous()), (Values{1, 4, 2, 5, 3, 6}));
  int released = 0;
  {
    const Tensor gaps = from_blob(
        memory, {3}, {2}, [&](void*) { ++released; }, kFloat);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(from_blob(memory, {6}).dtype(), kFloat32);
  EXPECT_TRUE(from_blob(memory, {6}, requires_grad()).requires_grad());
}

TEST(Objects, ForeignMemoryThatIsRefusedStaysWithTheCaller) {
  float memory[] = {1, 2, 3};
  int released = 0;
  const auto count = [&](void*) { ++released; };
  const std::vector<std::vector<int64_t>> bad{{1, 1}, {-1}, {INT64_MAX / 2}};
  for (const auto& strides : bad) {
    expect_parts(
        error_of(ErrorKind::kInvalidArgument,
                 [&] { from_blob(memory, {3}, Dims(strides.data(), strides.size()), count); }),
        {"from_blob()", "'stride'"});
  }
  error_of(ErrorKind::kInvalidArgument, [&] { from_blob(nullptr, {3}, count); });
  EXPECT_EQ(released, 0);
}

TEST(Objects, ShapesDtypesAndDevicesCanBePrinted) {
  std::ostringstream out;
  const Tensor t = zeros({2, 3}, kHalf);
  out << t.sizes() << ' ' << t.dtype() << ' ' << t.device();
  EXPECT_EQ(out.str(), "[2, 3] float16 cpu");
}

TEST(Objects, SoleOwner) {
  Tensor t = arange_of({2, 3});
  EXPECT_TRUE(t.get().is_sole_owner());
  {
    const Tensor copy = t;  // NOLINT
    EXPECT_FALSE(t.get().is_sole_owner());
  }
  {
    const Tensor view = t.transpose(0, 1);
    EXPECT_FALSE(t.get().is_sole_owner());
    EXPECT_FALSE(view.get().is_sole_owner());
  }
  EXPECT_TRUE(t.get().is_sole_owner());
  t = t.transpose(0, 1);  // the base died, the view is dense
  EXPECT_TRUE(t.get().is_sole_owner());
  t.get().storage->set(Storage::kExported);
  EXPECT_FALSE(t.get().is_sole_owner());
  const Tensor expanded = Tensor(tensor({1.0F})).expand({3});
  EXPECT_FALSE(expanded.get().is_sole_owner());  // elements share one place
}

// Row: PyTorch H1, Paddle T2
TEST(Objects, VersionIsSharedByViewsAndDetachNotByClones) {
  const Tensor t = tensor({1.0F, 2.0F});
  const Tensor view = t.unsqueeze(0);
  const Tensor detached = t.detach();
  const Tensor copy = t.clone();
  EXPECT_EQ(t.version(), 0U);
  detached.add_(1);
  view.mul_(2);
  EXPECT_EQ(t.version(), 2U);
  EXPECT_EQ(view.version(), 2U);
  EXPECT_EQ(detached.version(), 2U);
  EXPECT_EQ(copy.version(), 0U);
  EXPECT_EQ(values(t), (Values{4, 6}));
  EXPECT_EQ(t.data_ptr(), detached.data_ptr());
}

TEST(Objects, VersionOutlivesTheTensorItBeganWith) {
  Tensor view;
  {
    const Tensor base = tensor({1.0F});
    base.add_(1);
    view = base.unsqueeze(0);
  }
  view.add_(1);
  EXPECT_EQ(view.version(), 2U);
}

TEST(Objects, ManyDimensions) {
  const Tensor t = arange_of({1, 2, 1, 3, 1, 2});
  EXPECT_EQ(t.dim(), 6);
  EXPECT_EQ(list(t.strides()), (Sizes{12, 6, 6, 2, 2, 1}));
  const Tensor swapped = t.transpose(1, 3);
  EXPECT_EQ(list(swapped.sizes()), (Sizes{1, 3, 1, 2, 1, 2}));
  EXPECT_EQ(values(swapped + swapped), values(swapped * 2));
  EXPECT_EQ(values(swapped), (Values{0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}));
  const Tensor most = full(Sizes(64, 1), 3.0);
  EXPECT_EQ(values(most + most), (Values{6}));
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { full(Sizes(65, 1), 3.0); }),
               {"at most 64 dimensions", "65"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { most.unsqueeze(0); }), {"at most 64"});
}

TEST(Objects, NoElementsAndNoDimensions) {
  const Tensor empty = full({0, 3}, 1.0);
  EXPECT_EQ(empty.numel(), 0);
  EXPECT_TRUE(values(empty + empty).empty());
  EXPECT_EQ(list((empty + 1).sizes()), (Sizes{0, 3}));
  EXPECT_EQ(values(empty.sum()), (Values{0}));
  EXPECT_EQ(values(empty.sum(0)), (Values{0, 0, 0}));
  EXPECT_TRUE(values(empty.transpose(0, 1).exp()).empty());
  const Tensor scalar = tensor(2.5, kFloat64);
  EXPECT_EQ(scalar.dim(), 0);
  EXPECT_EQ(scalar.numel(), 1);
  EXPECT_EQ(scalar.item<double>(), 2.5);
  EXPECT_EQ((scalar * 2).item<double>(), 5);
}

// Row: Paddle D10
TEST(Objects, UndefinedTensorIsAnError) {
  const Tensor nothing;
  EXPECT_FALSE(nothing.defined());
  const auto use = [](auto f) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, f), {"undefined"});
  };
  use([&] { nothing.sizes(); });
  use([&] { nothing + 1; });
  use([&] { tensor(1.0, kFloat64) + nothing; });
  use([&] { nothing.sum(); });
  use([&] { nothing.transpose(0, 1); });
  use([&] { nothing.backward(); });
  use([&] { nothing.detach(); });
  use([&] { nothing.grad(); });
  use([&] { matmul(nothing, nothing); });
}

TEST(Objects, UndefinedArgumentsAreNamed) {
  const Tensor nothing, x = tensor({1.0, 2.0}, kFloat64);
  const auto use = [](const std::string& op, const std::string& argument, auto f) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, f),
                 {op + "(): argument '" + argument + "' must be a tensor", "undefined"});
  };
  use("add", "input", [&] { nothing + 1; });
  use("add", "input", [&] { Tensor() + x; });
  use("add", "other", [&] { x + nothing; });
  use("mul", "other", [&] { x.clone().mul_(nothing); });
  use("exp", "input", [&] { nothing.exp(); });
  use("exp", "input", [&] { nothing.exp_(); });
  use("exp", "out", [&] { exp_out(nothing, x); });
  use("where", "input", [&] { where(x > 0, nothing, x); });
  use("sum", "input", [&] { nothing.sum(); });
  use("transpose", "input", [&] { nothing.transpose(0, 1); });
  use("index_select", "index", [&] { x.index_select(0, nothing); });
  use("matmul", "other", [&] { matmul(x, nothing); });
  use("mm", "mat2", [&] { mm(x.unsqueeze(0), nothing); });
  use("cat", "tensors", [&] { cat({x, nothing}); });
  use("reshape", "input", [&] { nothing.reshape({1}); });
  use("contiguous", "input", [&] { nothing.contiguous(); });
  use("zeros_like", "input", [&] { zeros_like(nothing); });
  use("embedding", "indices", [&] { embedding(x, nothing); });
}

// Row: Paddle T2
TEST(Objects, TypedPointerMustFit) {
  const Tensor t = tensor({1.0F});
  EXPECT_EQ(*t.data_ptr<float>(), 1.0F);
  expect_parts(error_of(ErrorKind::kType, [&] { t.data_ptr<double>(); }), {"float32", "float64"});
}

}  // namespace
}  // namespace eagre::test

// What nodes saved, seen one by one, and writes seen before they happen.
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/saved_tensors.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/autograd/tape/write_watch.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

class Names final : public autograd::SavedVisitor {
 public:
  void see(const char* name, autograd::SavedTensor& saved) override {
    add(name);
    tensors[name] = &saved;
  }
  void see(const char* name, autograd::SavedTensors&) override { add(name); }
  void see(const char* name, const Scalar&) override { add(name); }
  void see(const char* name, std::string_view) override { add(name); }
  void see(const char* name, Dims) override { add(name); }
  void see(const char* name, const ShapeList&) override { add(name); }
  void see(const char* name, DType) override { add(name); }
  void see(const char* name, Device) override { add(name); }
  void see_none(const char* name) override { add(std::string(name) + "?"); }

  std::vector<std::string> names;
  std::map<std::string, autograd::SavedTensor*> tensors;

 private:
  void add(std::string name) { names.push_back(std::move(name)); }
};

// Row: PyTorch F5
TEST(SavedTensors, NodesShowWhatTheySaved) {
  const auto saved = [](const Tensor& result) {
    Names names;
    result.grad_fn()->visit_saved(names);
    return names.names;
  };
  using Texts = std::vector<std::string>;
  const Tensor x = leaf({1, 2});
  EXPECT_EQ(saved(x * x), (Texts{"other", "self"}));
  EXPECT_EQ(saved(x.exp()), (Texts{"result"}));
  EXPECT_EQ(saved(x.sum()), (Texts{"dim?", "keepdim", "self_sym_sizes"}));
  EXPECT_EQ(saved(x.index({make({1}, {0}).to(kInt64)})), (Texts{"indices", "self_sym_sizes"}));
}

// Row: PyTorch F6
TEST(SavedTensors, HooksOfOneOfThem) {
  struct Double final : autograd::PackHooks {
    TensorBase pack(const TensorBase& tensor) override { return Tensor(tensor) * 2; }
    TensorBase unpack(const TensorBase& packed) override { return packed; }
  };
  const Tensor x = leaf({3});
  const Tensor y = x * x;
  Names names;
  y.grad_fn()->visit_saved(names);
  autograd::SavedTensor& saved = *names.tensors.at("self");
  EXPECT_TRUE(saved.look(*y.grad_fn(), "self").is_same(x));
  saved.register_hooks(std::make_shared<Double>());
  EXPECT_EQ(values(Tensor(saved.kept().value)), (Values{6}));
  expect_parts(
      error_of(ErrorKind::kAutograd, [&] { saved.register_hooks(std::make_shared<Double>()); }),
      {"already been set"});
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{9}));
  EXPECT_TRUE(saved.is_freed());
}

// Row: PyTorch F12
TEST(WriteWatch, SeesTensorsBeforeTheyAreWritten) {
  struct First final : autograd::WriteWatcher {
    void before_write(const TensorBase& tensor) override {
      seen.push_back(values(Tensor(tensor))[0]);
    }
    std::vector<double> seen;
  } watcher;
  const Tensor x = make({2}, {1, 2});
  {
    const autograd::WriteWatchScope scope(watcher);
    x.add_(1);
    x.copy_(make({2}, {5, 6}));
    (void)(x * 2);
    x.view({2, 1}).mul_(2);
  }
  x.add_(1);
  EXPECT_EQ(watcher.seen, (std::vector<double>{1, 2, 5}));
}

}  // namespace
}  // namespace eagre::test

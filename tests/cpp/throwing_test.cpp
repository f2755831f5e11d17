// User code that throws, at every place where recording or a backward call runs any: the exception
// reaches the caller as it is, nothing is left behind, and the next call runs as if nothing had
// been.
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <eagre/autograd/engine/current_task.h>
#include <eagre/autograd/engine/device_threads.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensor.h>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

using autograd::GradientList;
using autograd::HookKind;

constexpr int64_t kSize = 4096;  // large enough that its memory is counted

struct Bang : std::exception {
  explicit Bang(int at) : place(at) {}
  int place;
};

// Counts the places that it is passed to, and throws at one of them.
class Fuse {
 public:
  void burn_at(int place) {
    place_ = place;
    passed_ = 0;
  }
  void pass() {
    const int here = passed_++;
    if (here == place_) throw Bang(here);
  }
  int passed() const { return passed_; }

 private:
  std::atomic<int> passed_{0}, place_{-1};
};
using SharedFuse = std::shared_ptr<Fuse>;

class BurningPack final : public autograd::SavedTensorHookScope::Functions {
 public:
  explicit BurningPack(SharedFuse fuse) : fuse_(std::move(fuse)) {}
  TensorBase pack(const TensorBase& tensor) override {
    fuse_->pass();
    return tensor;
  }
  TensorBase unpack(const TensorBase& packed) override {
    fuse_->pass();
    return packed;
  }

 private:
  SharedFuse fuse_;
};

class BurningPreHook final : public autograd::PreHook {
 public:
  explicit BurningPreHook(SharedFuse fuse) : fuse_(std::move(fuse)) {}
  std::optional<GradientList> call(const GradientList& gradients) override {
    fuse_->pass();
    return gradients;
  }

 private:
  SharedFuse fuse_;
};

class BurningPostHook final : public autograd::PostHook {
 public:
  explicit BurningPostHook(SharedFuse fuse) : fuse_(std::move(fuse)) {}
  std::optional<GradientList> call(const GradientList& results, const GradientList&) override {
    fuse_->pass();
    return results;
  }

 private:
  SharedFuse fuse_;
};

void backward_inside(const SharedFuse& fuse) {
  const AutoGradMode on(true);
  const Tensor y = ones({kSize}, TensorOptions().requires_grad());
  y.register_hook([fuse](const Tensor&) { fuse->pass(); });
  (y * 2).sum().backward();
  fuse->pass();
}

void queue_two_callbacks(const SharedFuse& fuse) {
  autograd::queue_callback([fuse] {
    fuse->pass();
    autograd::queue_callback([fuse] { fuse->pass(); });
  });
}

// A graph with user code of every kind, on the CPU and on `device`.
class Script {
 public:
  Script(SharedFuse fuse, const char* device)
      : x(ones({kSize}, TensorOptions().requires_grad())), fuse_(std::move(fuse)) {
    const autograd::SavedTensorHookScope scope(std::make_shared<BurningPack>(fuse_));
    const Tensor a = (x * 3).to(device);
    const Tensor b = a * a;
    const Tensor c = b.detach().clone(), d = b.detach().clone();
    record({b}, {c, d}, [fuse = fuse_](autograd::BackwardCall& call) {
      fuse->pass();
      call.set(0, call.grad(0));
      fuse->pass();
    });
    hook(a, b);
    out = (c * d).cpu().sum();
  }

  void run() const { out.backward({}, true); }

  Tensor x, out;

 private:
  void hook(const Tensor& a, const Tensor& b) {
    const SharedFuse fuse = fuse_;
    x.register_hook([fuse](const Tensor& g) {
      fuse->pass();
      return g;
    });
    x.register_post_accumulate_grad_hook([fuse](const Tensor&) { fuse->pass(); });
    a.register_hook([fuse](const Tensor&) {
      backward_inside(fuse);
      queue_two_callbacks(fuse);
    });
    a.retain_grad();
    autograd::Node& node = *autograd::gradient_edge(b).node;
    autograd::add_hook(node, HookKind::kBefore, std::make_shared<BurningPreHook>(fuse));
    autograd::add_hook(node, HookKind::kAfter, std::make_shared<BurningPostHook>(fuse));
  }

  SharedFuse fuse_;
};

// True when user code threw. Then the same graph, where there is one, must still work.
bool burns_at(const SharedFuse& fuse, int place, const char* device) {
  fuse->burn_at(place);
  std::unique_ptr<Script> script;
  bool burned = false;
  try {
    script = std::make_unique<Script>(fuse, device);
    script->run();
  } catch (const Bang& bang) {
    EXPECT_EQ(bang.place, place);
    burned = true;
  }
  EXPECT_EQ(autograd::current_graph_task_id(), -1);
  EXPECT_TRUE(GradMode::is_enabled());
  fuse->burn_at(-1);
  if (script == nullptr) return burned;
  script->x.set_grad({});
  script->run();
  // out = sum((3 x)^4), and of (c * d) only the gradient of c goes on.
  const Values gradient = values(script->x.grad());
  EXPECT_EQ(gradient, Values(kSize, 162.0)) << "after place " << place;
  return burned;
}

void burn_everywhere(const char* device) {
  const auto fuse = std::make_shared<Fuse>();
  burns_at(fuse, -1, device);  // fills caches
  const int64_t before = cpu::memory_allocated();
  int place = 0;
  for (; burns_at(fuse, place, device); ++place) {
    EXPECT_EQ(fuse.use_count(), 1) << "user code is kept after place " << place;
    EXPECT_EQ(cpu::memory_allocated(), before) << "memory is kept after place " << place;
  }
  EXPECT_GT(place, 15);
}

// Row: PyTorch D8, Paddle defect 3
TEST(Throwing, AtEveryPlaceLeavesNothingAndTheNextCallWorks) { burn_everywhere("cpu"); }

class ThrowingOnDevices : public Sim {};

// Row: PyTorch D8
TEST_F(ThrowingOnDevices, AtEveryPlaceLeavesNothingAndTheNextCallWorks) { burn_everywhere("sim"); }

TEST_F(ThrowingOnDevices, TheSameInTheCallersThread) {
  autograd::set_multithreading_enabled(false);
  burn_everywhere("sim");
  autograd::set_multithreading_enabled(true);
}

}  // namespace
}  // namespace eagre::test

// Every fault the pretend device can have, at every place, in operators of every sort: each ends in
// an exception, nothing leaks, and a tensor that was to be written is as it was.
#include <cstdint>
#include <functional>
#include <vector>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

struct Case {
  const char* name;
  // Gets a float32 tensor of 2 × 3 on the device and its partner; gives the result.
  std::function<Tensor(const Tensor&, const Tensor&)> run;
  // Must be unchanged when the call raised: the first tensor is written in place.
  bool writes = false;
};

// `kernel` runs on the device, `fallback` on the CPU.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"pointwise, kernel", [](auto& x, auto& y) { return x + y; }},
      {"pointwise, fallback", [](auto& x, auto& y) { return x * y; }},
      {"pointwise, other dtype", [](auto& x, auto& y) { return x + y.to(kFloat64); }},
      {"structured, kernel",
       [](auto& x, auto&) {
         return x.repeat({2, 2});
       }},
      {"structured, kernel, strided",
       [](auto& x, auto&) {
         return x.transpose(0, 1).repeat({2, 1});
       }},
      {"structured, fallback", [](auto& x, auto& y) { return matmul(x, y.transpose(0, 1)); }},
      {"several results", [](auto& x, auto&) { return std::get<1>(x.sort(1)).to(kFloat32); }},
      {"list, kernel",
       [](auto& x, auto& y) {
         return cat({x, y, x}, 1);
       }},
      {"list, kernel, strided",
       [](auto& x, auto& y) {
         return cat({x.transpose(0, 1), y.transpose(0, 1)}, -1);
       }},
      {"list, fallback",
       [](auto& x, auto& y) {
         return stack({x.to(kFloat64), y.to(kFloat64)}, 0);
       }},
      {"view", [](auto& x, auto& y) { return x.transpose(0, 1).select(0, 1) + y.select(1, 2); }},
      {"view of a view, copied", [](auto& x, auto&) { return x.transpose(0, 1).contiguous(); }},
      {"pointwise in place, kernel", [](auto& x, auto& y) { return x.add_(y); }, true},
      {"pointwise in place, fallback", [](auto& x, auto& y) { return x.mul_(y); }, true},
      {"in place through a view",
       [](auto& x, auto& y) {
         x.transpose(0, 1).select(0, 1).mul_(y.select(1, 2));
         return x;
       },
       true},
      {"update, kernel", [](auto& x, auto&) { return x.fill_(7); }, true},
      {"update, kernel, strided",
       [](auto& x, auto&) {
         x.select(1, 1).fill_(7);
         return x;
       },
       true},
      {"update, fallback",
       [](auto& x, auto& y) {
         return x.index_add_(0, tensor({1, 0}).to(x.device()), y);
       },
       true},
      {"update by index",
       [](auto& x, auto&) {
         return x.index_put_({1, indexing::Slice(0, 2)}, -1);
       },
       true},
      {"memory that grows",
       [](auto& x, auto&) {
         x.resize_({4, 30});
         return x.resize_({2, 3});
       },
       true},
      {"out= that grows",
       [](auto& x, auto& y) {
         Tensor out = x.select(1, 0).clone();
         add_out(out, x, y);
         return out;
       }},
      {"copy", [](auto& x, auto& y) { return x.copy_(y.cpu()); }, true},
  };
  return all;
}

class SimFaults : public Sim {
 protected:
  // Orders a fault for the nth event, n = 1, 2, …, until a run does not reach it.
  void at_every_place(const std::function<void(int64_t)>& order, ErrorKind kind) {
    for (const Case& one : cases()) {
      SCOPED_TRACE(one.name);
      const Tensor host = arange_of({2, 3}) + 1, partner = arange_of({2, 3}) * 2;
      const Values expected = values(one.run(host.clone(), partner.clone()));
      int64_t nth = 1;
      for (bool reached = true; reached; ++nth) {
        ASSERT_LT(nth, 100);
        const Tensor x = host.to("sim:1"), y = partner.to("sim:1");
        const int64_t before = live();
        order(nth);
        reached = false;
        Tensor result;
        try {
          result = one.run(x, y);
          synchronize("sim:1");
        } catch (const Error& error) {
          reached = true;
          result = Tensor();
          EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.message();
        }
        order(0);
        device().forgive();
        if (reached) {
          EXPECT_EQ(live(), before) << "nth = " << nth;
          EXPECT_EQ(values(y), values(partner));
          if (!late_ || !one.writes) {
            EXPECT_EQ(values(x), values(host)) << "nth = " << nth;
          }
        } else {
          EXPECT_EQ(values(result), expected);
        }
      }
      places_ += nth - 2;
    }
  }

  int64_t places_ = 0;  // where a fault struck
  bool late_ = false;   // faults show after the call returned
};

TEST_F(SimFaults, OfAllocations) {
  at_every_place([&](int64_t nth) { device().fail_allocation(nth); }, ErrorKind::kOutOfMemory);
  EXPECT_GT(places_, 12);
}

TEST_F(SimFaults, OfCopies) {
  at_every_place([&](int64_t nth) { device().fail_copy(nth); }, ErrorKind::kDeviceLost);
  EXPECT_GT(places_, 20);
}

TEST_F(SimFaults, OfKernelsThatRefuse) {
  at_every_place([&](int64_t nth) { device().fail_nth_kernel(nth, KernelFault::kRefuses); },
                 ErrorKind::kDeviceLost);
  EXPECT_GT(places_, 6);
}

TEST_F(SimFaults, OfKernelsThatFailLater) {
  late_ = true;
  at_every_place([&](int64_t nth) { device().fail_nth_kernel(nth, KernelFault::kFailsLater); },
                 ErrorKind::kDeviceLost);
  EXPECT_GT(places_, 6);
}

TEST_F(SimFaults, OfAllocationsOnASlowStream) {
  device().slow_down(200);
  at_every_place([&](int64_t nth) { device().fail_allocation(nth); }, ErrorKind::kOutOfMemory);
}

// What was refused before any kernel has changed nothing either.
TEST_F(SimFaults, RefusedArgumentsChangeNothing) {
  const Tensor x = (arange_of({2, 3}) + 1).to("sim");
  const Values before = values(x);
  error_of(ErrorKind::kInvalidArgument, [&] { x.add_(arange_of({4}).to("sim")); });
  error_of(ErrorKind::kIndex, [&] { x.index_put_({tensor({0, 5}).to("sim")}, -1); });
  error_of(ErrorKind::kInvalidArgument, [&] { x.add_(arange_of({2, 3}).to("sim:1")); });
  error_of(ErrorKind::kInvalidArgument, [&] { x.unsqueeze(0).expand({2, 2, 3}).add_(1); });
  EXPECT_EQ(values(x), before);
  EXPECT_EQ(x.version(), 0U);
}

// Row: Paddle A7
TEST_F(SimFaults, WithoutFallbackNothingIsChanged) {
  const Tensor x = (arange_of({2, 3}) + 1).to("sim");
  const Tensor y = arange_of({2, 3}).to("sim");
  const Values before = values(x);
  set_flag("kernel_fallback", false);
  const int64_t copies = device().copies();
  error_of(ErrorKind::kUnimplemented, [&] { x.mul_(2); });
  error_of(ErrorKind::kUnimplemented, [&] { x.index_add_(0, tensor({1, 0}).to("sim"), y); });
  EXPECT_EQ(device().copies(), copies + 1);  // that of the index
  EXPECT_EQ(values(x), before);
  EXPECT_EQ(values(x.fill_(2)), Values(6, 2));
  EXPECT_EQ(values(cat({x, x}, 0).repeat({1, 2})), Values(24, 2));
}

}  // namespace
}  // namespace eagre::test

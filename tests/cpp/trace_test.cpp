// EAGRE_TRACE_DISPATCH: what a child process writes when it is on, and that it is silent otherwise.
#include <cstddef>
#include <string>
#include <vector>

#include "cpp/child.h"
#include "cpp/support.h"

namespace eagre::test {
namespace {

std::vector<std::string> traced(const std::string& environment, const std::string& test) {
  return lines_of_child(environment, "TraceChild." + test, "eagre: ");
}

TEST(TraceChild, DISABLED_Forward) {
  const Tensor a = tensor({1.0F, 2.0F});
  const Tensor b = a + a;
  matmul(b, b.to(kFloat32));
  (a.to(kFloat64) * 2).sum();
}

TEST(TraceChild, DISABLED_Backward) {
  const Tensor x = leaf({1, 2});
  const Tensor inner = leaf({3}).exp();
  const Tensor y = x.exp();
  y.register_hook([&](const Tensor& gradient) {
    inner.backward();  // a backward inside a backward
    return gradient;
  });
  y.sum().backward();
}

TEST(TraceChild, DISABLED_Device) {
  load_device_plugin(EAGRE_TEST_PLUGINS "/sim.so");
  set_warning_handler([](const std::string&) {});
  const Tensor a = tensor({1.0F, 2.0F}).to("sim:1");
  const Tensor b = a + a;
  b.exp();
}

// Row: Paddle A22
TEST(Trace, NamesOperatorKeyAndKernel) {
  const auto lines = traced("EAGRE_CPU_ISA=baseline EAGRE_TRACE_DISPATCH=1", "DISABLED_Forward");
  const std::vector<std::string> expected = {
      "add (cpu, strided, float32) → cpu, baseline",
      "matmul (cpu, strided, float32) → cpu, baseline",
      "cast (cpu, strided, float64) → cpu, baseline",
      "mul (cpu, strided, float64) → cpu, baseline",
      "sum (cpu, strided, float64) → cpu, baseline",
  };
  EXPECT_EQ(lines, expected);
}

TEST(Trace, NestsWhatBackwardCalls) {
  const auto lines = traced("EAGRE_TRACE_DISPATCH=1", "DISABLED_Backward");
  const auto indent_of = [&](const std::string& op, size_t nth) -> int {
    for (const std::string& line : lines) {
      const size_t start = line.find_first_not_of(' ');
      if (line.compare(start, op.size() + 1, op + " ") == 0 && nth-- == 0)
        return static_cast<int>(start);
    }
    return -1;
  };
  EXPECT_EQ(indent_of("exp", 0), 0);  // forward
  EXPECT_EQ(indent_of("sum", 0), 0);
  EXPECT_EQ(indent_of("mul", 0), 4);  // the hook's backward, inside the other one
  EXPECT_EQ(indent_of("mul", 1), 2);
}

TEST(Trace, TellsPluginsFromFallback) {
  const auto lines = traced("EAGRE_CPU_ISA=baseline EAGRE_TRACE_DISPATCH=1", "DISABLED_Device");
  const std::vector<std::string> expected = {
      "add (sim:1, strided, float32) → plug-in 'sim'",
      "exp (sim:1, strided, float32) → cpu, fallback",
      "exp (cpu, strided, float32) → cpu, baseline",
  };
  EXPECT_EQ(lines, expected);
}

TEST(Trace, IsSilentUnlessAsked) {
  for (const char* environment : {"EAGRE_TRACE_DISPATCH=", "EAGRE_TRACE_DISPATCH=0"}) {
    EXPECT_TRUE(traced(environment, "DISABLED_Forward").empty());
  }
}

}  // namespace
}  // namespace eagre::test

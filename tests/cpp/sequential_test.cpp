// Nodes that are forced to run one after another (Paddle B15).
#include <string>
#include <vector>

#include <eagre/autograd/engine/current_task.h>
#include <eagre/autograd/engine/sequential.h>
#include <eagre/autograd/tape/node.h>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

using autograd::force_sequential;

void force(const Tensor& tensor) { force_sequential(*autograd::gradient_edge(tensor).node); }

// The same values behind a node that notes its letter.
Tensor noted(const Tensor& x, std::string& order, char letter) {
  const Tensor result = x.detach().clone();
  record({x}, {result}, [&order, letter](autograd::BackwardCall& call) {
    order += letter;
    call.set(0, call.grad(0));
  });
  return result;
}

// `a` is recorded first, but its gradient is there long before that of `b`.
struct TwoWays {
  std::string order;
  Tensor x = leaf({1, 2});
  Tensor b = noted(x, order, 'b');
  Tensor a = noted(x, order, 'a');
  Tensor late = b * 2 * 3;
  Tensor out = (a + late).sum();
};

// Row: Paddle B15
TEST(ForceSequential, NodesRunInTheReverseOfTheirRegistration) {
  TwoWays plain;
  plain.out.backward();
  EXPECT_EQ(plain.order, "ab");  // the later one first, as its gradient is there
  TwoWays forced;
  force(forced.a);
  force(forced.b);
  forced.out.backward();
  EXPECT_EQ(forced.order, "ba");
  EXPECT_EQ(values(forced.x.grad()), (Values{7, 7}));
}

TEST(ForceSequential, RegisteringTwiceChangesNothing) {
  TwoWays ways;
  force(ways.a);
  force(ways.b);
  force(ways.a);
  ways.out.backward();
  EXPECT_EQ(ways.order, "ba");
}

// Row: Paddle B15
TEST(ForceSequential, HoldsInEveryCall) {
  TwoWays ways;
  force(ways.a);
  force(ways.b);
  ways.out.backward({}, true);
  ways.out.backward();
  EXPECT_EQ(ways.order, "baba");
}

TEST(ForceSequential, NodesThatACallDoesNotReachAreNotWaitedFor) {
  TwoWays ways;
  force(ways.a);
  force(ways.b);
  ways.a.sum().backward({}, true);
  EXPECT_EQ(ways.order, "a");
  EXPECT_EQ(values(autograd::grad({ways.out}, {ways.late})[0]), (Values{1, 1}));
  EXPECT_EQ(ways.order, "a");
}

// Row: Paddle B15
TEST(ForceSequential, WhereTheGraphDemandsAnotherOrderTheGraphWins) {
  std::string order;
  const Tensor x = leaf({1, 2});
  const Tensor first = noted(x, order, '1');
  const Tensor second = noted(first, order, '2');
  const Tensor third = noted(second, order, '3');
  for (const Tensor& tensor : {third, second, first}) force(tensor);
  third.sum().backward();
  EXPECT_EQ(order, "321");
  EXPECT_EQ(values(x.grad()), (Values{1, 1}));
}

TEST(ForceSequential, RootsWaitToo) {
  std::string order;
  const Tensor x = leaf({1});
  const Tensor b = noted(x, order, 'b'), a = noted(x, order, 'a');
  force(a);
  force(b);
  autograd::backward({a, b});
  EXPECT_EQ(order, "ba");
}

TEST(ForceSequential, TheExecutionOrderKnowsIt) {
  TwoWays ways;
  force(ways.a);
  force(ways.b);
  std::vector<autograd::Node*> asked, wanted;
  ways.late.register_hook([&](const Tensor&) {
    for (const auto& node : autograd::current_graph_task_execution_order()) {
      for (const Tensor& tensor : {ways.a, ways.b}) {
        autograd::Node* of_it = autograd::gradient_edge(tensor).node.get();
        if (node.get() == of_it) asked.push_back(of_it);
      }
    }
  });
  for (const Tensor& tensor : {ways.b, ways.a}) {
    wanted.push_back(autograd::gradient_edge(tensor).node.get());
  }
  ways.out.backward();
  EXPECT_EQ(asked, wanted);
}

class ForceSequentialOnDevices : public Sim {};

// Row: Paddle B15
TEST_F(ForceSequentialOnDevices, NodesOfSeveralThreadsRunOneAfterAnother) {
  for (int i = 0; i < 20; ++i) {
    std::string order;  // no lock: the order itself keeps the threads apart
    const Tensor x = leaf({1, 2});
    const Tensor b = noted(x.to("sim"), order, 'b');
    const Tensor a = noted(x, order, 'a');
    const Tensor c = noted(x.to("sim:1"), order, 'c');
    for (const Tensor& tensor : {a, c, b}) force(tensor);
    (a + (b * 2 * 3).cpu() + c.cpu()).sum().backward();
    EXPECT_EQ(order, "bca");
    EXPECT_EQ(values(x.grad()), (Values{8, 8}));
  }
}

}  // namespace
}  // namespace eagre::test

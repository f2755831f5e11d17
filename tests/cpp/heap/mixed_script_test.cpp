// A script of operators of every sort, with memory running out at every place where it is asked
// for.
#include <cstdint>
#include <ios>
#include <sstream>
#include <string>

#include "cpp/heap/failing_heap.h"

namespace eagre::test {
namespace {

using indexing::None;
using indexing::Slice;

// Results of all kinds, as one list.
class Results {
 public:
  void add(const Tensor& t) {
    const NoGradGuard no_grad;
    const Tensor packed = t.to(kFloat64).contiguous();
    list_.insert(list_.end(), packed.data_ptr<double>(), packed.data_ptr<double>() + t.numel());
  }
  void add(const std::string& text) { list_.push_back(static_cast<double>(text.size())); }
  const Values& list() const { return list_; }

 private:
  Values list_;
};

void creation(Results& results) {
  results.add(arange(7).to(kFloat32));
  results.add(linspace(0, 1, 5));
  results.add(eye(3, 4));
  results.add(full({40, 30}, 2));
  results.add(tensor({1.0F, 2.0F}).to(kFloat16));
  manual_seed(1);
  results.add(randn({300}));
  results.add(randperm(20));
}

void views(Results& results) {
  const Tensor base = arange_of({4, 6});
  results.add(base.view({2, 2, 6}).transpose(0, 2).select(1, 1));
  for (const Tensor& part : base.split(2, 1)) results.add(part);
  for (const Tensor& row : base.unbind(0)) results.add(row);
  results.add(base.reshape({3, 8}).permute({1, 0}).flatten());
  results.add(base.unsqueeze(0).expand({3, 4, 6}).contiguous());
  base.diagonal().fill_(-1);
  results.add(base);
}

void pointwise(Results& results) {
  const Tensor a = arange_of({5, 4}) + 1, b = arange_of({4});
  results.add((a + b) * 2 - a / 3);
  results.add(where(a > b, a, b).clamp(2, 9));
  results.add((a.to(kBFloat16) * b.to(kFloat64)).exp().log1p());
  results.add(a.clone().mul_(b).add_(1));
  Tensor out = empty({0});
  add_out(out, a, b);
  results.add(out);
}

void products(Results& results) {
  const Tensor a = arange_of({40, 50}) / 100, b = arange_of({50, 300}) / 1000;
  results.add(matmul(a, b));
  results.add(matmul(a.to(kFloat16), b.to(kFloat16)));
  results.add(matmul(a, b.select(1, 0)));
  results.add(matmul(a.mul(Scalar(Complex<double>(1, 2))), b.to(kComplex64)).abs());
  results.add(addmm(b.select(0, 0), a, b));
  results.add(matmul(b.to(kInt32).transpose(0, 1), b.to(kInt32)));
}

void reductions(Results& results) {
  const Tensor a = arange_of({6, 50, 7}) / 10;
  results.add(a.sum());
  results.add(a.sum({0, 2}));
  results.add(a.mean(1));
  results.add(std::get<1>(a.max(1)));
  results.add(a.var(0));
  results.add(a.cumsum(1));
  results.add(a.argmin(2));
  results.add(a.softmax(1));
  results.add((a > 3).any(0));
}

void indexed(Results& results) {
  const Tensor a = arange_of({6, 5}), index = tensor({4, 0, 2});
  results.add(a.index({index, Slice(1, 4)}));
  results.add(a.index({a > 7}));
  results.add(a.index({None, 2, Slice(0, 5, 2)}));
  results.add(a.clone().index_put_({index}, -1));
  results.add(a.index_select(1, index));
  results.add(a.gather(0, arange_of({2, 5}, kInt64).remainder(6)));
  results.add(zeros({6, 5}).scatter_add(0, arange_of({2, 5}, kInt64).remainder(6), a));
  results.add(a.nonzero());
  results.add(cat({a, a}, 1));
  results.add(stack({a, a}));
}

void sorting(Results& results) {
  const Tensor a = arange_of({8, 30}).sin();
  results.add(std::get<1>(a.sort(1)));
  results.add(std::get<0>(a.sort(0, true)));
  results.add(a.argsort(0));
  results.add(std::get<0>(a.topk(3)));
}

void gradients(Results& results) {
  const Tensor x = make({3, 4}, Values(12, 0.5), TensorOptions().requires_grad());
  const Tensor w = make({4, 2}, Values(8, 0.25), TensorOptions().requires_grad());
  const Tensor hidden = matmul(x, w).relu() + 1;
  hidden.mul_(2);
  const Tensor rows = hidden.index({tensor({2, 0})}).log_softmax(1);
  (rows.sum() + x.transpose(0, 1).select(0, 1).exp().mean()).backward();
  results.add(x.grad());
  results.add(w.grad());
  const Tensor y = (x * x * x).sum();
  const Tensor first = autograd::grad({y}, {x}, {}, true, true)[0];
  results.add(autograd::grad({(first * first).sum()}, {x})[0]);
}

void printing(Results& results) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // streams keep what is thrown into them to themselves
  text << arange_of({3, 4}) / 7 << arange_of({2000}) << tensor({true, false});
  results.add(text.str());
}

struct Part {
  const char* name;
  void (*run)(Results&);
};
constexpr Part kScript[] = {
    {"creation", creation}, {"views", views},           {"pointwise", pointwise},
    {"products", products}, {"reductions", reductions}, {"indexed", indexed},
    {"sorting", sorting},   {"gradients", gradients},   {"printing", printing}};

TEST(MixedScript, SurvivesEveryFailureOfTheHeap) {
  const int threads = get_num_threads();
  set_num_threads(1);  // the fuse burns in this thread
  for (const Part& part : kScript) {
    SCOPED_TRACE(part.name);
    Results expected;
    part.run(expected);
    ASSERT_FALSE(expected.list().empty());
    const int failures = failures_survived(
        3000,
        [&] {
          Results results;
          part.run(results);
        },
        [&](uint64_t n) {
          Results results;
          part.run(results);
          EXPECT_EQ(results.list(), expected.list()) << "after heap call " << n << " failed";
        });
    EXPECT_GT(failures, 10);
  }
  set_num_threads(threads);
}

}  // namespace
}  // namespace eagre::test

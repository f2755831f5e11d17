// Random programs: what holds for every function must hold for these. The derivative by forward
// mode is the limit of differences; a batch is a loop; the Hessian does not depend on the way.
#include <eagre/eagre.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using SingleFunction = std::function<Tensor(const Tensor&)>;
using Tensors = std::vector<Tensor>;

constexpr int kPrograms = 600, kSteps = 6;

// A program is its seed: running it draws the same numbers every time, and which operator comes
// next depends on nothing but these and the shapes.
class Run {
 public:
  Run(uint32_t seed, const Tensor& x) : random_(seed), pool_{x} {}

  Tensor all() {
    Tensor sum = last().sum();
    for (size_t i = 1; i + 1 < pool_.size(); ++i) sum = sum + (pool_[i] * pool_[i]).sum() / 3;
    return sum;
  }
  Tensor last() {
    for (int i = 0; i < kSteps; ++i) step();
    return pool_.back();
  }
  const std::string& text() const { return text_; }

 private:
  int64_t draw(int64_t count) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(count));
  }
  // Later ones more often, so that programs get deep.
  const Tensor& any() {
    const auto size = static_cast<int64_t>(pool_.size());
    return pool_[static_cast<size_t>(std::max(draw(size), draw(size)))];
  }
  Tensor some_matrix() {
    const Tensor& x = any();
    if (x.dim() == 2) return x;
    return x.dim() == 0 ? x.reshape({1, 1}) : x.reshape({x.size(0), -1});
  }
  // One of the same shape, or a number.
  Tensor partner(const Tensor& x) {
    for (int i = 0; i < 3; ++i) {
      const Tensor& other = any();
      if (other.sizes() == x.sizes()) return other;
    }
    return any().mean();
  }
  int64_t dim_of(const Tensor& x) { return draw(x.dim()) - (draw(2) == 0 ? x.dim() : 0); }
  Tensor indices(int64_t count, int64_t size) {
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < count; ++i) numbers.push_back(draw(size));
    return tensor(numbers);
  }
  Tensor mask(const Tensor& x) {
    const Tensor numbers = arange(x.numel(), kInt64).reshape(x.sizes());
    return (numbers + draw(3)).remainder(3) == 0;
  }

  void step() {
    switch (draw(6)) {
      case 0: return push(pointwise(any()));
      case 1: return push(view(any()));
      case 2: return push(written(any()));
      case 3: return push(reduced(any()));
      case 4: return push(joined());
      default: return push(indexed(any()));
    }
  }
  void push(Tensor x) {
    if (x.numel() > 64) x = x.reshape({-1}).narrow(0, 3, 20);
    pool_.push_back(x.tanh());  // nothing grows without bound
  }
  Tensor named(const char* name, const Tensor& x) {
    text_ += std::string(text_.empty() ? "" : ", ") + name;
    return x;
  }

  Tensor pointwise(const Tensor& x) {
    switch (draw(14)) {
      case 0: return named("sin", x.sin());
      case 1: return named("mul", x * partner(x));
      case 2: return named("div", x / (partner(x).square() + 1));
      case 3: return named("add", add(x, partner(x), 2));
      case 4: return named("where", where(mask(x), x, partner(x)));
      case 5: return named("pow", (x.square() + 0.5).pow(partner(x)));
      case 6: return named("sigmoid", x.sigmoid());
      case 7: return named("atan2", atan2(x, partner(x) + 3));
      case 8: return named("lerp", lerp(x, partner(x), 0.3));
      case 9: return named("addcmul", addcmul(x, partner(x), x, 0.5));
      case 10: return named("masked_fill", x.masked_fill(mask(x), 0.7));
      case 11: return named("gelu", gelu(x));
      case 12: return named("log", (x.square() + 1).log());
      default: return named("rsub", 1 - x.expm1());
    }
  }

  Tensor view(const Tensor& x) {
    if (x.dim() == 0) return named("unsqueeze", x.unsqueeze(0).expand({2}));
    switch (draw(12)) {
      case 0: return named("transpose", x.transpose(dim_of(x), dim_of(x)));
      case 1: return named("select", x.select(dim_of(x), -1));
      case 2: return named("narrow", x.narrow(0, x.size(0) / 2, x.size(0) - x.size(0) / 2));
      case 3: return named("reshape", x.reshape({-1}));
      case 4: return named("expand", x.unsqueeze(0).expand(shape(2, x)));
      case 5: return named("squeeze", x.unsqueeze(dim_of(x)).squeeze());
      case 6: return named("split", x.split(1, dim_of(x))[0]);
      case 7: return named("unbind", x.unbind(0).back());
      case 8: return named("movedim", x.movedim(0, -1));
      case 9: return named("flip", flip(x, {dim_of(x)}));
      case 10: return named("unfold", x.unfold(0, x.size(0) / 2 + 1, 1));
      default: return named("diagonal", some_matrix().diagonal());
    }
  }
  static std::vector<int64_t> shape(int64_t first, const Tensor& x) {
    std::vector<int64_t> sizes{first};
    sizes.insert(sizes.end(), x.sizes().begin(), x.sizes().end());
    return sizes;
  }

  // A tensor of its own that is written, as a whole or through views.
  Tensor written(const Tensor& x) {
    const Tensor y = x * 1.5;
    if (y.dim() == 0) return named("mul_", y.mul_(partner(y)));
    switch (draw(9)) {
      case 0: return named("mul_", y.mul_(partner(y)));
      case 1: return named("tanh_", y.tanh_() + x);
      case 2: y.select(0, 0).mul_(2).add_(x.select(0, -1)); return named("select.mul_", y);
      case 3: y.narrow(0, 0, 1).copy_(x.narrow(0, x.size(0) - 1, 1)); return named("copy_", y);
      case 4: y.transpose(0, -1).sin_(); return named("transpose.sin_", y);
      case 5: {
        const Tensor part = y.select(dim_of(y), 0);
        y.mul_(y);
        return named("base.mul_", y.sum() * part);  // the view sees it
      }
      case 6: y.select(0, 0).zero_(); return named("zero_", y);
      case 7: y.masked_fill_(mask(y), 0.1).mul_(3); return named("masked_fill_", y);
      default: {
        const Tensor zeros = zeros_like(x);
        zeros.select(0, 0).copy_(x.select(0, 0));
        return named("zeros.copy_", zeros * x);
      }
    }
  }

  Tensor reduced(const Tensor& x) {
    if (x.dim() == 0) return named("sum", x.sum());
    const int64_t dim = dim_of(x);
    switch (draw(9)) {
      case 0: return named("sum", x.sum(dim));
      case 1: return named("mean", x.mean(dim, true));
      case 2: return named("logsumexp", x.logsumexp(dim));
      case 3: return named("softmax", x.softmax(dim));
      case 4: return named("cumsum", x.cumsum(dim));
      case 5: return named("var", x.var(dim, 0));
      case 6: return named("log_softmax", x.log_softmax(dim));
      case 7: return named("prod", x.prod(dim));
      default: return named("amax", (x + arange(x.size(-1), kFloat64)).amax(dim));
    }
  }

  Tensor joined() {
    const Tensor x = some_matrix();
    switch (draw(7)) {
      case 0: return named("matmul", x.matmul(x.transpose(0, 1)));
      case 1: return named("mv", x.matmul(x.select(0, 0)));
      case 2: return named("cat", cat({x, x.sin()}, draw(2)));
      case 3: return named("stack", stack({x, partner(x).expand_as(x)}, draw(3)));
      case 4:
        return named("outer", x.select(0, 0).unsqueeze(1).matmul(x.select(0, 0).unsqueeze(0)));
      case 5: return named("bmm", x.unsqueeze(0).matmul(x.transpose(0, 1).unsqueeze(0)));
      default: return named("linear", linear(x, x.cos(), x.sum(1)));
    }
  }

  Tensor indexed(const Tensor& given) {
    const Tensor x = given.dim() == 0 ? given.unsqueeze(0).expand({3}) : given;
    const int64_t size = x.size(0);
    switch (draw(8)) {
      case 0: return named("index_select", x.index_select(0, indices(2, size)));
      case 1: return named("gather", x.gather(0, (mask(x).to(kInt64) * (size - 1))));
      case 2: return named("index", index(x, {indices(3, size)}));
      case 3: return named("index_add", x.index_add(0, indices(size, size), x.sin()));
      case 4: return named("scatter_add", x.scatter_add(0, mask(x).to(kInt64) * (size - 1), x * 2));
      case 5: return named("index_put", index_put(x, {indices(1, size)}, x.select(0, 0).cos()));
      case 6: return named("roll", roll(x, {1}, {0}));
      default: return named("tril", some_matrix().tril());
    }
  }

  std::mt19937 random_;
  Tensors pool_;
  std::string text_;
};

Tensor one_by_one(const SingleFunction& f, const Tensor& batch) {
  Tensors results;
  for (const Tensor& sample : batch.unbind(0)) results.push_back(f(sample));
  return stack(results, 0);
}

struct Program {
  uint32_t seed;
  SingleFunction f = [seed = seed](const Tensor& x) { return Run(seed, x).all(); };
  SingleFunction wide = [seed = seed](const Tensor& x) { return Run(seed, x).last(); };
  Tensor x, v, batch;

  explicit Program(uint32_t number) : seed(number) {
    manual_seed(seed);
    x = randn({2, 3}, kFloat64);
    v = randn({2, 3}, kFloat64);
    batch = randn({3, 2, 3}, kFloat64);
  }
  std::string text() const {
    Run run(seed, x);
    run.last();
    return "program " + std::to_string(seed) + ": " + run.text();
  }
};

void for_programs(const std::function<void(const Program&)>& check) {
  for (uint32_t seed = 1; seed <= kPrograms; ++seed) {
    const Program program(seed);
    SCOPED_TRACE(program.text());
    try {
      check(program);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

Tensor tangent_of(const SingleFunction& f, const Tensor& x, const Tensor& v) {
  const auto list = [&](const Tensors& in) { return Tensors{f(in[0])}; };
  return func::jvp(list, {x}, {v}).second[0];
}

// Row: PyTorch M8
TEST(RandomPrograms, ForwardModeIsTheLimitOfDifferences) {
  for_programs([](const Program& p) {
    const double h = 1e-6;
    const Tensor expected = (p.wide(p.x + p.v * h) - p.wide(p.x - p.v * h)) / (2 * h);
    expect_close(tangent_of(p.wide, p.x, p.v), expected, 1e-6);
    expect_close(tangent_of(p.f, p.x, p.v), (func::grad(p.f)(p.x) * p.v).sum());
  });
}

TEST(RandomPrograms, ABatchIsALoop) {
  for_programs([](const Program& p) {
    expect_close(func::vmap(p.f)(p.batch), one_by_one(p.f, p.batch));
    expect_close(func::vmap(p.wide)(p.batch), one_by_one(p.wide, p.batch));
    expect_close(func::vmap(p.wide, 1)(p.batch.transpose(0, 1)), one_by_one(p.wide, p.batch));
  });
}

TEST(RandomPrograms, GradientsOfABatch) {
  for_programs([](const Program& p) {
    const Tensor expected = one_by_one(func::grad(p.f), p.batch);
    expect_close(func::vmap(func::grad(p.f))(p.batch), expected);
    const auto total = [&](const Tensor& x) { return func::vmap(p.f)(x).sum(); };
    expect_close(func::grad(total)(p.batch), expected);
    const auto directional = [&](const Tensor& x) { return tangent_of(p.wide, x, p.v); };
    expect_close(func::vmap(directional)(p.batch), one_by_one(directional, p.batch));
  });
}

// Row: PyTorch M8
TEST(RandomPrograms, JacobiansAndHessiansDoNotDependOnTheWay) {
  for_programs([](const Program& p) {
    expect_close(func::jacfwd(p.wide)(p.x), func::jacrev(p.wide)(p.x));
    const Tensor expected = func::jacrev(func::grad(p.f))(p.x);
    expect_close(func::hessian(p.f)(p.x), expected, 1e-8);
    expect_close(autograd::functional::hessian(p.f, p.x), expected, 1e-8);
    expect_close(func::jacrev(func::jacfwd(p.f))(p.x), expected, 1e-8);
    expect_close(func::jacfwd(func::jacfwd(p.f))(p.x), expected, 1e-8);
  });
}

}  // namespace
}  // namespace eagre::test

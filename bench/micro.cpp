// Micro benchmarks: `micro <row> <iterations>` runs one row and prints nanoseconds per unit.
//
// A process runs one row only, so the difference between two iteration counts under callgrind (or
// under the heap counter) is the exact cost of the row: start-up and set-up cancel.
// Read `kRows` first; a row makes its inputs, then hands the repeated part to `time_each`.

#include "rows.h"

#include <thread>

namespace {

using lib::Tensor;

constexpr long kChainNodes = 1000;

// Makes the compiler believe that `value` is read, so that the work behind it stays.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

Tensor one() { return lib::full({1}, 1.0); }

Tensor leaf() { return one().requires_grad_(); }

double time_add(long iterations, const Tensor& a, const Tensor& b) {
  return time_each(iterations, [&] { keep(a + b); });
}

double empty_loop(long iterations) {
  const Tensor a = one();
  return time_each(iterations, [&] { keep(a); });
}

double add_nograd(long iterations) { return time_add(iterations, one(), one()); }

// The row of the bars: one of the two inputs requires grad.
double add_grad(long iterations) { return time_add(iterations, leaf(), one()); }

double add_grad_both(long iterations) { return time_add(iterations, leaf(), leaf()); }

double mul_grad(long iterations) {
  const Tensor a = leaf(), b = one();
  return time_each(iterations, [&] { keep(a * b); });
}

// The neighbours of the fast path; as in `add_grad`, one input requires grad.

double no_grad(long iterations) {
  const Tensor a = leaf(), b = one();
  const lib::NoGradGuard guard;
  return time_add(iterations, a, b);
}

double broadcast(long iterations) {
  return time_add(iterations, lib::randn({2, 2}).requires_grad_(), lib::randn({2}));
}

double transposed(long iterations) {
  return time_add(iterations, lib::randn({2, 2}).requires_grad_(),
                  lib::randn({2, 2}).transpose(0, 1));
}

double int_float(long iterations) { return time_add(iterations, leaf(), one().to(lib::kInt64)); }

double scalar(long iterations) {
  const Tensor a = leaf();
  return time_each(iterations, [&] { keep(a + 2.0); });
}

double f64(long iterations) {
  const auto options = lib::dtype(lib::kFloat64);
  return time_add(iterations, lib::randn({1}, options).requires_grad_(), lib::randn({1}, options));
}

double six_d(long iterations) {
  return time_add(iterations, lib::randn({1, 1, 1, 1, 1, 1}).requires_grad_(),
                  lib::randn({1, 1, 1, 1, 1, 1}));
}

// The inputs belong to the first thread; the results live and die on the second.
double second_thread(long iterations) {
  const Tensor a = leaf(), b = one();
  double result = 0;
  std::thread([&] { result = time_add(iterations, a, b); }).join();
  return result;
}

// Other operators on small tensors, without gradient.

template <class Body>
double on_matrix(long iterations, Body body, long size = 4) {
  const Tensor a = lib::randn({size, size});
  return time_each(iterations, [&] { keep(body(a)); });
}
template <class Body>
double on_leaf(long iterations, Body body) {
  const Tensor a = lib::randn({8, 8}).requires_grad_();
  return time_each(iterations, [&] { keep(body(a)); });
}

double small_view(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return a.view({2, 8}); });
}
double small_select(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return a.select(0, 1); });
}
double small_slice(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return a.slice(0, 1, 3); });
}
double small_sum(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return a.sum(); });
}
double small_relu(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return lib::relu(a); });
}
double small_cat(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return lib::cat({a, a, a, a}); });
}
double small_empty(long iterations) {
  return time_each(iterations, [] { keep(lib::empty({4, 4})); });
}
double small_transpose(long iterations) {
  return on_matrix(iterations, [](const Tensor& a) { return a.transpose(0, 1); });
}

// On 8×8; those that end in `_grad` record.

Tensor softmax_of(const Tensor& a) { return lib::softmax(a, -1); }
Tensor layer_norm_of(const Tensor& a) { return lib::layer_norm(a, {8}); }
Tensor cat_of(const Tensor& a) { return lib::cat({a, a, a, a}); }
Tensor stack_of(const Tensor& a) { return lib::stack({a, a, a, a}); }

double softmax(long iterations) { return on_matrix(iterations, softmax_of, 8); }
double softmax_grad(long iterations) { return on_leaf(iterations, softmax_of); }
double layer_norm(long iterations) { return on_matrix(iterations, layer_norm_of, 8); }
double layer_norm_grad(long iterations) { return on_leaf(iterations, layer_norm_of); }
double cat(long iterations) { return on_matrix(iterations, cat_of, 8); }
double cat_grad(long iterations) { return on_leaf(iterations, cat_of); }
double stack(long iterations) { return on_matrix(iterations, stack_of, 8); }
double stack_grad(long iterations) { return on_leaf(iterations, stack_of); }
double matmul(long iterations) {
  return on_matrix(
      iterations, [](const Tensor& a) { return lib::matmul(a, a); }, 8);
}
double cross_entropy(long iterations) {
  const Tensor target = lib::randint(0, 8, {8});
  return on_matrix(
      iterations, [&](const Tensor& a) { return classification_loss(a, target); }, 8);
}
double cross_entropy_grad(long iterations) {
  const Tensor target = lib::randint(0, 8, {8});
  return on_leaf(iterations, [&](const Tensor& a) { return classification_loss(a, target); });
}

#ifndef BENCH_LIBTORCH
// `add` saves nothing, so the hooks are measured on `mul`; compare with `mul_grad`.
double pack_hook(long iterations) {
  const auto same = [](const Tensor& tensor) { return tensor; };
  const eagre::autograd::SavedTensorHooks guard(same, same);
  return mul_grad(iterations);
}
#endif

// `w` needs no gradient: every node hands on exactly one, so this is the engine and little else.
Tensor mul_chain(const Tensor& x, const Tensor& w, long nodes) {
  Tensor y = x;
  for (long i = 0; i < nodes; ++i) y = y * w;
  return y;
}

// What `backward_mul_chain` does beside the backward pass, so that counts can be subtracted.
double build_mul_chain(long iterations) {
  const Tensor x = leaf(), w = one();
  return time_each(iterations, [&] { keep(mul_chain(x, w, kChainNodes)); }) / kChainNodes;
}

double backward_mul_chain(long iterations) {
  const Tensor x = leaf(), w = one();
  Clock::duration time{};
  for (long i = 0; i < iterations; ++i) {
    const Tensor y = mul_chain(x, w, kChainNodes);
    const auto start = Clock::now();
    y.backward();
    time += Clock::now() - start;
  }
  return nanoseconds(time) / static_cast<double>(iterations * kChainNodes);
}

// Holds one chain of `iterations` nodes: what the heap counter sees at its peak is their memory.
// Here `w` requires grad, so that every node saves its input and the outputs stay alive as well.
double hold_mul_chain(long iterations) {
  const Tensor x = leaf(), w = leaf();
  return time_each(1, [&] { keep(mul_chain(x, w, iterations)); }) / static_cast<double>(iterations);
}

constexpr Row kRows[] = {
    {"empty_loop", empty_loop},
    {"add_nograd", add_nograd},
    {"add_grad", add_grad},
    {"add_grad_both", add_grad_both},
    {"mul_grad", mul_grad},
    {"no_grad", no_grad},
    {"broadcast", broadcast},
    {"transposed", transposed},
    {"int_float", int_float},
    {"scalar", scalar},
    {"f64", f64},
    {"six_d", six_d},
    {"second_thread", second_thread},
    {"small_view", small_view},
    {"small_select", small_select},
    {"small_slice", small_slice},
    {"small_empty", small_empty},
    {"small_sum", small_sum},
    {"small_cat", small_cat},
    {"small_relu", small_relu},
    {"small_transpose", small_transpose},
    {"softmax", softmax},
    {"softmax_grad", softmax_grad},
    {"layer_norm", layer_norm},
    {"layer_norm_grad", layer_norm_grad},
    {"cat", cat},
    {"cat_grad", cat_grad},
    {"stack", stack},
    {"stack_grad", stack_grad},
    {"matmul", matmul},
    {"cross_entropy", cross_entropy},
    {"cross_entropy_grad", cross_entropy_grad},
#ifndef BENCH_LIBTORCH
    {"pack_hook", pack_hook},
#endif
    {"build_mul_chain", build_mul_chain},
    {"backward_mul_chain", backward_mul_chain},
    {"hold_mul_chain", hold_mul_chain},
};

}  // namespace

int main(int argc, char** argv) { return run_row(kRows, "micro", argc, argv); }

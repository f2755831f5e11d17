// Every instruction set gives the same bits: each runs in a process of its own. Products of
// matrices are the exception, as an instruction set that can multiplies and adds with one rounding;
// of whole numbers they are exact, and so the same too.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <eagre/kernels/cpu/isa.h>

#include "cpp/child.h"
#include "cpp/support.h"

namespace eagre::test {
namespace {

class BitHash {
 public:
  void add(const Tensor& t) {
    const Tensor packed = t.contiguous();
    const auto* bytes = static_cast<const unsigned char*>(packed.data_ptr());
    for (size_t i = 0; i < static_cast<size_t>(packed.numel()) * packed.element_size(); ++i) {
      hash_ = (hash_ ^ bytes[i]) * 1099511628211ULL;
    }
  }
  uint64_t get() const { return hash_; }

 private:
  uint64_t hash_ = 14695981039346656037ULL;
};

// Rows shorter than a vector, in one or several, and longer; with their gradients.
void add_rows(BitHash& hash, DType dtype) {
  for (int64_t n : {3, 8, 9, 16, 21, 32, 40, 63, 64, 65, 200}) {
    const Tensor target = arange_of({5}, kInt64) % n, weight = randn({n}, dtype);
    for (const Tensor& x : {randn({5, n}, dtype), randn({n, 5}, dtype).transpose(0, 1)}) {
      const Tensor leaf = x.detach().requires_grad_(), scale = randn({5, n}, dtype);
      for (const Tensor& y :
           {softmax(leaf, 1), log_softmax(leaf, 1), layer_norm(leaf, {n}),
            layer_norm(leaf, {n}, weight, weight), cross_entropy(leaf, target).reshape({1, 1})}) {
        hash.add(y.detach());
        hash.add(autograd::grad({(y * scale).sum()}, {leaf})[0]);
      }
    }
  }
}

uint64_t hash_of_everything() {
  manual_seed(11);
  BitHash hash;
  for (DType dtype : {kFloat32, kFloat64}) {
    for (int64_t n : {1, 3, 8, 17, 64, 1000, 4099}) {
      const Tensor a = randn({n}, dtype);
      const Tensor b = randn({n}, dtype);
      for (const Tensor& t : {a + b, a * b, a.add(b, 0.3), a * 1.7, (a * 9).exp(), a.sum()})
        hash.add(t);
    }
    const Tensor m = randn({37, 53}, dtype);
    const Tensor whole = arange_of({37, 53}, dtype);
    const Tensor turned = whole.transpose(0, 1);
    for (const Tensor& t : {matmul(whole, turned), matmul(turned, whole), m.sum(0), m.sum(1),
                            m.transpose(0, 1).exp(), m + m.sum(0)}) {
      hash.add(t);
    }
    add_rows(hash, dtype);
  }
  for (DType dtype : {kComplex64, kComplex128}) {
    for (int64_t n : {1, 3, 17, 1000}) {
      const Tensor a = randn({n}, dtype);
      const Tensor b = randn({n}, dtype);
      for (const Tensor& t : {a * b, a / b, addcmul(a, b, b), addcdiv(a, a, b), a.prod(),
                              a.cumprod(0), a.square(), a.reciprocal(), lerp(a, b, 0.3)})
        hash.add(t);
    }
  }
  const Tensor i = arange_of({13, 21}, kInt64);
  for (const Tensor& t : {i * i, i + 3, matmul(i, i.transpose(0, 1)), i.sum(0)}) hash.add(t);
  return hash.get();
}

// Not a test: what the child processes run.
TEST(IsasChild, DISABLED_PrintsItsBits) {
  std::printf("isa %s bits %016lx\n", std::string(to_string(kernels::cpu::current_isa())).c_str(),
              static_cast<unsigned long>(hash_of_everything()));
}

std::string run_child(const std::string& isa) {
  const std::vector<std::string> lines =
      lines_of_child("EAGRE_CPU_ISA=" + isa, "IsasChild.*", "isa ");
  return lines.empty() ? std::string() : lines.back();
}

TEST(Isas, SameBits) {
  using kernels::cpu::Isa;
  std::string bits;
  for (Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    const std::string name(to_string(isa));
    const std::string line = run_child(name);
    if (!line.starts_with(name + " ")) {
      EXPECT_NE(isa, Isa::kBaseline) << "every machine has it: " << line;
      continue;  // this machine lacks it
    }
    const std::string got = line.substr(line.find("bits"));
    if (bits.empty()) bits = got;
    EXPECT_EQ(got, bits) << name;
  }
}

TEST(Isas, UnknownNameMeansTheBest) { EXPECT_EQ(run_child("sse9"), run_child("")); }

}  // namespace
}  // namespace eagre::test

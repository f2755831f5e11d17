// Products by a BLAS of the user's choice: the fake ones of tests/blas, and names that cannot be
// used.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "cpp/support.h"

namespace eagre::test {
namespace {

class Blas : public ::testing::Test {
 protected:
  ~Blas() override {
    set_flag("blas", "auto");
    set_num_threads(threads_);
  }

  static std::string path(const std::string& name) {
    return concat(EAGRE_TEST_PLUGINS, "/", name, ".so");
  }
  static int ask(const std::string& name, const char* function) {
    void* library = dlopen(path(name).c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return -1;  // not loaded
    const int answer = reinterpret_cast<int (*)()>(dlsym(library, function))();
    dlclose(library);
    return answer;
  }
  static int calls(const std::string& name) { return ask(name, "fake_blas_calls"); }

  const int threads_ = get_num_threads();
};

bool same(const Tensor& a, const Tensor& b) { return (a == b).all().item<bool>(); }

// Small whole numbers: every way to sum gives the same.
Tensor digits(Dims sizes, DType dtype, uint64_t seed) {
  manual_seed(seed);
  if (!is_complex(dtype)) return randint(-9, 10, sizes, dtype);
  const DType part = real_dtype(dtype);
  const Tensor real = randint(-9, 10, sizes, part), imag = randint(-9, 10, sizes, part);
  return real + imag.mul(Scalar(Complex<double>(0, 1)));
}

TEST_F(Blas, IsLoadedAtTheFirstLargeProduct) {
  set_flag("blas", path("fake_blas"));
  const Tensor small = digits({50, 50}, kFloat32, 1);
  matmul(small, small);
  EXPECT_EQ(calls("fake_blas"), -1) << "a small product needs no library";
  const Tensor large = digits({128, 128}, kFloat32, 1);
  matmul(large, large);
  EXPECT_GT(calls("fake_blas"), 0);
  EXPECT_EQ(ask("fake_blas", "fake_blas_threads"), 1) << "the threads are ours";
}

TEST_F(Blas, EveryTypeAndLayout) {
  for (const char* name : {"fake_blas", "fake_blas_prefixed", "fake_blas_long"}) {
    for (DType dtype : {kFloat32, kFloat64, kComplex64, kComplex128}) {
      SCOPED_TRACE(concat(name, " ", dtype));
      const Tensor a = digits({110, 120}, dtype, 1), b = digits({120, 130}, dtype, 2);
      const Tensor a_turned = a.transpose(0, 1).contiguous().transpose(0, 1);
      const Tensor b_turned = b.transpose(0, 1).contiguous().transpose(0, 1);
      set_flag("blas", "none");
      const Tensor expected = matmul(a, b);
      set_flag("blas", path(name));
      const int before = std::max(0, calls(name));
      EXPECT_TRUE(same(matmul(a, b), expected));
      EXPECT_TRUE(same(matmul(a_turned, b), expected));
      EXPECT_TRUE(same(matmul(a, b_turned), expected));
      EXPECT_TRUE(same(matmul(a_turned, b_turned), expected));
      const bool has_complex = std::string(name) != "fake_blas_prefixed";
      const int each = is_complex(dtype) && !has_complex ? 0 : 1;
      EXPECT_EQ(calls(name) - before, 4 * each);
    }
  }
}

TEST_F(Blas, WhatItCannotSayIsOurs) {
  set_flag("blas", path("fake_blas"));
  const Tensor a = digits({128, 128}, kFloat32, 1);
  matmul(a, a);
  const int before = calls("fake_blas");
  const Tensor gaps = digits({128, 256}, kFloat32, 2).slice(1, 0, 256, 2);
  const Tensor row = digits({1, 128}, kFloat32, 3).expand({128, 128});
  const Tensor halves = a.to(kFloat16), whole = a.to(kInt64);
  for (const Tensor& t : {gaps, row, halves, whole}) matmul(t, t);
  EXPECT_EQ(calls("fake_blas"), before);
}

TEST_F(Blas, NoneAndAutoAreOurs) {
  const Tensor a = digits({128, 128}, kFloat32, 1);
  set_flag("blas", path("fake_blas"));
  matmul(a, a);
  const int before = calls("fake_blas");
  for (const char* name : {"none", "auto", ""}) {
    set_flag("blas", name);
    matmul(a, a);
    EXPECT_EQ(calls("fake_blas"), before) << name;
  }
  set_flag("blas", path("fake_blas"));
  matmul(a, a);
  EXPECT_GT(calls("fake_blas"), before) << "named again";
}

TEST_F(Blas, WhatCannotBeUsedIsAnError) {
  const Tensor small = digits({8, 8}, kFloat32, 1), large = digits({128, 128}, kFloat32, 1);
  const Tensor expected = matmul(large, large);
  set_flag("blas", "libno_such_blas.so.7");
  EXPECT_NO_THROW(matmul(small, small));
  for (int i = 0; i < 2; ++i) {  // and stays one
    expect_parts(error_of(ErrorKind::kNotFound, [&] { matmul(large, large); }),
                 {"matmul()", "'libno_such_blas.so.7'", "EAGRE_BLAS", "cannot be loaded",
                  "No such file", "'none'"});
  }
  set_flag("blas", path("fake_blas_without_gemm"));
  expect_parts(error_of(ErrorKind::kNotFound, [&] { matmul(large, large); }),
               {"fake_blas_without_gemm", "no functions cblas_sgemm and cblas_dgemm"});
  set_flag("blas", "none");
  EXPECT_TRUE(same(matmul(large, large), expected));
}

TEST_F(Blas, SameCallsForAnyNumberOfThreads) {
  set_flag("blas", path("fake_blas"));
  manual_seed(3);
  const Tensor a = randn({150, 512}), b = randn({512, 512});
  set_num_threads(1);
  const Tensor expected = matmul(a, b);
  const int before = calls("fake_blas");
  matmul(a, b);
  const int once = calls("fake_blas") - before;
  EXPECT_EQ(once, 3) << "stretches of 65 rows";
  set_num_threads(4);
  EXPECT_TRUE(same(matmul(a, b), expected));
  EXPECT_EQ(calls("fake_blas") - before, 2 * once);
}

}  // namespace
}  // namespace eagre::test

// What the C++ tests share: expected errors, values as plain lists, tensors from lists.
#pragma once

#include <gtest/gtest.h>  // IWYU pragma: export

#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <eagre/eagre.h>  // IWYU pragma: export

namespace eagre::test {

#ifdef EAGRE_NO_CACHES
constexpr bool kSanitized = true;  // caches are off and everything is slower
#else
constexpr bool kSanitized = false;
#endif

// The thread sanitizer's runtime does not take its allocator's locks around fork(): a child of a
// process whose other threads allocate can hang inside that runtime, before our code runs.
#ifdef __SANITIZE_THREAD__
constexpr bool kForkHangs = true;
#else
constexpr bool kForkHangs = false;
#endif

// Runs f, which must raise an error of this kind, and gives its message.
template <class F>
std::string error_of(ErrorKind kind, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "no error was raised";
  return {};
}

inline void expect_parts(const std::string& text, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  }
}

// All elements in row-major order, from any device, dtype and strides.
inline std::vector<double> values(const Tensor& tensor) {
  NoGradGuard no_grad;
  const Tensor here = tensor.cpu().to(kFloat64).contiguous();
  const double* data = here.data_ptr<double>();
  return {data, data + here.numel()};
}

using Values = std::vector<double>;

inline void expect_close(const Tensor& found, const Tensor& wanted, double tolerance = 1e-9) {
  ASSERT_TRUE(found.defined() && wanted.defined());
  ASSERT_EQ(to_string(found.sizes()), to_string(wanted.sizes()));
  const std::vector<double> a = values(found), b = values(wanted);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << "element " << i;
  }
}

inline Tensor make(Dims sizes, const Values& list, TensorOptions options = {}) {
  return tensor_from(list.data(), kFloat64, sizes, options.dtype(options.dtype()));
}

inline Tensor leaf(const Values& list, TensorOptions options = {}) {
  const int64_t sizes[] = {static_cast<int64_t>(list.size())};
  return make(sizes, list, options.requires_grad());
}

// 0, 1, 2, … in the given shape.
inline Tensor arange_of(Dims sizes, TensorOptions options = {}) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  Values list;
  for (int64_t i = 0; i < count; ++i) list.push_back(static_cast<double>(i));
  return make(sizes, list, options);
}

inline std::vector<int64_t> list(Dims dims) { return {dims.begin(), dims.end()}; }
using Sizes = std::vector<int64_t>;

// Runs f in a thread with a stack of this many bytes.
template <class F>
void on_small_stack(size_t bytes, F f) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  // Sanitizers keep thread-local tables of their own on the stack.
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kSanitized ? bytes + (4 << 20) : bytes), 0);
  pthread_t thread;
  const auto entry = [](void* argument) -> void* {
    (*static_cast<F*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, entry, &f), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// Runs f(0) … f(count - 1), each in its own thread, started together.
template <class F>
void in_threads(int count, F f) {
  std::atomic<int> waiting{count};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      f(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace eagre::test

// The small tools below tensors: vectors, spans, flags, warnings, places in user code, devices.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <eagre/base/call_site.h>
#include <eagre/base/site_table.h>
#include <eagre/base/small_vector.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TEST(SmallVector, GrowsFromInsideToTheHeap) {
  SmallVector<int64_t, 4> v;
  for (int64_t i = 0; i < 10; ++i) v.push_back(i);
  EXPECT_EQ(list(v), (Sizes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  v.insert(3, 77);
  v.erase(0);
  EXPECT_EQ(list(v), (Sizes{1, 2, 77, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(SmallVector, CopiesAndMoves) {
  for (size_t n : {0U, 4U, 9U}) {
    SmallVector<int64_t, 4> v(n, 5);
    SmallVector<int64_t, 4> copy = v;
    SmallVector<int64_t, 4> moved = std::move(v);
    EXPECT_EQ(list(copy), list(moved));
    v = copy;
    EXPECT_EQ(list(v), list(copy));
    v = std::move(moved);
    EXPECT_EQ(v.size(), n);
    moved.push_back(1);  // NOLINT: what was moved from can be used again
    EXPECT_EQ(moved.size(), 1U);
    auto& same = v;
    v = same;
    EXPECT_EQ(v.size(), n);
  }
}

TEST(SmallVector, ResizeKeepsWhatWasThere) {
  for (const size_t longer : {4U, 7U}) {
    SmallVector<int64_t, 4> v{1, 2};
    v.resize(longer, 9);
    EXPECT_EQ(v.size(), longer);
    EXPECT_EQ(v[1], 2);
    EXPECT_EQ(v.back(), 9);
    v.resize(1);
    EXPECT_EQ(list(v), (Sizes{1}));
  }
}

TEST(Span, ComparesValues) {
  const int64_t a[] = {1, 2};
  const std::vector<int64_t> b{1, 2};
  EXPECT_TRUE(Dims(a) == Dims(b));
  EXPECT_FALSE(Dims(a) == Dims(b.data(), 1));
}

std::vector<std::string> warnings;

TEST(Warn, OncePerKeyThroughTheHandler) {
  warnings.clear();
  const auto before =
      set_warning_handler([](const std::string& text) { warnings.push_back(text); });
  EXPECT_TRUE(warn_once("base_test", "first"));
  EXPECT_FALSE(warn_once("base_test", "second"));
  warn("third");
  set_warning_handler(before);
  warn("nobody hears this");
  EXPECT_EQ(warnings, (std::vector<std::string>{"first", "third"}));
}

TEST(CallSite, NamesFileLineAndFunction) {
  const CallSite here = std::source_location::current();
  const int line = __LINE__ - 1;
  const std::string text = describe_site(here.intern());
  expect_parts(text, {"base_test.cpp:" + std::to_string(line), "TestBody"});
  EXPECT_EQ(here.intern(), here.intern());
  EXPECT_EQ(CallSite::of_id(here.intern()).intern(), here.intern());
  EXPECT_EQ(CallSite::none().intern(), 0U);
  EXPECT_EQ(describe_site(0), "an unknown place");
  EXPECT_EQ(describe_site(UINT32_MAX), "an unknown place");
}

TEST(CallSite, RegisteredByALanguage) {
  const uint32_t id = register_site({"model.py", "forward", 12, ""});
  EXPECT_EQ(describe_site(id), "model.py:12 in forward");
  set_language_site_resolver([] { return uint32_t{1}; });
  EXPECT_EQ(CallSite::language_frame().intern(), 1U);
  set_language_site_resolver(nullptr);
  EXPECT_EQ(CallSite::language_frame().intern(), 0U);
}

TEST(CallSite, ThreadsAgree) {
  std::atomic<uint32_t> ids[4];
  in_threads(4, [&](int i) {
    for (int k = 0; k < 100; ++k) ids[i] = CallSite(std::source_location::current()).intern();
  });
  for (auto& id : ids) EXPECT_EQ(id, ids[0]);
}

TEST(Device, ParsesAndPrints) {
  EXPECT_EQ(Device("cpu"), kCPU);
  EXPECT_EQ(to_string(Device("cpu")), "cpu");
  for (const char* bad :
       {"", ":", "cpu:", "cpu:x", "cpu:-1", "cpu:1x", "gpu", "cpu:99999", "CPU"}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { Device d(bad); }),
                 {std::string("'") + bad + "'", "cpu"});
  }
}

TEST(Device, KindsWithoutPluginHaveNoMemory) {
  const Device ghost(register_device_kind("ghost"), 0);
  expect_parts(error_of(ErrorKind::kNotFound, [&] { full({2}, 1.0, device(ghost)); }),
               {"ghost:0", "not loaded"});
  expect_parts(error_of(ErrorKind::kNotFound, [&] { tensor({1.0}, kFloat64).to(ghost); }),
               {"ghost:0"});
}

}  // namespace
}  // namespace eagre::test

// Flags by name and type, and the log.

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include "cpp/support.h"

namespace eagre::test {
namespace {

class Flags : public ::testing::Test {
 protected:
  ~Flags() override {
    set_flags({{"kernel_fallback", true}, {"memory_limit", 0}, {"log", "off"}});
    set_flag("memory_cache_fraction", before_);
  }
  const FlagValue before_ = get_flag("memory_cache_fraction");
};

TEST_F(Flags, EveryTypeByName) {
  set_flags({{"kernel_fallback", false},
             {"memory_limit", int64_t{1} << 40},
             {"memory_cache_fraction", 0.5},
             {"log", "error"}});
  EXPECT_EQ(get_flag("kernel_fallback"), FlagValue(false));
  EXPECT_EQ(get_flag("memory_limit"), FlagValue(int64_t{1} << 40));
  EXPECT_EQ(get_flag("memory_cache_fraction"), FlagValue(0.5));
  EXPECT_EQ(get_flag("log"), FlagValue("error"));
  EXPECT_FALSE(flags().kernel_fallback);
  EXPECT_EQ(get_flag("blas"), FlagValue("auto"));
  set_flag("blas", "some.so");
  EXPECT_EQ(get_flag("blas"), FlagValue("some.so"));
  const std::string& kept = flags().blas.get();
  set_flag("blas", "auto");
  EXPECT_EQ(kept, "some.so");            // whoever reads it while it is changed
  set_flag("memory_cache_fraction", 1);  // a whole number is a number
  EXPECT_EQ(flags().memory_cache_fraction.load(), 1.0);
}

TEST_F(Flags, WrongTypesAndRangesAreErrors) {
  const auto type_error = [](const char* name, const FlagValue& value) {
    return error_of(ErrorKind::kType, [&] { set_flag(name, value); });
  };
  EXPECT_EQ(type_error("kernel_fallback", 2),
            "set_flags(): flag 'kernel_fallback' must be a bool, but got an int");
  EXPECT_EQ(type_error("memory_limit", 1.5),
            "set_flags(): flag 'memory_limit' must be an int, but got a float");
  EXPECT_EQ(type_error("memory_cache_fraction", "half"),
            "set_flags(): flag 'memory_cache_fraction' must be a number, but got a text");
  EXPECT_EQ(type_error("blas", 1), "set_flags(): flag 'blas' must be a text, but got an int");
  EXPECT_EQ(type_error("log", true), "set_flags(): flag 'log' must be a text, but got a bool");
  const auto value_error = [](const char* name, const FlagValue& value) {
    return error_of(ErrorKind::kInvalidArgument, [&] { set_flag(name, value); });
  };
  EXPECT_EQ(value_error("memory_limit", -1),
            "set_flags(): flag 'memory_limit' must be at least 0, but got -1");
  EXPECT_EQ(value_error("memory_cache_fraction", 1.5),
            "set_flags(): flag 'memory_cache_fraction' must be from 0 to 1, but got 1.5");
  EXPECT_EQ(value_error("log", "loud"),
            "set_flags(): flag 'log' must be one of off, error, warn, info, debug, but got 'loud'");
}

TEST_F(Flags, UnknownNamesAreErrorsThatHelp) {
  expect_parts(
      error_of(ErrorKind::kNotFound, [] { get_flag("kernel_falback"); }),
      {"there is no flag 'kernel_falback'; did you mean 'kernel_fallback'? The flags are:"});
  expect_parts(error_of(ErrorKind::kNotFound, [] { get_flag("speed"); }),
               {"there is no flag 'speed'; the flags are: kernel_fallback, auto_transfer"});
}

TEST_F(Flags, AllOrNothing) {
  error_of(ErrorKind::kNotFound, [] {
    set_flags({{"kernel_fallback", false}, {"nonsense", true}});
  });
  EXPECT_TRUE(flags().kernel_fallback);
}

TEST_F(Flags, AreListedWithTheirMeaning) {
  for (const FlagInfo& flag : list_flags()) {
    EXPECT_NO_THROW(get_flag(flag.name));
    EXPECT_GT(std::string(flag.doc).size(), 10U);
  }
}

std::vector<std::pair<LogLevel, std::string>> logged;

class Log : public Flags {
 protected:
  Log() {
    logged.clear();
    set_log_handler(
        [](LogLevel level, const std::string& text) { logged.emplace_back(level, text); });
  }
  ~Log() override { set_log_handler(nullptr); }
};

TEST_F(Log, SilentUnlessAsked) {
  log(LogLevel::kError, "a");
  EXPECT_TRUE(logged.empty());
  set_flag("log", "warn");
  log(LogLevel::kError, "b");
  log(LogLevel::kWarn, "c");
  log_info("d");
  ASSERT_EQ(logged.size(), 2U);
  EXPECT_EQ(logged[0].second, "b");
  EXPECT_EQ(logged[1].first, LogLevel::kWarn);
}

TEST_F(Log, GetsWarningsThatNobodyElseHears) {
  const WarningHandler before = set_warning_handler(nullptr);
  set_flag("log", "warn");
  warn("careful");
  set_warning_handler(before);
  ASSERT_EQ(logged.size(), 1U);
  EXPECT_EQ(logged[0].second, "careful");
}

TEST_F(Log, TheDefaultIsStderr) {
  set_log_handler(nullptr);
  set_flag("log", "info");
  ::testing::internal::CaptureStderr();
  log_info("written ", 3);
  log_debug("not written");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "eagre info: written 3\n");
}

}  // namespace
}  // namespace eagre::test

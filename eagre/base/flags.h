// Process-wide settings: set by set_flags, or by EAGRE_<NAME> in the environment at start.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <eagre/base/export.h>
#include <eagre/base/span.h>

namespace eagre {

// A text out of few, kept as its place among them.
class ChoiceFlag {
 public:
  constexpr ChoiceFlag(Span<const char* const> choices, size_t index)
      : choices_(choices), index_(index) {}
  Span<const char* const> choices() const { return choices_; }
  size_t index() const { return index_.load(std::memory_order_relaxed); }
  void set_index(size_t index) { index_.store(index, std::memory_order_relaxed); }

 private:
  Span<const char* const> choices_;
  std::atomic<size_t> index_;
};

// Any text. Values are kept for good, so that a reference stays good and equal texts are one
// object.
class EAGRE_API TextFlag {
 public:
  const std::string& get() const;
  void set(std::string_view text);

 private:
  std::atomic<const std::string*> text_{nullptr};
};

inline constexpr const char* kLogLevelNames[] = {"off", "error", "warn", "info", "debug"};

inline constexpr const char* kNanInfLevelNames[] = {"error", "warn"};

inline constexpr const char* kPrintScientificNames[] = {"auto", "never", "always"};

// What each flag is for stands in the table in flags.cpp.
struct Flags {
  std::atomic<bool> kernel_fallback{true};
  std::atomic<bool> auto_transfer{false};
  std::atomic<int64_t> memory_limit{0};
  std::atomic<double> memory_cache_fraction{0.125};
  std::atomic<bool> huge_pages{true};
  ChoiceFlag log{kLogLevelNames, 0};
  TextFlag blas;
  std::atomic<bool> retain_grad_for_all_tensor{false};
  std::atomic<bool> check_nan_inf{false};
  ChoiceFlag check_nan_inf_level{kNanInfLevelNames, 0};
  TextFlag check_nan_inf_ops;
  TextFlag check_nan_inf_skip;
  std::atomic<int64_t> print_precision{4};
  std::atomic<int64_t> print_threshold{1000};
  std::atomic<int64_t> print_edge_items{3};
  std::atomic<int64_t> print_line_width{80};
  ChoiceFlag print_scientific{kPrintScientificNames, 0};
};

EAGRE_API Flags& flags();

using FlagValue = std::variant<bool, int64_t, double, std::string>;

// By name. An unknown name, a value of another type or out of range is an error, and then nothing
// is changed.
EAGRE_API void set_flags(const std::vector<std::pair<std::string, FlagValue>>& settings);
EAGRE_API void set_flag(std::string_view name, const FlagValue& value);
EAGRE_API FlagValue get_flag(std::string_view name);

// `check` raises if it does not like a text that someone sets the flag `name` to. Called while the
// library is loaded.
void check_text_flag(std::string_view name, void (*check)(std::string_view text));
// Calls `listener` now and after every change. For those who keep something made from flags.
EAGRE_API void follow_flags(void (*listener)());

// Name and one sentence of each.
struct FlagInfo {
  const char* name;
  const char* doc;
};
EAGRE_API std::vector<FlagInfo> list_flags();

// What of the environment could not be used, one sentence each; empty if all is well.
EAGRE_API std::vector<std::string> environment_problems();

}  // namespace eagre

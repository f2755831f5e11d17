// The table of flags: names, types, ranges, and the reading of the environment.
#include <eagre/base/flags.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/fork.h>

namespace eagre {
namespace {

using BoolMember = std::atomic<bool> Flags::*;
using IntMember = std::atomic<int64_t> Flags::*;
using DoubleMember = std::atomic<double> Flags::*;
using ChoiceMember = ChoiceFlag Flags::*;
using TextMember = TextFlag Flags::*;

struct FlagEntry {
  const char* name;
  std::variant<BoolMember, IntMember, DoubleMember, ChoiceMember, TextMember> member;
  const char* doc;
  double least = 0, most = std::numeric_limits<double>::max();  // of numbers
};

constexpr FlagEntry kFlags[] = {
    {"kernel_fallback", &Flags::kernel_fallback,
     "an operator that a device lacks runs on the CPU, with a warning once per operator"},
    {"auto_transfer", &Flags::auto_transfer,
     "tensors of different devices may meet in an operator, which runs on the first accelerator"},
    {"memory_limit", &Flags::memory_limit,
     "bytes of host memory that tensors may take, with what is cached; 0: no limit"},
    {"memory_cache_fraction", &Flags::memory_cache_fraction,
     "the share of the machine's memory that freed blocks may keep", 0, 1},
    {"huge_pages", &Flags::huge_pages,
     "ask the system for huge pages for large tensors and for many small ones"},
    {"log", &Flags::log, "what is written to stderr: off, error, warn, info or debug"},
    {"blas", &Flags::blas,
     "a library with a C interface to BLAS for large products of matrices; auto or none: our own"},
    {"retain_grad_for_all_tensor", &Flags::retain_grad_for_all_tensor,
     "every recorded result keeps its gradient, as after retain_grad()"},
    {"check_nan_inf", &Flags::check_nan_inf,
     "look for NaN and infinity in the result of every operator, forward and backward"},
    {"check_nan_inf_level", &Flags::check_nan_inf_level,
     "what follows when check_nan_inf finds some: error, or warn"},
    {"check_nan_inf_ops", &Flags::check_nan_inf_ops,
     "names of operators, with commas between them, that check_nan_inf looks at; auto: at all"},
    {"check_nan_inf_skip", &Flags::check_nan_inf_skip,
     "names of operators, with commas between them, that check_nan_inf leaves out"},
    {"print_precision", &Flags::print_precision, "digits after the point in printed tensors", 0,
     60},
    {"print_threshold", &Flags::print_threshold,
     "tensors of more elements are printed with some left out"},
    {"print_edge_items", &Flags::print_edge_items,
     "elements that are then shown at each end of a dimension"},
    {"print_line_width", &Flags::print_line_width, "characters of a line of a printed tensor"},
    {"print_scientific", &Flags::print_scientific,
     "whether printed numbers have exponents: auto, never or always"},
};

// How many letters have to be added, removed or changed to make one word of the other.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

[[noreturn]] EAGRE_COLD void raise_unknown(std::string_view name) {
  std::string near, known;
  for (const FlagEntry& flag : kFlags) {
    known.append(known.empty() ? "" : ", ").append(flag.name);
    if (distance(name, flag.name) > std::max<size_t>(2, name.size() / 3)) continue;
    near.append(near.empty() ? "; did you mean " : " or ").append(concat("'", flag.name, "'"));
  }
  near.append(near.empty() ? "; the flags are: " : "? The flags are: ");
  raise(ErrorKind::kNotFound, concat("there is no flag '", name, "'", near, known));
}

const FlagEntry& find(std::string_view name) {
  for (const FlagEntry& flag : kFlags) {
    if (name == flag.name) return flag;
  }
  raise_unknown(name);
}

const char* type_name(const FlagValue& value) {
  constexpr const char* kNames[] = {"a bool", "an int", "a float", "a text"};
  return kNames[value.index()];
}

std::string number_text(double number) {
  return number == static_cast<double>(static_cast<int64_t>(number))
             ? std::to_string(static_cast<int64_t>(number))
             : concat(number);
}

size_t choice_index(const ChoiceFlag& flag, std::string_view text) {
  size_t i = 0;
  while (i < flag.choices().size() && text != flag.choices()[i]) ++i;
  return i;
}

// The value in the type of the flag. An error says what was expected.
FlagValue checked(const FlagEntry& flag, FlagValue value) {
  const auto refuse = [&](ErrorKind kind, std::string_view expected, const std::string& got) {
    raise(kind,
          concat("set_flags(): flag '", flag.name, "' must be ", expected, ", but got ", got));
  };
  if (const auto* whole = std::get_if<int64_t>(&value);
      whole != nullptr && std::holds_alternative<DoubleMember>(flag.member)) {
    value = static_cast<double>(*whole);
  }
  // 0 and 1 as everywhere, and the place of a name among the choices: levels are written so.
  if (const auto* whole = std::get_if<int64_t>(&value); whole != nullptr && *whole >= 0) {
    const auto number = static_cast<size_t>(*whole);
    const auto* member = std::get_if<ChoiceMember>(&flag.member);
    if (std::holds_alternative<BoolMember>(flag.member) && number <= 1) {
      value = number == 1;
    } else if (member != nullptr && number < (flags().**member).choices().size()) {
      value = std::string((flags().**member).choices()[number]);
    }
  }
  constexpr size_t kText = std::variant_size_v<FlagValue> - 1;
  if (value.index() != std::min(flag.member.index(), kText)) {
    constexpr const char* kExpected[] = {"a bool", "an int", "a number", "a text", "a text"};
    refuse(ErrorKind::kType, kExpected[flag.member.index()], type_name(value));
  }
  if (const auto* member = std::get_if<ChoiceMember>(&flag.member)) {
    const ChoiceFlag& choice = flags().**member;
    const auto& text = std::get<std::string>(value);
    if (choice_index(choice, text) == choice.choices().size()) {
      std::string known;
      for (const char* name : choice.choices()) {
        known.append(known.empty() ? "one of " : ", ").append(name);
      }
      refuse(ErrorKind::kInvalidArgument, known, concat("'", text, "'"));
    }
  }
  const auto check_range = [&](double number) {
    if (number >= flag.least && number <= flag.most) return;
    const bool bounded = flag.most != std::numeric_limits<double>::max();
    refuse(ErrorKind::kInvalidArgument,
           bounded ? concat("from ", number_text(flag.least), " to ", number_text(flag.most))
                   : concat("at least ", number_text(flag.least)),
           number_text(number));
  };
  if (const auto* number = std::get_if<double>(&value)) check_range(*number);
  if (const auto* whole = std::get_if<int64_t>(&value)) {
    check_range(static_cast<double>(*whole));
  }
  return value;
}

void store(Flags& all, const FlagEntry& flag, const FlagValue& value) {
  if (const auto* member = std::get_if<BoolMember>(&flag.member)) {
    all.** member = std::get<bool>(value);
  } else if (const auto* member = std::get_if<IntMember>(&flag.member)) {
    all.** member = std::get<int64_t>(value);
  } else if (const auto* member = std::get_if<DoubleMember>(&flag.member)) {
    all.** member = std::get<double>(value);
  } else if (const auto* member = std::get_if<TextMember>(&flag.member)) {
    (all.**member).set(std::get<std::string>(value));
  } else {
    ChoiceFlag& choice = all.*std::get<ChoiceMember>(flag.member);
    choice.set_index(choice_index(choice, std::get<std::string>(value)));
  }
}

template <class Number>
FlagValue parse_number(std::string_view text) {
  Number number = 0;
  const auto [last, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || last != text.data() + text.size()) return std::string(text);
  return number;
}

// Of the flag's type if the text can be read so, else the text, which checked() refuses.
FlagValue parse(const FlagEntry& flag, std::string_view text) {
  if (std::holds_alternative<BoolMember>(flag.member)) {
    for (std::string_view yes : {"1", "true", "on", "yes"}) {
      if (text == yes) return true;
    }
    for (std::string_view no : {"0", "false", "off", "no", ""}) {
      if (text == no) return false;
    }
  }
  if (std::holds_alternative<IntMember>(flag.member)) return parse_number<int64_t>(text);
  if (std::holds_alternative<DoubleMember>(flag.member)) return parse_number<double>(text);
  return std::string(text);
}

std::string environment_name(const char* flag) {
  std::string name = "EAGRE_";
  for (const char* c = flag; *c != '\0'; ++c) {
    name.push_back(*c >= 'a' && *c <= 'z' ? static_cast<char>(*c - 'a' + 'A') : *c);
  }
  return name;
}

// Every text that a flag ever had.
struct TextValues {
  ForkMutex mutex;
  std::set<std::string, std::less<>> seen;

  static TextValues& get() {
    static auto& instance = *new TextValues;
    return instance;
  }
};
const MadeAtLoad kTextValues(TextValues::get);

std::vector<std::string>& problems() {
  static auto& instance = *new std::vector<std::string>;
  return instance;
}

void read_environment(Flags& all) {
  for (const FlagEntry& flag : kFlags) {
    const std::string name = environment_name(flag.name);
    const char* text = std::getenv(name.c_str());
    if (text == nullptr) continue;
    try {
      store(all, flag, checked(flag, parse(flag, text)));
    } catch (const Error& problem) {
      problems().push_back(
          concat("the environment variable ", name, "='", text, "' is not used: ",
                 std::string_view(problem.message()).substr(sizeof("set_flags(): ") - 1)));
    }
  }
}

std::vector<void (*)()>& listeners() {
  static auto& instance = *new std::vector<void (*)()>;
  return instance;
}

using TextCheck = std::pair<std::string_view, void (*)(std::string_view)>;
std::vector<TextCheck>& text_checks() {
  static auto& instance = *new std::vector<TextCheck>;
  return instance;
}

void tell_listeners() {
  for (auto* listener : listeners()) listener();
}

// Before anyone asks, and while the program has one thread.
[[maybe_unused]] const bool kReadAtStart = [] {
  read_environment(flags());
  tell_listeners();  // those that were loaded before
  return true;
}();

}  // namespace

const std::string& TextFlag::get() const {
  const std::string* text = text_.load(std::memory_order_acquire);
  static const auto& unset = *new std::string("auto");
  return text == nullptr ? unset : *text;
}

void TextFlag::set(std::string_view text) {
  TextValues& values = TextValues::get();
  std::lock_guard hold(values.mutex);
  text_.store(&*values.seen.emplace(text).first, std::memory_order_release);
}

Flags& flags() {
  static constinit Flags instance;  // nothing runs at its end: it stays usable
  return instance;
}

void set_flags(const std::vector<std::pair<std::string, FlagValue>>& settings) {
  std::vector<std::pair<const FlagEntry*, FlagValue>> good;
  for (const auto& [name, value] : settings) {
    const FlagEntry& flag = find(name);
    good.emplace_back(&flag, checked(flag, value));
    const auto* text = std::get_if<std::string>(&good.back().second);
    for (const auto& [checked_name, check] : text_checks()) {
      if (text != nullptr && checked_name == name) check(*text);
    }
  }
  for (const auto& [flag, value] : good) store(flags(), *flag, value);
  tell_listeners();
}

void check_text_flag(std::string_view name, void (*check)(std::string_view text)) {
  text_checks().emplace_back(name, check);
}

// Called while the library is loaded, by one thread.
void follow_flags(void (*listener)()) {
  listeners().push_back(listener);
  listener();
}

void set_flag(std::string_view name, const FlagValue& value) {
  set_flags({{std::string(name), value}});
}

FlagValue get_flag(std::string_view name) {
  const FlagEntry& flag = find(name);
  Flags& all = flags();
  if (const auto* member = std::get_if<BoolMember>(&flag.member)) return (all.**member).load();
  if (const auto* member = std::get_if<IntMember>(&flag.member)) return (all.**member).load();
  if (const auto* member = std::get_if<DoubleMember>(&flag.member)) return (all.**member).load();
  if (const auto* member = std::get_if<TextMember>(&flag.member)) return (all.**member).get();
  const ChoiceFlag& choice = all.*std::get<ChoiceMember>(flag.member);
  return std::string(choice.choices()[choice.index()]);
}

std::vector<FlagInfo> list_flags() {
  std::vector<FlagInfo> list;
  for (const FlagEntry& flag : kFlags) list.push_back({flag.name, flag.doc});
  return list;
}

std::vector<std::string> environment_problems() { return problems(); }

}  // namespace eagre

// Reading signatures, and fitting values to them.
#include <eagre/api/op_signature.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <eagre/api/op_value.h>
#include <eagre/api/tensor.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>

namespace eagre {
namespace {

struct TypeName {
  std::string_view text;
  ArgumentType type;
  std::string_view wanted;
};
constexpr TypeName kTypes[] = {
    {"Tensor", ArgumentType::kTensor, "a Tensor"},
    {"Tensor[]", ArgumentType::kTensors, "a list of Tensors"},
    {"int", ArgumentType::kInt, "an int"},
    {"float", ArgumentType::kFloat, "a real number"},
    {"bool", ArgumentType::kBool, "a bool"},
    {"str", ArgumentType::kText, "a str"},
    {"Scalar", ArgumentType::kScalar, "a number"},
    {"int[]", ArgumentType::kInts, "a list of ints"},
    {"dtype", ArgumentType::kDType, "a dtype"},
};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::optional<DType> dtype_named(std::string_view name) {
  for (size_t i = 0; i < kDTypeCount; ++i) {
    if (to_string(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  return {};
}

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { signature_.text = text; }

  OpSignature run() {
    expect("(");
    bool by_name_only = false;
    while (!accept(")")) {
      if (!signature_.parameters.empty() || by_name_only) expect(",");
      if (accept("*")) {
        if (by_name_only) fail("a second '*'");
        by_name_only = true;
        continue;
      }
      parameter(by_name_only);
    }
    if (by_name_only &&
        (signature_.parameters.empty() || !signature_.parameters.back().by_name_only))
      fail("no argument comes after '*'");
    if (signature_.parameters.size() > OpSignature::kMaxParameters) {
      fail(concat(signature_.parameters.size(), " arguments, of which there may be at most ",
                  OpSignature::kMaxParameters));
    }
    expect("->");
    results();
    skip_spaces();
    if (at_ != text_.size()) fail(concat("'", text_.substr(at_), "' after its end"));
    return std::move(signature_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    raise(ErrorKind::kInvalidArgument,
          concat("the signature \"", text_, "\" is wrong at position ", at_, ": ", what));
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (accept(token)) return;
    const std::string_view rest = text_.substr(at_, 12);
    fail(concat(rest.empty() ? "its end" : concat("'", rest, "'"), " where '", token,
                "' should be"));
  }
  std::string_view word(std::string_view what) {
    skip_spaces();
    const size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    if (found.empty() || (found[0] >= '0' && found[0] <= '9')) {
      at_ = begin;
      fail(concat("no ", what));
    }
    return found;
  }

  void parameter(bool by_name_only) {
    OpParameter made;
    made.by_name_only = by_name_only;
    skip_spaces();
    const size_t begin = at_;
    word("type of an argument");
    if (text_.substr(at_).starts_with("[]")) at_ += 2;
    const std::string_view name = text_.substr(begin, at_ - begin);
    const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                     [&](const TypeName& type) { return type.text == name; });
    if (known == std::end(kTypes)) {
      at_ = begin;
      fail(concat("unknown type '", name,
                  "'; types are Tensor, Tensor[], int, float, bool, str, Scalar, int[], dtype"));
    }
    made.type = known->type;
    made.may_be_none = accept("?");
    made.name = word("name of an argument");
    check_new(made.name);
    if (accept("=")) {
      made.missing = default_of(made);
      made.has_default = true;
    } else if (!by_name_only && !signature_.parameters.empty() &&
               signature_.parameters.back().has_default) {
      fail(concat("argument '", made.name, "' without a default after one that has a default"));
    }
    signature_.parameters.push_back(std::move(made));
  }

  void check_new(std::string_view name) const {
    if (signature_.find_parameter(name) || signature_.find_result(name)) {
      fail(concat("the name '", name, "' is there twice"));
    }
  }

  OpValue default_of(const OpParameter& parameter) {
    skip_spaces();
    const size_t begin = at_;
    const OpValue value = literal(parameter.type);
    const std::optional<OpValue> result = fitted(parameter, value);
    if (!result) {
      at_ = begin;
      fail(concat("the default of '", parameter.name, "' must be ", describe_wanted(parameter),
                  ", but is ", describe(value)));
    }
    return *result;
  }

  OpValue literal(ArgumentType type) {
    if (accept("[")) return list();
    for (const char* quote : {"'", "\""}) {
      if (!accept(quote)) continue;
      const size_t end = text_.find(*quote, at_);
      if (end == std::string_view::npos) fail("a text without an end");
      const std::string_view inside = text_.substr(at_, end - at_);
      at_ = end + 1;
      return inside;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && text_.find_first_of(" ,)", at_) != at_) ++at_;
    const std::string_view token = text_.substr(begin, at_ - begin);
    if (token == "None") return {};
    if (token == "True" || token == "true") return true;
    if (token == "False" || token == "false") return false;
    if (type == ArgumentType::kDType) {
      if (const auto dtype = dtype_named(token)) return *dtype;
    }
    if (const auto number = number_in<int64_t>(token)) return *number;
    if (const auto number = number_in<double>(token)) return *number;
    at_ = begin;
    fail(concat("'", token, "' where a default should be"));
  }

  OpValue list() {
    std::vector<int64_t> numbers;
    while (!accept("]")) {
      if (!numbers.empty()) expect(",");
      skip_spaces();
      const size_t begin = at_;
      while (at_ < text_.size() && text_.find_first_of(" ,]", at_) != at_) ++at_;
      const auto number = number_in<int64_t>(text_.substr(begin, at_ - begin));
      if (!number) {
        at_ = begin;
        fail("a list is of integers");
      }
      numbers.push_back(*number);
    }
    return numbers;
  }

  void results() {
    if (!accept("(")) {
      result_type();
      check_new("result");
      signature_.results.emplace_back("result");
      return;
    }
    size_t unnamed = 0;
    do {
      result_type();
      skip_spaces();
      const bool is_named = at_ < text_.size() && is_word_character(text_[at_]);
      std::string name = is_named ? std::string(word("name of a result"))
                                  : concat("result", signature_.results.size());
      check_new(name);
      signature_.results.push_back(std::move(name));
      unnamed += is_named ? 0 : 1;
    } while (accept(","));
    expect(")");
    if (unnamed != 0 && unnamed != signature_.results.size()) {
      fail("either all results have names, or none");
    }
    signature_.has_result_names = unnamed == 0;
  }

  void result_type() {
    skip_spaces();
    const size_t begin = at_;
    if (word("type of a result") == "Tensor" && !accept("[") && !accept("?")) return;
    at_ = begin;
    fail("a result must be of type Tensor");
  }

  std::string_view text_;
  size_t at_ = 0;
  OpSignature signature_;
};

std::optional<OpValue> fitted_number(ArgumentType type, const Scalar& number) {
  const DTypeCategory category = number.category();
  switch (type) {
    case ArgumentType::kScalar: return number;
    case ArgumentType::kBool:
      if (category == DTypeCategory::kBool) return number;
      return {};
    case ArgumentType::kInt:
      if (category <= DTypeCategory::kInteger) return number.wrapped<int64_t>();
      return {};
    case ArgumentType::kFloat:
      if (category <= DTypeCategory::kFloating) return number.wrapped<double>();
      return {};
    default: return {};
  }
}

}  // namespace

std::string_view to_string(ArgumentType type) { return kTypes[static_cast<size_t>(type)].text; }

std::string describe_wanted(const OpParameter& parameter) {
  return concat(kTypes[static_cast<size_t>(parameter.type)].wanted,
                parameter.may_be_none ? " or None" : "");
}

std::optional<size_t> OpSignature::find_parameter(std::string_view name) const {
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return i;
  }
  return {};
}

std::optional<size_t> OpSignature::find_result(std::string_view name) const {
  const auto found = std::find(results.begin(), results.end(), name);
  if (found == results.end()) return {};
  return static_cast<size_t>(found - results.begin());
}

OpSignature parse_signature(std::string_view text) { return Parser(text).run(); }

std::optional<OpValue> fitted(const OpParameter& parameter, const OpValue& value) {
  const auto accept_if = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
  switch (value.kind()) {
    case ValueKind::kNone: return accept_if(parameter.may_be_none);
    case ValueKind::kTensor: return accept_if(parameter.type == ArgumentType::kTensor);
    case ValueKind::kTensors:
      return accept_if(parameter.type == ArgumentType::kTensors &&
                       !undefined_in(*value.get<std::vector<Tensor>>()));
    case ValueKind::kNumber: return fitted_number(parameter.type, *value.get<Scalar>());
    case ValueKind::kText: return accept_if(parameter.type == ArgumentType::kText);
    case ValueKind::kInts: return accept_if(parameter.type == ArgumentType::kInts);
    case ValueKind::kDType: return accept_if(parameter.type == ArgumentType::kDType);
  }
  return {};
}

}  // namespace eagre

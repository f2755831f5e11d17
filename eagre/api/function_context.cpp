// The parts of a function's context that need no template.
#include <eagre/api/function_context.h>

#include <cxxabi.h>

#include <any>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <eagre/api/autograd.h>
#include <eagre/base/error.h>

namespace eagre::autograd {
namespace {

std::string readable(const char* type_name) {
  int status = 0;
  char* text = abi::__cxa_demangle(type_name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : type_name;
  std::free(text);
  return result;
}

}  // namespace

std::string function_name(const char* type_name) {
  const std::string whole = readable(type_name);
  const size_t last = whole.rfind("::");
  const bool is_template = whole.find('<') != std::string::npos;
  return last == std::string::npos || is_template ? whole : whole.substr(last + 2);
}

void SavedValue::raise_other_type(const char* wanted) const {
  raise(ErrorKind::kType,
        concat("saved_data: the value is ",
               value_.has_value() ? "a " + readable(value_.type().name()) : "not there", ", but a ",
               readable(wanted), " was asked for"));
}

bool SavedValue::toBool() const {
  if (const bool* value = std::any_cast<bool>(&value_)) return *value;
  if (const auto* value = std::any_cast<int64_t>(&value_)) return *value != 0;
  raise_other_type(typeid(bool).name());
}

int64_t SavedValue::toInt() const {
  if (const auto* value = std::any_cast<int64_t>(&value_)) return *value;
  if (const bool* value = std::any_cast<bool>(&value_)) return *value ? 1 : 0;
  raise_other_type(typeid(int64_t).name());
}

double SavedValue::toDouble() const {
  if (const auto* value = std::any_cast<double>(&value_)) return *value;
  if (const auto* value = std::any_cast<int64_t>(&value_)) return static_cast<double>(*value);
  raise_other_type(typeid(double).name());
}

variable_list AutogradContext::get_saved_variables() const {
  if (for_jvp_ != nullptr) return {for_jvp_->begin(), for_jvp_->end()};
  if (node_ == nullptr) return {marks_.to_save.begin(), marks_.to_save.end()};
  const TensorVector tensors = node_->saved_tensors();
  return {tensors.begin(), tensors.end()};
}

bool AutogradContext::needs_input_grad(size_t input) const {
  EAGRE_CHECK(input < needs_.size(), kIndex, "needs_input_grad(): there are ", needs_.size(),
              " tensors among the arguments of forward, but number ", input, " was asked for");
  return needs_[input] && (node_ == nullptr || CustomNode::wants_input(input));
}

}  // namespace eagre::autograd

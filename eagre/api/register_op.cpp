// What an operator must have to be registered.
#include <eagre/api/register_op.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/api/custom_op.h>
#include <eagre/api/op_record.h>
#include <eagre/api/op_registry.h>
#include <eagre/api/op_signature.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>

namespace eagre {
namespace {

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

bool is_op_name(std::string_view name) {
  const size_t colons = name.find("::");
  return colons != std::string_view::npos && is_identifier(name.substr(0, colons)) &&
         is_identifier(name.substr(colons + 2));
}

// my::scaled_add -> my::ScaledAddBackward
std::string node_name(std::string_view op) {
  const size_t start = op.find("::") + 2;
  std::string name(op.substr(0, start));
  bool begins_word = true;
  for (const char c : op.substr(start)) {
    if (c == '_') {
      begins_word = true;
      continue;
    }
    const bool lower = begins_word && c >= 'a' && c <= 'z';
    name.push_back(lower ? static_cast<char>(c - 'a' + 'A') : c);
    begins_word = false;
  }
  return name + "Backward";
}

}  // namespace

OpBuilder::OpBuilder(std::string name, PendingOps* target, CallSite at)
    : record_(std::make_unique<OpRecord>()), target_(target), at_(at) {
  if (is_op_name(name)) {
    record_->node_name = node_name(name);
  } else {
    note("a name is \"namespace::operator\", made of letters, digits and underscores");
  }
  record_->name = std::move(name);
}

OpBuilder::~OpBuilder() = default;

void OpBuilder::note(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

template <class Function>
OpBuilder& OpBuilder::set(Function& place, Function function, const char* what) {
  if (!function) note(concat(what, " is an empty function"));
  if (place) note(concat(what, " is given twice"));
  place = std::move(function);
  return *this;
}

OpBuilder& OpBuilder::signature(std::string_view text) {
  if (has_signature_) note("signature() is given twice");
  has_signature_ = true;
  try {
    const SiteScope no_line(CallSite::none());
    record_->signature = parse_signature(text);
  } catch (const Error& error) {
    note(error.message());
  }
  return *this;
}

OpBuilder& OpBuilder::doc(std::string text) {
  record_->doc = std::move(text);
  return *this;
}

OpBuilder& OpBuilder::check(OpRecord::Check function) {
  return set(record_->check, std::move(function), "check()");
}

OpBuilder& OpBuilder::set_meta(OpRecord::Meta function) {
  return set(record_->meta, std::move(function), "meta()");
}

OpBuilder& OpBuilder::kernel(std::string_view device, OpRecord::Kernel function) {
  if (device == "meta") note("the device 'meta' has no kernels. Hint: use meta()");
  if (device.empty() || device.find(':') != std::string_view::npos) {
    note(concat("a kernel is for all devices of a kind, like \"cpu\", but got \"", device, "\""));
  }
  const std::string what = concat("kernel(\"", device, "\")");
  for (const auto& [name, kernel] : record_->kernels) {
    if (name == device) note(what + " is given twice");
  }
  if (!function) note(what + " is an empty function");
  record_->kernels.emplace_back(device, std::move(function));
  return *this;
}

OpBuilder& OpBuilder::grad(OpRecord::Grad function) {
  return set(record_->grad, std::move(function), "grad()");
}

OpBuilder& OpBuilder::saves(std::initializer_list<std::string_view> names) {
  saved_names_.insert(saved_names_.end(), names.begin(), names.end());
  return *this;
}

OpBuilder& OpBuilder::no_grad() {
  record_->has_no_grad = true;
  return *this;
}

OpBuilder& OpBuilder::jvp(OpRecord::Jvp function) {
  return set(record_->jvp, std::move(function), "jvp()");
}

OpBuilder& OpBuilder::batch(OpRecord::Batch function) {
  return set(record_->batch, std::move(function), "batch()");
}

void OpBuilder::check_whole() {
  if (!has_signature_) note("there is no signature()");
  if (record_->kernels.empty()) note("there is no kernel()");
  if (record_->has_no_grad && record_->grad) note("there are both grad() and no_grad()");
  if (!saved_names_.empty() && !record_->grad) note("there is saves() but no grad() to use it");
  const OpSignature& signature = record_->signature;
  for (const std::string& name : saved_names_) {
    const auto argument = signature.find_parameter(name);
    const auto result = signature.find_result(name);
    if (!argument && !result) {
      note(concat("saves(): there is no argument or result '", name, "'"));
    } else if (argument && !signature.parameters[*argument].is_tensor()) {
      note(concat("saves(): '", name, "' is no tensor; such arguments are always there"));
    }
    if (argument) record_->saved_arguments.push_back(*argument);
    if (result) record_->saved_results.push_back(*result);
  }
}

Op OpBuilder::add() {
  const SiteScope here(at_);
  // A static initialiser of a library that is being loaded: an exception could not be caught.
  PendingOps* const loading = target_ == nullptr ? ops_of_loading_library() : nullptr;
  PendingOps* const pending = loading != nullptr ? loading : target_;
  try {
    check_whole();
    EAGRE_CHECK(problem_.empty(), kInvalidArgument, "register_op(\"", record_->name,
                "\"): ", problem_);
    OwnedOp made = std::exchange(record_, std::make_unique<OpRecord>());
    note("add() was called already");  // for whoever calls it again
    const Op op(*made);
    if (pending != nullptr) {
      pending->ops.push_back(std::move(made));
      return op;
    }
    std::vector<OwnedOp> single;
    single.push_back(std::move(made));
    add_ops(std::move(single));
    return op;
  } catch (const Error& error) {
    if (loading == nullptr) throw;
    if (!loading->problem) loading->problem = error;
    return {};
  }
}

OpBuilder register_op(std::string name, CallSite at) { return {std::move(name), nullptr, at}; }

OpBuilder OpLibrary::register_op(std::string name, CallSite at) {
  return {std::move(name), &ops_, at};
}

}  // namespace eagre

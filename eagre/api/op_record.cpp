// Arguments of a call by name and position.
#include <eagre/api/op_record.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <eagre/api/op_signature.h>
#include <eagre/api/op_value.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/current_device.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/dispatch/devices.h>

namespace eagre {
namespace {

// The values as the parameters keep them.
std::vector<OpValue> fitted_values(const OpRecord& op, std::vector<OpValue> values) {
  const std::vector<OpParameter>& parameters = op.signature.parameters;
  EAGRE_CHECK(values.size() == parameters.size(), kType, op.name, "() has ", parameters.size(),
              " arguments, but ", values.size(), " values were given");
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::optional<OpValue> value = fitted(parameters[i], values[i])) {
      values[i] = *std::move(value);
      continue;
    }
    raise(ErrorKind::kType, ArgumentProblem{op.name, parameters[i].name,
                                            describe_wanted(parameters[i]), describe(values[i])});
  }
  return values;
}

Device common_device(const OpRecord& op, const std::vector<OpValue>& values) {
  dispatch::CommonDevice common(op.name.c_str());
  bool any = false;
  for (size_t i = 0; i < values.size(); ++i) {
    const char* argument = op.signature.parameters[i].name.c_str();
    const auto add = [&](const Tensor& tensor) {
      if (!tensor.defined()) return;
      common.add(autograd::all_samples(tensor).get(), argument);
      any = true;
    };
    if (const auto* tensor = values[i].get<Tensor>()) add(*tensor);
    if (const auto* tensors = values[i].get<std::vector<Tensor>>()) {
      for (const Tensor& tensor : *tensors) add(tensor);
    }
  }
  return any ? common.get() : default_device();
}

// f(argument, tensor) for each tensor among the values; one that was left out counts too.
template <class F>
void for_each_tensor(const OpSignature& signature, const std::vector<OpValue>& values, const F& f) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (signature.parameters[i].type == ArgumentType::kTensor) {
      const Tensor* tensor = values[i].get<Tensor>();
      f(i, tensor == nullptr ? Tensor() : *tensor);
    } else if (const auto* list = values[i].get<std::vector<Tensor>>()) {
      for (const Tensor& tensor : *list) f(i, tensor);
    }
  }
}

size_t index_of(OpKey key, std::optional<size_t> named, size_t count, const OpRecord& op,
                const char* what) {
  if (key.is_name()) {
    EAGRE_CHECK(named, kInvalidArgument, op.name, "(): there is no ", what, " '", key.name(),
                "' in ", op.signature.text);
    return *named;
  }
  EAGRE_CHECK(key.position() >= 0 && static_cast<size_t>(key.position()) < count, kIndex, op.name,
              "(): there is no ", what, " ", key.position(), " in ", op.signature.text);
  return static_cast<size_t>(key.position());
}

}  // namespace

OpCall::OpCall(const OpRecord& op, std::vector<OpValue> values, CallSite at)
    : op_(&op),
      values_(fitted_values(op, std::move(values))),
      at_(at),
      device_(common_device(op, values_)) {}

size_t OpCall::argument_index(OpKey argument) const {
  const OpSignature& signature = op_->signature;
  return index_of(argument, signature.find_parameter(argument.name()), signature.parameters.size(),
                  *op_, "argument");
}

size_t OpCall::result_index(OpKey result) const {
  const OpSignature& signature = op_->signature;
  return index_of(result, signature.find_result(result.name()), signature.results.size(), *op_,
                  "result");
}

// Null where it was left out.
const OpValue* OpCall::find(OpKey argument, ArgumentType type) const {
  const size_t i = argument_index(argument);
  const OpParameter& parameter = op_->signature.parameters[i];
  EAGRE_CHECK(parameter.type == type, kType, op_->name, "(): argument '", parameter.name,
              "' is of type ", parameter.type, ", but was asked for as ", type);
  return values_[i].kind() == ValueKind::kNone ? nullptr : &values_[i];
}

const OpValue& OpCall::require(OpKey argument, ArgumentType type) const {
  const OpValue* value = find(argument, type);
  EAGRE_CHECK(value != nullptr, kInvalidArgument, op_->name, "(): argument '",
              op_->signature.parameters[argument_index(argument)].name,
              "' was left out. Hint: ask has() first");
  return *value;
}

bool OpCall::has(OpKey argument) const {
  return values_[argument_index(argument)].kind() != ValueKind::kNone;
}

const Tensor& OpCall::tensor(OpKey argument) const {
  static const Tensor& undefined = *new Tensor;
  const OpValue* value = find(argument, ArgumentType::kTensor);
  return value == nullptr ? undefined : *value->get<Tensor>();
}

const std::vector<Tensor>& OpCall::tensors(OpKey argument) const {
  return *require(argument, ArgumentType::kTensors).get<std::vector<Tensor>>();
}

int64_t OpCall::integer(OpKey argument) const {
  return require(argument, ArgumentType::kInt).get<Scalar>()->wrapped<int64_t>();
}

double OpCall::real(OpKey argument) const {
  return require(argument, ArgumentType::kFloat).get<Scalar>()->wrapped<double>();
}

bool OpCall::boolean(OpKey argument) const {
  return require(argument, ArgumentType::kBool).get<Scalar>()->wrapped<bool>();
}

const std::string& OpCall::text(OpKey argument) const {
  return *require(argument, ArgumentType::kText).get<std::string>();
}

Scalar OpCall::scalar(OpKey argument) const {
  const ArgumentType type = op_->signature.parameters[argument_index(argument)].type;
  const bool is_number =
      type == ArgumentType::kInt || type == ArgumentType::kFloat || type == ArgumentType::kBool;
  return *require(argument, is_number ? type : ArgumentType::kScalar).get<Scalar>();
}

const std::vector<int64_t>& OpCall::ints(OpKey argument) const {
  return *require(argument, ArgumentType::kInts).get<std::vector<int64_t>>();
}

DType OpCall::dtype(OpKey argument) const {
  return *require(argument, ArgumentType::kDType).get<DType>();
}

void OpCall::fail(OpKey argument, std::string expected, std::string got, std::string hint) const {
  const std::string& name = op_->signature.parameters[argument_index(argument)].name;
  thread_state.site = at_;  // an operator that was called meanwhile has taken it away
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op_->name, name, std::move(expected), std::move(got), std::move(hint)});
}

std::vector<Tensor> OpCall::all_tensors() const {
  std::vector<Tensor> tensors;
  for_each_tensor(op_->signature, values_,
                  [&](size_t, const Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

std::pair<size_t, size_t> OpCall::tensor_range(OpKey argument) const {
  const size_t wanted = argument_index(argument);
  const OpParameter& parameter = op_->signature.parameters[wanted];
  EAGRE_CHECK(parameter.is_tensor(), kType, op_->name, "(): argument '", parameter.name,
              "' is no tensor");
  size_t first = 0, count = 0;
  for_each_tensor(op_->signature, values_, [&](size_t i, const Tensor&) {
    first += i < wanted ? 1 : 0;
    count += i == wanted ? 1 : 0;
  });
  return {first, count};
}

size_t OpCall::tensor_position(OpKey argument) const {
  const auto [first, count] = tensor_range(argument);
  EAGRE_CHECK(count != 0, kInvalidArgument, op_->name, "(): there are no tensors in argument '",
              op_->signature.parameters[argument_index(argument)].name, "'");
  return first;
}

OpCall OpCall::with_tensors(std::span<const Tensor> tensors, Device device) const {
  OpCall made = *this;
  made.device_ = device;
  size_t next = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (op_->signature.parameters[i].type == ArgumentType::kTensor) {
      made.values_[i] = tensors[next++];
    } else if (const auto* list = values_[i].get<std::vector<Tensor>>()) {
      const auto part = tensors.subspan(next, list->size());
      made.values_[i] = std::vector<Tensor>(part.begin(), part.end());
      next += part.size();
    }
  }
  return made;
}

const Tensor& GradCall::tensor(OpKey argument) const {
  const size_t i = argument_index(argument);
  const Tensor& tensor = OpCall::tensor(argument);
  check_saved(i, op().saved_arguments, op().signature.parameters[i].name);
  return tensor;
}

const std::vector<Tensor>& GradCall::tensors(OpKey argument) const {
  const size_t i = argument_index(argument);
  const std::vector<Tensor>& tensors = OpCall::tensors(argument);
  check_saved(i, op().saved_arguments, op().signature.parameters[i].name);
  return tensors;
}

const Tensor& GradCall::result(OpKey result) const {
  const size_t i = result_index(result);
  check_saved(i, op().saved_results, op().signature.results[i]);
  return results_[i];
}

void GradCall::check_saved(size_t i, const std::vector<size_t>& saved,
                           const std::string& name) const {
  EAGRE_CHECK(std::find(saved.begin(), saved.end(), i) != saved.end(), kAutograd, op().name,
              "(): the gradient asks for '", name,
              "', which is not saved. Hint: register it with "
              "saves({\"",
              name, "\"})");
}

}  // namespace eagre

// The way of a call of a custom operator: binding, check, kernel, recording. Read run() first.
#include <atomic>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/custom_op.h>
#include <eagre/api/op_node.h>
#include <eagre/api/op_record.h>
#include <eagre/api/op_signature.h>
#include <eagre/api/op_transforms.h>
#include <eagre/api/op_value.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/site_table.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/device.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/check_nan_inf.h>
#include <eagre/dispatch/registry.h>
#include <eagre/dispatch/transfer.h>

namespace eagre {
namespace {

// --- binding ---

std::vector<OpValue> bind(const OpRecord& op, const std::vector<OpArgument>& arguments) {
  const std::vector<OpParameter>& parameters = op.signature.parameters;
  std::vector<const OpArgument*> given(parameters.size(), nullptr);
  size_t next = 0;
  for (const OpArgument& argument : arguments) {
    size_t place = next;
    if (argument.name().empty()) {
      EAGRE_CHECK(next == static_cast<size_t>(&argument - arguments.data()), kType, op.name,
                  "(): an argument without a name after one with a name");
      EAGRE_CHECK(next < parameters.size(), kType, op.name, "() takes at most ", parameters.size(),
                  " arguments, but got ", arguments.size(), ": ", op.signature.text);
      ++next;
    } else {
      const auto found = op.signature.find_parameter(argument.name());
      EAGRE_CHECK(found, kType, op.name, "(): there is no argument '", argument.name(), "' in ",
                  op.signature.text);
      place = *found;
    }
    EAGRE_CHECK(given[place] == nullptr, kType, op.name, "(): argument '", parameters[place].name,
                "' is given twice");
    given[place] = &argument;
  }
  std::vector<OpValue> values;
  values.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    EAGRE_CHECK(given[i] != nullptr || parameters[i].has_default, kType, op.name, "(): argument '",
                parameters[i].name, "' is missing: ", op.signature.text);
    values.push_back(given[i] == nullptr ? parameters[i].missing : *given[i]);
  }
  return values;
}

// --- kernels ---

std::string kernel_devices(const OpRecord& op) {
  std::string text;
  for (const auto& [name, kernel] : op.kernels) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

const OpRecord::Kernel* find_kernel(const OpRecord& op, Device device) {
  const std::string kind = to_string(device.kind);
  for (const auto& [name, kernel] : op.kernels) {
    if (name == kind) return &kernel;
  }
  return nullptr;
}

// Where the kernel runs: on the device of the call, or on the CPU instead.
Device select_device(const OpRecord& op, Device device) {
  if (find_kernel(op, device) != nullptr) return device;
  const bool may_fall_back = find_kernel(op, kCPU) != nullptr;
  if (may_fall_back && flags().kernel_fallback) {
    warn_once(concat("fallback:", op.name, ":", to_string(device.kind)),
              concat(op.name, "() has no kernel on ", device,
                     " and runs on the CPU; this is slow. Set the flag kernel_fallback to false to "
                     "make it an error."));
    return kCPU;
  }
  raise(ErrorKind::kUnimplemented,
        concat(op.name, "(): there is no kernel on ", device,
               may_fall_back ? ", and the flag kernel_fallback is off" : "",
               ". Kernels of this operator: ", kernel_devices(op)));
}

std::vector<Tensor> on_device(const std::vector<Tensor>& tensors, Device device) {
  std::vector<Tensor> moved;
  moved.reserve(tensors.size());
  for (const Tensor& tensor : tensors) moved.emplace_back(dispatch::on_device(tensor, device));
  return moved;
}

std::vector<Tensor> run_kernel(const OpCall& call, Device device) {
  const OpRecord& op = call.op();
  const auto kernel_text = [&] { return concat("the kernel of ", op.name, "() for ", device); };
  std::vector<Tensor> results;
  try {
    thread_state.site = CallSite::none();  // operators in the kernel have lines of their own
    const OpCall here = call.with_tensors(on_device(call.all_tensors(), device), device);
    results = (*find_kernel(op, device))(here);
  } catch (Error& error) {
    error.add_line("  in " + kernel_text());
    if (call.site().is_native())
      error.add_line("  called at " + describe_site(call.site().intern()));
    throw;
  }
  thread_state.site = call.site();
  const size_t wanted = op.signature.results.size();
  EAGRE_CHECK(results.size() == wanted, kInvalidArgument, kernel_text(), " returned ",
              results.size(), " tensors, but there are ", wanted, " results in ",
              op.signature.text);
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string& name = op.signature.results[i];
    EAGRE_CHECK(results[i].defined(), kInvalidArgument, kernel_text(),
                " returned an undefined tensor as '", name, "'");
    EAGRE_CHECK(results[i].device() == device, kInvalidArgument, kernel_text(), " returned '", name,
                "' on ", results[i].device(), " instead of ", device);
  }
  return on_device(results, call.device());
}

// --- shapes ---

std::vector<TensorMetadata> run_meta(const OpCall& call) {
  const OpRecord& op = call.op();
  if (!op.meta) return {};
  std::vector<TensorMetadata> metadata = op.meta(call);
  thread_state.site = call.site();  // operators that were called meanwhile have taken it away
  EAGRE_CHECK(metadata.size() == op.signature.results.size(), kInvalidArgument, op.name,
              "(): its meta function describes ", metadata.size(), " tensors, but there are ",
              op.signature.results.size(), " results in ", op.signature.text);
  for (const TensorMetadata& meta : metadata) checked_numel(op.name.c_str(), meta.sizes);
  return metadata;
}

std::vector<Tensor> results_without_data(const OpCall& call,
                                         const std::vector<TensorMetadata>& metadata) {
  const OpRecord& op = call.op();
  EAGRE_CHECK(op.meta, kUnimplemented, op.name,
              "(): it has no meta function, so it cannot be called with tensors on the device "
              "'meta'. Hint: register it with meta()");
  std::vector<Tensor> results;
  results.reserve(metadata.size());
  for (const TensorMetadata& meta : metadata) {
    results.emplace_back(TensorBase::adopt(new_tensor(meta.sizes, meta.dtype, kMeta)));
  }
  return results;
}

void compare_with_meta(const OpCall& call, const std::vector<TensorMetadata>& metadata,
                       const std::vector<Tensor>& results) {
  for (size_t i = 0; i < metadata.size(); ++i) {
    const Dims expected = metadata[i].sizes;
    EAGRE_CHECK(results[i].sizes() == expected && results[i].dtype() == metadata[i].dtype,
                kInvalidArgument, call.op().name, "(): kernel and meta function disagree about '",
                call.op().signature.results[i], "': the kernel returned ", results[i].dtype(),
                " of shape ", results[i].sizes(), ", the meta function says ", metadata[i].dtype,
                " of shape ", expected);
  }
}

void look_for_nan(const OpRecord& op, const std::vector<Tensor>& results) {
  if (!dispatch::checking_values.load(std::memory_order_relaxed)) return;
  const dispatch::OpEntry entry{op.name.c_str(), "", op.name.c_str()};
  for (const Tensor& result : results) dispatch::check_values(entry, result.get());
}

// --- the way ---

// The results as numbers, without history.
std::vector<Tensor> compute(const OpCall& call) {
  const OpRecord& op = call.op();
  const NoGradGuard no_grad;
  if (op.check) op.check(call);
  thread_state.site = call.site();
  const std::vector<TensorMetadata> metadata = run_meta(call);
  if (call.device().is_meta()) return results_without_data(call, metadata);
  std::vector<Tensor> results = run_kernel(call, select_device(op, call.device()));
  compare_with_meta(call, metadata, results);
  look_for_nan(op, results);
  return results;
}

// The same where a transform is active. Kernels see values only.
std::vector<Tensor> compute_transformed(const OpCall& call, const std::vector<Tensor>& inputs);

// Every call of a custom operator comes here, from whatever language, with values that fit.
OpResults run(const OpCall& call) {
  const OpRecord& op = call.op();
  const std::vector<Tensor> inputs = call.all_tensors();
  const bool records = !op.has_no_grad && autograd::should_record(TensorList(inputs));
  const bool transforms = autograd::transforms_active();
  std::vector<Tensor> outputs = transforms ? compute_transformed(call, inputs) : compute(call);
  OpResults results = record_call(call, inputs, std::move(outputs), records);
  if (transforms) give_tangents(call, inputs, results.tensors());
  return results;
}

std::vector<Tensor> compute_transformed(const OpCall& call, const std::vector<Tensor>& inputs) {
  autograd::Level* level = autograd::TransformedInputs(TensorList(inputs)).batch_level();
  if (level != nullptr) return run_batch(call, inputs, *level, run);
  const autograd::SeenLevels none(nullptr);
  return compute(call);
}

}  // namespace

const OpRecord& Op::record() const {
  EAGRE_CHECK(record_ != nullptr, kInvalidArgument,
              "the operator is not there: the handle was made by the default constructor, or its "
              "registration failed");
  return *record_;
}

OpResults Op::call_with(std::vector<OpValue> values, CallSite at) const {
  const SiteScope here(at);
  return run(OpCall(record(), std::move(values), at));
}

OpResults Op::call(const std::vector<OpArgument>& arguments, CallSite at) const {
  const SiteScope here(at);
  return call_with(bind(record(), arguments), at);
}

OpResults call_op(std::string_view name, const std::vector<OpArgument>& arguments, CallSite at) {
  const SiteScope here(at);
  return find_op(name).call(arguments, at);
}

void check_types(const Op& op, const std::vector<ArgumentType>& arguments, size_t results) {
  const OpSignature& signature = op.record().signature;
  const auto fits = [](ArgumentType wanted, ArgumentType given) {
    const bool is_number = given == ArgumentType::kInt || given == ArgumentType::kFloat ||
                           given == ArgumentType::kBool;
    return wanted == given || (wanted == ArgumentType::kScalar && is_number) ||
           (wanted == ArgumentType::kFloat && given == ArgumentType::kInt);
  };
  const std::vector<OpParameter>& parameters = signature.parameters;
  bool fit = arguments.size() <= parameters.size() &&
             (results == 0 || results == signature.results.size());
  for (size_t i = 0; fit && i < parameters.size(); ++i) {
    fit = i < arguments.size() ? fits(parameters[i].type, arguments[i]) : parameters[i].has_default;
  }
  if (fit) return;
  std::string text;
  for (const ArgumentType type : arguments) {
    text.append(text.empty() ? "" : ", ").append(to_string(type));
  }
  raise(ErrorKind::kType,
        concat("find_op(\"", op.name(), "\"): the C++ types (", text, ") -> ",
               results == 0 ? "a list" : concat(results, results == 1 ? " tensor" : " tensors"),
               " do not fit the signature ", signature.text));
}

}  // namespace eagre

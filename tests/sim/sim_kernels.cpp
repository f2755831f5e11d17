// Kernels for float32, one of each sort: add (pointwise), repeat (structured), fill (update) and
// cat (a list). Each checks its arguments, puts its work on the stream and returns.
#include "sim_kernels.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include <eagre/dispatch/device_plugin.h>

#include "sim_memory.h"
#include "sim_stream.h"
#include "tests/sim/sim_control.h"

namespace eagre::sim {
namespace {

constexpr int32_t kBadAddress = 3, kKernelFault = 5;

std::atomic<int64_t> call_count{0}, calls_to_fault{0};
std::atomic<KernelFault> every_fault{KernelFault::kNone}, nth_fault{KernelFault::kNone};

KernelFault next_fault() {
  ++call_count;
  if (calls_to_fault.load() > 0) {
    const int64_t left = --calls_to_fault;
    if (left == 0) return nth_fault;
  }
  return every_fault;
}

// A tensor argument that outlives the call.
struct View {
  void* data = nullptr;
  int64_t numel = 0;
  std::vector<int64_t> sizes, strides;

  explicit View(const EagreTensor& tensor)
      : data(tensor.data),
        numel(tensor.numel),
        sizes(tensor.sizes, tensor.sizes + tensor.rank),
        strides(tensor.strides, tensor.strides + tensor.rank) {}

  // Where element `index` is, as an index per dimension.
  std::vector<int64_t> place_of(int64_t index) const {
    std::vector<int64_t> place(sizes.size());
    for (size_t d = sizes.size(); d-- > 0; index /= sizes[d]) place[d] = index % sizes[d];
    return place;
  }
  // The host memory of element `index`, counted in row-major order.
  float* at(int32_t device, int64_t index) const { return at(device, place_of(index)); }
  float* at(int32_t device, const std::vector<int64_t>& index) const {
    int64_t place = 0;
    for (size_t d = 0; d < sizes.size(); ++d) place += index[d] * strides[d];
    return reinterpret_cast<float*>(
        memory_at(device, static_cast<char*>(data) + place * 4, sizeof(float)));
  }
};

float number(const EagreArg& arg) {
  return arg.tag == EAGRE_ARG_FLOATING ? static_cast<float>(arg.value.floating)
                                       : static_cast<float>(arg.value.integer);
}

int32_t refuse(EagreContext* context, const char* why) {
  std::snprintf(context->error, sizeof context->error, "%s on device %d", why, context->device);
  return kKernelFault;
}

// Puts the work on the stream, or does what the ordered fault says.
int32_t launch(EagreContext* context, std::function<int32_t()> work) {
  switch (next_fault()) {
    case KernelFault::kRefuses: return refuse(context, "ordered to fail");
    case KernelFault::kFailsSilently: return kKernelFault;
    case KernelFault::kFailsLater: work = [] { return kKernelFault; }; break;
    case KernelFault::kNone: break;
  }
  static_cast<Stream*>(context->stream)->push(std::move(work));
  return 0;
}

bool is_floats(const EagreTensor& tensor) { return tensor.dtype == EAGRE_FLOAT32; }
bool is_floats(const EagreArg& arg) {
  return arg.tag == EAGRE_ARG_TENSOR && is_floats(arg.value.tensor);
}

int32_t copy_element(float* to, const float* from) {
  if (to == nullptr || from == nullptr) return kBadAddress;
  *to = *from;
  return 0;
}

// add(out, input, other, alpha): out = input + alpha * other.
int32_t add(EagreContext* context, const EagreArg* args, int32_t count) {
  if (count != 4 || !is_floats(args[0]) || !is_floats(args[1])) {
    return refuse(context, "unexpected arguments");
  }
  const View out(args[0].value.tensor), input(args[1].value.tensor);
  const bool has_tensor = args[2].tag == EAGRE_ARG_TENSOR;
  const View other(has_tensor ? args[2].value.tensor : args[1].value.tensor);
  const float constant = has_tensor ? 0 : number(args[2]);
  const float alpha = number(args[3]);
  return launch(context, [=, device = context->device]() -> int32_t {
    for (int64_t i = 0; i < out.numel; ++i) {
      const float* a = input.at(device, i);
      const float* b = has_tensor ? other.at(device, i) : &constant;
      if (a == nullptr || b == nullptr) return kBadAddress;
      const float sum = *a + alpha * *b;
      if (const int32_t code = copy_element(out.at(device, i), &sum)) return code;
    }
    return 0;
  });
}

// repeat(out, input): the input over and over in every dimension.
int32_t repeat(EagreContext* context, const EagreArg* args, int32_t count) {
  if (count != 2 || !is_floats(args[0]) || !is_floats(args[1])) {
    return refuse(context, "unexpected arguments");
  }
  const View out(args[0].value.tensor), input(args[1].value.tensor);
  return launch(context, [=, device = context->device]() -> int32_t {
    const size_t lead = out.sizes.size() - input.sizes.size();
    for (int64_t i = 0; i < out.numel; ++i) {
      const std::vector<int64_t> place = out.place_of(i);
      std::vector<int64_t> from(input.sizes.size());
      for (size_t d = 0; d < from.size(); ++d) from[d] = place[lead + d] % input.sizes[d];
      if (const int32_t code = copy_element(out.at(device, i), input.at(device, from))) return code;
    }
    return 0;
  });
}

// fill(target, value): an update, whose target is what is changed.
int32_t fill(EagreContext* context, const EagreArg* args, int32_t count) {
  if (count != 2 || !is_floats(args[0])) return refuse(context, "unexpected arguments");
  const View target(args[0].value.tensor);
  const float value = number(args[1]);
  return launch(context, [=, device = context->device]() -> int32_t {
    for (int64_t i = 0; i < target.numel; ++i) {
      if (const int32_t code = copy_element(target.at(device, i), &value)) return code;
    }
    return 0;
  });
}

// cat(out, tensors, dim).
int32_t cat(EagreContext* context, const EagreArg* args, int32_t count) {
  if (count != 3 || !is_floats(args[0]) || args[1].tag != EAGRE_ARG_TENSORS) {
    return refuse(context, "unexpected arguments");
  }
  const View out(args[0].value.tensor);
  std::vector<View> inputs;
  for (int64_t i = 0; i < args[1].value.tensors.count; ++i) {
    const EagreTensor& tensor = args[1].value.tensors.values[i];
    if (!is_floats(tensor)) return refuse(context, "unexpected arguments");
    if (tensor.numel != 0) inputs.emplace_back(tensor);
  }
  const auto rank = static_cast<int64_t>(out.sizes.size());
  const int64_t dim = args[2].value.integer;
  const auto along = static_cast<size_t>(dim < 0 ? dim + rank : dim);
  return launch(context, [=, device = context->device]() -> int32_t {
    int64_t start = 0;
    for (const View& input : inputs) {
      for (int64_t i = 0; i < input.numel; ++i) {
        std::vector<int64_t> place = input.place_of(i);
        place[along] += start;
        if (const int32_t code = copy_element(out.at(device, place), input.at(device, i)))
          return code;
      }
      start += input.sizes[along];
    }
    return 0;
  });
}

}  // namespace

int64_t kernel_calls() { return call_count; }
void set_kernel_fault(KernelFault fault) { every_fault = fault; }
void set_nth_kernel_fault(int64_t nth, KernelFault fault) {
  nth_fault = fault;
  calls_to_fault = nth;
}

int32_t register_kernels(const EagreHost* host) {
  const struct {
    const char* op;
    const char* signature;
    EagreKernel kernel;
  } kernels[] = {{"add", "add(Tensor,Tensor|Scalar,Scalar)->Tensor", add},
                 {"repeat", "repeat(Tensor)->Tensor", repeat},
                 {"fill", "fill(Scalar)->Tensor", fill},
                 {"cat_tensors", "cat_tensors(Tensor[],int)->Tensor", cat}};
  int32_t refused = 0;
  for (const auto& [op, signature, kernel] : kernels) {
    refused |= host->register_kernel(host->self, op, EAGRE_FLOAT32, eagre_signature_hash(signature),
                                     kernel);
  }
  return refused;
}

}  // namespace eagre::sim

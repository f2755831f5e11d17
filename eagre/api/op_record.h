// The record of a custom operator, and what its functions are handed: the arguments of one call, by
// name or position, and for derivatives and batches what belongs to them.
#pragma once

#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/op_signature.h>
#include <eagre/base/call_site.h>

namespace eagre {

struct OpRecord;

// An argument or result: its name, or its position.
class OpKey {
 public:
  OpKey(const char* name) : name_(name), is_name_(true) {}       // NOLINT: call.tensor("input")
  OpKey(std::string_view name) : name_(name), is_name_(true) {}  // NOLINT
  template <std::integral T>
  OpKey(T position) : position_(static_cast<int64_t>(position)) {}  // NOLINT: call.tensor(0)

  bool is_name() const { return is_name_; }
  std::string_view name() const { return name_; }
  int64_t position() const { return position_; }

 private:
  std::string_view name_;
  int64_t position_ = 0;
  bool is_name_ = false;
};

// Shape and dtype of a tensor.
struct TensorMetadata {
  DimVector sizes;
  DType dtype = kFloat32;
};
inline TensorMetadata metadata_of(const TensorBase& tensor) {
  return {tensor.sizes(), tensor.dtype()};
}

class OpCall {
 public:
  // One value for each parameter of the operator. Raises where one does not fit.
  EAGRE_API OpCall(const OpRecord& op, std::vector<OpValue> values, CallSite at);

  const OpRecord& op() const { return *op_; }
  CallSite site() const { return at_; }
  // The common device of the tensors, on which the kernel runs; without any the default device.
  Device device() const { return device_; }

  // Is it there, and not None?
  EAGRE_API bool has(OpKey argument) const;
  // Undefined where an optional one was left out.
  EAGRE_API const Tensor& tensor(OpKey argument) const;
  EAGRE_API const std::vector<Tensor>& tensors(OpKey argument) const;
  EAGRE_API int64_t integer(OpKey argument) const;
  EAGRE_API double real(OpKey argument) const;
  EAGRE_API bool boolean(OpKey argument) const;
  EAGRE_API const std::string& text(OpKey argument) const;
  // Of any argument that is a number.
  EAGRE_API Scalar scalar(OpKey argument) const;
  EAGRE_API const std::vector<int64_t>& ints(OpKey argument) const;
  EAGRE_API DType dtype(OpKey argument) const;
  const std::vector<OpValue>& values() const { return values_; }

  // For checks: "my::op(): argument 'scale' must be `expected`, but got `got`. Hint: …"
  [[noreturn]] EAGRE_API void fail(OpKey argument, std::string expected, std::string got,
                                   std::string hint = {}) const;

  // All tensors among the arguments, in order; each of a list counts, those left out are
  // undefined. A gradient, a tangent or a batch dimension belongs to each.
  EAGRE_API std::vector<Tensor> all_tensors() const;
  // Which of all_tensors() belong to an argument: the first one, and how many.
  EAGRE_API std::pair<size_t, size_t> tensor_range(OpKey argument) const;
  // The first one; an error where there is none.
  EAGRE_API size_t tensor_position(OpKey argument) const;
  // The same call with other tensors, perhaps on another device.
  OpCall with_tensors(std::span<const Tensor> tensors) const {
    return with_tensors(tensors, device_);
  }
  EAGRE_API OpCall with_tensors(std::span<const Tensor> tensors, Device device) const;

 protected:
  EAGRE_API size_t argument_index(OpKey argument) const;
  EAGRE_API size_t result_index(OpKey result) const;

 private:
  const OpValue* find(OpKey argument, ArgumentType type) const;
  const OpValue& require(OpKey argument, ArgumentType type) const;

  const OpRecord* op_;
  std::vector<OpValue> values_;
  CallSite at_;
  Device device_;
};

// For the gradient. Of the tensors only those are there that the operator saves.
class GradCall : public OpCall {
 public:
  // The gradient of a result; zeros where none came.
  const Tensor& grad(OpKey result = 0) const { return grads_[result_index(result)]; }
  EAGRE_API const Tensor& tensor(OpKey argument) const;
  EAGRE_API const std::vector<Tensor>& tensors(OpKey argument) const;
  EAGRE_API const Tensor& result(OpKey result = 0) const;
  // Shape and dtype of any tensor argument, saved or not.
  const TensorMetadata& metadata(OpKey argument) const {
    return metadata_[tensor_position(argument)];
  }
  // Is the gradient of this argument wanted by this call of backward?
  bool needs_grad(OpKey argument) const { return needs_[tensor_position(argument)]; }

 private:
  friend class OpNode;
  GradCall(OpCall call, std::vector<Tensor> results, std::vector<Tensor> grads,
           std::vector<bool> needs, const std::vector<TensorMetadata>& metadata)
      : OpCall(std::move(call)),
        results_(std::move(results)),
        grads_(std::move(grads)),
        needs_(std::move(needs)),
        metadata_(metadata) {}
  void check_saved(size_t i, const std::vector<size_t>& saved, const std::string& name) const;

  std::vector<Tensor> results_;
  std::vector<Tensor> grads_;
  std::vector<bool> needs_;
  const std::vector<TensorMetadata>& metadata_;
};

// For forward mode.
class JvpCall : public OpCall {
 public:
  // `tangents`: one for each of all_tensors(), undefined ones are zero.
  JvpCall(OpCall call, std::vector<Tensor> results, std::vector<Tensor> tangents)
      : OpCall(std::move(call)), results_(std::move(results)), tangents_(std::move(tangents)) {}

  const Tensor& tangent(OpKey argument) const { return tangents_[tensor_position(argument)]; }
  const std::vector<Tensor>& tangents() const { return tangents_; }
  const Tensor& result(OpKey result = 0) const { return results_[result_index(result)]; }

 private:
  std::vector<Tensor> results_;
  std::vector<Tensor> tangents_;
};

using BatchDim = std::optional<int64_t>;

// For vmap: the tensors have their batch dimension.
class BatchCall : public OpCall {
 public:
  // `dims`: one for each of all_tensors(), none for those that are the same for all samples.
  BatchCall(OpCall call, std::vector<BatchDim> dims, int64_t size)
      : OpCall(std::move(call)), dims_(std::move(dims)), size_(size) {}

  BatchDim batch_dim(OpKey argument) const { return dims_[tensor_position(argument)]; }
  const std::vector<BatchDim>& batch_dims() const { return dims_; }
  int64_t batch_size() const { return size_; }

 private:
  std::vector<BatchDim> dims_;
  int64_t size_;
};
struct BatchResults {
  OpResults results;
  std::vector<BatchDim> dims;  // one for each result
};

// Everything about one operator; never changes once it is registered.
struct OpRecord {
  using Check = std::function<void(const OpCall&)>;
  using Meta = std::function<std::vector<TensorMetadata>(const OpCall&)>;
  using Kernel = std::function<OpResults(const OpCall&)>;
  using Grad = std::function<OpResults(const GradCall&)>;
  using Jvp = std::function<OpResults(const JvpCall&)>;
  using Batch = std::function<BatchResults(const BatchCall&)>;

  std::string name;  // "my::scaled_add"
  OpSignature signature;
  std::string doc;
  Check check;
  Meta meta;
  std::vector<std::pair<std::string, Kernel>> kernels;  // by the name of the device
  Grad grad;
  bool has_no_grad = false;  // results are constants
  std::vector<size_t> saved_arguments;
  std::vector<size_t> saved_results;
  std::string node_name;
  Jvp jvp;
  Batch batch;
};

}  // namespace eagre

// Pointwise operators from operands to kernels. unary(), binary() and run_three() hold the fast
// path: operands of one dtype and shape, contiguous, on the CPU. Everything else is PointwiseCall,
// device → promotion → kernel → shape → allocation → run.
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/storage.h>
#include <eagre/dispatch/pointwise.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/span.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/promotion.h>
#include <eagre/core/scalar.h>
#include <eagre/core/scalar_type_name.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/check_nan_inf.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/registry.h>
#include <eagre/dispatch/result_strides.h>
#include <eagre/dispatch/trace.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/kernels/cpu/pointwise_walk.h>

namespace eagre::dispatch {
namespace {

using kernels::cpu::PointwiseLoop;
using kernels::cpu::WalkOperand;

// Attributes and numbers as the kernel reads them: 16 bytes apart, of the compute type.
constexpr size_t kScalarStride = 16;
constexpr size_t kMaxInputs = PointwiseOp::kMaxInputs;

// Out of line, and from what is at hand anyway: names are not even loaded unless one is needed.
[[noreturn]] EAGRE_COLD EAGRE_NOINLINE void raise_undefined(const PointwiseOp& op, size_t input) {
  TensorBase().get(op.entry.public_name, op.input_names[input]);
  __builtin_unreachable();
}

EAGRE_INLINE TensorImpl& required(const PointwiseOp& op, size_t input, const TensorBase& tensor) {
  if (!tensor.defined()) [[unlikely]]
    raise_undefined(op, input);
  return *tensor.impl();
}

// What the CPU's kernel for `dtype` computes in.
EAGRE_INLINE DType cpu_dtype(const PointwiseOp& op, DType dtype) {
  return op.entry.native.contains(dtype) ? dtype : cpu_compute_dtype(dtype);
}

EAGRE_INLINE void store_attributes(const PointwiseOp& op, const Scalar* attributes, DType compute,
                                   char* buffer) {
  for (size_t i = 0; i < op.attributes; ++i)
    attributes[i].store(compute, buffer + i * kScalarStride);
}

EAGRE_INLINE DType result_dtype(ResultRule rule, DType compute) {
  switch (rule) {
    case ResultRule::kBool: return kBool;
    case ResultRule::kReal: return real_dtype(compute);
    case ResultRule::kCompute: break;
  }
  return compute;
}

// Only a fraction is lost in integers and bool: as in PyTorch, alpha=1 is fine for bool tensors,
// but alpha=True for nothing else.
EAGRE_INLINE bool attribute_fits(const PointwiseOp& op, const Scalar& attribute, DType compute) {
  if (attribute.category() == DTypeCategory::kInteger) [[likely]]
    return true;
  if (attribute.category() == DTypeCategory::kBool) return compute == kBool || op.wide_numbers;
  if (category(compute) >= attribute.category()) return true;
  return op.whole_numbers && attribute.category() == DTypeCategory::kFloating;
}

EAGRE_INLINE bool attributes_fit(const PointwiseOp& op, const Scalar* attributes, DType compute) {
  for (size_t i = 0; i < op.attributes; ++i) {
    if (!attribute_fits(op, attributes[i], compute)) return false;
  }
  return true;
}

// Room for what the kernel reads besides operands.
struct AttributeBuffer {
  alignas(kScalarStride) char bytes[PointwiseOp::kMaxAttributes * kScalarStride];
};

// The loop for operands that need nothing done to them, with its attributes stored; or null.
// Larger ones take the general path, whose cost does not count there, and which shares the work
// among threads.
EAGRE_INLINE PointwiseLoop fast_loop(const PointwiseOp& op, const TensorImpl& input,
                                     const Scalar* attributes, AttributeBuffer& buffer) {
  const DType dtype = input.key.dtype;
  if (!input.is_small_contiguous() || !input.key.device.is_cpu()) return nullptr;
  Kernel kernel = find_direct_cpu_kernel(op.entry, dtype);
  if (kernel == nullptr) return nullptr;
  for (size_t i = 0; i < op.attributes; ++i) {
    if (!attribute_fits(op, attributes[i], dtype)) return nullptr;
    attributes[i].store(dtype, buffer.bytes + i * kScalarStride);
  }
  return reinterpret_cast<PointwiseLoop>(kernel);
}

EAGRE_INLINE bool same_sizes(const TensorImpl& a, const TensorImpl& b) {
  const int64_t* x = a.sizes_data();
  const int64_t* y = b.sizes_data();
  for (size_t i = 0; i < a.key.rank; ++i) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

EAGRE_INLINE void run_fast(PointwiseLoop loop, const AttributeBuffer& buffer, const TensorImpl& out,
                           int64_t out_item, const TensorImpl& x, const TensorImpl& y) {
  const auto item = static_cast<int64_t>(element_size(x.key.dtype));
  char* const data[] = {out.data(out_item), x.data(item), y.data(item)};
  const int64_t strides[] = {out_item, item, item};
  loop(data, strides, x.numel, buffer.bytes);
}

class PointwiseCall {
 public:
  PointwiseCall(PointwiseOp& op, Span<const Operand> operands, const Scalar* attributes,
                std::optional<DType> compute)
      : op_(op), operands_(operands.data()), count_(operands.size()), attributes_(attributes) {
    CommonDevice device(op.entry.public_name);
    for (size_t i = 0; i < count_; ++i) {
      inputs_[i] = operands[i].is_tensor() ? &required(op, i, operands[i].tensor()) : nullptr;
      if (inputs_[i] == nullptr) continue;
      device.add(*inputs_[i], op.input_names[i]);
      merge_shape(inputs_[i]->sizes());
    }
    device_ = device.get();
    compute_ = compute ? *compute : promoted(operands);
    result_ = result_dtype(op.result, compute_);
    if (!attributes_fit(op, attributes, compute_)) [[unlikely]]
      raise_bad_attribute();
  }

  // Before run(): the result goes there. `copies` will hold those of inputs that lie in its memory.
  PointwiseCall& into(const TensorImpl& target, TensorBase (&copies)[kMaxInputs]) {
    target_ = &target;
    copies_ = copies;
    check_target();
    return *this;
  }
  PointwiseCall& into_out(TensorImpl& out, TensorBase (&copies)[kMaxInputs]) {
    check_out(op_.entry.public_name, out, result_, device_);
    if (!(out.sizes() == shape_)) {
      for (size_t i = 0; i < count_; ++i) {
        if (inputs_[i] != nullptr && inputs_[i]->storage == out.storage) {
          raise_resized_input(op_.entry.public_name, out, shape_);
        }
      }
      fit_out(op_.entry.public_name, out, shape_);
      // What is resized gets the order that a new result would have.
      const DimVector strides = result_strides(shape_, {inputs_, count_});
      set_geometry(out, IntrusivePtr<Storage>::share(out.storage), shape_, strides, out.offset);
    }
    return into(out, copies);
  }

  TensorBase run() {
    // Few dtypes are computed in wider ones, and few of their operands lose anything.
    if (cpu_compute_dtype(compute_) != compute_ && !op_.wide_numbers) [[unlikely]] {
      if (loses_values()) return run_rounded();
    }
    return run_kernel();
  }

 private:
  TensorBase run_kernel() {
    kernel_ = find_kernel(op_.entry, device_.kind, compute_);
    if (kernel_ == nullptr) {
      kernel_ = select_kernel(op_.entry, device_, compute_);
      trace(op_.entry, device_, compute_);
      if (kernel_ == nullptr && !device_.is_meta()) return run_on_cpu();
    } else {
      trace(op_.entry, device_, compute_);
    }
    if (target_ != nullptr && needs_rounding(*target_)) [[unlikely]]
      return run_into_rounded();
    TensorBase result;
    if (target_ == nullptr) result = allocate();
    if (device_.is_meta()) return result;
    const TensorImpl& output = target_ != nullptr ? *target_ : result.get();
    if (output.numel != 0) device_.is_cpu() ? run_loop(output) : run_plugin(output);
    check_values(op_.entry, const_cast<TensorImpl&>(output));
    return result;
  }

  // A kernel that computes in a wider dtype would store what the result's cannot hold: the target
  // gets the rounded result.
  bool needs_rounding(const TensorImpl& target) const {
    return target.key.dtype != result_ && device_.is_cpu() &&
           result_dtype(op_.result, cpu_dtype(op_, compute_)) != result_;
  }

  EAGRE_NOINLINE TensorBase run_into_rounded() {
    const TensorImpl& target = *target_;
    target_ = nullptr;
    copy_into(target, run_kernel());
    return {};
  }

  // Is there an operand that changes when it becomes one of the compute dtype?
  EAGRE_NOINLINE bool loses_values() const {
    if (op_.compute == ComputeRule::kArgument || cpu_dtype(op_, compute_) == compute_) return false;
    for (size_t i = 0; i < count_; ++i) {
      if (is_mask(i)) continue;
      if (inputs_[i] != nullptr ? loses_elements(*inputs_[i])
                                : !is_same(operands_[i].scalar(), rounded(operands_[i].scalar()))) {
        return true;
      }
    }
    for (size_t i = 0; i < op_.attributes; ++i) {
      if (!is_same(attributes_[i], rounded(attributes_[i]))) return true;
    }
    return false;
  }
  // Tensors with dimensions took part in the choice of that: only integers lose something, beside
  // halves.
  bool loses_elements(const TensorImpl& input) const {
    if (input.key.dtype == compute_) return false;
    if (input.key.rank == 0 || op_.compute == ComputeRule::kFirst) return true;
    return is_floating_point(compute_) && category(input.key.dtype) == DTypeCategory::kInteger &&
           element_size(input.key.dtype) > 1;
  }
  Scalar rounded(const Scalar& number) const {
    alignas(kScalarStride) char element[kScalarStride];
    number.store(compute_, element);
    return Scalar::load(compute_, element);
  }
  static bool is_same(const Scalar& number, const Scalar& rounded) {
    return number.category() < DTypeCategory::kFloating &&
                   rounded.category() < DTypeCategory::kFloating
               ? number.wrapped<int64_t>() == rounded.wrapped<int64_t>()
               : number.wrapped<double>() == rounded.wrapped<double>();
  }
  EAGRE_NOINLINE TensorBase run_rounded() {
    TensorBase cast[kMaxInputs];
    Operand inputs[kMaxInputs] = {0, 0, 0};
    for (size_t i = 0; i < count_; ++i) {
      if (inputs_[i] == nullptr) {
        inputs[i] = rounded(operands_[i].scalar());
        continue;
      }
      cast[i] = is_mask(i) ? operand(i) : as_dtype(operand(i), compute_);
      inputs[i] = cast[i];
    }
    Scalar attributes[PointwiseOp::kMaxAttributes];
    for (size_t i = 0; i < op_.attributes; ++i) attributes[i] = rounded(attributes_[i]);
    PointwiseCall call(op_, {inputs, count_}, attributes, compute_);
    call.target_ = target_;  // it was checked
    return call.run_kernel();
  }

  // shape_ looks at the sizes of an input until a real broadcast makes new ones.
  void merge_shape(Dims sizes) {
    if (shape_.empty()) {
      shape_ = sizes;
    } else if (!(shape_ == sizes)) {
      broadcast_ = broadcast_shapes(op_.entry.public_name, shape_, sizes);
      shape_ = broadcast_;
    }
  }

  DType promoted(Span<const Operand> operands) const {
    if (op_.masks != 0) check_masks();
    if (op_.compute == ComputeRule::kFirst) return inputs_[0]->key.dtype;
    DType dtype;
    if (count_ == 2 && op_.masks == 0) {
      dtype = result_type(operands[0], operands[1]);
    } else {
      Promotion promotion;
      for (size_t i = 0; i < count_; ++i) {
        if (!is_mask(i)) promotion.add(operands[i]);
      }
      dtype = promotion.result();
    }
    if (op_.compute == ComputeRule::kPromote || is_differentiable(dtype)) return dtype;
    if (op_.compute == ComputeRule::kPromoteFloat) return default_dtype();
    return dtype == kBool ? kInt64 : dtype;
  }

  const TensorBase& operand(size_t i) const {
    return copies_ != nullptr && copies_[i].defined() ? copies_[i] : operands_[i].tensor();
  }
  bool is_mask(size_t i) const { return (op_.masks >> i & 1) != 0; }

  void check_masks() const {
    for (size_t i = 0; i < count_; ++i) {
      if (!is_mask(i) || inputs_[i]->key.dtype == kBool) continue;
      raise(ErrorKind::kType,
            concat(op_.entry.public_name, "(): argument '", op_.input_names[i],
                   "': ", op_.entry.public_name, " only supports boolean masks, expected ",
                   op_.input_names[i], " to be a boolean tensor, but got a tensor with dtype ",
                   inputs_[i]->key.dtype,
                   ". Hint: compare it with something, or use .to(eagre.bool)"));
    }
  }

  [[noreturn]] EAGRE_COLD void raise_bad_attribute() const {
    size_t i = 0;
    while (attribute_fits(op_, attributes_[i], compute_)) ++i;
    EAGRE_CHECK(attributes_[i].category() != DTypeCategory::kBool, kInvalidArgument,
                op_.entry.public_name, "(): Boolean ", op_.attribute_names[i],
                " only supported for Boolean results. The inputs are ", compute_);
    const bool is_complex_number = attributes_[i].category() == DTypeCategory::kComplex;
    raise(ErrorKind::kInvalidArgument,
          concat(op_.entry.public_name, "(): For ", is_complex_number ? "non-complex" : "integral",
                 " input tensors, argument ", op_.attribute_names[i], " must not be a ",
                 is_complex_number ? "complex" : "floating point", " number. The inputs are ",
                 compute_, ", and '", op_.attribute_names[i], "' is ", text_of(attributes_[i])));
  }

  void check_target() {
    const char* name = op_.entry.public_name;
    const TensorImpl& target = *target_;
    EAGRE_CHECK(target.key.device == device_, kInvalidArgument, name,
                "_(): the tensor it is written ", "to is on ", target.key.device,
                ", but the result is on ", device_, ". Hint: move one of them with .to(device)");
    EAGRE_CHECK(can_cast(category(result_), target.key.dtype), kType, name, "_(): result type ",
                scalar_type_name(result_), " can't be cast to the desired output type ",
                scalar_type_name(target.key.dtype), ": the result is ", result_,
                ", which cannot be stored in the ", target.key.dtype, " tensor it is written to");
    EAGRE_CHECK(shape_ == target.sizes(), kInvalidArgument, name, "_(): output with shape ",
                target.sizes(), " doesn't match the broadcast shape ", shape_,
                ": what is written in place keeps its shape");
    check_written(concat(name, "_").c_str(), target);
    for (size_t i = 0; i < count_; ++i) {
      if (inputs_[i] != nullptr) separate(*inputs_[i], i);
    }
  }

  // The same elements are fine, none in common is fine; anything else would read what was written.
  // As in PyTorch that is an error where both tensors are dense; else the input is copied.
  void separate(const TensorImpl& input, size_t index) {
    const TensorImpl& target = *target_;
    if (&input == &target || input.storage != target.storage) return;
    const bool same_elements =
        input.offset == target.offset && input.key.dtype == target.key.dtype &&
        input.sizes() == target.sizes() && input.strides() == target.strides();
    if (same_elements || input.numel == 0) return;
    const auto extent = [](const TensorImpl& t) {
      int64_t last = t.offset;
      for (size_t i = 0; i < t.sizes().size(); ++i) last += (t.sizes()[i] - 1) * t.strides()[i];
      return last;
    };
    if (extent(input) < target.offset || extent(target) < input.offset) return;
    EAGRE_CHECK(!input.is_dense() || !target.is_dense(), kInvalidArgument, op_.entry.public_name,
                "_(): unsupported operation: some elements of the input tensor and the written-to "
                "tensor refer to a single memory location: argument '",
                op_.input_names[index], "' shares memory with the target. Hint: clone() it first");
    copies_[index] = copy_of(operands_[index].tensor());
    inputs_[index] = &copies_[index].get();
  }

  TensorBase run_on_cpu() {
    TensorBase moved[kMaxInputs];
    Operand inputs[kMaxInputs] = {0, 0, 0};
    for (size_t i = 0; i < count_; ++i) {
      inputs[i] = operands_[i];
      if (inputs_[i] == nullptr) continue;
      moved[i] = on_device(operand(i), Device());
      inputs[i] = moved[i];
    }
    TensorBase result = PointwiseCall(op_, {inputs, count_}, attributes_, compute_).run();
    if (target_ == nullptr) return on_device(result, device_);
    copy_into(*target_, result);
    return {};
  }

  // The first input decides where it has the full shape; the others where it leaves a choice.
  TensorBase allocate() const {
    for (size_t i = 0; i < count_; ++i) {
      const TensorImpl* input = inputs_[i];
      if (input == nullptr || input->key.rank == 0) continue;
      if (input->is_contiguous() && input->sizes() == shape_) [[likely]]
        return allocate_like(*input);
      return allocate_in_order(*input);
    }
    return allocate_contiguous();
  }
  EAGRE_NOINLINE TensorBase allocate_in_order(const TensorImpl& first) const {
    bool same = true, contiguous = true;
    for (size_t i = 0; i < count_; ++i) {
      const TensorImpl* input = inputs_[i];
      if (input == nullptr || input->key.rank == 0) continue;
      contiguous = contiguous && input->is_contiguous();
      same = same && input->sizes() == shape_ && input->strides() == first.strides();
    }
    if (same && first.is_dense()) return allocate_like(first);
    if (contiguous || is_empty()) return allocate_contiguous();
    checked_numel(op_.entry.public_name, shape_);  // strides are such products too
    const DimVector strides = result_strides(shape_, {inputs_, count_});
    return TensorBase::adopt(new_tensor_strided(shape_, strides, result_, device_));
  }
  bool is_empty() const {
    return std::any_of(shape_.begin(), shape_.end(), [](int64_t size) { return size == 0; });
  }
  TensorBase allocate_contiguous() const {
    return TensorBase::adopt(new_tensor(shape_, result_, device_, op_.entry.public_name));
  }
  TensorBase allocate_like(const TensorImpl& model) const {
    // A wider result may not be small, as the model's key says.
    const bool is_alike =
        element_size(result_) <= element_size(model.key.dtype) && model.key.device == device_;
    return TensorBase::adopt(is_alike
                                 ? new_tensor_like(model, result_)
                                 : new_tensor_strided(shape_, model.strides(), result_, device_));
  }

  void run_loop(const TensorImpl& output) const {
    alignas(kScalarStride) char numbers[kMaxInputs * kScalarStride];
    alignas(kScalarStride) char attributes[PointwiseOp::kMaxAttributes * kScalarStride];
    const DType compute = cpu_dtype(op_, compute_);
    store_attributes(op_, attributes_, compute, attributes);
    WalkOperand walk[kMaxInputs + 1];
    walk[0] = WalkOperand(output, result_dtype(op_.result, compute));
    for (size_t i = 0; i < count_; ++i) {
      if (inputs_[i] != nullptr) {
        walk[i + 1] = WalkOperand(*inputs_[i], compute);
      } else {
        operands_[i].scalar().store(compute, numbers + i * kScalarStride);
        walk[i + 1] = WalkOperand(numbers + i * kScalarStride, compute);
      }
    }
    if (op_.masks != 0) {
      for (size_t i = 0; i < count_; ++i) {
        if (is_mask(i)) walk[i + 1].loop = kBool;
      }
    }
    kernels::cpu::walk_pointwise(reinterpret_cast<PointwiseLoop>(kernel_), {walk, count_ + 1},
                                 attributes);
  }

  void run_plugin(const TensorImpl& output) const {
    TensorBase prepared[kMaxInputs];
    DimVector strides[kMaxInputs];
    // A target of another dtype gets the result through a tensor of the result's.
    const TensorBase staged = output.key.dtype == result_
                                  ? TensorBase()
                                  : TensorBase::adopt(new_tensor(shape_, result_, device_));
    PluginArgs args;
    args.add(staged.defined() ? staged.get() : output);
    for (size_t i = 0; i < count_; ++i) {
      if (inputs_[i] == nullptr) {
        args.add(operands_[i].scalar());
        continue;
      }
      prepared[i] = as_dtype(on_device(operand(i), device_), is_mask(i) ? kBool : compute_);
      const TensorImpl& input = prepared[i].get();
      strides[i] = broadcast_strides(input);
      args.add_view(input, shape_, strides[i]);
    }
    for (size_t i = 0; i < op_.attributes; ++i) args.add(attributes_[i]);
    args.call(op_.entry, device_, kernel_);
    if (staged.defined()) copy_into(output, staged);
  }

  DimVector broadcast_strides(const TensorImpl& input) const {
    DimVector strides(shape_.size());
    const size_t lead = shape_.size() - input.sizes().size();
    for (size_t i = 0; i < input.sizes().size(); ++i) {
      strides[lead + i] = input.sizes()[i] == 1 ? 0 : input.strides()[i];
    }
    return strides;
  }

  PointwiseOp& op_;
  const Operand* operands_;
  size_t count_;
  const Scalar* attributes_;
  const TensorImpl* target_ = nullptr;
  const TensorImpl* inputs_[kMaxInputs];  // null where the operand is a number
  TensorBase* copies_ = nullptr;          // of inputs that lie in the memory of the target
  Device device_;
  DType compute_;
  DType result_;
  Dims shape_;
  DimVector broadcast_;
  Kernel kernel_ = nullptr;
};

// Out of line, or its large frame would burden the fast paths below.
EAGRE_NOINLINE TensorBase run_general(PointwiseOp& op, Span<const Operand> operands,
                                      const Scalar* attributes, std::optional<DType> compute) {
  return PointwiseCall(op, operands, attributes, compute).run();
}

template <ResultRule kRule>
EAGRE_INLINE TensorBase run_unary(PointwiseOp& op, const TensorBase& input,
                                  const Scalar* attributes, std::optional<DType> compute) {
  const TensorImpl& x = required(op, 0, input);
  if (!compute) {
    AttributeBuffer buffer;
    if (PointwiseLoop loop = fast_loop(op, x, attributes, buffer)) [[likely]] {
      const DType result = result_dtype(kRule, x.key.dtype);
      TensorImpl* out = new_tensor_like(x, result);
      run_fast(loop, buffer, *out, static_cast<int64_t>(element_size(result)), x, x);
      return TensorBase::adopt(out);
    }
  }
  const Operand operands[] = {input};
  return run_general(op, operands, attributes, compute);
}

template <ResultRule kRule>
EAGRE_INLINE TensorBase run_binary(PointwiseOp& op, const TensorBase& input, const Operand& other,
                                   const Scalar* attributes) {
  const TensorImpl& x = required(op, 0, input);
  if (other.is_tensor()) {
    const TensorImpl& y = required(op, 1, other.tensor());
    if (x.key.bits() == y.key.bits() && same_sizes(x, y)) [[likely]] {
      AttributeBuffer buffer;
      if (PointwiseLoop loop = fast_loop(op, x, attributes, buffer)) [[likely]] {
        const DType result = result_dtype(kRule, x.key.dtype);
        TensorImpl* out = new_tensor_like(x, result);
        run_fast(loop, buffer, *out, static_cast<int64_t>(element_size(result)), x, y);
        return TensorBase::adopt(out);
      }
    }
  }
  const Operand operands[] = {input, other};
  return run_general(op, operands, attributes, {});
}

}  // namespace

TensorBase unary(PointwiseOp& op, const TensorBase& input, const Scalar* attributes,
                 std::optional<DType> compute) {
  return run_unary<ResultRule::kCompute>(op, input, attributes, compute);
}
TensorBase unary_bool(PointwiseOp& op, const TensorBase& input, const Scalar* attributes) {
  return run_unary<ResultRule::kBool>(op, input, attributes, {});
}
TensorBase unary_real(PointwiseOp& op, const TensorBase& input, const Scalar* attributes) {
  return run_unary<ResultRule::kReal>(op, input, attributes, {});
}
TensorBase binary(PointwiseOp& op, const TensorBase& input, const Operand& other,
                  const Scalar* attributes) {
  return run_binary<ResultRule::kCompute>(op, input, other, attributes);
}
TensorBase binary_bool(PointwiseOp& op, const TensorBase& input, const Operand& other,
                       const Scalar* attributes) {
  return run_binary<ResultRule::kBool>(op, input, other, attributes);
}

namespace {

// Is this an operand as `model` is one, or a mask for it?
EAGRE_INLINE bool is_alike(const PointwiseOp& op, size_t i, const TensorImpl& input,
                           const TensorImpl& model) {
  if ((op.masks >> i & 1) == 0) {
    return input.key.bits() == model.key.bits() && same_sizes(input, model);
  }
  return input.key.dtype == kBool && input.is_small_contiguous() && input.key.device.is_cpu() &&
         input.key.rank == model.key.rank && same_sizes(input, model);
}

// Three operands, all of them tensors; undefined if one of them needs something done to it.
TensorBase run_three(const PointwiseOp& op, const Operand* operands, const Scalar* attributes) {
  const TensorImpl* inputs[3];
  for (size_t i = 0; i < 3; ++i) {
    if (!operands[i].is_tensor()) return {};
    inputs[i] = &required(op, i, operands[i].tensor());
  }
  const TensorImpl& model = *inputs[2];
  if (!is_alike(op, 0, *inputs[0], model) || !is_alike(op, 1, *inputs[1], model)) return {};
  AttributeBuffer buffer;
  PointwiseLoop loop = fast_loop(op, model, attributes, buffer);
  if (loop == nullptr) return {};
  const DType result = result_dtype(op.result, model.key.dtype);
  TensorImpl* out = new_tensor_like(model, result);
  int64_t strides[4] = {static_cast<int64_t>(element_size(result))};
  char* data[4] = {out->data(strides[0])};
  for (size_t i = 0; i < 3; ++i) {
    strides[i + 1] = static_cast<int64_t>(element_size(inputs[i]->key.dtype));
    data[i + 1] = inputs[i]->data(strides[i + 1]);
  }
  loop(data, strides, model.numel, buffer.bytes);
  return TensorBase::adopt(out);
}

}  // namespace

TensorBase pointwise(PointwiseOp& op, Span<const Operand> operands, const Scalar* attributes,
                     std::optional<DType> compute, const TensorBase* target) {
  if (operands.size() == 3 && target == nullptr && !compute) {
    TensorBase result = run_three(op, operands.data(), attributes);
    if (result.defined()) return result;
  }
  PointwiseCall call(op, operands, attributes, compute);
  if (target == nullptr) return call.run();
  TensorBase copies[PointwiseOp::kMaxInputs];
  return call.into(target->get(), copies).run();
}

void pointwise_out(PointwiseOp& op, Span<const Operand> operands, const Scalar* attributes,
                   std::optional<DType> compute, const TensorBase& out) {
  TensorBase copies[PointwiseOp::kMaxInputs];
  PointwiseCall(op, operands, attributes, compute)
      .into_out(out.get(op.entry.public_name, "out"), copies)
      .run();
}

void unary_inplace(PointwiseOp& op, const TensorBase& self, const Scalar* attributes) {
  EAGRE_CHECK(op.result != ResultRule::kReal || !is_complex(required(op, 0, self).key.dtype),
              kInvalidArgument, op.entry.public_name, "_(): In-place ", op.entry.public_name,
              " is not supported for complex tensors, as its result is real");
  const Operand operands[] = {self};
  pointwise(op, operands, attributes, {}, &self);
}

namespace {

// In place, if both are plain and alike.
EAGRE_INLINE bool run_fast_inplace(const PointwiseOp& op, const TensorImpl& x, const Operand& other,
                                   const Scalar* attributes) {
  if (!other.is_tensor()) return false;
  const TensorImpl& y = required(op, 1, other.tensor());
  const bool no_overlap = (&x == &y || x.storage != y.storage) && !x.has(TensorImpl::kInference);
  if (x.key.bits() != y.key.bits() || !no_overlap || !same_sizes(x, y)) return false;
  AttributeBuffer buffer;
  PointwiseLoop loop = fast_loop(op, x, attributes, buffer);
  if (loop == nullptr || op.result != ResultRule::kCompute) return false;
  run_fast(loop, buffer, x, static_cast<int64_t>(element_size(x.key.dtype)), x, y);
  return true;
}

// The same for operands that are too large for the fast path.
EAGRE_NOINLINE bool reuse_large(PointwiseOp& op, const TensorBase& input, const Operand& other,
                                const Scalar* attributes) {
  const TensorImpl& x = input.get();
  if (!other.is_tensor() || !x.is_contiguous() || !x.key.device.is_cpu()) return false;
  const TensorImpl& y = other.tensor().get();
  if (x.key.bits() != y.key.bits() || x.storage == y.storage || !same_sizes(x, y) ||
      find_direct_cpu_kernel(op.entry, x.key.dtype) == nullptr ||
      !attributes_fit(op, attributes, x.key.dtype)) {
    return false;
  }
  const Operand operands[] = {input, other};
  pointwise(op, operands, attributes, {}, &input);
  return true;
}

}  // namespace

void binary_inplace(PointwiseOp& op, const TensorBase& self, const Operand& other,
                    const Scalar* attributes) {
  const TensorImpl& x = required(op, 0, self);
  if (run_fast_inplace(op, x, other, attributes)) [[likely]]
    return;
  const Operand operands[] = {self, other};
  pointwise(op, operands, attributes, {}, &self);
}

bool binary_reusing(PointwiseOp& op, const TensorBase& input, const Operand& other,
                    const Scalar* attributes) {
  const TensorImpl& x = required(op, 0, input);
  if (!x.is_temporary()) return false;
  if (run_fast_inplace(op, x, other, attributes)) [[likely]]
    return true;
  return !x.is_small_contiguous() && reuse_large(op, input, other, attributes);
}

}  // namespace eagre::dispatch

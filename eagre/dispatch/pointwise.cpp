// Pointwise operators from operands to kernels. unary() and binary() hold the fast path: operands of
// one dtype and shape, contiguous, on the CPU. Everything else is PointwiseCall, in the order of
// DESIGN §1: device → promotion → kernel → shape → allocation → run.
#include <eagre/dispatch/pointwise.h>

#include <algorithm>

#include <eagre/core/promotion.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/kernels/cpu/pointwise_walk.h>

namespace eagre::dispatch {
namespace {

using kernels::cpu::PointwiseLoop;
using kernels::cpu::WalkOperand;

// Attributes and numbers as the kernel reads them: 16 bytes apart, of the compute type.
constexpr size_t kSlot = 16;
constexpr size_t kMaxInputs = 3;

void store_attributes(const PointwiseOp& op, const Scalar* attributes, DType compute, char* slots) {
  for (size_t i = 0; i < op.attributes; ++i) attributes[i].store(compute, slots + i * kSlot);
}

bool attributes_fit(const PointwiseOp& op, const Scalar* attributes, DType compute) {
  for (size_t i = 0; i < op.attributes; ++i) {
    if (!can_cast(attributes[i].category(), compute)) return false;
  }
  return true;
}

// The loop for operands that need nothing done to them, or null.
EAGRE_INLINE PointwiseLoop fast_loop(const PointwiseOp& op, const TensorImpl& input,
                                     const Scalar* attributes) {
  if (!input.is_contiguous() || !input.key.device.is_cpu()) return nullptr;
  Kernel kernel = find_kernel(op.entry, DeviceKind::kCpu, input.key.dtype);
  if (kernel == nullptr || !attributes_fit(op, attributes, input.key.dtype)) return nullptr;
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

class PointwiseCall {
 public:
  PointwiseCall(PointwiseOp& op, const Operand* operands, size_t count, const Scalar* attributes,
                std::optional<DType> compute, const TensorImpl* target)
      : op_(op),
        operands_(operands),
        count_(count),
        attributes_(attributes),
        target_(target),
        device_(find_device()),
        compute_(find_compute(compute)) {
    check_attributes();
    find_shape();
    if (target_ != nullptr) check_target();
  }

  TensorBase run() {
    kernel_ = select_kernel(op_.entry, device_, compute_);
    if (kernel_ == nullptr) return run_on_cpu();
    TensorBase result = target_ != nullptr ? TensorBase() : allocate();
    run_into(target_ != nullptr ? *target_ : result.get());
    return result;
  }

 private:
  Device find_device() const {
    CommonDevice device(op_.entry.name);
    for (size_t i = 0; i < count_; ++i) {
      if (operands_[i].is_tensor()) device.add(operands_[i].tensor().get(), op_.input_names[i]);
    }
    return device.get();
  }

  DType find_compute(std::optional<DType> given) const {
    if (given) return *given;
    Promotion promotion;
    for (size_t i = 0; i < count_; ++i) promotion.add(operands_[i]);
    const DType promoted = promotion.result();
    const bool to_float = op_.compute == ComputeRule::kPromoteFloat && !is_floating_point(promoted);
    return to_float ? default_dtype() : promoted;
  }

  void check_attributes() const {
    for (size_t i = 0; i < op_.attributes; ++i) {
      if (can_cast(attributes_[i].category(), compute_)) continue;
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op_.entry.name, op_.attribute_names[i],
                            concat("a number that ", compute_, " can hold, as the inputs are"),
                            attributes_[i].category() == DTypeCategory::kFloating
                                ? concat("the floating-point number ", attributes_[i].to<double>())
                                : concat("the integer ", attributes_[i].to<int64_t>())});
    }
  }

  void find_shape() {
    for (size_t i = 0; i < count_; ++i) {
      if (!operands_[i].is_tensor()) continue;
      const Dims sizes = operands_[i].tensor().sizes();
      shape_ = i == 0 ? DimVector(sizes) : broadcast_shapes(op_.entry.name, shape_, sizes);
    }
  }

  void check_target() const {
    const char* name = op_.entry.name;
    const TensorImpl& target = *target_;
    EAGRE_CHECK(can_cast(category(compute_), target.key.dtype), kInvalidArgument, name,
                "_(): the result is ", compute_, ", which cannot be stored in the ",
                target.key.dtype, " tensor it is written to");
    EAGRE_CHECK(Dims(shape_) == target.sizes(), kInvalidArgument, name, "_(): the result has shape ",
                Dims(shape_), ", but the tensor it is written to has shape ", target.sizes());
    for (size_t i = 0; i < target.sizes().size(); ++i) {
      EAGRE_CHECK(target.strides()[i] != 0 || target.sizes()[i] <= 1, kInvalidArgument, name,
                  "_(): several elements of the tensor share one place in memory (it was expanded), "
                  "so it cannot be written in place. Hint: clone() it first");
    }
    for (size_t i = 0; i < count_; ++i) {
      if (operands_[i].is_tensor()) check_overlap(operands_[i].tensor().get(), i);
    }
  }

  // The same elements are fine, none in common is fine; anything else would read what was written.
  void check_overlap(const TensorImpl& input, size_t index) const {
    const TensorImpl& target = *target_;
    if (&input == &target || input.storage != target.storage) return;
    const bool same_elements = input.offset == target.offset &&
                               input.key.dtype == target.key.dtype &&
                               input.sizes() == target.sizes() && input.strides() == target.strides();
    if (same_elements || input.numel == 0) return;
    const auto extent = [](const TensorImpl& t) {
      int64_t last = t.offset;
      for (size_t i = 0; i < t.sizes().size(); ++i) last += (t.sizes()[i] - 1) * t.strides()[i];
      return last;
    };
    EAGRE_CHECK(extent(input) < target.offset || extent(target) < input.offset, kInvalidArgument,
                op_.entry.name, "_(): argument '", op_.input_names[index],
                "' shares some of its memory with the tensor that is written. Hint: clone() it first");
  }

  TensorBase run_on_cpu() {
    TensorBase moved[kMaxInputs];
    Operand inputs[kMaxInputs] = {0, 0, 0};
    for (size_t i = 0; i < count_; ++i) {
      inputs[i] = operands_[i];
      if (!operands_[i].is_tensor()) continue;
      moved[i] = on_device(operands_[i].tensor(), Device());
      inputs[i] = moved[i];
    }
    TensorBase result =
        PointwiseCall(op_, inputs, count_, attributes_, compute_, nullptr).run();
    if (target_ == nullptr) return on_device(result, device_);
    copy_into(*target_, result);
    return {};
  }

  // Row-major, unless all tensors that have the full shape agree on another dense order.
  TensorBase allocate() const {
    const TensorImpl* model = nullptr;
    bool agree = true;
    for (size_t i = 0; i < count_; ++i) {
      if (!operands_[i].is_tensor()) continue;
      const TensorImpl& input = operands_[i].tensor().get();
      if (input.key.rank == 0 && !shape_.empty()) continue;
      if (model == nullptr) model = &input;
      agree &= input.is_dense() && input.sizes() == Dims(shape_) && input.strides() == model->strides();
    }
    const bool keeps = agree && model != nullptr && !model->is_contiguous();
    return TensorBase::adopt(keeps ? new_tensor_strided(shape_, model->strides(), compute_, device_)
                                   : new_tensor(shape_, compute_, device_));
  }

  void run_into(const TensorImpl& output) const {
    if (output.numel == 0) return;
    if (device_.is_cpu()) {
      run_loop(output);
    } else {
      run_plugin(output);
    }
  }

  void run_loop(const TensorImpl& output) const {
    alignas(kSlot) char numbers[kMaxInputs * kSlot];
    alignas(kSlot) char attributes[PointwiseOp::kMaxAttributes * kSlot];
    store_attributes(op_, attributes_, compute_, attributes);
    WalkOperand walk[kMaxInputs + 1];
    walk[0] = {static_cast<char*>(output.data()), output.key.dtype, output.sizes(),
               output.strides()};
    for (size_t i = 0; i < count_; ++i) {
      if (operands_[i].is_tensor()) {
        const TensorImpl& input = operands_[i].tensor().get();
        walk[i + 1] = {static_cast<char*>(input.data()), input.key.dtype, input.sizes(),
                       input.strides()};
      } else {
        operands_[i].scalar().store(compute_, numbers + i * kSlot);
        walk[i + 1] = {numbers + i * kSlot, compute_, {}, {}};
      }
    }
    kernels::cpu::walk_pointwise(reinterpret_cast<PointwiseLoop>(kernel_), compute_,
                                 {walk, count_ + 1}, attributes);
  }

  void run_plugin(const TensorImpl& output) const {
    TensorBase prepared[kMaxInputs];
    DimVector strides[kMaxInputs];
    // A target of another dtype gets the result through a tensor of the compute dtype.
    const TensorBase staged = output.key.dtype == compute_
                                  ? TensorBase()
                                  : TensorBase::adopt(new_tensor(shape_, compute_, device_));
    PluginArgs args;
    args.add(staged.defined() ? staged.get() : output);
    for (size_t i = 0; i < count_; ++i) {
      if (!operands_[i].is_tensor()) {
        args.add(operands_[i].scalar());
        continue;
      }
      prepared[i] = as_dtype(on_device(operands_[i].tensor(), device_), compute_);
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
  const TensorImpl* target_;
  Device device_;
  DType compute_;
  DimVector shape_;
  Kernel kernel_ = nullptr;
};

}  // namespace

TensorBase unary(PointwiseOp& op, const TensorBase& input, const Scalar* attributes,
                 std::optional<DType> compute) {
  const TensorImpl& x = input.get();
  if (!compute) {
    if (PointwiseLoop loop = fast_loop(op, x, attributes)) [[likely]] {
      alignas(kSlot) char slots[PointwiseOp::kMaxAttributes * kSlot];
      store_attributes(op, attributes, x.key.dtype, slots);
      TensorImpl* out = new_tensor_like(x, x.key.dtype);
      char* const data[] = {static_cast<char*>(out->data()), static_cast<char*>(x.data())};
      const auto step = static_cast<int64_t>(element_size(x.key.dtype));
      const int64_t strides[] = {step, step};
      loop(data, strides, x.numel, slots);
      return TensorBase::adopt(out);
    }
  }
  const Operand operands[] = {input};
  return PointwiseCall(op, operands, 1, attributes, compute, nullptr).run();
}

TensorBase binary(PointwiseOp& op, const TensorBase& input, const Operand& other,
                  const Scalar* attributes) {
  const TensorImpl& x = input.get();
  if (other.is_tensor()) {
    const TensorImpl& y = other.tensor().get();
    if (x.key.bits() == y.key.bits() && same_sizes(x, y)) [[likely]] {
      if (PointwiseLoop loop = fast_loop(op, x, attributes)) [[likely]] {
        alignas(kSlot) char slots[PointwiseOp::kMaxAttributes * kSlot];
        store_attributes(op, attributes, x.key.dtype, slots);
        TensorImpl* out = new_tensor_like(x, x.key.dtype);
        char* const data[] = {static_cast<char*>(out->data()), static_cast<char*>(x.data()),
                              static_cast<char*>(y.data())};
        const auto step = static_cast<int64_t>(element_size(x.key.dtype));
        const int64_t strides[] = {step, step, step};
        loop(data, strides, x.numel, slots);
        return TensorBase::adopt(out);
      }
    }
  }
  const Operand operands[] = {input, other};
  return PointwiseCall(op, operands, 2, attributes, {}, nullptr).run();
}

void unary_inplace(PointwiseOp& op, const TensorBase& self, const Scalar* attributes) {
  const Operand operands[] = {self};
  PointwiseCall(op, operands, 1, attributes, {}, &self.get()).run();
}

void binary_inplace(PointwiseOp& op, const TensorBase& self, const Operand& other,
                    const Scalar* attributes) {
  const TensorImpl& x = self.get();
  if (other.is_tensor()) {
    const TensorImpl& y = other.tensor().get();
    const bool apart = &x == &y || x.storage != y.storage;
    if (x.key.bits() == y.key.bits() && apart && same_sizes(x, y)) [[likely]] {
      if (PointwiseLoop loop = fast_loop(op, x, attributes)) [[likely]] {
        alignas(kSlot) char slots[PointwiseOp::kMaxAttributes * kSlot];
        store_attributes(op, attributes, x.key.dtype, slots);
        char* const data[] = {static_cast<char*>(x.data()), static_cast<char*>(x.data()),
                              static_cast<char*>(y.data())};
        const auto step = static_cast<int64_t>(element_size(x.key.dtype));
        const int64_t strides[] = {step, step, step};
        loop(data, strides, x.numel, slots);
        return;
      }
    }
  }
  const Operand operands[] = {self, other};
  PointwiseCall(op, operands, 2, attributes, {}, &x).run();
}

}  // namespace eagre::dispatch

// Derivatives of one function in three ways.
#include <eagre/api/gradcheck_case.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/forward_ad.h>
#include <eagre/api/functional.h>
#include <eagre/api/functions.h>
#include <eagre/api/gradcheck_options.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>

namespace eagre::autograd {

using functional::TensorFunction;
using functional::Tensors;

void fail_gradcheck(const std::string& message) { throw GradcheckError(message); }

Tensor parts_of(const Tensor& tensor) {
  const Tensor plain = tensor.detach().contiguous().reshape({-1});
  if (!is_complex(tensor.dtype())) return plain.to(kFloat64);
  return view_as_real(plain).to(kFloat64).reshape({-1});
}

Tensor from_parts(const Tensor& parts, const Tensor& model) {
  if (!is_complex(model.dtype())) return parts.to(model.dtype()).reshape(model.sizes());
  return view_as_complex(parts.reshape({-1, 2})).to(model.dtype()).reshape(model.sizes());
}

int64_t part_count(const Tensor& tensor) {
  return tensor.numel() * (is_complex(tensor.dtype()) ? 2 : 1);
}

Tensor unit_parts(const Tensor& model, int64_t part) {
  const Tensor parts = zeros({part_count(model)}, kFloat64);
  parts.select(0, part).fill_(1);
  return parts;
}

GradcheckCase::GradcheckCase(const TensorFunction& function, const Tensors& inputs,
                             const GradcheckOptions& options, CallSite at)
    : function_(function), inputs_(inputs), options_(options), at_(at) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, "gradcheck(): input ", i, " is undefined");
    if (inputs[i].requires_grad()) add_varied(i);
  }
  EAGRE_CHECK(!varied_.empty(), kInvalidArgument,
              "gradcheck expects at least one input tensor to require gradient, but none of "
              "them have requires_grad=True.");
  outputs_ = function_(inputs_);
  for (size_t i = 0; i < outputs_.size(); ++i) {
    EAGRE_CHECK(outputs_[i].defined(), kInvalidArgument, "gradcheck(): output ", i,
                " of the function is undefined");
  }
}

void GradcheckCase::add_varied(size_t i) {
  const Tensor& input = inputs_[i];
  if (input.dtype() != kFloat64 && input.dtype() != kComplex128) {
    warn(concat("gradcheck(): input ", i,
                " requires gradient and is not a double precision "
                "floating point or complex, but ",
                input.dtype(), ". This check will likely fail"));
  }
  for (size_t d = 0; d < input.sizes().size(); ++d) {
    EAGRE_CHECK(input.strides()[d] != 0 || input.sizes()[d] <= 1, kInvalidArgument,
                "gradcheck(): input ", i,
                " has a dimension with stride 0: elements that share "
                "memory cannot be varied one by one. Hint: clone() it");
  }
  numbers_.push_back(i);
  varied_.push_back(input);
}

// The inputs of the function, these being the varied ones.
Tensors GradcheckCase::with(const Tensors& varied) const {
  Tensors inputs = inputs_;
  for (size_t v = 0; v < varied.size(); ++v) inputs[numbers_[v]] = varied[v];
  return inputs;
}

namespace {

// Other values in a tensor, for a while. Nobody is told: graphs that have saved the tensor run when
// it has its own values again.
class OtherValues {
 public:
  OtherValues(const Tensor& tensor, const Tensor& values)
      : memory_(variable_data(tensor)), before_(tensor.detach().clone()) {
    memory_.copy_(values);
  }
  ~OtherValues() { memory_.copy_(before_); }
  OtherValues(const OtherValues&) = delete;
  OtherValues& operator=(const OtherValues&) = delete;

 private:
  Tensor memory_, before_;
};

}  // namespace

// The outputs after every varied input moved by `step` along its direction. It moves in place: the
// function may reach it in other ways than by its arguments.
Tensors GradcheckCase::moved(const Tensors& directions, double step) const {
  std::vector<std::unique_ptr<OtherValues>> others;
  for (size_t v = 0; v < varied_.size(); ++v) {
    if (!directions[v].defined()) continue;
    const Tensor parts = parts_of(varied_[v]) + directions[v] * step;
    others.push_back(std::make_unique<OtherValues>(varied_[v], from_parts(parts, varied_[v])));
  }
  Tensors results = function_(inputs_);
  EAGRE_CHECK(results.size() == outputs_.size(), kInvalidArgument,
              "gradcheck(): Expected the function to return as many outputs when inputs are "
              "perturbed");
  for (size_t o = 0; o < results.size(); ++o) {
    EAGRE_CHECK(results[o].sizes() == outputs_[o].sizes(), kInvalidArgument,
                "gradcheck(): Expected the function to return outputs with the same shape when "
                "inputs are perturbed, but output ",
                o, " has shape ", results[o].sizes(), " and had ", outputs_[o].sizes());
    EAGRE_CHECK(results[o].dtype() == outputs_[o].dtype(), kInvalidArgument,
                "gradcheck(): Expected the function to return outputs with the same dtype when "
                "inputs are perturbed, but output ",
                o, " is ", results[o].dtype(), " and was ", outputs_[o].dtype());
    results[o] = results[o].detach().clone();  // it may be a view of an input
  }
  return results;
}

Tensor GradcheckCase::difference(size_t o, const Tensors& directions) const {
  const Tensor after = parts_of(moved(directions, options_.eps)[o]);
  return (after - parts_of(moved(directions, -options_.eps)[o])) / (2 * options_.eps);
}

Tensors GradcheckCase::row(size_t o, const Tensor& weight) const {
  Tensors result;
  if (!outputs_[o].requires_grad()) {
    for (const Tensor& input : varied_) result.push_back(zeros({part_count(input)}, kFloat64));
    return result;
  }
  const Tensors found = grad({outputs_[o]}, varied_, {weight}, true, false, true, false, {}, at_);
  for (size_t v = 0; v < varied_.size(); ++v) {
    if (!found[v].defined()) {
      result.push_back(zeros({part_count(varied_[v])}, kFloat64));
      continue;
    }
    if (found[v].sizes() != varied_[v].sizes()) {
      fail_gradcheck(concat("gradcheck(): the gradient of input ", numbers_[v], " has shape ",
                            found[v].sizes(), ", but the input ", varied_[v].sizes()));
    }
    if (options_.check_grad_dtypes && found[v].dtype() != varied_[v].dtype()) {
      fail_gradcheck(concat("gradcheck(): the gradient of input ", numbers_[v], " is ",
                            found[v].dtype(), ", but the input ", varied_[v].dtype()));
    }
    result.push_back(parts_of(found[v]));
  }
  return result;
}

Tensors GradcheckCase::tangents(const Tensors& directions) const {
  const forward_ad::DualLevel dual;
  Tensors varied = varied_;
  for (size_t v = 0; v < varied.size(); ++v) {
    if (!directions[v].defined()) continue;
    // A copy: a function that writes in place writes the tangent, too.
    varied[v] = forward_ad::make_dual(varied[v], directions[v].clone());
  }
  Tensors result = function_(with(varied));
  for (size_t o = 0; o < result.size(); ++o) {
    const auto [value, tangent] = forward_ad::unpack_dual(result[o], dual.level());
    const SeenLevels outside(dual.level().outer());
    if (!has_derivative(o)) {
      result[o] = Tensor();
    } else {
      result[o] = (tangent.defined() ? tangent : zeros_like(outputs_[o])).detach();
    }
  }
  return result;
}

Tensors GradcheckCase::zero_tangents() const {
  Tensors zeros;
  for (const Tensor& input : varied_) zeros.push_back(zeros_like(input.detach()));
  return zeros;
}

Tensor GradcheckCase::numerical(size_t o, size_t v) const {
  Tensors columns;
  for (int64_t part = 0; part < part_count(varied_[v]); ++part) {
    Tensors directions(varied_.size());
    directions[v] = unit_parts(varied_[v], part);
    columns.push_back(difference(o, directions));
  }
  if (columns.empty()) return zeros({part_count(outputs_[o]), 0}, kFloat64);
  return stack(columns, 1);
}

Tensors GradcheckCase::by_backward(size_t o) const {
  const int64_t count = part_count(outputs_[o]);
  std::vector<Tensors> rows(varied_.size());
  for (int64_t part = 0; part < count; ++part) {
    const Tensors parts = row(o, from_parts(unit_parts(outputs_[o], part), outputs_[o]));
    for (size_t v = 0; v < parts.size(); ++v) rows[v].push_back(parts[v]);
  }
  Tensors result;
  for (size_t v = 0; v < varied_.size(); ++v) {
    result.push_back(rows[v].empty() ? zeros({count, part_count(varied_[v])}, kFloat64)
                                     : stack(rows[v], 0));
  }
  return result;
}

Tensors GradcheckCase::by_forward(size_t v) const {
  std::vector<Tensors> columns(outputs_.size());
  const int64_t count = part_count(varied_[v]);
  for (int64_t part = 0; part < count; ++part) {
    Tensors directions = zero_tangents();
    directions[v] = from_parts(unit_parts(varied_[v], part), varied_[v]);
    const Tensors found = tangents(directions);
    for (size_t o = 0; o < found.size(); ++o) {
      if (found[o].defined()) columns[o].push_back(parts_of(found[o]));
    }
  }
  Tensors result;
  for (size_t o = 0; o < outputs_.size(); ++o) {
    result.push_back(columns[o].empty() ? zeros({part_count(outputs_[o]), count}, kFloat64)
                                        : stack(columns[o], 1));
  }
  return result;
}

}  // namespace eagre::autograd

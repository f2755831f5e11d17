// Products with Jacobians and Hessians by one, two or three backward calls.
#include <eagre/api/functional.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/func.h>
#include <eagre/api/functions.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/shape.h>

namespace eagre::autograd::functional {
namespace {

// One call of a function of this file: its name, for messages, and what was asked for.
class Derivative {
 public:
  Derivative(const char* name, Options options, CallSite at)
      : name_(name), options_(options), at_(at) {}

  // The inputs as the function sees them: their own leaves, unless the graph shall reach further.
  Tensors own(const Tensors& inputs) const {
    Tensors result;
    result.reserve(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, name_, "(): input ", i, " is undefined");
      const bool goes_on = options_.create_graph && inputs[i].requires_grad();
      result.push_back(goes_on ? inputs[i].view_as(inputs[i])
                               : Tensor(without_history(inputs[i])).requires_grad_());
    }
    return result;
  }

  Tensors call(const TensorFunction& function, const Tensors& inputs) const {
    Tensors outputs = function(inputs);
    EAGRE_CHECK(!outputs.empty(), kInvalidArgument, name_, "(): the function returned nothing");
    for (size_t i = 0; i < outputs.size(); ++i) {
      EAGRE_CHECK(outputs[i].defined(), kInvalidArgument, name_, "(): output ", i,
                  " of the function is undefined");
      EAGRE_CHECK(!options_.strict || outputs[i].requires_grad(), kAutograd, name_, "(): Output ",
                  i,
                  " of the user-provided function does not require gradients. The outputs must be "
                  "computed in a differentiable manner from the input when running in strict mode");
    }
    return outputs;
  }

  // v, or ones for a single element.
  Tensors direction(const Tensors& v, const Tensors& like, const char* what) const {
    if (v.empty()) {
      EAGRE_CHECK(like.size() == 1 && like[0].numel() == 1, kInvalidArgument, name_,
                  "(): The vector v can only be None if the ",
                  is_of(what, "input") ? "input to the user-provided function is"
                                       : "user-provided function returns",
                  " a single Tensor with a single element");
      return {ones_like(like[0])};
    }
    EAGRE_CHECK(like.size() != 1 || v.size() == 1, kInvalidArgument, name_,
                "(): The given v should contain a single Tensor. There is one ", what, ", but got ",
                v.size());
    EAGRE_CHECK(v.size() == like.size(), kInvalidArgument, name_,
                "(): v is a tuple of invalid length: should be ", like.size(), ", one per ", what,
                ", but got ", v.size());
    for (size_t i = 0; i < v.size(); ++i) {
      EAGRE_CHECK(v[i].sizes() == like[i].sizes(), kInvalidArgument, name_, "(): Entry ", i,
                  " in v has invalid size: should be ", like[i].sizes(), " as the ", what,
                  ", but got ", v[i].sizes());
    }
    return v;
  }

  void check_scalar(const Tensors& outputs) const {
    EAGRE_CHECK(outputs.size() == 1, kInvalidArgument, name_, "(): The function given to ", name_,
                " should return a single Tensor, but it returned ", outputs.size());
    EAGRE_CHECK(outputs[0].numel() == 1, kInvalidArgument, name_,
                "(): The Tensor returned by the function given to ", name_,
                " should contain a single element, but it has shape ", outputs[0].sizes());
  }

  // grad() where what is missing, on either side, counts as zero; undefined stays out.
  Tensors gradients(const Tensors& outputs, const Tensors& inputs, const Tensors& v,
                    bool create_graph, bool keep_graph = false) const {
    Tensors used, weights;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].defined() || !outputs[i].requires_grad()) continue;
      used.push_back(outputs[i]);
      weights.push_back(v[i]);
    }
    if (used.empty()) return Tensors(inputs.size());
    return grad(used, inputs, weights, create_graph || keep_graph, create_graph, true, false, {},
                at_);
  }

  // Strict mode: `whole`, what is differentiated, depends on every input.
  void check_depends(const Tensors& gradients, const std::string& whole = "The output") const {
    for (size_t i = 0; options_.strict && i < gradients.size(); ++i) {
      EAGRE_CHECK(gradients[i].defined(), kAutograd, name_, "(): ", whole,
                  " of the user-provided function is independent of input ", i,
                  ". This is not allowed in strict mode");
    }
  }
  // The same of first derivatives that are to be differentiated again.
  void check_varies(const Tensors& slopes) const {
    for (size_t i = 0; options_.strict && i < slopes.size(); ++i) {
      EAGRE_CHECK(slopes[i].defined() && slopes[i].requires_grad(), kAutograd, name_,
                  "(): While computing the hessian, found that the jacobian of the user-provided "
                  "function with respect to input ",
                  i, " is independent of the input. This is not allowed in strict mode");
    }
  }
  // The results: zeros for what does not depend. `whole`: what they are, where they can be
  // differentiated again.
  Tensors filled(Tensors gradients, const Tensors& like, const char* whole = "The jacobian") const {
    const bool must_vary = options_.strict && options_.create_graph;
    for (size_t i = 0; i < gradients.size(); ++i) {
      EAGRE_CHECK(!must_vary || !gradients[i].defined() || gradients[i].requires_grad(), kAutograd,
                  name_, "(): ", whole, " of the user-provided function is independent of input ",
                  i, ". This is not allowed in strict mode when create_graph=True");
      if (!gradients[i].defined()) gradients[i] = zeros_like(like[i]);
      if (!options_.create_graph) gradients[i] = without_history(gradients[i]);
    }
    return gradients;
  }

  void check_matrix_options() const {
    EAGRE_CHECK(!options_.vectorize || !options_.strict, kInvalidArgument, name_,
                "(): `strict=True` and `vectorize=True` are not supported together. Hint: strict "
                "mode looks at every row by itself");
    EAGRE_CHECK(
        options_.vectorize || options_.strategy == Strategy::kReverse, kUnimplemented, name_,
        "(): the forward-mode strategy is only implemented for `vectorize=True`. Hint: set it, "
        "or use jvp() for one column");
  }

  Tensors outside_value(Tensors outputs) const {
    if (options_.create_graph) return outputs;
    for (Tensor& output : outputs) output = without_history(output);
    return outputs;
  }
  bool create_graph() const { return options_.create_graph; }

 private:
  static bool is_of(std::string_view what, std::string_view kind) { return what == kind; }

  const char* name_;
  Options options_;
  CallSite at_;
};

// The Jacobian of `outputs` by `inputs`, times v, though backward only multiplies from the left:
// its results are linear in the weights of the outputs, and the derivative by these is what is
// wanted.
Tensors columns(const Derivative& derivative, const Tensors& outputs, const Tensors& inputs,
                const Tensors& v) {
  Tensors weights(outputs.size()), open;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined() || !outputs[i].requires_grad()) continue;
    weights[i] = zeros_like(outputs[i].detach()).requires_grad_();
    open.push_back(weights[i]);
  }
  if (open.empty()) return weights;
  const Tensors rows = derivative.gradients(outputs, inputs, weights, true);
  derivative.check_depends(rows);
  const Tensors found = derivative.gradients(rows, open, v, derivative.create_graph());
  for (size_t i = 0, next = 0; i < weights.size(); ++i) {
    if (weights[i].defined()) weights[i] = found[next++];
  }
  return weights;
}

}  // namespace

Product vjp(const TensorFunction& function, const Tensors& inputs, const Tensors& v,
            Options options, CallSite at) {
  const AutoGradMode recording(true);
  const Derivative derivative("vjp", options, at);
  const Tensors own = derivative.own(inputs);
  const Tensors outputs = derivative.call(function, own);
  const Tensors weights = derivative.direction(v, outputs, "output");
  Tensors product = derivative.gradients(outputs, own, weights, options.create_graph);
  derivative.check_depends(product);
  return {derivative.outside_value(outputs), derivative.filled(std::move(product), own)};
}

Product jvp(const TensorFunction& function, const Tensors& inputs, const Tensors& v,
            Options options, CallSite at) {
  const AutoGradMode recording(true);
  const Derivative derivative("jvp", options, at);
  const Tensors own = derivative.own(inputs);
  const Tensors direction = derivative.direction(v, own, "input");
  const Tensors outputs = derivative.call(function, own);
  Tensors product = columns(derivative, outputs, own, direction);
  return {derivative.outside_value(outputs), derivative.filled(std::move(product), outputs)};
}

Matrix jacobian(const TensorFunction& function, const Tensors& inputs, Options options,
                CallSite at) {
  const AutoGradMode recording(true);
  const Derivative derivative("jacobian", options, at);
  derivative.check_matrix_options();
  if (options.strategy == Strategy::kForward) {
    const auto checked = [&](const Tensors& own) { return derivative.call(function, own); };
    Matrix result = func::columns(checked, inputs, Randomness::kError, at);
    for (Tensors& row : result) row = derivative.outside_value(std::move(row));
    return result;
  }
  const Tensors own = derivative.own(inputs);
  const Tensors outputs = derivative.call(function, own);
  Matrix result;
  result.reserve(outputs.size());
  if (options.vectorize) {
    const func::RecordedCall call(own, outputs, options.create_graph);
    for (const Tensor& output : outputs) result.push_back(call.rows(output, std::nullopt, at));
    return result;
  }
  for (size_t o = 0; o < outputs.size(); ++o) {
    const Tensor& output = outputs[o];
    std::vector<Tensors> rows(own.size());  // per input, one for every element of the output
    const Tensor elements = output.reshape({-1});
    for (int64_t i = 0; i < elements.numel(); ++i) {
      const Tensor element = elements.select(0, i);
      Tensors row = derivative.gradients({element}, own, {Tensor()}, options.create_graph, true);
      derivative.check_depends(row, concat("Output ", o));
      row = derivative.filled(std::move(row), own);
      for (size_t j = 0; j < own.size(); ++j) rows[j].push_back(std::move(row[j]));
    }
    Tensors& blocks = result.emplace_back();
    for (size_t j = 0; j < own.size(); ++j) {
      const DimVector sizes = func::joined(output.sizes(), own[j].sizes());
      blocks.push_back(rows[j].empty() ? zeros(sizes, own[j].options())
                                       : stack(rows[j], 0).reshape(sizes));
    }
  }
  return result;
}

Tensor jacobian(const SingleFunction& function, const Tensor& input, Options options, CallSite at) {
  return jacobian(as_list(function), Tensors{input}, options, at)[0][0];
}

Matrix hessian(const TensorFunction& function, const Tensors& inputs, Options options,
               CallSite at) {
  const auto slope = [&](const Tensors& own) {
    // The outer derivative by forward mode needs no graph, and the inner one leaves of its own.
    const bool is_forward = options.strategy == Strategy::kForward;
    Options inner;
    inner.create_graph = !is_forward || options.create_graph;
    inner.strict = options.strict;
    const Derivative derivative("hessian", inner, at);
    const Tensors leaves = is_forward ? derivative.own(own) : own;
    const Tensors outputs = derivative.call(function, leaves);
    derivative.check_scalar(outputs);
    Tensors slopes =
        derivative.gradients(outputs, leaves, {ones_like(outputs[0])}, derivative.create_graph());
    if (!is_forward) derivative.check_varies(slopes);
    Options plain = inner;
    plain.strict = false;
    return Derivative("hessian", plain, at).filled(std::move(slopes), leaves);
  };
  return jacobian(slope, inputs, options, at);
}

Tensor hessian(const SingleFunction& function, const Tensor& input, Options options, CallSite at) {
  return hessian(as_list(function), Tensors{input}, options, at)[0][0];
}

namespace {

// From the left by a second backward call, from the right by two.
Product hessian_product(const Derivative& derivative, bool is_left, const TensorFunction& function,
                        const Tensors& inputs, const Tensors& v) {
  const AutoGradMode recording(true);
  const Tensors own = derivative.own(inputs);
  const Tensors direction = derivative.direction(v, own, "input");
  const Tensors outputs = derivative.call(function, own);
  derivative.check_scalar(outputs);
  const Tensors slope = derivative.gradients(outputs, own, {ones_like(outputs[0])}, true);
  derivative.check_depends(slope);
  derivative.check_varies(slope);
  Tensors product = is_left ? derivative.gradients(slope, own, direction, derivative.create_graph())
                            : columns(derivative, slope, own, direction);
  derivative.check_depends(product, "The jacobian");
  return {derivative.outside_value(outputs),
          derivative.filled(std::move(product), own, "The hessian")};
}

}  // namespace

Product vhp(const TensorFunction& function, const Tensors& inputs, const Tensors& v,
            Options options, CallSite at) {
  return hessian_product({"vhp", options, at}, true, function, inputs, v);
}

Product hvp(const TensorFunction& function, const Tensors& inputs, const Tensors& v,
            Options options, CallSite at) {
  return hessian_product({"hvp", options, at}, false, function, inputs, v);
}

}  // namespace eagre::autograd::functional

// Gradients against differences. A Jacobian is a real matrix with a row for every part of an output
// and a column for every part of an input, complex numbers having two parts.
#include <eagre/api/gradcheck.h>

#include <algorithm>
#include <cmath>

#include <eagre/api/autograd.h>
#include <eagre/api/functions.h>
#include <eagre/api/print.h>
#include <eagre/api/random.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/base/warn.h>

namespace eagre::autograd {
namespace {

using functional::TensorFunction;
using functional::Tensors;

[[noreturn]] void fail(const std::string& message) { throw GradcheckError(message); }

// The numbers of a tensor in a row, complex ones as two.
Tensor parts_of(const Tensor& tensor) {
  const Tensor plain = tensor.detach().contiguous().reshape({-1});
  if (!is_complex(tensor.dtype())) return plain.to(kFloat64);
  return view_as_real(plain).to(kFloat64).reshape({-1});
}
// The same numbers in the shape and dtype of a model.
Tensor from_parts(const Tensor& parts, const Tensor& model) {
  if (!is_complex(model.dtype())) return parts.to(model.dtype()).reshape(model.sizes());
  return view_as_complex(parts.reshape({-1, 2})).to(model.dtype()).reshape(model.sizes());
}
int64_t part_count(const Tensor& tensor) {
  return tensor.numel() * (is_complex(tensor.dtype()) ? 2 : 1);
}
// The parts of a tensor like `model`: one is 1, the others 0.
Tensor unit_parts(const Tensor& model, int64_t part) {
  const Tensor parts = zeros({part_count(model)}, kFloat64);
  parts.select(0, part).fill_(1);
  return parts;
}

class Check {
 public:
  Check(const TensorFunction& function, const Tensors& inputs, const GradcheckOptions& options,
        CallSite at)
      : function_(function), inputs_(inputs), options_(options), at_(at) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, "gradcheck(): input ", i, " is undefined");
      if (inputs[i].requires_grad()) add_varied(i);
    }
    EAGRE_CHECK(!varied_.empty(), kInvalidArgument,
                "gradcheck expects at least one input tensor to require gradient, but none of "
                "them have requires_grad=True.");
  }

  void run() {
    const AutoGradMode recording(true);
    outputs_ = function_(inputs_);
    for (size_t i = 0; i < outputs_.size(); ++i) {
      EAGRE_CHECK(outputs_[i].defined(), kInvalidArgument, "gradcheck(): output ", i,
                  " of the function is undefined");
      if (!eagre::is_differentiable(outputs_[i].dtype())) continue;
      if (options_.fast_mode) {
        compare_directions(i);
      } else {
        compare_matrices(i);
      }
      if (outputs_[i].requires_grad()) check_zero_weight(i);
    }
  }

 private:
  void add_varied(size_t i) {
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
    varied_.push_back(i);
  }

  // The parts of output `o` after every varied input moved by `step` along its direction.
  Tensor moved(size_t o, const Tensors& directions, double step) const {
    Tensors inputs = inputs_;
    for (size_t v = 0; v < varied_.size(); ++v) {
      if (!directions[v].defined()) continue;
      const Tensor& input = inputs_[varied_[v]];
      inputs[varied_[v]] =
          from_parts(parts_of(input) + directions[v] * step, input).requires_grad_();
    }
    return parts_of(function_(inputs)[o]);
  }
  Tensor difference(size_t o, const Tensors& directions) const {
    return (moved(o, directions, options_.eps) - moved(o, directions, -options_.eps)) /
           (2 * options_.eps);
  }

  Tensor numerical(size_t o, size_t v) const {
    const Tensor& input = inputs_[varied_[v]];
    Tensors columns;
    for (int64_t part = 0; part < part_count(input); ++part) {
      Tensors directions(varied_.size());
      directions[v] = unit_parts(input, part);
      columns.push_back(difference(o, directions));
    }
    if (columns.empty()) return zeros({part_count(outputs_[o]), 0}, kFloat64);
    return stack(columns, 1);
  }

  Tensors varied_inputs() const {
    Tensors result;
    for (const size_t i : varied_) result.push_back(inputs_[i]);
    return result;
  }

  // The parts of the gradients of the varied inputs; zeros where there is none.
  Tensors row(size_t o, const Tensor& weight) const {
    Tensors result;
    const Tensors inputs = varied_inputs();
    const Tensors found = grad({outputs_[o]}, inputs, {weight}, true, false, true, false, {}, at_);
    for (size_t v = 0; v < inputs.size(); ++v) {
      if (!found[v].defined()) {
        result.push_back(zeros({part_count(inputs[v])}, kFloat64));
        continue;
      }
      if (found[v].sizes() != inputs[v].sizes()) {
        fail(concat("gradcheck(): the gradient of input ", varied_[v], " has shape ",
                    found[v].sizes(), ", but the input ", inputs[v].sizes()));
      }
      if (options_.check_grad_dtypes && found[v].dtype() != inputs[v].dtype()) {
        fail(concat("gradcheck(): the gradient of input ", varied_[v], " is ", found[v].dtype(),
                    ", but the input ", inputs[v].dtype()));
      }
      result.push_back(parts_of(found[v]));
    }
    return result;
  }

  // One matrix per varied input.
  Tensors analytical(size_t o) const {
    const int64_t count = part_count(outputs_[o]);
    std::vector<Tensors> rows(varied_.size());
    for (int64_t part = 0; part < count && outputs_[o].requires_grad(); ++part) {
      const Tensors parts = row(o, from_parts(unit_parts(outputs_[o], part), outputs_[o]));
      for (size_t v = 0; v < parts.size(); ++v) rows[v].push_back(parts[v]);
    }
    Tensors result;
    for (size_t v = 0; v < varied_.size(); ++v) {
      result.push_back(rows[v].empty() ? zeros({count, part_count(inputs_[varied_[v]])}, kFloat64)
                                       : stack(rows[v], 0));
    }
    return result;
  }

  bool is_close(const Tensor& a, const Tensor& b) const {
    const Tensor room = abs(b) * options_.rtol + options_.atol;
    const Tensor fits = logical_or(abs(a - b) <= room, logical_and(isnan(a), isnan(b)));
    return fits.all().item<bool>();
  }

  void compare_matrices(size_t o) {
    const Tensors found = analytical(o), again = analytical(o);
    for (size_t v = 0; v < varied_.size(); ++v) {
      const Tensor expected = numerical(o, v);
      if (!is_close(found[v], expected)) {
        fail(concat("Jacobian mismatch for output ", o, " with respect to input ", varied_[v],
                    ",\nnumerical:", to_string(expected), "\nanalytical:", to_string(found[v]),
                    "\n"));
      }
      check_repeats(found[v], again[v]);
    }
  }

  void check_repeats(const Tensor& first, const Tensor& second) const {
    if (first.numel() == 0) return;
    const double apart = abs(first - second).max().item<double>();
    if (apart <= options_.nondet_tol || std::isnan(apart)) return;
    fail(
        concat("Backward is not reentrant, i.e., running backward with the same input and "
               "grad_output multiple times gives different values (by ",
               apart,
               "), although the analytical gradient matches the numerical one. The tolerance for "
               "nondeterminism was ",
               options_.nondet_tol));
  }

  // A backward that forgets to multiply by its gradient shows here.
  void check_zero_weight(size_t o) const {
    const Tensors found = row(o, zeros_like(outputs_[o].detach()));
    for (size_t v = 0; v < found.size(); ++v) {
      if (found[v].numel() == 0 || !(found[v] != 0).any().item<bool>()) continue;
      fail(concat("backward not multiplied by grad_output: a gradient of zeros for output ", o,
                  " gave other numbers for input ", varied_[v]));
    }
  }

  Tensor random_direction(int64_t parts) {
    const Tensor numbers = randn({parts}, &generator_, kFloat64);
    const double length = std::sqrt((numbers * numbers).sum().item<double>());
    return length > 0 ? numbers / length : numbers;
  }

  // weight . Jacobian . direction in both ways.
  void compare_directions(size_t o) {
    const int64_t count = part_count(outputs_[o]);
    const Tensor weight = random_direction(count);
    const Tensors rows =
        outputs_[o].requires_grad() ? row(o, from_parts(weight, outputs_[o])) : Tensors();
    for (size_t v = 0; v < varied_.size(); ++v) {
      Tensors directions(varied_.size());
      directions[v] = random_direction(part_count(inputs_[varied_[v]]));
      const Tensor expected = (difference(o, directions) * weight).sum();
      const Tensor found = rows.empty() ? zeros({}, kFloat64) : (rows[v] * directions[v]).sum();
      if (is_close(found, expected)) continue;
      fail(concat("Jacobian mismatch for output ", o, " with respect to input ", varied_[v],
                  ",\nnumerical:", to_string(expected), "\nanalytical:", to_string(found),
                  "\n\nThe above quantities relating the numerical and analytical jacobians are "
                  "computed in fast mode, along one random direction. In slow mode they are:",
                  "\nnumerical:", to_string(numerical(o, v)),
                  "\nanalytical:", to_string(analytical(o)[v]), "\n"));
    }
  }

  const TensorFunction& function_;
  const Tensors& inputs_;
  const GradcheckOptions& options_;
  CallSite at_;
  std::vector<size_t> varied_;
  Tensors outputs_;
  Generator generator_{0x5eed};  // the same directions every time, and the user's are not used up
};

}  // namespace

bool gradcheck(const TensorFunction& function, const Tensors& inputs,
               const GradcheckOptions& options, CallSite at) {
  try {
    Check(function, inputs, options, at).run();
  } catch (const GradcheckError&) {
    if (options.raise_exception) throw;
    return false;
  }
  return true;
}

bool gradgradcheck(const TensorFunction& function, const Tensors& inputs,
                   const Tensors& grad_outputs, const GradcheckOptions& options, CallSite at) {
  Tensors all = inputs;
  std::vector<size_t> differentiable;
  {
    const AutoGradMode recording(true);
    const Tensors outputs = function(inputs);
    Generator generator(0x5eed);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].requires_grad()) differentiable.push_back(i);
    }
    EAGRE_CHECK(grad_outputs.empty() || grad_outputs.size() == differentiable.size(),
                kInvalidArgument, "gradgradcheck(): ", grad_outputs.size(),
                " gradients were given for ", differentiable.size(), " outputs that need one");
    for (size_t i = 0; i < differentiable.size(); ++i) {
      const Tensor& output = outputs[differentiable[i]];
      all.push_back(grad_outputs.empty()
                        ? randn(output.sizes(), &generator, output.dtype()).requires_grad_()
                        : grad_outputs[i].detach().requires_grad_());
    }
  }
  const size_t count = inputs.size();
  const auto gradients = [&](const Tensors& given) -> Tensors {
    const Tensors own(given.begin(), given.begin() + static_cast<ptrdiff_t>(count));
    const Tensors weights(given.begin() + static_cast<ptrdiff_t>(count), given.end());
    const Tensors outputs = function(own);
    Tensors roots, wanted;
    for (const size_t i : differentiable) roots.push_back(outputs[i]);
    for (const Tensor& input : own) {
      if (input.requires_grad()) wanted.push_back(input);
    }
    Tensors found = grad(roots, wanted, weights, true, true, true, false, {}, at);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i].defined()) found[i] = zeros_like(wanted[i].detach());
    }
    return found;
  };
  return gradcheck(gradients, all, options, at);
}

}  // namespace eagre::autograd

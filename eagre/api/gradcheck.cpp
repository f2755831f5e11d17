// The checks that gradcheck() makes, one after the other.
#include <eagre/api/gradcheck.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/functional.h>
#include <eagre/api/functions.h>
#include <eagre/api/gradcheck_case.h>
#include <eagre/api/gradcheck_options.h>
#include <eagre/api/print.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/shape.h>

namespace eagre::autograd {
namespace {

using functional::TensorFunction;
using functional::Tensors;

constexpr int64_t kBatch = 2;  // vectors that are tried at once

// Lets no gradient through.
class NoGradientNode final : public Node {
 public:
  NoGradientNode() : Node(1, 0) {}
  std::string name() const override { return "UndefinedGrad"; }
  void apply(BackwardCall&) override {}
};

Tensor without_gradient(const Tensor& output) {
  Tensor result = output.detach();
  const auto node = IntrusivePtr<Node>::adopt(new NoGradientNode);
  node->connect(0, output);
  node->set_output(0, result.get());
  return result;
}

DimVector batch_of(Dims sizes) { return BatchCall::led_by(kBatch, sizes); }

class Check {
 public:
  Check(const TensorFunction& function, const Tensors& inputs, const GradcheckOptions& options,
        CallSite at)
      : options_(options), at_(at), case_(function, inputs, options, at) {}

  void run() {
    if (!case_.has_derivatives()) return check_constant();
    if (options_.check_backward_ad) check_backward();
    if (options_.check_forward_ad) check_forward();
  }

 private:
  // No output says that it depends on the inputs: then none may.
  void check_constant() const {
    for (size_t o = 0; o < outputs().size(); ++o) {
      if (!is_differentiable(outputs()[o].dtype())) continue;
      for (size_t v = 0; v < varied().size(); ++v) {
        const Tensor found = case_.numerical(o, v);
        if (found.numel() == 0 || !(abs(found) > options_.atol).any().item<bool>()) continue;
        fail_gradcheck(
            concat("Numerical gradient for function expected to be zero, since no "
                   "output requires grad, but for ",
                   pair(o, v), " it is", to_string(found)));
      }
    }
  }

  void check_forward() {
    if (options_.fast_mode) {
      compare_tangents();
    } else {
      compare_columns();
    }
    if (options_.check_undefined_grad) check_undefined_tangents();
    if (options_.check_batched_forward_grad) check_batched_tangents();
  }

  void check_backward() {
    for (size_t o = 0; o < outputs().size(); ++o) {
      if (!case_.has_derivative(o)) continue;
      if (options_.fast_mode) {
        compare_gradients(o);
      } else {
        compare_rows(o);
      }
      check_zero_weight(o);
      if (options_.check_undefined_grad) check_undefined({o});
      if (options_.check_batched_grad) check_batched_gradients(o);
    }
    std::vector<size_t> all;
    for (size_t o = 0; o < outputs().size(); ++o) {
      if (case_.has_derivative(o)) all.push_back(o);
    }
    if (options_.check_undefined_grad && all.size() > 1) check_undefined(all);
  }

  const Tensors& outputs() const { return case_.outputs(); }
  const Tensors& varied() const { return case_.varied(); }

  bool is_close(const Tensor& a, const Tensor& b) const { return is_close(a, b, options_.atol); }
  bool is_close(const Tensor& a, const Tensor& b, double atol) const {
    const Tensor room = abs(b) * options_.rtol + atol;
    const Tensor fits = logical_or(abs(a - b) <= room, logical_and(isnan(a), isnan(b)));
    return fits.all().item<bool>();
  }
  // Of a Jacobian by an input: the two columns of a complex number are one distance.
  bool is_close_matrix(const Tensor& a, const Tensor& b, const Tensor& input) const {
    if (!is_complex(input.dtype())) return is_close(a, b);
    const auto whole = [](const Tensor& parts) {
      return view_as_complex(parts.reshape({parts.sizes()[0], -1, 2}).contiguous());
    };
    return a.numel() == 0 || is_close(whole(a), whole(b));
  }
  // A complex output counts as two real ones.
  void compare_matrix(const char* what, size_t o, size_t v, const Tensor& found,
                      const Tensor& expected) const {
    const auto fail = [&](const char* which, const Tensor& a, const Tensor& b) {
      if (is_close_matrix(a, b, varied()[v])) return;
      fail_gradcheck(concat(which, what, " for ", pair(o, v), both(b, a)));
    };
    if (!is_complex(outputs()[o].dtype())) return fail("", found, expected);
    const auto rows = [](const Tensor& matrix, int64_t first) {
      return matrix.slice(0, first, std::nullopt, 2);
    };
    fail("While considering the imaginary part of complex outputs only, ", rows(found, 1),
         rows(expected, 1));
    fail("While considering the real part of complex outputs only, ", rows(found, 0),
         rows(expected, 0));
  }
  // A sum of products differs by so much if every factor of theirs does by `atol`.
  double room_along(const Tensor& weight, const Tensor& direction) const {
    return options_.atol * abs(weight).sum().item<double>() * abs(direction).sum().item<double>();
  }
  Tensor random_direction(int64_t parts) {
    const Tensor numbers = randn({parts}, &generator_, kFloat64);
    const double length = std::sqrt((numbers * numbers).sum().item<double>());
    return length > 0 ? numbers / length : numbers;
  }

  std::string pair(size_t o, size_t v) const {
    return concat("output ", o, " with respect to input ", case_.number_of(v));
  }
  static std::string both(const Tensor& numerical, const Tensor& analytical) {
    return concat(",\nnumerical:", to_string(numerical), "\nanalytical:", to_string(analytical),
                  "\n");
  }
  static std::string in_fast_mode(const Tensor& numerical, const Tensor& analytical) {
    return concat(
        "\nThe above quantities relating the numerical and analytical jacobians are computed in "
        "fast mode, along one random direction. In slow mode they are:",
        both(numerical, analytical).substr(1));
  }

  // --- backward ---
  void compare_rows(size_t o) {
    const Tensors found = case_.by_backward(o), again = case_.by_backward(o);
    for (size_t v = 0; v < varied().size(); ++v) {
      compare_matrix("Jacobian mismatch", o, v, found[v], case_.numerical(o, v));
      check_repeats(found[v], again[v]);
    }
  }

  // weight . Jacobian . direction in both ways.
  void compare_gradients(size_t o) {
    const Tensor weight = random_direction(part_count(outputs()[o]));
    const Tensor given = from_parts(weight, outputs()[o]);
    const Tensors rows = case_.row(o, given), again = case_.row(o, given);
    for (size_t v = 0; v < varied().size(); ++v) {
      Tensors directions(varied().size());
      directions[v] = random_direction(part_count(varied()[v]));
      const Tensor expected = (case_.difference(o, directions) * weight).sum();
      const Tensor found = (rows[v] * directions[v]).sum();
      if (!is_close(found, expected, room_along(weight, directions[v]))) {
        fail_gradcheck(concat("Jacobian mismatch for ", pair(o, v), both(expected, found),
                              in_fast_mode(case_.numerical(o, v), case_.by_backward(o)[v])));
      }
      check_repeats(rows[v], again[v]);
    }
  }

  void check_repeats(const Tensor& first, const Tensor& second) const {
    if (first.numel() == 0) return;
    const double difference = abs(first - second).max().item<double>();
    if (difference <= options_.nondet_tol || std::isnan(difference)) return;
    fail_gradcheck(
        concat("Backward is not reentrant, i.e., running backward with the same input and "
               "grad_output multiple times gives different values (by ",
               difference,
               "), although the analytical gradient matches the numerical one. The tolerance for "
               "nondeterminism was ",
               options_.nondet_tol));
  }

  // A backward that forgets to multiply by its gradient shows here.
  void check_zero_weight(size_t o) const {
    const Tensors found = case_.row(o, zeros_like(outputs()[o].detach()));
    for (size_t v = 0; v < found.size(); ++v) {
      if (found[v].numel() == 0 || !(found[v] != 0).any().item<bool>()) continue;
      fail_gradcheck(
          concat("backward not multiplied by grad_output: a gradient of zeros for output ", o,
                 " gave other numbers for input ", case_.number_of(v)));
    }
  }

  // Runs a part of the check whose errors tell about gradients, too.
  template <class Part>
  static auto part(const std::string& what, Part run) {
    try {
      return run();
    } catch (const GradcheckError&) {
      throw;
    } catch (const Error& error) {
      fail_gradcheck(what + error.message());
    }
  }

  void check_undefined(const std::vector<size_t>& numbers) const {
    Tensors roots, weights;
    for (const size_t o : numbers) {
      roots.push_back(without_gradient(outputs()[o]));
      weights.push_back(ones_like(roots.back()));
    }
    const Tensors found =
        part("Expected backward function to handle undefined output grads. It raised: ",
             [&] { return grad(roots, varied(), weights, true, false, true, false, {}, at_); });
    for (size_t v = 0; v < found.size(); ++v) {
      if (!found[v].defined() || !(found[v].detach() != 0).any().item<bool>()) continue;
      fail_gradcheck(
          concat("Expected all input grads to be undefined or zero when all output grads are "
                 "undefined or zero. The gradient of input ",
                 case_.number_of(v), ":", to_string(found[v])));
    }
  }

  void check_batched_gradients(size_t o) {
    const Tensor& output = outputs()[o];
    const Tensor weights = randn(batch_of(output.sizes()), &generator_, output.dtype());
    const auto gradients = [&](const Tensor& weight) {
      return grad({output}, varied(), {weight}, true, false, true, true, {}, at_);
    };
    const std::string what =
        concat("Testing batched gradients (vmap over backward) of output ", o, ": ");
    const Tensors together = part(what, [&] {
      return batched_grad({output}, varied(), {weights}, true, false, true, true, at_);
    });
    for (int64_t n = 0; n < kBatch; ++n) {
      const Tensors single = gradients(weights.select(0, n));
      for (size_t v = 0; v < single.size(); ++v) {
        compare_batched(what, concat("input ", case_.number_of(v)), together[v].select(0, n),
                        single[v]);
      }
    }
  }

  void compare_batched(const std::string& what, const std::string& whose, const Tensor& batched,
                       const Tensor& single) const {
    if (is_close(parts_of(batched), parts_of(single))) return;
    fail_gradcheck(concat(what, "one of the batch is not what it is by itself, for ", whose,
                          ",\nbatched:", to_string(batched.detach()),
                          "\nby itself:", to_string(single.detach()), "\n"));
  }

  // --- forward mode ---
  void compare_columns() {
    for (size_t v = 0; v < varied().size(); ++v) {
      const Tensors found = case_.by_forward(v);
      for (size_t o = 0; o < found.size(); ++o) {
        if (!case_.has_derivative(o)) continue;
        compare_matrix("Jacobian computed with forward mode mismatch", o, v, found[o],
                       case_.numerical(o, v));
      }
    }
  }

  void compare_tangents() {
    for (size_t v = 0; v < varied().size(); ++v) {
      Tensors parts(varied().size()), directions = case_.zero_tangents();
      parts[v] = random_direction(part_count(varied()[v]));
      directions[v] = from_parts(parts[v], varied()[v]);
      const Tensors found = case_.tangents(directions);
      for (size_t o = 0; o < found.size(); ++o) {
        if (!case_.has_derivative(o)) continue;
        const Tensor weight = random_direction(part_count(outputs()[o]));
        const Tensor expected = (case_.difference(o, parts) * weight).sum();
        const Tensor analytical = (parts_of(found[o]) * weight).sum();
        if (is_close(analytical, expected, room_along(weight, parts[v]))) continue;
        fail_gradcheck(concat("Jacobian computed with forward mode mismatch for ", pair(o, v),
                              both(expected, analytical),
                              in_fast_mode(case_.numerical(o, v), case_.by_forward(v)[o])));
      }
    }
  }

  Tensors random_tangents() {
    Tensors directions;
    for (const Tensor& input : varied()) {
      directions.push_back(randn(input.sizes(), &generator_, input.dtype()));
    }
    return directions;
  }

  void check_undefined_tangents() {
    for (size_t v = 0; v < varied().size(); ++v) {
      Tensors directions = random_tangents();
      directions[v] = zeros_like(directions[v]);
      const Tensors expected = case_.tangents(directions);
      directions[v] = Tensor();
      const Tensors found =
          part("Expected forward mode to handle tangents that are not there. It raised: ",
               [&] { return case_.tangents(directions); });
      for (size_t o = 0; o < found.size(); ++o) {
        if (!found[o].defined() || is_close(parts_of(found[o]), parts_of(expected[o]))) continue;
        fail_gradcheck(concat(
            "Expected forward mode to take a tangent that is not there as zeros: ", pair(o, v),
            ",\nwithout:", to_string(found[o]), "\nwith zeros:", to_string(expected[o]), "\n"));
      }
    }
  }

  void check_batched_tangents() {
    for (size_t v = 0; v < varied().size(); ++v) {
      const Tensor& input = varied()[v];
      const Tensor all = randn(batch_of(input.sizes()), &generator_, input.dtype());
      const std::string what =
          concat("Testing batched forward gradients (vmap over forward mode) by input ",
                 case_.number_of(v), ": ");
      Tensors directions = case_.zero_tangents();
      const Tensors together = part(what, [&] {
        const LevelScope scope(Level::batch(kBatch, Randomness::kError));
        directions[v] = batched(all, 0, scope.level());
        Tensors found = case_.tangents(directions);
        for (Tensor& each : found) each = whole_batch(each, scope.level());
        return found;
      });
      for (int64_t n = 0; n < kBatch; ++n) {
        directions[v] = all.select(0, n);
        const Tensors single = case_.tangents(directions);
        for (size_t o = 0; o < single.size(); ++o) {
          if (!single[o].defined()) continue;
          compare_batched(what, concat("output ", o), together[o].select(0, n), single[o]);
        }
      }
    }
  }

  const GradcheckOptions& options_;
  CallSite at_;
  const AutoGradMode recording_{true};
  GradcheckCase case_;
  Generator generator_{0x5eed};  // the same directions every time, and the user's are not used up
};

void check_options(const GradcheckOptions& options) {
  EAGRE_CHECK(!options.masked, kUnimplemented,
              "gradcheck(): masked: there are no sparse tensors, which it is for");
  EAGRE_CHECK(options.check_forward_ad || options.check_backward_ad, kInvalidArgument,
              "gradcheck(): Expected at least one of check_forward_ad and check_backward_ad");
  EAGRE_CHECK(!options.check_batched_grad || options.check_backward_ad, kInvalidArgument,
              "gradcheck(): Setting check_batched_grad=True requires check_backward_ad to be True");
  EAGRE_CHECK(
      !options.check_batched_forward_grad || options.check_forward_ad, kInvalidArgument,
      "gradcheck(): Setting check_batched_forward_grad=True requires check_forward_ad to be "
      "True");
}

// Random numbers for the gradient of an output.
Tensor random_weight(const Tensor& output, bool is_contiguous, Generator& generator) {
  if (is_contiguous) return randn(output.sizes(), &generator, output.dtype()).requires_grad_();
  DimVector sizes(output.sizes());
  sizes.push_back(2);
  const Tensor wide = randn(sizes, &generator, output.dtype());
  return wide.select(-1, 0).requires_grad_();
}

}  // namespace

bool gradcheck(const TensorFunction& function, const Tensors& inputs,
               const GradcheckOptions& options, CallSite at) {
  check_options(options);
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
                        ? random_weight(output, !options.gen_non_contig_grad_outputs, generator)
                        : grad_outputs[i]);
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
  GradcheckOptions second = options;
  second.check_forward_ad = options.check_fwd_over_rev;
  second.check_backward_ad = options.check_rev_over_rev;
  return gradcheck(gradients, all, second, at);
}

}  // namespace eagre::autograd

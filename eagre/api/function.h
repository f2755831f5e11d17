// Functions with a gradient of their own, written as in libtorch:
//
//   struct Square : autograd::Function<Square> {
//     static Tensor forward(AutogradContext* ctx, const Tensor& x);
//     static tensor_list backward(AutogradContext* ctx, tensor_list grad_outputs);
//   };
//   Tensor y = Square::apply(x);
//
// forward takes what it likes; tensors, lists of them and optional ones can have gradients. It
// returns a tensor, a list or a tuple. backward returns one gradient for every argument of
// forward (each tensor of a list counts), undefined where there is none. With a member
// `static constexpr bool once_differentiable = true`, backward is not recorded.
#pragma once

#include <optional>
#include <tuple>
#include <typeinfo>
#include <utility>

#include <eagre/api/function_context.h>
#include <eagre/autograd/recording.h>

namespace eagre::autograd {

template <class T>
class FunctionNode final : public CustomNode {
 public:
  FunctionNode(Shape shape, uint32_t site, std::unique_ptr<AutogradContext> context)
      : CustomNode(std::move(shape), site), context_(std::move(context)) {
    context_->node_ = this;
  }

  static const std::string& shown_name() {
    static const std::string name = function_name(typeid(T).name());
    return name;
  }
  std::string_view name() const override { return shown_name(); }

 protected:
  TensorVector run_backward(TensorVector gradients) override {
    variable_list results = T::backward(context_.get(), {gradients.begin(), gradients.end()});
    return {results.begin(), results.end()};
  }
  bool is_once_differentiable() const override {
    if constexpr (requires { T::once_differentiable; }) return T::once_differentiable;
    return false;
  }

 private:
  std::unique_ptr<AutogradContext> context_;
};

// A tensor, or a list of them, as first argument of apply(), with the line of the call.
template <class Value>
struct Located {
  template <class Given>
  requires std::is_convertible_v<const Given&, const Value&> Located(
      const Given& given, CallSite at = std::source_location::current())  // NOLINT
      : value(given), at(at) {}
  const Value& value;
  CallSite at;
};

template <class T>
class Function {
 public:
  template <class... Rest>
  static auto apply(Located<Tensor> first, Rest&&... rest) {
    return run(first.at, first.value, std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  static auto apply(Located<variable_list> first, Rest&&... rest) {
    return run(first.at, first.value, std::forward<Rest>(rest)...);
  }
  // The line of the call is not known where the first argument is something else.
  template <class First, class... Rest>
  requires(!std::is_convertible_v<const First&, const Tensor&> &&
           !std::is_convertible_v<const First&,
                                  const variable_list&>) static auto apply(First&& first,
                                                                           Rest&&... rest) {
    return run(CallSite::none(), std::forward<First>(first), std::forward<Rest>(rest)...);
  }
  static auto apply(CallSite at = std::source_location::current()) { return run(at); }

 private:
  friend T;
  Function() = default;

  // The tensors among the arguments, and which arguments they are.
  struct Arguments {
    TensorVector tensors;
    std::vector<bool> is_tensor;

    void add_tensor(const TensorBase& tensor) {
      tensors.push_back(tensor);
      is_tensor.push_back(true);
    }
    template <class A>
    void add(const A& argument) {
      if constexpr (std::is_convertible_v<const A&, const TensorBase&>) {
        add_tensor(argument);
      } else if constexpr (std::is_same_v<A, std::optional<Tensor>>) {
        add_tensor(argument ? TensorBase(*argument) : TensorBase());
      } else if constexpr (std::is_convertible_v<const A&, const variable_list&>) {
        for (const Tensor& tensor : static_cast<const variable_list&>(argument)) add_tensor(tensor);
      } else {
        is_tensor.push_back(false);
      }
    }
  };

  template <class... Given>
  static auto run(CallSite at, Given&&... given) {
    Arguments arguments;
    (arguments.add(given), ...);
    auto context = std::make_unique<AutogradContext>();
    const bool records = note_needs(*context, arguments.tensors);
    auto results = [&] {
      const NoGradGuard no_grad;
      return T::forward(context.get(), std::forward<Given>(given)...);
    }();
    TensorVector outputs = list_of(results);
    AutogradContext& own = *context;
    IntrusivePtr<CustomNode> node;
    if (records) {
      node = IntrusivePtr<CustomNode>::adopt(new FunctionNode<T>(
          {count(arguments.tensors.size()), count(outputs.size()), std::move(arguments.is_tensor)},
          at.intern(), std::move(context)));
      for (size_t i = 0; i < arguments.tensors.size(); ++i) {
        if (arguments.tensors[i].defined()) node->connect(i, arguments.tensors[i]);
      }
    }
    const CustomMarks marks = std::exchange(own.marks_, {});
    finish_custom(node, FunctionNode<T>::shown_name().c_str(), arguments.tensors, outputs, marks,
                  at);
    put_back(results, outputs);
    return results;
  }

  // Does any of them need a gradient?
  static bool note_needs(AutogradContext& context, const TensorVector& tensors) {
    const bool records = GradMode::is_enabled();
    bool any = false;
    for (const TensorBase& tensor : tensors) {
      const bool needs = records && tensor.defined() && tensor.requires_grad();
      context.needs_.push_back(needs);
      any = any || needs;
    }
    return any;
  }

  static TensorVector list_of(const Tensor& result) { return {result}; }
  static TensorVector list_of(const variable_list& results) {
    return {results.begin(), results.end()};
  }
  template <class... Results>
  static TensorVector list_of(const std::tuple<Results...>& results) {
    return std::apply([](const auto&... each) { return TensorVector{each...}; }, results);
  }
  static void put_back(Tensor& result, TensorVector& outputs) { result = std::move(outputs[0]); }
  static void put_back(variable_list& results, TensorVector& outputs) {
    results.assign(outputs.begin(), outputs.end());
  }
  template <class... Results>
  static void put_back(std::tuple<Results...>& results, TensorVector& outputs) {
    size_t i = 0;
    std::apply([&](auto&... each) { ((each = std::move(outputs[i++])), ...); }, results);
  }
};

}  // namespace eagre::autograd

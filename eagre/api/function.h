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
//
// More of what T may have, as in PyTorch:
// - static void setup_context(AutogradContext*, <arguments of forward>, const <its result>&): then
//   forward has no context, and only computes.
// - static tensor_list jvp(AutogradContext*, tensor_list tangents): for forward mode. One tangent
//   for every argument of forward, undefined for those that are no tensors; returns one for every
//   result.
// - static constexpr bool generate_vmap_rule = true: for vmap. forward, backward and jvp are made
//   of operators, so they can be run on tensors that carry a batch.
// - static std::pair<<result>, BatchDims> vmap(const VmapInfo&, const BatchDims& in_dims,
//   <arguments of forward>): the same by hand, on whole batches. in_dims has an entry for every
//   tensor among the arguments, what is returned one for every tensor among the results. Needs
//   setup_context.
#pragma once

#include <iterator>
#include <optional>
#include <tuple>
#include <typeinfo>
#include <utility>

#include <eagre/api/forward_ad.h>
#include <eagre/api/function_context.h>
#include <eagre/autograd/function/custom_transforms.h>
#include <eagre/autograd/tape/recording.h>

namespace eagre::autograd {

// What T::vmap is told about the vmap that calls it.
struct VmapInfo {
  int64_t batch_size;
  Randomness randomness;
};

// The name of a function's type, and of its node.
template <class T>
const std::string& name_of_function() {
  static const std::string name = function_name(typeid(T).name());
  return name;
}

template <class T>
class FunctionNode final : public CustomNode {
 public:
  FunctionNode(Shape shape, uint32_t site, std::unique_ptr<AutogradContext> context)
      : CustomNode(std::move(shape), site), context_(std::move(context)) {
    context_->node_ = this;
  }

  static const std::string& display_name() {
    static const std::string name = name_of_function<T>() + "Backward";
    return name;
  }
  std::string name() const override { return display_name(); }

 protected:
  TensorVector run_backward(TensorVector gradients) override {
    // backward has the gradients to itself, so that it can let go of them early.
    variable_list own(std::make_move_iterator(gradients.begin()),
                      std::make_move_iterator(gradients.end()));
    variable_list results = T::backward(context_.get(), std::move(own));
    return {results.begin(), results.end()};
  }
  bool is_once_differentiable() const override {
    if constexpr (requires { T::once_differentiable; }) return T::once_differentiable;
    return false;
  }

 private:
  std::unique_ptr<AutogradContext> context_;
};

// A call on tensors that carry something.
template <class T>
class FunctionCall final : public CustomCall {
 public:
  FunctionCall(const std::vector<bool>& is_tensor, CallSite at) : is_tensor_(is_tensor), at_(at) {}

  AutogradContext context;

  const std::string& name() const override { return name_of_function<T>(); }
  IntrusivePtr<CustomNode> make_node(const TensorVector& inputs, size_t outputs) override {
    auto own = std::make_unique<AutogradContext>(context);
    own->marks_ = {};
    if (!note_needs(*own, inputs)) return {};
    return node_of(std::move(own), inputs, outputs, is_tensor_, at_);
  }
  bool has_jvp() const override { return kHasJvp; }
  TensorVector jvp(const TensorVector& saved, TensorVector tangents) override {
    if constexpr (kHasJvp) {
      variable_list of_arguments(is_tensor_.size());
      for (size_t i = 0, t = 0; i < of_arguments.size(); ++i) {
        if (is_tensor_[i]) of_arguments[i] = std::move(tangents[t++]);
      }
      context.for_jvp_ = &saved;
      variable_list results = T::jvp(&context, std::move(of_arguments));
      context.for_jvp_ = nullptr;
      return {results.begin(), results.end()};
    }
    return {};
  }

  // Does any of them need a gradient?
  static bool note_needs(AutogradContext& context, const TensorVector& tensors) {
    const bool records = GradMode::is_enabled();
    bool any = false;
    context.needs_.clear();
    for (const TensorBase& tensor : tensors) {
      const bool needs = records && tensor.defined() && tensor.requires_grad();
      context.needs_.push_back(needs);
      any = any || needs;
    }
    return any;
  }
  static IntrusivePtr<CustomNode> node_of(std::unique_ptr<AutogradContext> context,
                                          const TensorVector& inputs, size_t outputs,
                                          std::vector<bool> is_tensor, CallSite at) {
    auto node = IntrusivePtr<CustomNode>::adopt(
        new FunctionNode<T>({count(inputs.size()), count(outputs), std::move(is_tensor)},
                            at.intern(), std::move(context)));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].defined()) node->connect(i, inputs[i]);
    }
    return node;
  }

 private:
  static constexpr bool kHasJvp = requires(AutogradContext * context, variable_list tangents) {
    T::jvp(context, tangents);
  };
  const std::vector<bool>& is_tensor_;
  CallSite at_;
};

// A tensor, or a list of them, as first argument of apply(), with the line of the call. Only the
// very type where others convert to it.
template <class Value>
struct Located {
  template <class Given>
  requires(std::is_same_v<Value, Given> ||
           (std::is_convertible_v<const Given&, const Value&> &&
            (std::is_same_v<Value, Tensor> || std::is_same_v<Value, variable_list>)))
      Located(const Given& given, CallSite at = std::source_location::current())  // NOLINT
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
  template <class... Rest>
  static auto apply(Located<eagre::TensorList> first, Rest&&... rest) {
    return run(first.at, first.value, std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  static auto apply(Located<std::optional<Tensor>> first, Rest&&... rest) {
    return run(first.at, first.value, std::forward<Rest>(rest)...);
  }
  // The line of the call is not known where the first argument is something else.
  template <class First, class... Rest>
  requires(!std::is_convertible_v<const First&, const Tensor&> &&
           !std::is_convertible_v<const First&, const variable_list&> &&
           !std::is_same_v<std::remove_cvref_t<First>, eagre::TensorList> &&
           !std::is_same_v<std::remove_cvref_t<First>,
                           std::optional<Tensor>>) static auto apply(First&& first,
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
      } else if constexpr (std::is_convertible_v<const A&, eagre::TensorList>) {
        for (const TensorBase& tensor : eagre::TensorList(argument)) add_tensor(tensor);
      } else {
        is_tensor.push_back(false);
      }
    }
  };

  static constexpr bool has_setup_context() {
    return requires { &T::setup_context; };
  }
  static constexpr BatchRule batch_rule() {
    constexpr bool kIsGenerated = [] {
      if constexpr (requires { T::generate_vmap_rule; }) return bool(T::generate_vmap_rule);
      return false;
    }();
    constexpr bool kIsOwn = requires { &T::vmap; };
    static_assert(!kIsOwn || !kIsGenerated,
                  "a Function with vmap() must not have generate_vmap_rule");
    static_assert(!kIsOwn || has_setup_context(),
                  "a Function with vmap() must have setup_context()");
    return kIsOwn ? BatchRule::kOwn : kIsGenerated ? BatchRule::kGenerated : BatchRule::kNone;
  }

  template <class... Given>
  static auto run_forward(AutogradContext* context, Given&&... given) {
    const NoGradGuard no_grad;
    if constexpr (has_setup_context()) {
      auto results = T::forward(given...);
      T::setup_context(context, given..., std::as_const(results));
      return results;
    } else {
      return T::forward(context, std::forward<Given>(given)...);
    }
  }

  template <class... Given>
  static auto run(CallSite at, Given&&... given) {
    Arguments arguments;
    (arguments.add(given), ...);
    if (transforms_active() && carry_transforms(arguments.tensors)) [[unlikely]] {
      return run_transformed(arguments, at, std::forward<Given>(given)...);
    }
    auto context = std::make_unique<AutogradContext>();
    const bool records = FunctionCall<T>::note_needs(*context, arguments.tensors);
    auto results = run_forward(context.get(), std::forward<Given>(given)...);
    TensorVector outputs = list_of(results);
    const CustomMarks marks = std::exchange(context->marks_, {});
    IntrusivePtr<CustomNode> node;
    if (records) {
      node = FunctionCall<T>::node_of(std::move(context), arguments.tensors, outputs.size(),
                                      std::move(arguments.is_tensor), at);
    }
    finish_custom(node, FunctionNode<T>::display_name().c_str(), arguments.tensors, outputs, marks,
                  at);
    put_back(results, outputs);
    return results;
  }

  template <class... Given>
  static auto run_transformed(const Arguments& arguments, CallSite at, Given&&... given) {
    constexpr BatchRule kRule = batch_rule();
    FunctionCall<T> call(arguments.is_tensor, at);
    check_transforms(call, arguments.tensors, kRule);
    note_transformed_needs(arguments.tensors, call.context.needs_);
    auto results = [&] {
      const forward_ad::ForwardMode off(false);  // tangents come from jvp
      if constexpr (kRule == BatchRule::kOwn) {
        if (Level* const level = batch_level_of(arguments.tensors)) {
          auto mapped = run_vmap(*level, arguments.tensors, given...);
          const NoGradGuard no_grad;
          T::setup_context(&call.context, given..., std::as_const(mapped));
          return mapped;
        }
      }
      return run_forward(&call.context, std::forward<Given>(given)...);
    }();
    TensorVector outputs = list_of(results);
    finish_transformed(call, arguments.tensors, outputs, call.context.marks_, kRule, at);
    put_back(results, outputs);
    return results;
  }

  // The user's rule on the batches.
  template <class... Given>
  static auto run_vmap(Level& level, const TensorVector& inputs, const Given&... given) {
    const forward_ad::ForwardMode on(true);
    const CustomBatch batch(level, inputs);
    const TensorBase* next = batch.inputs().data();
    // Braces, since these are evaluated in order.
    std::tuple<decltype(with_tensors(given, next))...> own{with_tensors(given, next)...};
    auto [results, dims] = std::apply(
        [&](const auto&... arguments) {
          return T::vmap(VmapInfo{batch.size(), batch.randomness()}, batch.dims(), arguments...);
        },
        own);
    TensorVector samples = batch.samples(name_of_function<T>(), list_of(results), dims);
    put_back(results, samples);
    return results;
  }
  // An argument with the next tensors instead of its own.
  template <class A>
  static auto with_tensors(const A& argument, const TensorBase*& next) {
    if constexpr (std::is_convertible_v<const A&, const TensorBase&>) {
      return Tensor(*next++);
    } else if constexpr (std::is_same_v<A, std::optional<Tensor>>) {
      const Tensor tensor(*next++);
      return argument ? A(tensor) : A();
    } else if constexpr (std::is_convertible_v<const A&, const variable_list&>) {
      variable_list list;
      for (size_t i = 0; i < static_cast<const variable_list&>(argument).size(); ++i) {
        list.emplace_back(*next++);
      }
      return list;
    } else if constexpr (std::is_convertible_v<const A&, eagre::TensorList>) {
      const TensorBase* const first =
          std::exchange(next, next + eagre::TensorList(argument).size());
      return eagre::TensorList(Span<const TensorBase>(first, next - first));
    } else {
      return std::cref(argument);
    }
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

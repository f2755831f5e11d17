// Operators from outside of the library. Registered once, they are called by name from every
// language, differentiated, and checked like our own:
//
//   register_op("my::scaled_add")
//       .signature("(Tensor input, Tensor other, *, float scale=1.0) -> Tensor")
//       .kernel("cpu", [](const OpCall& call) { … return result; })
//       .grad([](const GradCall& call) -> OpResults { … return {by_input, by_other}; })
//       .add();
//   Tensor y = call_op("my::scaled_add", {a, b, 2.0});
//
// docs/custom-operators.md tells the rest. Operators stay for the life of the process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <eagre/api/op_record.h>

namespace eagre {

// A registered operator: a pointer, good for ever.
class Op {
 public:
  Op() = default;
  explicit Op(const OpRecord& record) : record_(&record) {}

  explicit operator bool() const { return record_ != nullptr; }
  EAGRE_API const OpRecord& record() const;  // raises when there is none
  const std::string& name() const { return record().name; }

  // op(a, b, named("scale", 2.0)). Arguments by position are those of the signature in order.
  template <class... Rest>
  OpResults operator()(struct LocatedArgument first, Rest&&... rest) const;
  OpResults operator()(CallSite at = std::source_location::current()) const { return call({}, at); }
  EAGRE_API OpResults call(const std::vector<OpArgument>& arguments,
                           CallSite at = std::source_location::current()) const;
  // With one value for each parameter.
  EAGRE_API OpResults call_with(std::vector<OpValue> values, CallSite at) const;

 private:
  const OpRecord* record_ = nullptr;
};

// The first argument of a call, with the line of the call.
struct LocatedArgument {
  template <class Given>
  requires std::is_convertible_v<Given&&, OpArgument> LocatedArgument(
      Given&& given, CallSite at = std::source_location::current())  // NOLINT
      : value(std::forward<Given>(given)), at(at) {}
  OpArgument value;
  CallSite at;
};

template <class... Rest>
OpResults Op::operator()(LocatedArgument first, Rest&&... rest) const {
  return call({std::move(first.value), OpArgument(std::forward<Rest>(rest))...}, first.at);
}

// Raises when there is none; the handle saves later calls the search.
EAGRE_API Op find_op(std::string_view name);
// The names of all operators, in order.
EAGRE_API std::vector<std::string> registered_ops();
EAGRE_API OpResults call_op(std::string_view name, const std::vector<OpArgument>& arguments,
                            CallSite at = std::source_location::current());

// The type of a signature that a C++ type stands for.
template <class T>
struct ArgumentTypeOf;
template <class T>
struct ArgumentTypeOf<std::optional<T>> : ArgumentTypeOf<T> {};
template <ArgumentType kType>
using IsArgumentType = std::integral_constant<ArgumentType, kType>;
template <>
struct ArgumentTypeOf<Tensor> : IsArgumentType<ArgumentType::kTensor> {};
template <>
struct ArgumentTypeOf<std::vector<Tensor>> : IsArgumentType<ArgumentType::kTensors> {};
template <>
struct ArgumentTypeOf<bool> : IsArgumentType<ArgumentType::kBool> {};
template <std::integral T>
struct ArgumentTypeOf<T> : IsArgumentType<ArgumentType::kInt> {};
template <std::floating_point T>
struct ArgumentTypeOf<T> : IsArgumentType<ArgumentType::kFloat> {};
template <>
struct ArgumentTypeOf<Scalar> : IsArgumentType<ArgumentType::kScalar> {};
template <>
struct ArgumentTypeOf<std::string> : IsArgumentType<ArgumentType::kText> {};
template <>
struct ArgumentTypeOf<std::string_view> : IsArgumentType<ArgumentType::kText> {};
template <>
struct ArgumentTypeOf<const char*> : IsArgumentType<ArgumentType::kText> {};
template <>
struct ArgumentTypeOf<std::vector<int64_t>> : IsArgumentType<ArgumentType::kInts> {};
template <>
struct ArgumentTypeOf<DType> : IsArgumentType<ArgumentType::kDType> {};

// How many tensors a C++ type of results stands for; 0: as many as there are.
template <class T>
struct ResultCount;
template <>
struct ResultCount<Tensor> : std::integral_constant<size_t, 1> {};
template <>
struct ResultCount<std::vector<Tensor>> : std::integral_constant<size_t, 0> {};
template <class... T>
struct ResultCount<std::tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};

// Raises unless a call with these types fits the signature.
EAGRE_API void check_types(const Op& op, const std::vector<ArgumentType>& arguments,
                           size_t results);

// A handle with C++ types, compared with the signature when it is made. Arguments with a default
// may be left out at the end.
template <class Signature>
class TypedOp;
template <class Result, class... Arguments>
class TypedOp<Result(Arguments...)> {
 public:
  explicit TypedOp(Op op) : op_(op) {
    check_types(op, {ArgumentTypeOf<std::decay_t<Arguments>>::value...}, kResults);
  }
  Result operator()(const std::decay_t<Arguments>&... arguments,
                    CallSite at = std::source_location::current()) const {
    const OpResults results = op_.call({OpArgument(arguments)...}, at);
    if constexpr (std::is_convertible_v<const OpResults&, Result>) {
      return results;
    } else {
      return as_tuple(results, std::make_index_sequence<kResults>());
    }
  }

 private:
  static constexpr size_t kResults = ResultCount<Result>::value;
  template <size_t... kPositions>
  static Result as_tuple(const OpResults& results, std::index_sequence<kPositions...>) {
    return Result(results[kPositions]...);
  }

  Op op_;
};
// const auto scaled_add = find_op<Tensor(Tensor, Tensor, double)>("my::scaled_add");
template <class Signature>
TypedOp<Signature> find_op(std::string_view name) {
  return TypedOp<Signature>(find_op(name));
}

}  // namespace eagre

// Arguments of a call from Python: bound to the names of a signature, then converted one by one.
// Generated functions use nothing else, so every complaint is worded here.
#pragma once

#include <optional>
#include <string_view>

#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/tensor_list.h>

#include "call/lent_tensors.h"
#include "call/signature.h"  // IWYU pragma: export
#include "types/generator.h"
#include "types/tensor.h"

namespace eagre::python {

// `int[]?` with the memory for its numbers.
class IntsArgument {
 public:
  operator OptionalDims() const {  // NOLINT: this is what it stands for
    return given ? OptionalDims(Dims(values)) : OptionalDims();
  }
  bool given = false;
  DimVector values;
};

struct ArgumentName;

class Arguments {
 public:
  static constexpr size_t kMax = 16;

  // Binds; `self` is the first argument of a method. Objects stay borrowed from the caller.
  Arguments(const Signature& signature, PyObject* self, PyObject* const* args, Py_ssize_t count,
            PyObject* names)
      : signature_(signature) {
    const size_t next = self != nullptr ? 1 : 0;
    const size_t given = next + static_cast<size_t>(count);
    const bool is_plain = names == nullptr && signature.variadic < 0 && given >= signature.least &&
                          given <= signature.positional;
    if (!is_plain) [[unlikely]] {
      bind(self, args, count, names);
      return;
    }
    values_[0] = self;
    for (size_t i = next; i < given; ++i) values_[i] = args[i - next];
    for (size_t i = given; i <= signature.parameters.size(); ++i) values_[i] = nullptr;
  }

  // Null when it was not given.
  PyObject* operator[](size_t i) const { return values_[i]; }
  // Given, and not None.
  bool has(size_t i) const { return values_[i] != nullptr && values_[i] != Py_None; }

  const TensorBase& tensor(size_t i) const {
    if (!is_tensor(values_[i])) [[unlikely]]
      wrong_type(i, "a Tensor");
    return tensor_of(values_[i]);
  }
  // A number in the place of a tensor, as one that promotes as the number would beside `other`.
  TensorBase number_as_tensor(size_t i, size_t other) const;
  // Borrowed, as all of them are.
  void replace(size_t i, PyObject* value) { values_[i] = value; }
  // Undefined when it was left out or None.
  const TensorBase& optional_tensor(size_t i) const;
  TensorVector tensors(size_t i) const;
  // The same, for no longer than the call.
  LentTensors lent_tensors(size_t i) const { return LentTensors(tensor_items(i, false)); }
  LentTensors lent_optional_tensors(size_t i) const { return LentTensors(tensor_items(i, true)); }
  // The `count` tensors given as out=.
  TensorVector out(size_t i, size_t count) const;
  Operand operand(size_t i) const;
  Operand operand(size_t i, const Scalar& missing) const {
    return values_[i] == nullptr ? Operand(missing) : operand(i);
  }
  OptionalOperand optional_operand(size_t i) const {
    return has(i) ? OptionalOperand(operand(i)) : std::nullopt;
  }
  Scalar scalar(size_t i) const;
  Scalar scalar(size_t i, Scalar missing) const {
    return values_[i] == nullptr ? missing : scalar(i);
  }
  int64_t integer(size_t i) const;
  int64_t integer(size_t i, int64_t missing) const {
    return values_[i] == nullptr ? missing : integer(i);
  }
  std::optional<int64_t> optional_integer(size_t i) const {
    return has(i) ? std::optional<int64_t>(integer(i)) : std::nullopt;
  }
  double real(size_t i) const;
  double real(size_t i, double missing) const { return values_[i] == nullptr ? missing : real(i); }
  std::optional<double> optional_real(size_t i) const {
    return has(i) ? std::optional<double>(real(i)) : std::nullopt;
  }
  bool boolean(size_t i) const;
  bool boolean(size_t i, bool missing) const {
    return values_[i] == nullptr ? missing : boolean(i);
  }
  std::optional<bool> optional_boolean(size_t i) const {
    return has(i) ? std::optional<bool>(boolean(i)) : std::nullopt;
  }
  std::string_view text(size_t i) const;
  std::string_view text(size_t i, std::string_view missing) const {
    return values_[i] == nullptr ? missing : text(i);
  }
  std::optional<std::string_view> optional_text(size_t i) const {
    return has(i) ? std::optional<std::string_view>(text(i)) : std::nullopt;
  }
  MemoryFormat memory_format(size_t i, MemoryFormat missing = MemoryFormat::kContiguous) const;
  Device device(size_t i) const;
  DimVector ints(size_t i) const;
  DimVector int_or_ints(size_t i) const;
  IntsArgument optional_ints(size_t i) const;
  // The same, where None stands for the size that the input has.
  IntsArgument sizes(size_t i) const;
  DType dtype(size_t i) const;
  std::optional<DType> optional_dtype(size_t i) const;
  Generator* generator(size_t i) const;
  // The parameters dtype, device, requires_grad, layout and pin_memory from `first` on.
  TensorOptions options(size_t first) const;

  [[noreturn]] EAGRE_COLD void wrong_type(size_t i, const char* expected) const;
  // The same for element `k` of a list.
  [[noreturn]] EAGRE_COLD void wrong_element(size_t i, Py_ssize_t k, PyObject* element,
                                             const char* expected) const;

 private:
  ArgumentName name_of(size_t i) const;
  // With names, numbers one by one, or mistakes.
  void bind(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names);
  void bind_names(PyObject* const* args, PyObject* names);
  [[noreturn]] EAGRE_COLD void missing(size_t i) const;
  [[noreturn]] EAGRE_COLD void too_many(size_t count) const;
  // `dim` where it is missing, by the rule of old programs.
  EAGRE_COLD void bind_implicit_dim();
  // Binds positional arguments in a deprecated order of that many, if there is one, and warns.
  EAGRE_COLD bool bind_deprecated(bool has_self, PyObject* const* args, size_t given);
  int64_t element(size_t i, PyObject* number, size_t position) const;
  // layout and pin_memory, of which tensors have one each.
  void check_only_choice(size_t first) const;
  Span<PyObject* const> items_of(size_t i) const;
  // Its items are tensors, or None where that may be.
  Span<PyObject* const> tensor_items(size_t i, bool may_have_none) const;

  const Signature& signature_;
  // One more than there are parameters: functions have out=, and methods may be asked for it.
  PyObject* values_[kMax + 1];
  // What was given one by one for a variadic parameter.
  Span<PyObject* const> one_by_one_;
};

// Could a call be meant for this signature? Looks at the number, names and kinds of its arguments.
bool fits(const Signature& signature, PyObject* self, PyObject* const* args, Py_ssize_t count,
          PyObject* names);
// The only overload that takes so many arguments without names, by a table of the generator; -1 if
// it must be looked for by their kinds.
template <size_t kCounts>
int sole_overload(const int8_t (&by_count)[kCounts], Py_ssize_t count, PyObject* names) {
  return names == nullptr && static_cast<size_t>(count) < kCounts ? by_count[count] : -1;
}
// None of the overloads fits.
[[noreturn]] EAGRE_COLD void raise_no_overload(Span<const Signature* const> known, PyObject* self,
                                               PyObject* const* args, Py_ssize_t count,
                                               PyObject* names);

// Whose argument is being converted, for messages.
struct ArgumentName {
  const char* op = "";
  const char* argument = "";
};
// A Python or NumPy number; false for anything else.
bool to_scalar(PyObject* object, Scalar& out, ArgumentName name = {});
// An int or something with __index__; false for anything else.
bool to_integer(PyObject* object, int64_t& out, ArgumentName name = {});

}  // namespace eagre::python

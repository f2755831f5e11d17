// Nested braces are read in two passes: shape from the first element at every depth, then all
// numbers, which promote each other.
#include <eagre/api/nested_numbers.h>
#include <eagre/api/tensor.h>
#include <eagre/base/export.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/factory.h>
#include <eagre/base/error.h>

namespace eagre {
namespace {

using NumberList = std::initializer_list<NestedNumbers>;

class BraceReader {
 public:
  explicit BraceReader(const NumberList& outermost) {
    find_shape(outermost);
    read(outermost, 0);
  }

  Tensor make(const TensorOptions& options) const {
    return tensor_of(numbers_, dtype_.value_or(default_dtype()), shape_, options);
  }

 private:
  [[noreturn]] EAGRE_COLD static void complain(std::string expected, std::string got) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"tensor", "values", std::move(expected), std::move(got)});
  }

  void find_shape(const NumberList& outermost) {
    const NumberList* list = &outermost;
    while (true) {
      if (shape_.size() == static_cast<size_t>(kMaxDims)) {
        complain(concat("braces nested at most ", kMaxDims, " deep"), "deeper ones");
      }
      shape_.push_back(static_cast<int64_t>(list->size()));
      if (list->size() == 0 || !list->begin()->is_list()) return;
      list = &list->begin()->list();
    }
  }

  void read(const NumberList& list, size_t depth) {
    if (static_cast<int64_t>(list.size()) != shape_[depth]) {
      ragged(depth, concat("one of ", list.size()));
    }
    for (const NestedNumbers& element : list) {
      const bool is_innermost = depth + 1 == shape_.size();
      if (element.is_list() == is_innermost) {
        ragged(depth, is_innermost ? "braces beside numbers" : "a number beside braces");
      }
      if (!is_innermost) {
        read(element.list(), depth + 1);
        continue;
      }
      dtype_ = dtype_ ? promote_types(*dtype_, element.dtype()) : element.dtype();
      numbers_.push_back(element.number());
    }
  }

  [[noreturn]] EAGRE_COLD void ragged(size_t depth, std::string got) const {
    complain(concat("nested braces of equal lengths and depths: of ", shape_[depth],
                    " elements at depth ", depth, ", as the first ones there"),
             std::move(got));
  }

  DimVector shape_;
  std::vector<Scalar> numbers_;
  std::optional<DType> dtype_;
};

}  // namespace

Tensor tensor(std::initializer_list<NestedNumbers> values, TensorOptions options) {
  return BraceReader(values).make(options);
}

}  // namespace eagre

// Printing of tensors.
#include <eagre/api/print.h>

#include <ostream>

namespace eagre {

std::string to_string(const TensorBase& tensor) { return concat("tensor", tensor.sizes()); }

std::ostream& operator<<(std::ostream& out, const TensorBase& tensor) {
  return out << to_string(tensor);
}

}  // namespace eagre

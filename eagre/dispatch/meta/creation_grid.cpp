// Shapes of arange, linspace and similar.
#include <cstdint>
#include <optional>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector vector(const char*, int64_t length) { return {length}; }

DimVector between(const char* op, const Scalar& start, const Scalar& end, int64_t steps,
                  const TensorOptions& options) {
  const std::optional<DType> dtype = options.chosen_dtype();
  for (const Scalar* bound : {&start, &end}) {
    if (!dtype || is_complex(*dtype) || bound->category() != DTypeCategory::kComplex) continue;
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): torch.", op, "(): inferred dtype ", complex_dtype(default_dtype()),
                 " can't be safely cast to passed dtype ", *dtype, ": argument '",
                 bound == &start ? "start" : "end", "' is ", text_of(*bound)));
  }
  return counted(op, "steps", steps);
}

DimVector eye(const char* op, int64_t n, std::optional<int64_t> m) {
  const DimVector rows = counted(op, "n", n);
  const DimVector columns = m ? counted(op, "m", *m) : rows;
  const DimVector result{rows[0], columns[0]};
  checked_numel(op, result);
  return result;
}

}  // namespace eagre::dispatch::meta

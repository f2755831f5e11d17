// Checks of operators that write to elements. Values of indices are checked by the kernels.
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/index_checks.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

namespace {

void check_places(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  if (index.numel != 0) {  // what names nothing may be of any dtype
    check_integers(op, "index", index);
    check_fits(op, index, {input, "input"}, at);
  }
  check_not_empty(op, input, at, index);
}

}  // namespace

void scatter_value(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
                   const Scalar& value) {
  check_places(op, input, dim, index);
  check_holds(op, "value", input.key.dtype, value);
}

void scatter(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
             const TensorImpl& src) {
  check_places(op, input, dim, index);
  if (index.numel != 0) check_fits(op, index, {src, "src"}, -1);
}

void add_at(const char* op, const TensorImpl&, const TensorImpl& index, const TensorImpl& source) {
  check_integers(op, "index", index);
  EAGRE_INTERNAL_CHECK(index.numel == source.numel);
}

void filler(const char* op, const TensorImpl& input, const Operand& value) {
  const DType dtype = input.key.dtype;
  if (value.is_tensor()) {
    const TensorImpl& tensor = value.tensor().get(op, "value");
    if (tensor.key.rank != 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "value", "a number or a tensor without dimensions",
                            concat("a tensor of shape ", tensor.sizes()),
                            "use where(mask, value, input)"});
    }
    // The value itself counts, where it can be read without waiting for a device.
    if (tensor.key.device.is_cpu()) {
      return check_holds(op, "value", dtype, Scalar::load(tensor.key.dtype, tensor.data()));
    }
    if (is_complex(dtype) || !is_complex(tensor.key.dtype)) return;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", concat("a value that ", dtype, " can hold, as the input is"),
                          concat("a ", tensor.key.dtype, " tensor"), "convert one of them first"});
  }
  check_holds(op, "value", dtype, value.scalar());
}

}  // namespace eagre::dispatch::meta

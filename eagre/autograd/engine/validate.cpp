// Gradients that do not fit: summed over broadcast dimensions, cast, or refused.
#include <eagre/autograd/engine/validate.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/input_metadata.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/sum_to_size.h>
#include <eagre/ops/to_device.h>

namespace eagre::autograd {

GradientMetadata::GradientMetadata(const Edge& edge) {
  if (edge.node->is_accumulate()) {
    TensorImpl& leaf = static_cast<const AccumulateNode&>(*edge.node).leaf();
    const std::optional<DType> wanted = grad_dtype(TensorBase::share(&leaf));
    sizes = leaf.sizes();
    dtype = wanted.value_or(leaf.key.dtype);
    any_dtype = !wanted;
    device = leaf.key.device;
  } else {
    const InputMetadata& meta = edge.node->input_metadata(edge.slot);
    sizes = meta.sizes();
    dtype = meta.dtype();
    device = meta.device();
  }
}

namespace {

// Did the leaf at this edge have the shape of the gradient before it got another in place?
bool had_shape(const Edge& edge, Dims sizes) {
  if (!edge.node->is_accumulate()) return false;
  const TensorImpl& leaf = static_cast<const AccumulateNode&>(*edge.node).leaf();
  const auto& meta = *static_cast<AutogradMeta*>(leaf.autograd.load(std::memory_order_acquire));
  if (meta.extras == nullptr) return false;
  for (const DimVector& shape : meta.extras->former_shapes) {
    if (Dims(shape) == sizes) return true;
  }
  return false;
}

bool differ_in_ones_only(Dims a, Dims b) {
  const auto longer = [](Dims sizes) {
    DimVector kept;
    for (const int64_t size : sizes) {
      if (size != 1) kept.push_back(size);
    }
    return kept;
  };
  return Dims(longer(a)) == Dims(longer(b));
}

void fit_shape(const Edge& edge, TensorBase& gradient, Dims wanted, const std::string& made_by,
               CallSite site) {
  if (had_shape(edge, gradient.sizes())) {
    // After transpose_() nobody knows which elements belong together.
    EAGRE_CHECK(differ_in_ones_only(gradient.sizes(), wanted), kAutograd, made_by,
                " a gradient of shape ", gradient.sizes(),
                " for a leaf that had this shape when the graph was recorded, but was changed in "
                "place to shape ",
                wanted, " since. Hint: run backward() before, or change it back");
    gradient = ops::reshape(gradient, wanted, site);
    return;
  }
  EAGRE_CHECK(is_expandable_to(wanted, gradient.sizes()), kAutograd, made_by,
              " an invalid gradient: got shape ", gradient.sizes(),
              ", but expected a shape compatible with ", wanted);
  gradient = ops::sum_to_size(gradient, wanted, site);
}

}  // namespace

int64_t GradientMetadata::numel() const {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

bool fits_leaf(const Node& node, const TensorImpl& gradient) {
  const TensorImpl& leaf = static_cast<const AccumulateNode&>(node).leaf();
  const auto& meta = *static_cast<AutogradMeta*>(leaf.autograd.load(std::memory_order_acquire));
  return meta.extras == nullptr && leaf.key.dtype == gradient.key.dtype &&
         leaf.key.device == gradient.key.device && leaf.sizes() == gradient.sizes();
}

void make_fit(const Edge& edge, TensorBase& gradient, const GradientSource& source) {
  const GradientMetadata wanted(edge);
  const auto made_by = [&] {
    return source.node == nullptr
               ? std::string("backward() was given")
               : concat(source.node->name(), " returned for its input ", source.index);
  };
  if (gradient.sizes() != Dims(wanted.sizes)) {
    fit_shape(edge, gradient, wanted.sizes, made_by(), source.site);
  }
  if (gradient.device() != wanted.device) {
    EAGRE_CHECK(gradient.dim() == 0 || flags().auto_transfer, kAutograd, made_by(),
                " an invalid gradient: it is on ", gradient.device(), ", but the tensor is on ",
                wanted.device);
    gradient = ops::to_device(gradient, wanted.device, source.site);
  }
  if (gradient.dtype() != wanted.dtype && !wanted.any_dtype) {
    // Of a complex gradient for a real tensor the real part counts, which is what a cast keeps.
    gradient = ops::cast(gradient, wanted.dtype, source.site);
  }
}

}  // namespace eagre::autograd

// What is done to gradients that do not fit.
#include <eagre/autograd/validate.h>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/sum_to_size.h>
#include <eagre/autograd/ops/to_device.h>

namespace eagre::autograd {
namespace {

// What the gradient must look like.
struct Wanted {
  DimVector sizes;
  DType dtype;
  Device device;

  explicit Wanted(const Edge& edge) {
    if (edge.node->is_accumulate()) {
      const TensorImpl& leaf = static_cast<const AccumulateNode&>(*edge.node).leaf();
      sizes = leaf.sizes();
      dtype = leaf.key.dtype;
      device = leaf.key.device;
    } else {
      const SlotMeta& meta = edge.node->slot_meta(edge.slot);
      sizes = meta.sizes();
      dtype = meta.dtype();
      device = meta.device();
    }
  }
};

}  // namespace

bool fits(const Node& node, uint32_t slot, const TensorImpl& gradient) {
  if (!node.is_accumulate()) return node.slot_meta(slot).matches(gradient);
  const TensorImpl& leaf = static_cast<const AccumulateNode&>(node).leaf();
  return leaf.key.dtype == gradient.key.dtype && leaf.key.device == gradient.key.device &&
         leaf.sizes() == gradient.sizes();
}

void validate_gradient_slowly(const Edge& edge, TensorBase& gradient, const Node* from,
                              size_t index) {
  const Wanted wanted(edge);
  const CallSite site = thread_state.site;
  const auto source = [&] {
    return from == nullptr ? std::string("backward() was given")
                           : concat(from->name(), " returned for its input ", index);
  };
  if (gradient.sizes() != Dims(wanted.sizes)) {
    EAGRE_CHECK(is_expandable_to(wanted.sizes, gradient.sizes()), kAutograd, source(),
                " an invalid gradient: got shape ", gradient.sizes(),
                ", but expected a shape compatible with ", Dims(wanted.sizes));
    gradient = ops::sum_to_size(gradient, wanted.sizes, site);
  }
  if (gradient.device() != wanted.device) {
    EAGRE_CHECK(gradient.dim() == 0, kAutograd, source(), " an invalid gradient: it is on ",
                gradient.device(), ", but the tensor is on ", wanted.device);
    gradient = ops::to_device(gradient, wanted.device, site);
  }
  if (gradient.dtype() != wanted.dtype) {
    EAGRE_CHECK(is_floating_point(gradient.dtype()), kAutograd, source(),
                " an invalid gradient: it is ", gradient.dtype(), ", but the tensor is ",
                wanted.dtype);
    gradient = ops::cast(gradient, wanted.dtype, site);
  }
}

}  // namespace eagre::autograd

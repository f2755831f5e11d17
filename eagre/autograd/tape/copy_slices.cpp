// The gradient of a write to a part of a tensor.
#include <eagre/autograd/tape/copy_slices.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/view_shape.h>
#include <eagre/base/call_site.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/empty_strided.h>
#include <eagre/ops/full.h>
#include <eagre/ops/new_empty_strided.h>

namespace eagre::autograd {

IntrusivePtr<CopySlices> CopySlices::make(TensorImpl& base, const TensorImpl& view,
                                          IntrusivePtr<Node> writer) {
  return IntrusivePtr<CopySlices>::adopt(new CopySlices(base, view, std::move(writer)));
}

CopySlices::CopySlices(TensorImpl& base, const TensorImpl& view, IntrusivePtr<Node> writer)
    : Node(static_cast<uint16_t>(writer->edge_count()), writer->site()),
      base_(base),
      view_(view),
      device_(base.key.device),
      writer_(std::move(writer)) {
  if (base.requires_grad()) set_edge(edges()[0], base);
  for (size_t i = 1; i < edge_count(); ++i) adopt_edge(i, writer_->edges()[i]);
  writer_->make_extras().inside = this;
}

void CopySlices::apply(BackwardCall& call) {
  const TensorBase& g = call.grad(0);
  if (!g.defined()) return;
  const CallSite at = CallSite::of_id(site());
  // A copy in the base's own layout, of which the view shows the right part.
  TensorBase rest = ops::new_empty_strided(g, base_.sizes, base_.strides,
                                           TensorOptions(base_.dtype).device(device_), at);
  ops::copy_(rest, g, false, at);
  const TensorBase part = view_of_dual(rest, this->part(), at);

  TensorBase gradient = ops::clone(part, at);
  std::vector<TensorBase> results(edge_count());
  BackwardCall inner(&gradient, results.data(), call.wanted(), call.keep_graph());
  writer_->apply(inner);
  for (size_t i = 1; i < results.size(); ++i) {
    if (call.wants(i)) call.set(i, std::move(results[i]));
  }
  if (!call.wants(0)) return;
  if (!results[0].defined()) {
    results[0] = ops::full({}, 0, TensorOptions(view_.dtype).device(device_), at);
  }
  ops::copy_(part, results[0], false, at);
  call.set(0, std::move(rest));
}

ViewShape CopySlices::part() const {
  ViewShape shape = view_;
  shape.offset -= base_.dtype == view_.dtype ? base_.offset
                  : is_complex(base_.dtype)  ? 2 * base_.offset
                                             : base_.offset / 2;
  return shape;
}

TensorBase CopySlices::written(const TensorBase& values, bool is_elsewhere) {
  const CallSite at = CallSite::of_id(site());
  TensorBase base;
  if (is_elsewhere) {  // what surrounds the part is never looked at
    const NoGradGuard no_grad;
    base = ops::empty_strided(base_.sizes, base_.strides,
                              TensorOptions(base_.dtype).device(values.device()), at);
    ops::copy_(part().of(base, at), values, false, at);
  } else {
    base = TensorBase::adopt(new_tensor_on(IntrusivePtr<Storage>::share(values.get().storage),
                                           base_.sizes, base_.strides, base_.dtype));
    base.get().offset = base_.offset;
  }
  retain();
  base.get().grad_node = this;
  return (is_elsewhere ? part() : view_).of(base, at);
}

}  // namespace eagre::autograd

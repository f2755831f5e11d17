// Methods of the public tensor that are not operators.
#include <eagre/api/tensor_handle.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/indexing.h>
#include <eagre/api/print.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/detach.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/retain_grad.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/to_device.h>

namespace eagre {

const Tensor& TensorHandle::requires_grad_(bool value) const {
  autograd::set_requires_grad(*this, value);
  return static_cast<const Tensor&>(*this);
}

Tensor TensorHandle::grad() const { return autograd::grad_of(*this); }
void TensorHandle::set_grad(const TensorBase& grad) const { autograd::set_grad(*this, grad); }
Tensor TensorHandle::detach() const { return autograd::detach(*this); }

void TensorHandle::retain_grad() const { autograd::retain_grad(*this); }
bool TensorHandle::retains_grad() const { return autograd::retains_grad(*this); }
std::optional<DType> TensorHandle::grad_dtype() const { return autograd::grad_dtype(*this); }
void TensorHandle::set_grad_dtype(std::optional<DType> dtype) const {
  autograd::set_grad_dtype(*this, dtype);
}
const Tensor& TensorHandle::detach_() const {
  autograd::detach_in_place(*this);
  return static_cast<const Tensor&>(*this);
}
void TensorHandle::set_stop_gradient(bool stop) const { autograd::set_stop_gradient(*this, stop); }
void TensorHandle::set_persistable(bool value) const {
  TensorImpl& impl = get();
  impl.flags = static_cast<uint16_t>(value ? impl.flags | TensorImpl::kPersistable
                                           : impl.flags & ~TensorImpl::kPersistable);
}
void TensorHandle::reset_inplace_version() const { autograd::reset_inplace_version(*this); }
Tensor TensorHandle::variable_data() const { return autograd::variable_data(*this); }
Tensor TensorHandle::data() const { return autograd::variable_data(*this); }
void TensorHandle::set_data(const TensorBase& data) const { autograd::set_data(*this, data); }

IntrusivePtr<autograd::Node> TensorHandle::grad_fn() const {
  return IntrusivePtr<autograd::Node>::share(autograd::history_of(*this));
}
int64_t TensorHandle::output_nr() const {
  autograd::history_of(*this);
  return get().output_slot;
}

void TensorHandle::backward(const TensorBase& gradient, std::optional<bool> retain_graph,
                            bool create_graph, CallSite at) const {
  autograd::Edge root = autograd::gradient_edge(*this);
  autograd::backward_impl({&root, 1}, {&gradient, 1}, {},
                          {retain_graph.value_or(create_graph), create_graph}, at);
}

void TensorHandle::backward(const TensorBase& gradient, std::optional<bool> retain_graph,
                            bool create_graph, const std::vector<Tensor>& inputs,
                            CallSite at) const {
  autograd::backward({TensorBase(*this)}, {gradient}, retain_graph, create_graph, inputs, at);
}

void TensorHandle::remove_hook(uint64_t position) const {
  const autograd::Edge edge = autograd::gradient_edge(*this);
  EAGRE_CHECK(edge.node && edge.node->remove_hook(position), kInvalidArgument,
              "Invalid index, no hook at position ", position);
}

TensorBase TensorHandle::single_on_host() const {
  TensorBase here = dispatch::on_device(*this, Device());
  EAGRE_CHECK(here.numel() == 1, kInvalidArgument, "item(): a tensor with ", here.numel(),
              " elements cannot be converted to a number");
  return here;
}

Tensor TensorHandle::to(DType target, CallSite at) const {
  return dtype() == target ? TensorBase(*this) : ops::cast(*this, target, at);
}
Tensor TensorHandle::to(Device target, CallSite at) const {
  return device() == target ? TensorBase(*this) : ops::to_device(*this, target, at);
}
Tensor TensorHandle::cpu(CallSite at) const { return to(Device(), at); }

Tensor TensorHandle::to(const TensorOptions& target, CallSite at) const {
  Tensor result = TensorBase(*this);
  if (const auto device = target.chosen_device()) result = result.to(*device, at);
  if (const auto dtype = target.chosen_dtype()) result = result.to(*dtype, at);
  return result;
}

Tensor TensorHandle::copy_to(Device target, bool blocking, CallSite at) const {
  Tensor copy = device() == target ? ops::clone(*this, at) : ops::to_device(*this, target, at);
  if (blocking) synchronize(target);
  return copy;
}

TensorOptions TensorHandle::options() const { return TensorOptions(dtype()).device(device()); }

Tensor TensorHandle::operator[](int64_t index) const {
  const TensorIndex indices[] = {index};
  return read_index(*this, indices, CallSite::none());
}

Tensor TensorHandle::operator[](const TensorBase& index) const {
  const TensorImpl& place = index.get("index", "indices");
  if (place.key.rank != 0 || category(place.key.dtype) != DTypeCategory::kInteger) {
    raise(ErrorKind::kIndex,
          ArgumentProblem{"index", "indices", "a 0-dim tensor of integers in t[…]",
                          concat("one of ", place.key.dtype, " with shape ", place.sizes()),
                          "t.index({…}) takes any"});
  }
  return (*this)[Tensor(index).item<int64_t>()];
}

Tensor TensorHandle::index(Span<const TensorIndex> indices, CallSite at) const {
  return read_index(*this, indices, at);
}

const Tensor& TensorHandle::index_put_(Span<const TensorIndex> indices, const Operand& values,
                                       CallSite at) const {
  const TensorBase value =
      values.is_tensor() ? values.tensor() : number_for(*this, values.scalar());
  write_index(*this, indices, value, at);
  return static_cast<const Tensor&>(*this);
}

namespace {
// Saved values and recorded history know the old geometry.
void check_geometry_may_change(const char* op, const TensorBase& tensor) {
  // Graphs know nothing of what is made in inference mode.
  const bool is_known =
      tensor.requires_grad() && !(tensor.is_inference() && InferenceMode::is_enabled());
  EAGRE_CHECK(!is_known, kAutograd, op,
              "(): the geometry of a tensor that requires grad cannot change. Hint: detach() it");
  EAGRE_CHECK(tensor.get().key.kind != TensorKind::kBatched, kAutograd, op,
              "(): vmap: the geometry of a tensor that stands for all samples of a batch cannot "
              "change. Hint: make a new tensor");
}
}  // namespace

const Tensor& TensorHandle::resize_(Dims sizes, CallSite at) const {
  const SiteScope scope(at);
  check_geometry_may_change("resize_", *this);
  if (get().sizes() == sizes) return static_cast<const Tensor&>(*this);  // nothing is written
  autograd::drop_tangents(get());
  resize_tensor("resize_", get(), sizes);
  get().version->bump("resize_()", at.intern());
  return static_cast<const Tensor&>(*this);
}

const Tensor& TensorHandle::set_(const TensorBase& source, CallSite at) const {
  const SiteScope scope(at);
  // Nobody has recorded anything about a leaf but where its gradient goes.
  if (!is_leaf() || GradMode::is_enabled()) check_geometry_may_change("set_", *this);
  dispatch::check_inference("set_", get());
  const TensorImpl& from = source.get();
  EAGRE_CHECK(from.key.dtype == dtype(), kType, "set_(): the tensor holds ", dtype(),
              ", but argument 'source' holds ", from.key.dtype);
  get().version->bump("set_()", at.intern());
  autograd::share_memory(get(), from);
  if (requires_grad()) autograd::renew_accumulate(get());
  return static_cast<const Tensor&>(*this);
}

std::string TensorHandle::str() const { return to_string(*this); }

}  // namespace eagre

// Methods of the public tensor that are not operators.
#include <eagre/api/tensor_handle.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/indexing.h>
#include <eagre/api/located_index.h>
#include <eagre/api/print.h>
#include <eagre/api/results.h>
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
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/clone_format.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/contiguous.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/fill.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/split_sizes.h>
#include <eagre/ops/to_device.h>
#include <eagre/ops/transpose.h>

namespace eagre {

Tensor& TensorHandle::self() const {
  return const_cast<Tensor&>(static_cast<const Tensor&>(*this));
}

Tensor& TensorHandle::requires_grad_(bool value) const {
  autograd::set_requires_grad(*this, value);
  return self();
}
Tensor& TensorHandle::set_requires_grad(bool value) const { return requires_grad_(value); }

Tensor TensorHandle::grad() const { return autograd::grad_of(*this); }
void TensorHandle::set_grad(const TensorBase& grad) const { autograd::set_grad(*this, grad); }
Tensor& TensorHandle::mutable_grad() const {
  // A handle that adds nothing, as in TensorList.
  static_assert(sizeof(Tensor) == sizeof(TensorBase));
  return static_cast<Tensor&>(autograd::autograd_meta(get()).grad);
}
Tensor TensorHandle::_base() const {
  return is_view() ? TensorBase::share(get().view_info().base) : TensorBase();
}
Tensor TensorHandle::detach() const { return autograd::detach(*this); }

void TensorHandle::retain_grad() const { autograd::retain_grad(*this); }
bool TensorHandle::retains_grad() const { return autograd::retains_grad(*this); }
std::optional<DType> TensorHandle::grad_dtype() const { return autograd::grad_dtype(*this); }
void TensorHandle::set_grad_dtype(std::optional<DType> dtype) const {
  autograd::set_grad_dtype(*this, dtype);
}
Tensor& TensorHandle::detach_() const {
  autograd::detach_in_place(*this);
  return self();
}
void TensorHandle::set_stop_gradient(bool stop) const { autograd::set_stop_gradient(*this, stop); }
void TensorHandle::set_persistable(bool value) const {
  TensorImpl& impl = get();
  impl.flags = static_cast<uint16_t>(value ? impl.flags | TensorImpl::kPersistable
                                           : impl.flags & ~TensorImpl::kPersistable);
}
void TensorHandle::reset_inplace_version() const { autograd::reset_inplace_version(*this); }
Tensor TensorHandle::variable_data() const { return autograd::variable_data(*this); }
Tensor TensorHandle::tensor_data() const { return autograd::variable_data(*this); }
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

TensorBase TensorHandle::single_on_host(CallSite at) const {
  const SiteScope scope(at);
  TensorBase here = dispatch::on_device(*this, Device());
  EAGRE_CHECK(here.numel() == 1, kInvalidArgument, "item(): a tensor with ", here.numel(),
              " elements cannot be converted to a number");
  return here;
}

Scalar TensorHandle::item(CallSite at) const {
  const TensorBase here = single_on_host(at);
  return Scalar::load(here.dtype(), here.data_ptr());
}

void TensorHandle::check_accessor(size_t dims, CallSite at) const {
  const SiteScope scope(at);
  EAGRE_CHECK(dim() == static_cast<int64_t>(dims), kInvalidArgument, "accessor(): the tensor has ",
              dim(), " dimensions, but ", dims, " were asked for");
  EAGRE_CHECK(device().is_cpu(), kInvalidArgument, "accessor(): the tensor is on ", device(),
              ". Hint: cpu() copies it to host memory");
}

namespace {

Tensor as_dtype(const Tensor& tensor, DType target, CallSite at) {
  return tensor.dtype() == target ? tensor : Tensor(ops::cast(tensor, target, at));
}
Tensor on_device(const Tensor& tensor, Device target, CallSite at) {
  return tensor.device() == target ? tensor : Tensor(ops::to_device(tensor, target, at));
}

// As in PyTorch, every tensor that is not channels_last counts as contiguous here: x.t() is not
// copied by x.t().to(kFloat, false, false, MemoryFormat::kContiguous) if it is of float32 already.
bool counts_as(const Tensor& tensor, MemoryFormat format) {
  return tensor.suggest_memory_format() == format;
}

}  // namespace

Tensor TensorHandle::to(const TensorOptions& target, bool /*non_blocking*/, bool copy,
                        std::optional<MemoryFormat> memory_format, CallSite at) const {
  const Tensor& tensor = self();
  Tensor result = tensor;
  if (const auto device = target.chosen_device()) result = on_device(result, *device, at);
  if (const auto dtype = target.chosen_dtype()) result = as_dtype(result, *dtype, at);
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kPreserve);
  const bool is_unchanged = !copy && result.is_same(tensor);
  if (format != MemoryFormat::kPreserve && !(is_unchanged && counts_as(tensor, format))) {
    const SiteScope scope(at);
    strides_of("to", sizes(), format);  // says what is wrong with the format
    // One channel, or one pixel, that lies both ways gets the strides that ask for the format.
    result = counts_as(result, format) || format == MemoryFormat::kContiguous
                 ? ops::contiguous(result, format, at)
                 : ops::clone_format(result, format, at);
  }
  return copy && result.is_same(tensor) ? Tensor(ops::clone(result, at)) : result;
}

Tensor TensorHandle::to(DType target, bool non_blocking, bool copy,
                        std::optional<MemoryFormat> format, CallSite at) const {
  return to(TensorOptions(target), non_blocking, copy, format, at);
}
Tensor TensorHandle::to(Device target, bool non_blocking, bool copy,
                        std::optional<MemoryFormat> format, CallSite at) const {
  return to(TensorOptions(target), non_blocking, copy, format, at);
}
Tensor TensorHandle::to(Device device, DType dtype, bool non_blocking, bool copy,
                        std::optional<MemoryFormat> format, CallSite at) const {
  return to(TensorOptions(dtype).device(device), non_blocking, copy, format, at);
}
Tensor TensorHandle::to(const Tensor& other, bool non_blocking, bool copy,
                        std::optional<MemoryFormat> format, CallSite at) const {
  return to(other.options(), non_blocking, copy, format, at);
}
Tensor TensorHandle::to(std::optional<DType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pin_memory,
                        bool non_blocking, bool copy, std::optional<MemoryFormat> format,
                        CallSite at) const {
  return to(TensorOptions::of(dtype, layout, device, pin_memory), non_blocking, copy, format, at);
}
Tensor TensorHandle::cpu(CallSite at) const { return on_device(self(), Device(), at); }
Tensor TensorHandle::cuda(CallSite at) const {
  return on_device(self(), device_named("cuda", at), at);
}
Tensor TensorHandle::meta(CallSite at) const { return on_device(self(), kMeta, at); }
Tensor TensorHandle::type_as(const Tensor& other, CallSite at) const {
  return to(other.options(), false, false, {}, at);
}
Tensor TensorHandle::toType(DType dtype, CallSite at) const { return as_dtype(self(), dtype, at); }

Tensor TensorHandle::copy_to(Device target, bool blocking, CallSite at) const {
  Tensor copy = device() == target ? ops::clone(*this, at) : ops::to_device(*this, target, at);
  if (blocking) synchronize(target);
  return copy;
}

Tensor TensorHandle::operator[](const LocatedIndex& index) const {
  const TensorIndex indices[] = {index.value()};
  return read_index(*this, indices, index.site());
}

LocatedIndex::LocatedIndex(const TensorBase& index, CallSite at) : value_(0), site_(at) {
  const SiteScope scope(at);
  const TensorImpl& place = index.get("index", "indices");
  if (place.key.rank != 0 || category(place.key.dtype) != DTypeCategory::kInteger) {
    raise(ErrorKind::kIndex,
          ArgumentProblem{"index", "indices", "a 0-dim tensor of integers in t[…]",
                          concat("one of ", place.key.dtype, " with shape ", place.sizes()),
                          "t.index({…}) takes any"});
  }
  value_ = Tensor(index).item<int64_t>(at);
}

Tensor TensorHandle::index(Span<const TensorIndex> indices, CallSite at) const {
  return read_index(*this, indices, at);
}

Tensor& TensorHandle::index_put_(Span<const TensorIndex> indices, const Operand& values,
                                 bool accumulate, CallSite at) const {
  const SiteScope scope(at);
  const TensorBase value =
      values.is_tensor() ? values.tensor() : number_for(*this, values.scalar());
  write_index(*this, indices, value, accumulate, at);
  return self();
}

Tensor TensorHandle::index_put(Span<const TensorIndex> indices, const Operand& values,
                               bool accumulate, CallSite at) const {
  return Tensor(ops::clone(*this, at)).index_put_(indices, values, accumulate, at);
}

std::vector<Tensor> TensorHandle::split_with_sizes(Dims split_sizes, int64_t dim,
                                                   CallSite at) const {
  return detail::to_tensors(ops::split_sizes(*this, split_sizes, dim, at));
}

void TensorHandle::assign(const Operand& value, CallSite at) const {
  if (value.is_tensor()) return ops::copy_(*this, value.tensor(), false, at);
  ops::fill_(*this, value.scalar(), at);
}

Tensor TensorHandle::mT(CallSite at) const {
  EAGRE_CHECK(dim() >= 2, kInvalidArgument,
              "mT(): expected a tensor of at least 2 dimensions, but got one of ", dim());
  return ops::transpose(*this, -2, -1, at);
}
Tensor TensorHandle::mH(CallSite at) const { return adjoint(at); }
Tensor TensorHandle::adjoint(CallSite at) const {
  const Tensor swapped = mT(at);
  return is_complex() ? Tensor(ops::conj(swapped, at)) : swapped;
}
Tensor TensorHandle::numpy_T(CallSite at) const {
  DimVector reversed;
  for (int64_t d = dim(); d-- > 0;) reversed.push_back(d);
  return ops::permute(*this, reversed, at);
}
Tensor TensorHandle::resolve_conj() const { return self(); }
Tensor TensorHandle::resolve_neg() const { return self(); }

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

Tensor& TensorHandle::resize_(Dims sizes, std::optional<MemoryFormat> memory_format,
                              CallSite at) const {
  const SiteScope scope(at);
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kContiguous);
  EAGRE_CHECK(format != MemoryFormat::kPreserve, kInvalidArgument,
              "resize_(): argument 'memory_format' must be contiguous_format or channels_last, but "
              "got preserve_format");
  const bool is_last = format == MemoryFormat::kChannelsLast;
  const DimVector strides = is_last ? strides_of("resize_", sizes, format) : DimVector();
  check_geometry_may_change("resize_", *this);
  if (get().sizes() != sizes) {  // else nothing is written
    autograd::drop_tangents(get());
    resize_tensor("resize_", get(), sizes);
    get().version->bump("resize_()", at.intern());
  }
  if (is_last) {  // of the same extent
    TensorImpl& impl = get();
    set_geometry(impl, IntrusivePtr<Storage>::share(impl.storage), sizes, strides, impl.offset);
  }
  return self();
}

Tensor& TensorHandle::resize_as_(const Tensor& other, std::optional<MemoryFormat> memory_format,
                                 CallSite at) const {
  if (memory_format == MemoryFormat::kPreserve) memory_format = other.suggest_memory_format();
  return resize_(other.sizes(), memory_format, at);
}

Tensor& TensorHandle::set_(const TensorBase& source, CallSite at) const {
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
  return self();
}

std::string TensorHandle::str() const { return to_string(*this); }

}  // namespace eagre

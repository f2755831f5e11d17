// From the entries of an index to views and, for tensors among them, to index() and index_put_().
#include <eagre/api/indexing.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/ops/add.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/full.h>
#include <eagre/ops/index.h>
#include <eagre/ops/index_put_inplace.h>
#include <eagre/ops/select.h>
#include <eagre/ops/slice.h>
#include <eagre/ops/to_device.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/view.h>

namespace eagre {
namespace {

// The dimensions that an index names: a mask, which may be of uint8 as in old code, all of its own.
int64_t covered_by(const TensorBase& index) {
  const bool is_mask = index.dtype() == kBool || index.dtype() == kUInt8;
  return is_mask ? index.dim() : 1;
}

// The view that all entries but tensors make, and the tensors at their dimensions of it.
class Indexer {
 public:
  Indexer(const TensorBase& tensor, Span<const TensorIndex> indices, CallSite at)
      : view_(tensor), at_(at) {
    const SiteScope scope(at);
    count(indices);
    for (const TensorIndex& index : indices) apply(index);
  }

  const TensorBase& view() const { return view_; }
  bool has_tensors() const { return !tensors_.empty(); }
  bool has_masks() const { return advanced_ != 0; }
  const TensorVector& tensors() const { return tensors_; }

 private:
  // How many dimensions the entries name; an ellipsis stands for the rest.
  void count(Span<const TensorIndex> indices) {
    int64_t named = 0;
    int64_t ellipses = 0;
    for (const TensorIndex& index : indices) {
      switch (index.kind()) {
        case TensorIndex::Kind::kInteger:
        case TensorIndex::Kind::kSlice: ++named; break;
        case TensorIndex::Kind::kTensor:
          named += covered_by(index.tensor());
          ++advanced_;
          break;
        case TensorIndex::Kind::kBool: ++advanced_; break;
        case TensorIndex::Kind::kEllipsis: ++ellipses; break;
        default: break;
      }
    }
    EAGRE_CHECK(named <= view_.dim(), kIndex, "index(): too many indices for tensor of dimension ",
                view_.dim(), ": they name ", named, " dimensions",
                view_.dim() == 0 ? ", but this is an invalid index of a 0-dim tensor. Hint: "
                                   "`tensor.item()` gives its number"
                                 : "");
    EAGRE_CHECK(ellipses <= 1, kIndex, "index(): an index can only have a single ellipsis ('...')");
    rest_ = view_.dim() - named;
  }

  void apply(const TensorIndex& index) {
    switch (index.kind()) {
      case TensorIndex::Kind::kInteger: return take(index.integer());
      case TensorIndex::Kind::kSlice: return cut(index.slice());
      case TensorIndex::Kind::kNone: view_ = ops::unsqueeze(view_, dim_++, at_); return;
      case TensorIndex::Kind::kEllipsis:
        dim_ += rest_;
        place_ += rest_;
        return;
      case TensorIndex::Kind::kBool:
        view_ = ops::unsqueeze(view_, dim_, at_);
        if (advanced_ > 1) return add(chosen(index.integer() != 0), 1);
        if (index.integer() == 0) view_ = ops::slice(view_, dim_, 0, 0, 1, at_);
        ++dim_;
        return;
      case TensorIndex::Kind::kTensor: {
        const int64_t covered = covered_by(index.tensor());
        place_ += covered;
        return add(index.tensor(), covered);
      }
    }
  }

  // Beside tensors a bool is one too: of the only place of its dimension, or of none.
  TensorBase chosen(bool one) const {
    const int64_t size[] = {one ? 1 : 0};
    return ops::full(size, 0, TensorOptions(kInt64).device(Device()), at_);
  }

  void take(int64_t index) {
    const int64_t size = view_.sizes()[dim_];
    EAGRE_CHECK(index >= -size && index < size, kIndex, "index(): index ", index,
                " is out of bounds for dimension ", place_, " with size ", size);
    ++place_;
    view_ = ops::select(view_, dim_, index, at_);
  }

  void cut(const indexing::Slice& slice) {
    const bool all = !slice.start && !slice.stop && slice.step == 1;
    if (!all) view_ = ops::slice(view_, dim_, slice.start, slice.stop, slice.step, at_);
    ++dim_;
    ++place_;
  }

  // A mask stands for as many index tensors as it has dimensions, which index() makes of it: in the
  // list it is one entry, so later entries come earlier than their dimension.
  void add(const TensorBase& index, int64_t covered) {
    tensors_.resize(static_cast<size_t>(dim_ - hidden_));
    tensors_.push_back(index);
    dim_ += covered;
    hidden_ += covered - 1;
  }

  TensorBase view_;
  CallSite at_;
  int64_t dim_ = 0;     // of the view: where the next entry applies
  int64_t place_ = 0;   // the same dimension of the tensor
  int64_t rest_ = 0;    // dimensions that no entry names
  int64_t hidden_ = 0;  // dimensions that masks cover beyond the first
  int advanced_ = 0;    // how many entries are tensors or bools
  TensorVector tensors_;
};

}  // namespace

TensorIndex::TensorIndex(const char* text) : kind_(Kind::kEllipsis) {
  if (text != nullptr && std::string_view(text) == "...") return;
  raise(ErrorKind::kType, ArgumentProblem{"index", "indices", "\"...\" where it is a text",
                                          text != nullptr ? concat('"', text, '"') : "null"});
}

TensorBase read_index(const TensorBase& tensor, Span<const TensorIndex> indices, CallSite at) {
  const Indexer indexer(tensor, indices, at);
  if (!indexer.has_tensors()) {
    // An index that keeps everything is still a view of its own.
    if (indexer.view().is_same(tensor)) {
      return tensor.dim() == 0 ? ops::view(tensor, {}, at) : ops::slice(tensor, 0, {}, {}, 1, at);
    }
    // A bool is a mask, and what masks choose is copied.
    return indexer.has_masks() ? ops::clone(indexer.view(), at) : indexer.view();
  }
  return ops::index(indexer.view(), indexer.tensors(), at);
}

TensorBase number_for(const TensorBase& tensor, const Scalar& number) {
  dispatch::meta::check_holds("index_put", "values", tensor.dtype(), number);
  auto single = TensorBase::adopt(new_tensor({}, tensor.dtype(), Device()));
  number.store(tensor.dtype(), single.data_ptr());
  return single;
}

void write_index(const TensorBase& tensor, Span<const TensorIndex> indices,
                 const TensorBase& values, bool accumulate, CallSite at) {
  const Indexer indexer(tensor, indices, at);
  // Leading dimensions of size 1 say nothing, also where the target has fewer.
  TensorBase ready = values;
  while (ready.dim() > 0 && ready.sizes()[0] == 1) ready = ops::select(ready, 0, 0, at);
  if (!indexer.has_tensors()) {
    if (accumulate) return ops::add_(indexer.view(), ready, 1, at);
    return ops::copy_(indexer.view(), ready, false, at);
  }
  if (ready.device() != tensor.device()) ready = ops::to_device(ready, tensor.device(), at);
  ops::index_put_inplace_(indexer.view(), indexer.tensors(), ready, accumulate, at);
}

}  // namespace eagre

// gradient: estimates of derivatives from neighbours.
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/as_floating.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/diff.h>
#include <eagre/ops/div.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/gradient.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/sub.h>

namespace eagre::ops {
namespace {

constexpr const char* kName = "gradient";

// A tensor along one dimension, of which parts are combined.
class Line {
 public:
  Line(const TensorBase& values, int64_t dim, const TensorBase& spacing, CallSite at)
      : values_(values),
        dim_(dim),
        count_(values.sizes()[static_cast<size_t>(dim)]),
        is_even_(spacing.dim() == 0),
        at_(at) {
    DimVector shape(static_cast<size_t>(values.dim()), 1);
    shape[static_cast<size_t>(dim)] = count_ - 1;
    const TensorBase steps =
        is_even_ ? expand(spacing, Dims({count_ - 1}), at) : diff(spacing, 1, 0, {}, {}, at);
    steps_ = reshape(steps, shape, at);
  }

  TensorBase derivative(int64_t edge_order) const {
    const bool is_wide = edge_order == 2;
    TensorVector parts;
    parts.push_back(is_wide ? edge(0, 1) : slope(0));
    if (count_ > 2) parts.push_back(inside());
    parts.push_back(is_wide ? edge(count_ - 1, -1) : slope(count_ - 2));
    return cat(parts, dim_, at_);
  }

 private:
  TensorBase part(const TensorBase& x, int64_t start, int64_t length) const {
    return narrow(x, dim_, start, length, at_);
  }
  TensorBase rise(int64_t i) const {
    return sub(part(values_, i + 1, 1), part(values_, i, 1), 1, at_);
  }
  TensorBase slope(int64_t i) const { return div(rise(i), part(steps_, i, 1), at_); }
  // The slopes on both sides, each times the share of the other side's step. Equal steps need no
  // shares, and may be 0.
  TensorBase inside() const {
    const int64_t length = count_ - 2;
    const TensorBase before = part(steps_, 0, length), after = part(steps_, 1, length);
    if (is_even_) {
      const TensorBase rises = sub(part(values_, 2, length), part(values_, 0, length), 1, at_);
      return div(rises, add(before, after, 1, at_), at_);
    }
    const TensorBase middle = part(values_, 1, length);
    const TensorBase left = div(sub(middle, part(values_, 0, length), 1, at_), before, at_);
    const TensorBase right = div(sub(part(values_, 2, length), middle, 1, at_), after, at_);
    const TensorBase weighted = add(mul(left, after, at_), mul(right, before, at_), 1, at_);
    return div(weighted, add(before, after, 1, at_), at_);
  }
  // At element i, from the two that follow in the given direction: the slope there, and how it
  // changes from one step to the next.
  TensorBase edge(int64_t i, int64_t direction) const {
    const int64_t near = direction > 0 ? i : i - 1, far = near + direction;
    if (is_even_) {
      const TensorBase bent = sub(mul(rise(near), 3, at_), rise(far), 1, at_);
      return div(bent, mul(part(steps_, near, 1), 2, at_), at_);
    }
    const TensorBase first = slope(near), second = slope(far);
    const TensorBase step = part(steps_, near, 1);
    const TensorBase both = add(step, part(steps_, far, 1), 1, at_);
    const TensorBase change = div(sub(first, second, 1, at_), both, at_);
    return add(first, mul(change, step, at_), 1, at_);
  }

  TensorBase values_, steps_;
  int64_t dim_, count_;
  bool is_even_;  // one distance for all
  CallSite at_;
};

void check(const TensorBase& input, TensorList spacing, Dims dim, int64_t edge_order) {
  EAGRE_CHECK(edge_order == 1 || edge_order == 2, kInvalidArgument, kName,
              "(): argument 'edge_order' must be 1 or 2, but got ", edge_order);
  EAGRE_CHECK(spacing.size() == dim.size(), kInvalidArgument, kName,
              "(): argument 'spacing' must have a distance or places for each of the ", dim.size(),
              " dimensions, but got ", spacing.size());
  for (size_t i = 0; i < dim.size(); ++i) {
    const int64_t d = wrap_dim(kName, "dim", dim[i], input.dim());
    for (size_t k = 0; k < i; ++k) {
      EAGRE_CHECK(wrap_dim(kName, "dim", dim[k], input.dim()) != d, kInvalidArgument, kName,
                  "(): argument 'dim' has dimension ", d, " twice");
    }
    if (input.dim() == 0) continue;
    const int64_t size = input.sizes()[static_cast<size_t>(d)];
    EAGRE_CHECK(size > edge_order, kInvalidArgument, kName,
                "(): argument 'input' must have at least edge_order + 1 = ", edge_order + 1,
                " elements in dimension ", d, ", but got ", size);
    const TensorBase& places = spacing[i];
    if (places.get(kName, "spacing").key.rank == 0) continue;
    EAGRE_CHECK(places.dim() == 1 && places.sizes()[0] == size, kInvalidArgument, kName,
                "(): argument 'spacing' must have a place for each of the ", size,
                " elements in dimension ", d, ", but got shape ", places.sizes());
  }
}

}  // namespace

TensorVector gradient(const TensorBase& input, TensorList spacing, Dims dim, int64_t edge_order,
                      CallSite at) {
  const SiteScope scope(at);
  check(input, spacing, dim, edge_order);
  TensorVector found;
  if (input.dim() == 0) return found;
  const TensorBase values = as_floating(input, at);
  for (size_t i = 0; i < dim.size(); ++i) {
    const TensorBase places = as_floating(spacing[i], at);
    const int64_t d = wrap_dim(kName, "dim", dim[i], input.dim());
    found.push_back(Line(values, d, places, at).derivative(edge_order));
  }
  return found;
}

}  // namespace eagre::ops

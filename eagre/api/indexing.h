// Indexing as libtorch spells it: t.index({Slice(1, 5, 2), None, Ellipsis, 3, mask}).
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre {
namespace indexing {

struct NoneType {};
struct EllipsisType {};
inline constexpr NoneType None{};          // NOLINT: libtorch's name; a new dimension of size 1
inline constexpr EllipsisType Ellipsis{};  // NOLINT: all dimensions that are not named

// start:stop:step; what is left out means the end on that side.
struct Slice {
  using Bound = std::optional<int64_t>;

  constexpr Slice() = default;
  constexpr Slice(Bound start, Bound stop = {}, int64_t step = 1)
      : start(start), stop(stop), step(step) {}
  constexpr Slice(NoneType, Bound stop, int64_t step = 1) : stop(stop), step(step) {}
  constexpr Slice(Bound start, NoneType, int64_t step = 1) : start(start), step(step) {}
  constexpr Slice(NoneType, NoneType, int64_t step = 1) : step(step) {}

  Bound start;
  Bound stop;
  int64_t step = 1;
};

}  // namespace indexing

// One entry of an index.
class TensorIndex {
 public:
  enum class Kind : uint8_t { kInteger, kSlice, kNone, kEllipsis, kBool, kTensor };

  template <std::integral T>
  TensorIndex(T value)  // NOLINT: what stands in an index is an index
      : kind_(std::same_as<T, bool> ? Kind::kBool : Kind::kInteger),
        integer_(static_cast<int64_t>(value)) {}
  TensorIndex(indexing::Slice slice) : kind_(Kind::kSlice), slice_(slice) {}  // NOLINT
  TensorIndex(indexing::NoneType) : kind_(Kind::kNone) {}                     // NOLINT
  TensorIndex(std::nullopt_t) : kind_(Kind::kNone) {}                         // NOLINT
  TensorIndex(indexing::EllipsisType) : kind_(Kind::kEllipsis) {}             // NOLINT
  // "..." is an ellipsis too; no other text is an index.
  EAGRE_API TensorIndex(const char* text);                                              // NOLINT
  TensorIndex(TensorBase tensor) : kind_(Kind::kTensor), tensor_(std::move(tensor)) {}  // NOLINT

  Kind kind() const { return kind_; }
  int64_t integer() const { return integer_; }
  const indexing::Slice& slice() const { return slice_; }
  const TensorBase& tensor() const { return tensor_; }

 private:
  Kind kind_;
  int64_t integer_ = 0;
  indexing::Slice slice_;
  TensorBase tensor_;
};

namespace indexing {
using eagre::TensorIndex;  // libtorch's place for it
}

// What tensor[indices] is: a view, or a copy where tensors are among the indices.
EAGRE_API TensorBase read_index(const TensorBase& tensor, Span<const TensorIndex> indices,
                                CallSite at);
// tensor[indices] = values, which broadcast to what is written; or += with `accumulate`.
EAGRE_API void write_index(const TensorBase& tensor, Span<const TensorIndex> indices,
                           const TensorBase& values, bool accumulate, CallSite at);
// A number as write_index() takes it: of the tensor's dtype, which must be able to hold it.
EAGRE_API TensorBase number_for(const TensorBase& tensor, const Scalar& number);

}  // namespace eagre

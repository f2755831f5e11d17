// Tensors on their way into a kernel: borrowed, and without the heap, where they are ready and few.
#pragma once

#include <memory>
#include <new>
#include <utility>

#include <eagre/core/tensor_list.h>
#include <eagre/core/tensor_view.h>

namespace eagre::dispatch {

// A tensor as the kernel wants it: the caller's own, borrowed, if it is so already. Counting one
// more reference and one less takes as long as a small kernel.
class ReadyTensor {
 public:
  explicit ReadyTensor(const TensorBase& given) : used_(&given) {}
  explicit ReadyTensor(TensorBase&& made) : made_(std::move(made)), used_(&made_) {}
  ReadyTensor(ReadyTensor&& other) noexcept
      : made_(std::move(other.made_)), used_(other.is_given() ? other.used_ : &made_) {}
  ReadyTensor& operator=(ReadyTensor&&) = delete;

  bool is_given() const { return used_ != &made_; }
  TensorImpl& get() const { return used_->get(); }
  operator const TensorBase&() const { return *used_; }  // NOLINT: this is what it stands for

 private:
  TensorBase made_;
  const TensorBase* used_;
};

// A list as the kernel wants it: the caller's own tensors if they are so already.
class ReadyTensors {
 public:
  explicit ReadyTensors(TensorList given) : list_(given) {}
  explicit ReadyTensors(TensorVector made) : made_(std::move(made)), list_(made_) {}
  ReadyTensors(ReadyTensors&&) = default;  // the tensors of a vector do not move with it
  ReadyTensors& operator=(ReadyTensors&&) = delete;

  operator TensorList() const { return list_; }  // NOLINT: this is what it stands for

 private:
  TensorVector made_;
  TensorList list_;
};

// The same as kernels see it.
class TensorViews {
 public:
  explicit TensorViews(TensorList tensors) : count_(tensors.size()) {
    if (count_ > kInline) heap_ = std::make_unique<TensorView[]>(count_);
    TensorView* views = data();
    for (size_t i = 0; i < count_; ++i)
      new (views + i) TensorView(TensorView::optional(tensors[i]));
  }
  TensorViews(const TensorViews&) = delete;
  TensorViews& operator=(const TensorViews&) = delete;

  operator Span<const TensorView>() const {  // NOLINT
    return {const_cast<TensorViews*>(this)->data(), count_};
  }

 private:
  static constexpr size_t kInline = 8;
  static_assert(std::is_trivially_destructible_v<TensorView>);

  TensorView* data() {
    return heap_ ? heap_.get() : std::launder(reinterpret_cast<TensorView*>(inline_));
  }

  size_t count_;
  std::unique_ptr<TensorView[]> heap_;
  alignas(TensorView) unsigned char inline_[kInline * sizeof(TensorView)];
};

}  // namespace eagre::dispatch

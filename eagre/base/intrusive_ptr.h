// A counted pointer of one word. The pointee says by retain() and release() what counting means.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace eagre {

template <class T>
class IntrusivePtr {
 public:
  constexpr IntrusivePtr() = default;
  constexpr IntrusivePtr(std::nullptr_t) {}  // NOLINT: nullptr is a pointer
  IntrusivePtr(const IntrusivePtr& other) : pointer_(other.pointer_) {
    if (pointer_ != nullptr) pointer_->retain();
  }
  IntrusivePtr(IntrusivePtr&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  template <class Derived>
  requires std::is_base_of_v<T, Derived> IntrusivePtr(IntrusivePtr<Derived>&& other)
  noexcept : pointer_(other.detach()) {}  // NOLINT
  ~IntrusivePtr() {
    if (pointer_ != nullptr) pointer_->release();
  }
  IntrusivePtr& operator=(IntrusivePtr other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }

  // Takes over a count that already exists.
  static IntrusivePtr adopt(T* pointer) {
    IntrusivePtr owner;
    owner.pointer_ = pointer;
    return owner;
  }
  // Adds a count.
  static IntrusivePtr share(T* pointer) {
    if (pointer != nullptr) pointer->retain();
    return adopt(pointer);
  }

  T* get() const { return pointer_; }
  T* operator->() const { return pointer_; }
  T& operator*() const { return *pointer_; }
  explicit operator bool() const { return pointer_ != nullptr; }
  bool operator==(const IntrusivePtr& other) const = default;

  // Gives the count away without dropping it.
  T* detach() { return std::exchange(pointer_, nullptr); }

 private:
  T* pointer_ = nullptr;
};

}  // namespace eagre

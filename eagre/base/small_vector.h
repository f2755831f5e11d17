// A vector of plain values whose first N live inside it: shapes never touch the heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <type_traits>

#include <eagre/base/span.h>

namespace eagre {

template <class T, size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  explicit SmallVector(size_t size, T value = {}) { resize(size, value); }
  SmallVector(std::initializer_list<T> list)
      : SmallVector(Span<const T>(list.begin(), list.size())) {}
  SmallVector(Span<const T> values) {  // NOLINT: a vector may be made from any view of its values
    reserve(values.size());
    size_ = values.size();
    if (size_ > N) {
      std::memcpy(data(), values.data(), size_ * sizeof(T));
      return;
    }
    // Left in the middle, so that the compiler makes no call of memcpy of it, which would take
    // longer than the few elements do.
    for (size_t i = 0; i < N; ++i) {
      if (i == size_) break;
      inline_[i] = values[i];
    }
  }
  SmallVector(const SmallVector& other) : SmallVector(Span<const T>(other.data(), other.size())) {}
  SmallVector(SmallVector&& other) noexcept
      : size_(other.size_), capacity_(other.capacity_), heap_(std::move(other.heap_)) {
    // All of them, also where fewer are used: a copy of a known length is a few instructions.
    if (!heap_) std::memcpy(inline_, other.inline_, sizeof inline_);
    other.size_ = 0;
    other.capacity_ = N;
  }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) *this = SmallVector(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      std::destroy_at(this);
      std::construct_at(this, std::move(other));
    }
    return *this;
  }

  T* data() { return heap_ ? heap_.get() : inline_; }
  const T* data() const { return heap_ ? heap_.get() : inline_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) reserve(capacity_ * 2);
    data()[size_++] = value;
  }
  void resize(size_t size, T value = {}) {
    reserve(size);
    T* values = data();
    for (size_t i = size_; i < size; ++i) values[i] = value;
    size_ = size;
  }
  // New elements have no value yet.
  void resize_for_overwrite(size_t size) {
    reserve(size);
    size_ = size;
  }
  void insert(size_t position, T value) {
    push_back(value);
    for (size_t i = size_ - 1; i > position; --i) std::swap(data()[i], data()[i - 1]);
  }
  void erase(size_t position) {
    for (size_t i = position + 1; i < size_; ++i) data()[i - 1] = data()[i];
    --size_;
  }
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    std::unique_ptr<T[]> larger(new T[capacity]);
    std::copy_n(data(), size_, larger.get());
    heap_ = std::move(larger);
    capacity_ = capacity;
  }

 private:
  size_t size_ = 0;
  size_t capacity_ = N;
  std::unique_ptr<T[]> heap_;
  T inline_[N];
};

}  // namespace eagre

// A view of contiguous elements: std::span without the cost of its header.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace eagre {

template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}  // NOLINT: an array is a view of itself
  // Anything with data() and size(): vectors, arrays, small vectors, other spans.
  template <class Container>
  requires requires(Container& c) {
    { c.data() } -> std::convertible_to<T*>;
    c.size();
  }
  constexpr Span(Container&& container)
      : data_(container.data()), size_(container.size()) {}  // NOLINT
  // Lives as long as the full expression: for arguments only, which the compiler cannot know.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
  constexpr Span(std::initializer_list<std::remove_const_t<T>> list) requires std::is_const_v<T>
      : data_(list.begin()), size_(list.size()) {}
#pragma GCC diagnostic pop

  // One number is a list of it, as shapes are written: zeros(3). The same holds for its life.
  constexpr Span(const std::remove_const_t<T>& one) requires(  // NOLINT
      std::is_const_v<T>&& std::is_integral_v<T> && !std::is_same_v<std::remove_const_t<T>, bool>)
      : data_(&one), size_(1) {}

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](size_t i) const { return data_[i]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  // As libtorch's ArrayRef has them.
  constexpr Span slice(size_t first, size_t count) const { return {data_ + first, count}; }
  constexpr bool equals(Span other) const { return *this == other; }
  std::vector<std::remove_const_t<T>> vec() const { return {begin(), end()}; }

  friend constexpr bool operator==(Span a, Span b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i) {
      if (!(a.data_[i] == b.data_[i])) return false;
    }
    return true;
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace eagre

// A view of contiguous elements: std::span without the cost of its header.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

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

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](size_t i) const { return data_[i]; }
  constexpr T& back() const { return data_[size_ - 1]; }

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

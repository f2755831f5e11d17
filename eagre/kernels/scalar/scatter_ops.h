// The operations of scatters (`kernel: {scatter: …}`): what an element becomes where a value goes.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/core/load_element.h>
#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// What an operation says, besides join(element, value): the operator's name in messages, and
// whether the element is read.
template <class T>
struct Scatter {
  static constexpr const char* kOperator = "scatter";
  static constexpr bool kReads = false;
  EAGRE_SCALAR void join(T& element, const T& value) { element = value; }
};

template <class T>
struct ScatterValue : Scatter<T> {};

template <class T>
struct ScatterAdd {
  static constexpr const char* kOperator = "scatter_add";
  static constexpr bool kReads = true;
  EAGRE_SCALAR void join(T& element, const T& value) {
    element = static_cast<T>(load_element(element) + load_element(value));
  }
};

}  // namespace eagre::scalar

// The C structures of DLPack, laid out as version 1.0 of its specification says; the codes of
// float8 are from 1.1.
#pragma once

#include <cstdint>

namespace eagre::python::dlpack {

constexpr int32_t kCpu = 1;
enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8E4M3FN = 10,
  kFloat8E5M2 = 12,
};
constexpr uint32_t kMajorVersion = 1, kMinorVersion = 0;
constexpr uint64_t kReadOnly = 1, kIsCopied = 2;

struct DeviceId {
  int32_t type;
  int32_t index;
};

struct ElementType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Array {
  void* data;
  DeviceId device;
  int32_t rank;
  ElementType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null if row-major
  uint64_t byte_offset;
};

// The two kinds of capsule: before version 1, and since.
struct Managed {
  static constexpr const char* kName = "dltensor";
  static constexpr const char* kUsedName = "used_dltensor";
  Array array;
  void* context;
  void (*deleter)(Managed* self);
};

struct ManagedVersioned {
  static constexpr const char* kName = "dltensor_versioned";
  static constexpr const char* kUsedName = "used_dltensor_versioned";
  uint32_t major, minor;
  void* context;
  void (*deleter)(ManagedVersioned* self);
  uint64_t flags;
  Array array;
};

static_assert(sizeof(Array) == 48 && sizeof(Managed) == 64 && sizeof(ManagedVersioned) == 80);

}  // namespace eagre::python::dlpack

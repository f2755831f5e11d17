/* The C interface between Eagre and a device plug-in. A plug-in is a shared library that exports
 * eagre_plugin_init; see docs/device-plugins.md. Nothing may be thrown across this border: every
 * function returns 0 or an error code, and kernels say why in their context. Structs begin with
 * their size, so fields can be added at the end without breaking older plug-ins. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EAGRE_PLUGIN_ABI_VERSION 1

typedef struct EagreTensor {
  void* data; /* a device address */
  const int64_t* sizes;
  const int64_t* strides; /* in elements */
  int64_t numel;
  int32_t rank;
  int32_t dtype; /* EagreDType */
} EagreTensor;

typedef enum EagreDType {
  EAGRE_BOOL = 0,
  EAGRE_UINT8 = 1,
  EAGRE_INT8 = 2,
  EAGRE_INT16 = 3,
  EAGRE_INT32 = 4,
  EAGRE_INT64 = 5,
  EAGRE_UINT16 = 6,
  EAGRE_UINT32 = 7,
  EAGRE_UINT64 = 8,
  EAGRE_FLOAT16 = 9,
  EAGRE_BFLOAT16 = 10,
  EAGRE_FLOAT32 = 11,
  EAGRE_FLOAT64 = 12,
  EAGRE_COMPLEX64 = 13,
  EAGRE_COMPLEX128 = 14,
  EAGRE_FLOAT8_E4M3FN = 15,
  EAGRE_FLOAT8_E5M2 = 16,
  EAGRE_COMPLEX32 = 17
} EagreDType;

typedef enum EagreArgTag {
  EAGRE_ARG_NONE = 0, /* an optional argument that was left out */
  EAGRE_ARG_TENSOR = 1,
  EAGRE_ARG_INTEGER = 2, /* also bool and EagreDType */
  EAGRE_ARG_FLOATING = 3,
  EAGRE_ARG_INTEGERS = 4, /* sizes, dimensions */
  EAGRE_ARG_RANDOM = 5,   /* two integers: seed and position */
  EAGRE_ARG_TENSORS = 6,  /* a list; one that was left out has no data and rank -1 */
  EAGRE_ARG_TEXT = 7,     /* ends with a zero byte */
  EAGRE_ARG_COMPLEX = 8   /* two floating-point numbers */
} EagreArgTag;

typedef struct EagreArg {
  int32_t tag; /* EagreArgTag */
  union {
    EagreTensor tensor;
    int64_t integer;
    double floating;
    struct {
      const int64_t* values;
      int64_t count;
    } integers;
    uint64_t random[2];
    struct {
      const EagreTensor* values;
      int64_t count;
    } tensors;
    const char* text;
    double real_imaginary[2]; /* of a complex number; `complex` is a macro of C */
  } value;
} EagreArg;

/* What a kernel runs in. Work must be put on `stream`; the arguments live only until it returns. */
typedef struct EagreContext {
  size_t struct_size;
  int32_t device;
  void* stream;
  char error[256]; /* the kernel's reason when it returns a code other than 0 */
} EagreContext;

/* args[0] is the output, then the operator's arguments in the order of its signature. The tensors
 * of a pointwise operator are of one dtype and broadcast to the output's sizes (strides may be 0).
 */
typedef int32_t (*EagreKernel)(EagreContext* context, const EagreArg* args, int32_t count);

typedef enum EagreCopy {
  EAGRE_HOST_TO_DEVICE = 0,
  EAGRE_DEVICE_TO_HOST = 1,
  EAGRE_DEVICE_TO_DEVICE = 2
} EagreCopy;

/* Filled by the plug-in. All functions before create_event are required. */
typedef struct EagreDeviceApi {
  size_t struct_size;
  uint32_t version;
  const char* name; /* the kind of device, as in "name:0" */
  int32_t (*device_count)(int32_t* count);
  int32_t (*allocate)(int32_t device, size_t bytes, void** address);
  int32_t (*free)(int32_t device, void* address);
  int32_t (*create_stream)(int32_t device, void** stream);
  int32_t (*destroy_stream)(int32_t device, void* stream);
  int32_t (*synchronize_stream)(int32_t device, void* stream);
  /* Asynchronous, in the order of the stream. Host memory stays valid until the stream was
   * synchronised. */
  int32_t (*copy)(int32_t device, void* stream, void* to, const void* from, size_t bytes,
                  int32_t direction);
  /* Events: all of them or none (null, or a struct_size that ends before them). Without them a
   * recorded event is a synchronised stream. An event stands for the work that was on the stream
   * when it was last recorded; one that was never recorded is done. */
  int32_t (*create_event)(int32_t device, void** event);
  int32_t (*destroy_event)(int32_t device, void* event);
  int32_t (*record_event)(int32_t device, void* event, void* stream);
  /* Later work on the stream waits for the event; the host does not. Both are of this device. */
  int32_t (*wait_event)(int32_t device, void* event, void* stream);
  int32_t (*synchronize_event)(int32_t device, void* event);
  int32_t (*query_event)(int32_t device, void* event, int32_t* done);
} EagreDeviceApi;

/* The size of EagreDeviceApi before it had events. */
#define EAGRE_DEVICE_API_SMALLEST offsetof(EagreDeviceApi, create_event)

/* What Eagre offers the plug-in during eagre_plugin_init. */
typedef struct EagreHost {
  size_t struct_size;
  uint32_t version;
  void* self;
  /* `signature` is eagre_signature_hash of the kernel's signature as the plug-in knows it, e.g.
   * "add(Tensor,Tensor|Scalar,Scalar)->Tensor": the arguments that the kernel gets after its
   * results. A mismatch refuses this kernel only. */
  int32_t (*register_kernel)(void* self, const char* op, int32_t dtype, uint64_t signature,
                             EagreKernel kernel);
} EagreHost;

typedef int32_t (*EagrePluginInit)(const EagreHost* host, EagreDeviceApi* api);

/* FNV-1a, 64 bits. */
static inline uint64_t eagre_signature_hash(const char* signature) {
  uint64_t hash = 14695981039346656037ULL;
  for (; *signature != '\0'; ++signature)
    hash = (hash ^ (unsigned char)*signature) * 1099511628211ULL;
  return hash;
}

#ifdef __cplusplus
}
#endif

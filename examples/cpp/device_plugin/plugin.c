/* A device called "attic": its memory is host memory and its stream does everything at once. It
 * shows the least a plug-in needs; docs/device-plugins.md goes through it step by step. */
#include <eagre/dispatch/device_plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the device --- */

static int32_t device_count(int32_t* count) {
  *count = 1;
  return 0;
}

static int32_t allocate(int32_t device, size_t bytes, void** address) {
  (void)device;
  *address = malloc(bytes);
  return *address == NULL ? 1 : 0;
}

static int32_t release(int32_t device, void* address) {
  (void)device;
  free(address);
  return 0;
}

static int32_t create_stream(int32_t device, void** stream) {
  (void)device;
  *stream = NULL; /* nothing to remember: work is done when it is asked for */
  return 0;
}

static int32_t destroy_stream(int32_t device, void* stream) {
  (void)device;
  (void)stream;
  return 0;
}

static int32_t synchronize_stream(int32_t device, void* stream) {
  (void)device;
  (void)stream;
  return 0;
}

static int32_t copy(int32_t device, void* stream, void* to, const void* from, size_t bytes,
                    int32_t direction) {
  (void)device;
  (void)stream;
  (void)direction; /* host and device memory are the same here */
  memcpy(to, from, bytes);
  return 0;
}

/* --- a kernel --- */

/* Where element `index` of the result, counted in row-major order, stands in a tensor. */
static float* element(const EagreTensor* tensor, int64_t index) {
  int64_t place = 0;
  for (int32_t d = tensor->rank - 1; d >= 0; --d) {
    place += index % tensor->sizes[d] * tensor->strides[d];
    index /= tensor->sizes[d];
  }
  return (float*)tensor->data + place;
}

/* mul(out, input, other): `other` is a tensor or a number. */
static int32_t mul_f32(EagreContext* context, const EagreArg* args, int32_t count) {
  if (count != 3) {
    snprintf(context->error, sizeof context->error, "mul takes 3 arguments, got %d", count);
    return 1;
  }
  const EagreTensor* out = &args[0].value.tensor;
  const EagreTensor* input = &args[1].value.tensor;
  const EagreArg* other = &args[2];
  for (int64_t i = 0; i < out->numel; ++i) {
    float factor;
    switch (other->tag) {
      case EAGRE_ARG_TENSOR: factor = *element(&other->value.tensor, i); break;
      case EAGRE_ARG_FLOATING: factor = (float)other->value.floating; break;
      default: factor = (float)other->value.integer; break;
    }
    *element(out, i) = *element(input, i) * factor;
  }
  return 0;
}

/* --- the entry --- */

__attribute__((visibility("default"))) int32_t eagre_plugin_init(const EagreHost* host,
                                                                 EagreDeviceApi* api) {
  if (host->version != EAGRE_PLUGIN_ABI_VERSION) return 1;
  api->struct_size = sizeof(EagreDeviceApi);
  api->version = EAGRE_PLUGIN_ABI_VERSION;
  api->name = "attic";
  api->device_count = device_count;
  api->allocate = allocate;
  api->free = release;
  api->create_stream = create_stream;
  api->destroy_stream = destroy_stream;
  api->synchronize_stream = synchronize_stream;
  api->copy = copy;
  const uint64_t signature = eagre_signature_hash("mul(Tensor,Tensor|Scalar)->Tensor");
  host->register_kernel(host->self, "mul", EAGRE_FLOAT32, signature, mul_f32);
  return 0;
}

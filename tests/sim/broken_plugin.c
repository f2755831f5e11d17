/* Plug-ins with one fault each, chosen by FAULT_<name>; in C, to show that the header is. */
#include <eagre/dispatch/device_plugin.h>
#include <stdlib.h>

static int32_t device_count(int32_t* count) {
#ifdef FAULT_no_device
  *count = 0;
#else
  *count = 2;
#endif
  return 0;
}

static int32_t allocate(int32_t device, size_t bytes, void** address) {
  (void)device;
  *address = malloc(bytes);
  return *address == NULL;
}

static int32_t release(int32_t device, void* address) {
  (void)device;
  free(address);
  return 0;
}

static int32_t create_stream(int32_t device, void** stream) {
#ifdef FAULT_failing_stream
  if (device == 1) return 7;
#endif
  (void)device;
  *stream = malloc(1);
  return *stream == NULL;
}

static int32_t destroy_stream(int32_t device, void* stream) {
  (void)device;
  free(stream);
  return 0;
}

static int32_t synchronize(int32_t device, void* stream) {
  (void)device;
  (void)stream;
  return 0;
}

static int32_t copy(int32_t device, void* stream, void* to, const void* from, size_t bytes,
                    int32_t direction) {
  (void)device;
  (void)stream;
  (void)direction;
  for (size_t i = 0; i < bytes; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return 0;
}

static int32_t no_kernel(EagreContext* context, const EagreArg* args, int32_t count) {
  (void)context;
  (void)args;
  (void)count;
  return 1;
}

__attribute__((unused)) static int32_t start(const EagreHost* host, EagreDeviceApi* api) {
  api->struct_size = sizeof(EagreDeviceApi);
  api->version = EAGRE_PLUGIN_ABI_VERSION;
  api->name = "broken";
  api->device_count = device_count;
  api->allocate = allocate;
  api->free = release;
  api->create_stream = create_stream;
  api->destroy_stream = destroy_stream;
  api->synchronize_stream = synchronize;
  api->copy = copy;
#if defined FAULT_wrong_version
  api->version = 99;
#elif defined FAULT_small_api
  api->struct_size = sizeof(size_t);
#elif defined FAULT_failing_init
  return 42;
#elif defined FAULT_no_name
  api->name = NULL;
#elif defined FAULT_cpu_name
  api->name = "cpu";
#elif defined FAULT_colon_name
  api->name = "a:b";
#elif defined FAULT_missing_function
  api->copy = NULL;
#elif defined FAULT_old_api   /* not broken: from before there were events */
  api->struct_size = EAGRE_DEVICE_API_SMALLEST;
  api->name = "old";
#elif defined FAULT_no_events /* not broken either */
  api->name = "eventless";
#elif defined FAULT_half_events
  api->create_event = create_stream;
#elif defined FAULT_second_sim
  api->name = "sim";
#elif defined FAULT_odd_kernels
  {
    const uint64_t add = eagre_signature_hash("add(Tensor,Tensor|Scalar,Scalar)->Tensor");
    const uint64_t mul = eagre_signature_hash("mul(Tensor,Tensor|Scalar)->Tensor");
    api->name = "odd";
    host->register_kernel(host->self, "add", EAGRE_FLOAT32, add, no_kernel);
    host->register_kernel(host->self, "add", EAGRE_FLOAT32, add, no_kernel); /* twice */
    host->register_kernel(host->self, "exp", EAGRE_FLOAT32, add,
                          no_kernel); /* another's signature */
    host->register_kernel(host->self, "frobnicate", EAGRE_FLOAT32, add, no_kernel);
    host->register_kernel(host->self, "mul", 77, mul, no_kernel);
    host->register_kernel(host->self, "mul", -1, mul, no_kernel);
    host->register_kernel(host->self, "mul", EAGRE_FLOAT64, mul, NULL);
    host->register_kernel(host->self, NULL, EAGRE_FLOAT64, mul, no_kernel);
  }
#endif
  (void)host;
  (void)no_kernel;
  return 0;
}

#ifndef FAULT_no_init
__attribute__((visibility("default"))) int32_t eagre_plugin_init(const EagreHost* host,
                                                                 EagreDeviceApi* api) {
  return start(host, api);
}
#endif

// Sanitizers end the process when memory runs out or a child of fork() starts threads, unless told
// to let the library answer. NOLINTBEGIN: the names are the sanitizers'
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options();

extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() {
  return "allocator_may_return_null=1:die_after_fork=0";  // children of fork() use threads
}
// NOLINTEND

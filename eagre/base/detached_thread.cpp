// Starting a thread with all signals blocked.
#include <eagre/base/detached_thread.h>

#include <pthread.h>
#include <signal.h>

#include <memory>

#include <eagre/base/interrupt.h>

namespace eagre {
namespace {

struct Start {
  void (*entry)(void*);
  void* context;
};

void* enter(void* given) {
  const Start start = *std::unique_ptr<Start>(static_cast<Start*>(given));
  mark_worker_thread();
  start.entry(start.context);
  return nullptr;
}

}  // namespace

bool start_detached_thread(void (*entry)(void*), void* context) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  auto start = std::make_unique<Start>(Start{entry, context});
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool good = pthread_create(&thread, &attributes, &enter, start.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (good) start.release();  // NOLINT: the thread has it
  return good;
}

}  // namespace eagre

// The list of idle threads. They are detached and stay: a program that nests so deeply once will do
// so again. After fork() the child, where none of them is, starts with an empty list.
#include <eagre/autograd/engine/spare_stack.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include <eagre/base/blocking.h>
#include <eagre/base/detached_thread.h>
#include <eagre/base/fork.h>

namespace eagre::autograd {
namespace {

struct Spare {
  std::mutex mutex;
  std::condition_variable changed;
  void (*work)(void*) = nullptr;
  void* context = nullptr;
  Spare* next_idle = nullptr;
};

struct IdleList {
  ForkMutex mutex;
  Spare* first = nullptr;
  std::atomic<int> started{0};

  static IdleList& get() {
    static IdleList& instance = *new IdleList;
    return instance;
  }
  static void forget() { get().first = nullptr; }
  IdleList() { at_fork_in_child(&forget); }

  Spare* take() {
    std::lock_guard hold(mutex);
    if (first == nullptr) return nullptr;
    return std::exchange(first, first->next_idle);
  }
  void give_back(Spare* spare) {
    std::lock_guard hold(mutex);
    spare->next_idle = std::exchange(first, spare);
  }
};
const MadeAtLoad kIdleListAtLoad(IdleList::get);

void serve(void* given) {
  auto& spare = *static_cast<Spare*>(given);
  std::unique_lock lock(spare.mutex);
  while (true) {
    spare.changed.wait(lock, [&] { return spare.work != nullptr; });
    lock.unlock();
    spare.work(spare.context);
    lock.lock();
    spare.work = nullptr;
    spare.changed.notify_all();
  }
}

Spare* start() {
  auto spare = std::make_unique<Spare>();
  if (!start_detached_thread(&serve, spare.get())) return nullptr;
  ++IdleList::get().started;
  return spare.release();
}

}  // namespace

bool run_on_spare_stack(void (*work)(void*), void* context) {
  Spare* spare = IdleList::get().take();
  if (spare == nullptr) spare = start();
  if (spare == nullptr) return false;
  {
    BlockingSection waiting;
    std::unique_lock lock(spare->mutex);
    spare->context = context;
    spare->work = work;
    spare->changed.notify_all();
    spare->changed.wait(lock, [&] { return spare->work == nullptr; });
  }
  IdleList::get().give_back(spare);
  return true;
}

int spare_stacks_started() { return IdleList::get().started; }

}  // namespace eagre::autograd

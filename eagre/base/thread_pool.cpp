// The pool. A call puts its job, which lives on its stack, into a slot that all workers look at;
// they join the job with the fewest helpers, and the caller works too, so it never waits for others
// to begin. Joining takes no lock: with 16 processors a lock costs more than small jobs do. Workers
// are started when first needed, look for work a little longer than there is some, then sleep.
// They are detached and the pool is never destroyed: a process may end in any order. After fork()
// the child, where no worker is, starts with a new pool.
#include <eagre/base/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include <eagre/base/cpu_count.h>
#include <eagre/base/detached_thread.h>
#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/base/interrupt.h>
#include <eagre/base/warn.h>

namespace eagre {
namespace {

constexpr int64_t kMaxThreads = 1024;
// How long a thread looks for work, or for the end of it, before it sleeps: waking up takes longer
// than many a job, and calls come in series.
constexpr auto kSpinTime = std::chrono::microseconds(200);
constexpr int kPausesPerLook = 16;  // at the clock
// A job is cut into stretches, one for each thread that works on it first: a thread finds in its
// cache what it worked on in the call before. More threads share them.
constexpr uint64_t kMaxStretches = 32;
constexpr size_t kSlots = 16;

constinit thread_local bool inside_chunk = false;
constinit std::atomic<int> thread_count{0};  // 0: not asked yet

void pause_shortly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Waits until is_done() says so, for at most kSpinTime. Returns what it said last.
template <class F>
bool spin_until(const F& is_done) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (is_done()) return true;
      pause_shortly();
    }
  } while (std::chrono::steady_clock::now() < end);
  return is_done();
}

class Job {
 public:
  Job(const ChunkedRange& range, ChunkFunction function, void* context, int threads)
      : range_(range),
        function_(function),
        context_(context),
        stretches_(std::min({range.count(), static_cast<uint64_t>(threads), kMaxStretches})) {
    const uint64_t count = range.count();
    uint64_t begin = 0;
    for (uint64_t i = 0; i < stretches_; ++i) {
      const uint64_t end = begin + count / stretches_ + (i < count % stretches_ ? 1 : 0);
      stretch_[i].next.store(begin, std::memory_order_relaxed);
      stretch_[i].end = end;
      begin = end;
    }
  }

  // Chunks of the stretch of this number, then of those behind it, until none is left.
  void work(uint64_t number) noexcept {
    const bool outer = std::exchange(inside_chunk, true);
    const std::atomic<bool>* watched = watch_failure(&failed_);
    for (uint64_t i = 0; i < stretches_; ++i) work_on(stretch_[(number + i) % stretches_]);
    watch_failure(watched);
    inside_chunk = outer;
  }

  void rethrow_problem() const {
    if (problem_ != nullptr) std::rethrow_exception(problem_);
  }

 private:
  struct alignas(64) Stretch {
    std::atomic<uint64_t> next;
    uint64_t end;
  };

  void work_on(Stretch& stretch) noexcept {
    // Seen first without a write: most stretches are at their ends when others come by.
    while (stretch.next.load(std::memory_order_relaxed) < stretch.end &&
           !failed_.load(std::memory_order_relaxed)) {
      const uint64_t i = stretch.next.fetch_add(1, std::memory_order_relaxed);
      if (i >= stretch.end) break;
      const ChunkedRange chunk = range_.chunk(i);
      try {
        function_(context_, chunk.begin, chunk.end);
        poll_between_steps();
      } catch (...) {
        if (!failed_.exchange(true)) problem_ = std::current_exception();
      }
    }
  }

  const ChunkedRange range_;
  const ChunkFunction function_;
  void* const context_;
  const uint64_t stretches_;
  std::atomic<bool> failed_{false};
  std::exception_ptr problem_ = nullptr;  // of the thread that set `failed_`
  Stretch stretch_[kMaxStretches];
};

// Where workers find a job. Slots outlive jobs, so a worker may look at one at any time; it reads
// the job only after it has been counted as a helper, and the caller waits for all of these.
class alignas(64) Slot {
 public:
  bool take() {
    uint32_t free = 0;
    return state_.load(std::memory_order_relaxed) == 0 &&
           state_.compare_exchange_strong(free, kTaken, std::memory_order_acquire);
  }

  void open(Job& job, uint32_t most_helpers) {
    job_ = &job;
    state_.store(kTaken | kOpen | most_helpers << kMostShift, std::memory_order_release);
  }

  // Returns when no helper is left; the slot is free then.
  void close() {
    uint32_t state = state_.fetch_and(~kOpen, std::memory_order_acq_rel);
    const auto has_ended = [&] {
      state = state_.load(std::memory_order_acquire);
      return (state & kHelpers) == 0;
    };
    if (!has_ended() && !spin_until(has_ended)) {
      while (!has_ended()) state_.wait(state, std::memory_order_acquire);
    }
    state_.store(0, std::memory_order_release);
  }

  // How many help the job; kNoJob if there is none or enough do.
  static constexpr uint32_t kNoJob = UINT32_MAX;
  uint32_t helpers() const {
    const uint32_t state = state_.load(std::memory_order_relaxed);
    return has_room(state) ? state & kHelpers : kNoJob;
  }

  // Null if there is no job (any more) or enough help it.
  Job* join() {
    uint32_t state = state_.load(std::memory_order_relaxed);
    while (has_room(state)) {
      if (state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire)) return job_;
    }
    return nullptr;
  }

  // Nothing is left to do: others need not come, and the job may end.
  void leave() {
    state_.fetch_and(~kOpen, std::memory_order_relaxed);
    if ((state_.fetch_sub(1, std::memory_order_release) & kHelpers) == 1) state_.notify_all();
  }

 private:
  static constexpr uint32_t kHelpers = (1 << 12) - 1;
  static constexpr uint32_t kMostShift = 12;
  static constexpr uint32_t kOpen = 1U << 24;
  static constexpr uint32_t kTaken = 1U << 25;
  static_assert(kMaxThreads <= kHelpers);

  static bool has_room(uint32_t state) {
    return (state & kOpen) != 0 && (state & kHelpers) < (state >> kMostShift & kHelpers);
  }

  std::atomic<uint32_t> state_{0};
  Job* job_ = nullptr;
};

class Pool {
 public:
  void run(Job& job, uint32_t helpers) {
    Slot* slot = find_free_slot();
    if (slot == nullptr) return job.work(0);  // very many callers at once
    slot->open(job, helpers);
    call_workers(helpers);
    job.work(0);
    slot->close();
  }

 private:
  Slot* find_free_slot() {
    for (Slot& slot : slots_) {
      if (slot.take()) return &slot;
    }
    return nullptr;
  }

  void call_workers(uint32_t wanted) {
    // Ordered with rest(): either we see the sleeper, or it sees that there is news.
    news_.fetch_add(1, std::memory_order_seq_cst);
    if (started_.load(std::memory_order_relaxed) < wanted) start_workers(wanted);
    wake_two();
  }

  // Those wake others as long as their job needs more.
  void wake_two() {
    const uint32_t sleeping = sleeping_.load(std::memory_order_seq_cst);
    if (sleeping > 0) news_.notify_one();
    if (sleeping > 1) news_.notify_one();
  }

  // The system may give us no more threads: then the others do the work.
  void start_workers(uint32_t wanted) {
    std::lock_guard lock(mutex_);
    while (started_.load(std::memory_order_relaxed) < wanted &&
           start_detached_thread(&enter, this)) {
      started_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  static void enter(void* self) { static_cast<Pool*>(self)->serve(); }

  [[noreturn]] void serve() {
    const uint64_t number = 1 + entered_.fetch_add(1, std::memory_order_relaxed);
    while (true) {
      const uint32_t seen = news_.load(std::memory_order_acquire);
      Slot* slot = find_job();
      Job* job = slot == nullptr ? nullptr : slot->join();
      if (job == nullptr) {
        if (slot == nullptr) rest(seen);
        continue;
      }
      if (slot->helpers() != Slot::kNoJob) wake_two();
      job->work(number);
      slot->leave();
    }
  }

  Slot* find_job() {
    Slot* best = nullptr;
    uint32_t fewest = Slot::kNoJob;
    for (Slot& slot : slots_) {
      const uint32_t helpers = slot.helpers();
      if (helpers >= fewest) continue;
      fewest = helpers;
      best = &slot;
    }
    return best;
  }

  void rest(uint32_t seen) {
    const auto has_news = [&] { return news_.load(std::memory_order_acquire) != seen; };
    if (spin_until(has_news)) return;
    sleeping_.fetch_add(1, std::memory_order_seq_cst);
    news_.wait(seen, std::memory_order_seq_cst);
    sleeping_.fetch_sub(1, std::memory_order_relaxed);
  }

  Slot slots_[kSlots];
  alignas(64) std::atomic<uint32_t> news_{0};  // changes with every new job
  alignas(64) std::atomic<uint32_t> sleeping_{0};
  std::atomic<uint32_t> started_{0};
  std::atomic<uint64_t> entered_{0};
  std::mutex mutex_;  // of starting workers
};

constinit std::atomic<Pool*> current_pool{nullptr};

void forget_pool() { current_pool.store(nullptr); }

Pool& pool() {
  Pool* found = current_pool.load(std::memory_order_acquire);
  if (found != nullptr) return *found;
  at_fork_in_child(&forget_pool);
  auto* fresh = new Pool;
  if (current_pool.compare_exchange_strong(found, fresh)) return *fresh;
  delete fresh;
  return *found;
}

// The first number of a text like "4" or, as OpenMP has it, "4,2"; 0 if there is none.
int parse_thread_count(const char* text) {
  int count = 0;
  const char* end = text + std::strlen(text);
  const auto [last, problem] = std::from_chars(text, end, count);
  const bool good = problem == std::errc() && (last == end || *last == ',');
  return good && count >= 1 && count <= kMaxThreads ? count : 0;
}

int initial_thread_count() {
  for (const char* name : {"EAGRE_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == '\0') continue;
    if (const int count = parse_thread_count(text)) return count;
    warn_once(name, concat("the environment variable ", name, " must be a number from 1 to ",
                           kMaxThreads, ", but is '", text, "'; it is not used"));
  }
  return static_cast<int>(std::min<int64_t>(available_cpus(), kMaxThreads));
}

void run_alone(const ChunkedRange& range, ChunkFunction function, void* context) {
  const uint64_t count = range.count();
  for (uint64_t i = 0; i < count; ++i) {
    if (i != 0) poll_between_steps();
    const ChunkedRange chunk = range.chunk(i);
    function(context, chunk.begin, chunk.end);
  }
}

// The same for any number of threads, as all borders are.
constexpr uint64_t kChunksWithoutGrain = 64;

ChunkedRange with_grain(const ChunkedRange& range) {
  if (range.grain < 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"parallel_for", "grain",
                          "the size of a chunk, or 0 for one that is chosen here",
                          std::to_string(range.grain)});
  }
  if (range.grain > 0 || range.end <= range.begin) return range;
  return {range.begin, range.end,
          static_cast<int64_t>((range.length() - 1) / kChunksWithoutGrain + 1)};
}

}  // namespace

void run_chunks(const ChunkedRange& wanted, ChunkFunction function, void* context) {
  const ChunkedRange range = with_grain(wanted);
  const uint64_t count = range.count();
  if (count == 0) return;
  if (count == 1) return function(context, range.begin, range.end);
  const int threads = inside_chunk ? 1 : get_num_threads();
  if (threads == 1) return run_alone(range, function, context);
  Job job(range, function, context, threads);
  pool().run(job, static_cast<uint32_t>(std::min(static_cast<uint64_t>(threads), count) - 1));
  job.rethrow_problem();
}

int get_num_threads() {
  int count = thread_count.load(std::memory_order_relaxed);
  if (count != 0) return count;
  const int initial = initial_thread_count();
  return thread_count.compare_exchange_strong(count, initial) ? initial : count;
}

void set_num_threads(int64_t count) {
  if (count < 1 || count > kMaxThreads) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"set_num_threads", "count", concat("from 1 to ", kMaxThreads),
                          std::to_string(count)});
  }
  thread_count.store(static_cast<int>(count), std::memory_order_relaxed);
}

bool in_parallel_region() { return inside_chunk; }

}  // namespace eagre

// The pool. A call puts its job, which lives on its stack, on a list; workers take chunks of the
// job with the fewest helpers; the caller takes chunks of its own, so it never waits for others to
// begin. Workers are started when first needed, look for work a few microseconds longer than there
// is some, then sleep. They are detached and the pool is never destroyed: a process may end in any
// order. After fork() the child, where no worker is, starts with a new pool.
#include <eagre/base/thread_pool.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
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
constexpr int kSpins = 2000;  // some tens of microseconds

constinit thread_local bool inside_chunk = false;
constinit std::atomic<int> thread_count{0};  // 0: not asked yet

void pause_shortly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

struct Job {
  ChunkedRange range;
  ChunkFunction function;
  void* context;
  uint64_t count;
  std::atomic<uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr problem = nullptr;  // of the thread that set `failed`
  std::atomic<int> helpers{0};           // changed with the pool's lock held
  Job* previous = nullptr;
  Job* following = nullptr;

  bool has_work() const {
    return next.load(std::memory_order_relaxed) < count && !failed.load(std::memory_order_relaxed);
  }

  void work() noexcept {
    const bool outer = std::exchange(inside_chunk, true);
    const std::atomic<bool>* watched = watch_failure(&failed);
    while (!failed.load(std::memory_order_relaxed)) {
      const uint64_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= count) break;
      const ChunkedRange chunk = range.chunk(i);
      try {
        function(context, chunk.begin, chunk.end);
        poll_between_steps();
      } catch (...) {
        if (!failed.exchange(true)) problem = std::current_exception();
      }
    }
    watch_failure(watched);
    inside_chunk = outer;
  }
};

class Pool {
 public:
  void run(Job& job, int threads) {
    add(job, threads);
    job.work();
    remove(job);
    wait_for_helpers(job);
  }

 private:
  void add(Job& job, int threads) {
    const auto most = static_cast<uint64_t>(threads - 1);
    const int wanted = static_cast<int>(std::min(most, job.count - 1));
    std::lock_guard lock(mutex_);
    allowed_ = threads - 1;
    job.following = jobs_;
    if (jobs_ != nullptr) jobs_->previous = &job;
    jobs_ = &job;
    generation_.fetch_add(1, std::memory_order_release);
    while (started_ < wanted && start_worker()) {
    }
    const int wake = std::min(wanted, sleeping_);
    for (int i = 0; i < wake; ++i) work_.notify_one();
  }

  void remove(Job& job) {
    std::lock_guard lock(mutex_);
    if (job.previous != nullptr) job.previous->following = job.following;
    if (job.following != nullptr) job.following->previous = job.previous;
    if (jobs_ == &job) jobs_ = job.following;
  }

  void wait_for_helpers(Job& job) {
    for (int i = 0; i < kSpins; ++i) {
      if (job.helpers.load(std::memory_order_acquire) == 0) return;
      pause_shortly();
    }
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return job.helpers.load(std::memory_order_relaxed) == 0; });
  }

  // False when the system gives us no more threads: the others do the work.
  bool start_worker() {
    const bool good = start_detached_thread(&enter, this);
    if (good) ++started_;
    return good;
  }

  static void enter(void* self) { static_cast<Pool*>(self)->serve(); }

  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      Job* job = busy_ < allowed_ ? find_job() : nullptr;
      if (job == nullptr) {
        rest(lock);
        continue;
      }
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      ++busy_;
      lock.unlock();
      job->work();
      lock.lock();
      --busy_;
      // The last touch of the job: its owner may go on at once.
      if (job->helpers.fetch_sub(1, std::memory_order_release) == 1) done_.notify_all();
    }
  }

  Job* find_job() const {
    Job* best = nullptr;
    for (Job* job = jobs_; job != nullptr; job = job->following) {
      if (!job->has_work()) continue;
      if (best == nullptr || job->helpers.load(std::memory_order_relaxed) <
                                 best->helpers.load(std::memory_order_relaxed)) {
        best = job;
      }
    }
    return best;
  }

  void rest(std::unique_lock<std::mutex>& lock) {
    const uint64_t seen = generation_.load(std::memory_order_relaxed);
    lock.unlock();
    for (int i = 0; i < kSpins && generation_.load(std::memory_order_acquire) == seen; ++i) {
      pause_shortly();
    }
    lock.lock();
    ++sleeping_;
    work_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
    --sleeping_;
  }

  std::mutex mutex_;
  std::condition_variable work_, done_;
  Job* jobs_ = nullptr;
  std::atomic<uint64_t> generation_{0};  // changes with every new job
  int allowed_ = 0, started_ = 0, busy_ = 0, sleeping_ = 0;
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
  Job job{range, function, context, count};
  pool().run(job, threads);
  if (job.problem != nullptr) std::rethrow_exception(job.problem);
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

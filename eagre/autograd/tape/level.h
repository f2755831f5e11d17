// Levels of transforms. Forward mode and vmap run the user's function with tensors that carry more
// than their values: a tangent, or a whole batch. Each use of a transform is a level; levels nest
// like calls, and what a tensor carries belongs to one of them.
//
// An operator deals with the innermost level first and computes with what lies below it, where that
// level, and all inside of it, are not seen. A thread in which no level is open pays one branch per
// operator.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {

// What random operators do in a vmap.
enum class Randomness : uint8_t {
  kError,      // they are not allowed
  kDifferent,  // every sample has its own numbers
  kSame,       // all samples have the same
};

struct Tangent;

// Shared by the scope that opened the level and the tangents that belong to it.
class EAGRE_API Level {
 public:
  enum class Kind : uint8_t { kDual, kBatch };

  explicit Level(Kind kind);
  static IntrusivePtr<Level> batch(int64_t size, Randomness randomness);

  // Later levels have greater numbers; no number comes twice.
  uint64_t id() const { return id_; }
  bool is_dual() const { return kind_ == Kind::kDual; }
  int64_t batch_size() const { return batch_size_; }
  Randomness randomness() const { return randomness_; }
  Level* outer() const { return outer_; }
  bool is_open() const { return open_.load(std::memory_order_acquire); }

  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  // The tangents that end with this level.
  void add(Tangent& tangent);
  void remove(Tangent& tangent);

 private:
  friend class LevelScope;
  ~Level() = default;
  void close();

  std::atomic<uint32_t> refs_{1};
  Kind kind_;
  Randomness randomness_ = Randomness::kError;
  uint64_t id_;
  int64_t batch_size_ = 0;
  Level* outer_ = nullptr;  // of the thread that opened it, for as long as the level is open
  std::atomic<bool> open_{false};
  std::atomic<bool> lock_{false};
  Tangent* tangents_ = nullptr;
};

// The derivative that a tensor carries at one dual level.
struct Tangent {
  Tangent(Level& level, TensorBase value)
      : level(IntrusivePtr<Level>::share(&level)), value(std::move(value)) {
    level.add(*this);
  }
  ~Tangent() { level->remove(*this); }
  Tangent(const Tangent&) = delete;
  Tangent& operator=(const Tangent&) = delete;
  static void* operator new(size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* memory, size_t bytes) { free_block(memory, bytes); }

  IntrusivePtr<Level> level;
  TensorBase value;           // undefined: none, also where the base of a view has one
  bool is_shared = false;     // several elements share memory: to be copied before it is written
  bool follows_base = false;  // of a view: seen in the tangent of its base, which may change
  std::unique_ptr<Tangent> next;  // of the same tensor
  // Neighbours in the list of the level.
  Tangent* before = nullptr;
  Tangent* after = nullptr;
};

// A byte: of a word that is zero, compilers keep the zero for later, which costs a register.
EAGRE_INLINE bool transforms_active() {
  return (static_cast<uint8_t>(thread_state.modes.unusual) & uint8_t{kTransforms}) != 0;
}

// The innermost level that this thread sees now, or null.
inline Level* innermost_level() { return static_cast<Level*>(thread_state.modes.transforms); }

// For a while, this level and those outside of it are all that is seen.
class EAGRE_API SeenLevels {
 public:
  explicit SeenLevels(Level* innermost) : before_(innermost_level()) { see(innermost); }
  ~SeenLevels() { see(before_); }
  SeenLevels(const SeenLevels&) = delete;
  SeenLevels& operator=(const SeenLevels&) = delete;

 private:
  friend class LevelScope;
  static void see(Level* level) {
    thread_state.modes.transforms = level;
    if (level != nullptr) {
      thread_state.modes.unusual |= kTransforms;
    } else {
      thread_state.modes.unusual &= ~uint64_t{kTransforms};
    }
  }
  Level* before_;
};

// Opens a level inside of those that are seen; its end takes the level's tangents from all tensors.
// One that was closed can be opened again.
class EAGRE_API LevelScope {
 public:
  explicit LevelScope(IntrusivePtr<Level> level);
  ~LevelScope();
  LevelScope(const LevelScope&) = delete;
  LevelScope& operator=(const LevelScope&) = delete;

  Level& level() const { return *level_; }

 private:
  IntrusivePtr<Level> level_;
};

// While in scope, no operator of this thread computes tangents.
class TangentsOff {
 public:
  TangentsOff() : was_off_(std::exchange(thread_state.modes.tangents_off, true)) {}
  ~TangentsOff() { thread_state.modes.tangents_off = was_off_; }
  TangentsOff(const TangentsOff&) = delete;
  TangentsOff& operator=(const TangentsOff&) = delete;

 private:
  bool was_off_;
};

}  // namespace eagre::autograd

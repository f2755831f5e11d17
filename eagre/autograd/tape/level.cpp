// Opening and closing levels.
#include <eagre/autograd/tape/level.h>

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/spin_lock.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {
namespace {

std::atomic<uint64_t> next_id{1};

}  // namespace

Level::Level(Kind kind) : kind_(kind), id_(next_id.fetch_add(1, std::memory_order_relaxed)) {}

IntrusivePtr<Level> Level::batch(int64_t size, Randomness randomness) {
  auto level = IntrusivePtr<Level>::adopt(new Level(Kind::kBatch));
  level->batch_size_ = size;
  level->randomness_ = randomness;
  return level;
}

void Level::add(Tangent& tangent) {
  const SpinLock hold(lock_);
  tangent.before = nullptr;
  tangent.after = tangents_;
  if (tangents_ != nullptr) tangents_->before = &tangent;
  tangents_ = &tangent;
}

void Level::remove(Tangent& tangent) {
  const SpinLock hold(lock_);
  if (tangent.after != nullptr) tangent.after->before = tangent.before;
  if (tangent.before != nullptr) {
    tangent.before->after = tangent.after;
  } else if (tangents_ == &tangent) {
    tangents_ = tangent.after;
  }
  tangent.before = tangent.after = nullptr;
}

void Level::close() {
  std::vector<TensorBase> ended;  // which die outside of the lock
  const SpinLock hold(lock_);
  for (Tangent* tangent = tangents_; tangent != nullptr; tangent = tangent->after) {
    ended.push_back(std::move(tangent->value));
  }
}

LevelScope::LevelScope(IntrusivePtr<Level> level) : level_(std::move(level)) {
  level_->outer_ = innermost_level();
  level_->open_.store(true, std::memory_order_release);
  SeenLevels::see(level_.get());
}

// Levels may end in any order: the others close ranks.
LevelScope::~LevelScope() {
  if (innermost_level() == level_.get()) {
    SeenLevels::see(level_->outer_);
  } else {
    for (Level* inner = innermost_level(); inner != nullptr; inner = inner->outer_) {
      if (inner->outer_ == level_.get()) inner->outer_ = level_->outer_;
    }
  }
  level_->open_.store(false, std::memory_order_release);
  level_->close();
}

}  // namespace eagre::autograd

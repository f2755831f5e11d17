// Levels that are remembered, and entered again.
#include <eagre/autograd/transforms/remembered_levels.h>

#include <algorithm>
#include <memory>

#include <eagre/autograd/tape/level.h>
#include <eagre/base/intrusive_ptr.h>

namespace eagre::autograd {

RememberedLevels::RememberedLevels() {
  for (Level* level = innermost_level(); level != nullptr; level = level->outer()) {
    levels_.push_back(IntrusivePtr<Level>::share(level));
  }
  std::reverse(levels_.begin(), levels_.end());
}

bool RememberedLevels::have_lost_tangents() const {
  return std::any_of(levels_.begin(), levels_.end(), [](const IntrusivePtr<Level>& level) {
    return level->is_dual() && !level->is_open();
  });
}

Level* RememberedLevels::innermost_open() const {
  const auto found =
      std::find_if(levels_.rbegin(), levels_.rend(),
                   [](const IntrusivePtr<Level>& level) { return level->is_open(); });
  return found == levels_.rend() ? nullptr : found->get();
}

RememberedLevels::Scope::Scope(const RememberedLevels& remembered)
    : seen_(remembered.innermost_open()) {
  for (const IntrusivePtr<Level>& level : remembered.levels_) {
    if (level->is_open() || level->is_dual()) continue;
    reopened_.push_back(std::make_unique<LevelScope>(level));
  }
}

RememberedLevels::Scope::~Scope() {
  while (!reopened_.empty()) reopened_.pop_back();  // the innermost first
}

}  // namespace eagre::autograd

// The levels in which something ran, for running it once more.
#pragma once

#include <memory>
#include <vector>

#include <eagre/autograd/tape/level.h>

namespace eagre::autograd {

class EAGRE_API RememberedLevels {
 public:
  RememberedLevels();  // those that are seen now
  // Did tangents end with one of them?
  bool have_lost_tangents() const;

  // For a while they are seen again, and no others. Those of vmap are opened again where they were
  // closed; those of forward mode are not, as their tangents are gone.
  class EAGRE_API Scope {
   public:
    explicit Scope(const RememberedLevels& remembered);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    SeenLevels seen_;
    std::vector<std::unique_ptr<LevelScope>> reopened_;
  };

 private:
  Level* innermost_open() const;
  std::vector<IntrusivePtr<Level>> levels_;  // the outermost first
};

}  // namespace eagre::autograd

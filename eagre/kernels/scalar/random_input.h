// An input that a random operation reads an element of for each of its own: for messages.
#pragma once

namespace eagre::scalar {

struct RandomInput {
  const char* name;
  const char* expected;
};

}  // namespace eagre::scalar

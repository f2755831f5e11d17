// The version of the library, for programs that must know; CMake reads it from here.
#pragma once

#define EAGRE_VERSION_MAJOR 0
#define EAGRE_VERSION_MINOR 1
#define EAGRE_VERSION_PATCH 0
// Numbers to compare: EAGRE_VERSION >= 10200 is 1.2.0 or later.
#define EAGRE_VERSION \
  (EAGRE_VERSION_MAJOR * 10000 + EAGRE_VERSION_MINOR * 100 + EAGRE_VERSION_PATCH)

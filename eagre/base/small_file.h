// Files of a few lines, as /proc and /sys have them. Read by C's functions: streams need locales,
// which two copies of the C++ library in one process do not share.
#pragma once

#include <string>

namespace eagre {

// The text of a file, or at least how it begins; nothing if it cannot be read.
std::string read_small_file(const std::string& path);

}  // namespace eagre

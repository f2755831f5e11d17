// Runs a disabled test of this binary in a process of its own, at an instruction-set level.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace eagre::test {

// What the child prints, of the lines that begin with `prefix`.
inline std::vector<std::string> lines_of_child(const std::string& level, const std::string& filter,
                                               const std::string& prefix) {
  std::array<char, 4096> self{};
  EXPECT_GT(readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
  const std::string command = "EAGRE_CPU_LEVEL=" + level + " '" + self.data() +
                              "' --gtest_also_run_disabled_tests --gtest_filter=" + filter;
  std::vector<std::string> found;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return found;
  std::array<char, 512> line{};
  while (fgets(line.data(), line.size(), pipe) != nullptr) {
    if (std::string(line.data()).rfind(prefix, 0) == 0) found.emplace_back(line.data());
  }
  EXPECT_EQ(pclose(pipe), 0);
  return found;
}

}  // namespace eagre::test

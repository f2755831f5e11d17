// Runs disabled tests of this binary in a process of their own, with another environment.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace eagre::test {

// What the child prints, of the lines that begin with `prefix`: what follows it.
inline std::vector<std::string> lines_of_child(const std::string& environment,
                                               const std::string& filter,
                                               const std::string& prefix) {
  std::array<char, 4096> self{};
  EXPECT_GT(readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
  // Without the shard of the parent, which is a part of all tests.
  const std::string command =
      "GTEST_TOTAL_SHARDS=1 GTEST_SHARD_INDEX=0 " + environment + " '" + self.data() +
      "' --gtest_also_run_disabled_tests --gtest_filter=" + filter + " 2>&1";
  std::vector<std::string> found;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return found;
  std::array<char, 512> line{};
  while (fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string text = line.data();
    if (text.starts_with(prefix)) {
      found.push_back(text.substr(prefix.size(), text.size() - prefix.size() - 1));
    }
  }
  EXPECT_EQ(pclose(pipe), 0);
  return found;
}

}  // namespace eagre::test

// Reading files of a few lines.
#include <eagre/base/small_file.h>

#include <cstdio>
#include <memory>
#include <string>

namespace eagre {

std::string read_small_file(const std::string& path) {
  constexpr size_t kMaxBytes = size_t{1} << 16;
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "re"), close);
  if (file == nullptr) return {};
  std::string text(kMaxBytes, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

}  // namespace eagre

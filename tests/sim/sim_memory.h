// The pretend device's memory: addresses that no host pointer has, so a stray access faults.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace eagre::sim {

inline std::atomic<int64_t> bad_access_count{0};

// The addresses are not canonical on this architecture: the host cannot read them.
class Memory {
 public:
  void* allocate(int32_t device, size_t bytes) {
    std::lock_guard lock(mutex_);
    const uintptr_t address = next_;
    next_ += (bytes + 4096) / 4096 * 4096 + 4096;  // a gap behind every block
    blocks_[address] = {device, std::vector<char>(bytes)};
    return reinterpret_cast<void*>(address);  // NOLINT: nobody may follow it
  }
  bool free(int32_t device, void* address) {
    std::lock_guard lock(mutex_);
    auto found = blocks_.find(reinterpret_cast<uintptr_t>(address));
    if (found == blocks_.end() || found->second.device != device) return false;
    blocks_.erase(found);
    return true;
  }
  // The host memory behind [address, address + bytes), or null if it is not all in one live block.
  char* at(int32_t device, const void* address, size_t bytes) {
    std::lock_guard lock(mutex_);
    const auto wanted = reinterpret_cast<uintptr_t>(address);
    auto found = blocks_.upper_bound(wanted);
    if (found == blocks_.begin()) return nullptr;
    --found;
    const size_t offset = wanted - found->first;
    Block& block = found->second;
    if (block.device != device || offset + bytes > block.bytes.size()) return nullptr;
    return block.bytes.data() + offset;
  }
  // Live blocks of one device, or of all for -1.
  int64_t count(int32_t device) {
    std::lock_guard lock(mutex_);
    int64_t count = 0;
    for (const auto& [address, block] : blocks_) count += device < 0 || block.device == device;
    return count;
  }

 private:
  struct Block {
    int32_t device;
    std::vector<char> bytes;
  };
  std::mutex mutex_;
  std::map<uintptr_t, Block> blocks_;
  uintptr_t next_ = 0x5111000000000000;
};

// Never destroyed: tensors and streams may outlive everything.
inline Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}

inline char* memory_at(int32_t device, const void* address, size_t bytes) {
  char* found = memory().at(device, address, bytes);
  if (found == nullptr) ++bad_access_count;
  return found;
}

}  // namespace eagre::sim

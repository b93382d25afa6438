#include "storage/usable_memory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace parley::storage {
namespace {

constexpr size_t kLeastCache = size_t{64} << 20;

// Not a number (`max`): no limit.
size_t LimitIn(const std::string& path) {
  std::ifstream file(path);
  size_t bytes = 0;
  return file >> bytes ? bytes : SIZE_MAX;
}

// The smallest limit of a group and all groups above it. In a container the path may exist only on the host.
size_t LimitOf(const std::string& mount, std::string group, const std::string& file) {
  size_t least = SIZE_MAX;
  for (;;) {
    least = std::min(least, LimitIn(mount + group + "/" + file));
    const size_t cut = group.rfind('/');
    if (cut == std::string::npos) return least;
    group.resize(cut);
  }
}

size_t MachineMemory(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string name;
  size_t kib = 0;
  return file >> name >> kib && name == "MemTotal:" ? kib * 1024 : SIZE_MAX;
}

// cgroups(7): `0::PATH` of version 2, `N:…,memory,…:PATH` of version 1.
size_t GroupMemory(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  const std::string mount = root + "/sys/fs/cgroup";
  size_t least = SIZE_MAX;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, LimitOf(mount, group, "memory.max"));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, LimitOf(mount + "/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

size_t UsableMemory(const std::string& root) {
  return std::min(MachineMemory(root), GroupMemory(root));
}

size_t UsualBlockCache(size_t usable) {
  // If nothing is known, assumes a machine of 4 GiB.
  if (usable == SIZE_MAX) usable = size_t{4} << 30;
  return std::max(usable / 8, kLeastCache);
}

}  // namespace parley::storage

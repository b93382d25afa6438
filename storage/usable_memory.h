// The memory that this process may use, and the default share of the store's cache.
#pragma once

#include <cstddef>
#include <string>

namespace parley::storage {

// The machine's memory, or the smaller limit of the process's control group or one above it (of either
// version). Unreadable limits are ignored. `root`: the folder of /proc and /sys, for tests.
size_t UsableMemory(const std::string& root = "");

// An eighth of that, but at least 64 MiB: half a GiB of 4. The kernel caches the store's files, too, and
// compressed.
size_t UsualBlockCache(size_t usable);

}  // namespace parley::storage

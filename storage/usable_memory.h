// How much memory this process may use, and how much of that the store's cache takes where nobody says.
#pragma once

#include <cstddef>
#include <string>

namespace parley::storage {

// What the machine has, or less: what is left to the control group of this process, or to one above it (of
// either version). Whatever cannot be read limits nothing. `root`: where /proc and /sys are, for tests.
size_t UsableMemory(const std::string& root = "");

// An eighth of that, but at least 64 MiB: half a GiB of 4. The kernel keeps the store's files in memory, too,
// and compressed.
size_t UsualBlockCache(size_t usable);

}  // namespace parley::storage

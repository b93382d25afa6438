// Takes from a process everything that making images does not need.
//
// Thread contract: the only thread of its process.
#pragma once

namespace parley::media {

// Limits memory, processor time and descriptors of this process and its children, and forbids dumps and new
// privileges. Returns false if the system refuses.
bool LimitProcess();

// The answer to a call that would look for a file or open one.
enum class Files {
  kKill,     // SIGSYS, like every forbidden call
  kMissing,  // ENOENT, for a library that works without its fonts and tables
};

// Prepares the filter of Confine. Returns false if the system has no such filter.
bool PrepareFilter(Files files);

// From here on the process may use its memory, start threads, write to descriptors 1 and 2, and exit. Any
// other system call kills it by SIGSYS. Returns false if the system refuses. REQUIRES: PrepareFilter.
bool Confine(Files files);

}  // namespace parley::media

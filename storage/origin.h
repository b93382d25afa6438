// Detects a store that was copied, or restored from a backup, and still runs under the epoch of the original:
// clients could then hold more than it does without knowing.
//
// Whenever a store is opened for writing, the file ORIGIN beside it is created anew and records its own
// identity: inode number and time of birth, which no copy preserves. So after cp, rsync or tar the file is
// not the one that it names, and this remains so until the epoch is renewed. It cannot detect a disk or file
// system that was restored as a whole, below the files.
//
//   ORIGIN = epoch ' ' inode '.' second and '.' nanosecond of birth '\n'
//
// Thread contract: call while the store is locked.
#pragma once

#include <optional>
#include <string>

namespace parley::storage {

// Whether the files in `dir` are a copy whose epoch, `epoch`, is still the original's. A store without an
// ORIGIN (last opened by Parley 0.1.0) does not count as one.
bool IsUnrenewedCopy(const std::string& dir, const std::string& epoch);

// Creates ORIGIN anew. Empty on success, else what went wrong.
std::string WriteOrigin(const std::string& dir, const std::string& epoch);

}  // namespace parley::storage

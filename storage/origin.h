// Detects a store that was copied, or restored from a backup, and still runs under the epoch of the original:
// clients could then have changes that the store lacks, undetected.
//
// Opening a store for writing always creates a new file ORIGIN beside it, which records the file's own
// identity: inode number and time of birth, which no copy preserves. So after cp, rsync or tar the file does
// not match its content, until the epoch is renewed. A disk or file system that was restored as a whole,
// below the files, is not detected.
//
//   ORIGIN = epoch ' ' inode '.' second and '.' nanosecond of birth '\n'
//
// Thread contract: call while the store is locked.
#pragma once

#include <optional>
#include <string>

namespace parley::storage {

// Whether the files in `dir` are a copy whose epoch, `epoch`, is still the original's. False for a store
// without an ORIGIN (last opened by Parley 0.1.0).
bool IsUnrenewedCopy(const std::string& dir, const std::string& epoch);

// Creates a new ORIGIN. Returns an error text, or nothing on success.
std::string WriteOrigin(const std::string& dir, const std::string& epoch);

}  // namespace parley::storage

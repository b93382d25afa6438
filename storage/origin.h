// Notices a store that was copied, or put back from a backup, and goes on under the epoch of the one it was
// copied from: clients could then hold more than it does and not know it.
//
// Whenever a store is opened to be written, the file ORIGIN beside it is made anew and says which file it is:
// by number and time of birth, which no copy takes along. So after cp, rsync or tar the file is another one
// than it says, and stays so until the epoch is renewed. What it cannot tell: a disk or a file system put
// back as a whole, below the files.
//
//   ORIGIN = epoch ' ' inode '.' second and '.' nanosecond of birth '\n'
//
// Thread contract: while the store is locked.
#pragma once

#include <optional>
#include <string>

namespace parley::storage {

// Whether the files in `dir` are a copy whose epoch, `epoch`, is still the original's. A store without an
// ORIGIN (one that was last opened by Parley 0.1.0) is none.
bool IsUnrenewedCopy(const std::string& dir, const std::string& epoch);

// Makes ORIGIN anew. Empty on success, else what went wrong.
std::string WriteOrigin(const std::string& dir, const std::string& epoch);

}  // namespace parley::storage

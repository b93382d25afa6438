// Who may look at a store: its owner. Messages, and the secret that all tokens of a demo and all cursors hang
// on, lie in its files.
//
// Thread contract: any thread, before the store is opened.
#pragma once

#include <optional>
#include <string>

#include "storage/rocksdb_table.h"

namespace parley::storage {

// Whether the store's directory lets in other users; false where there is none.
bool IsOpenToOthers(const std::string& dir);

// Makes `dir` and the directories above it where they are missing. The store's own directory is its owner's
// alone (0700) whatever the umask; one that was open to others is closed to them together with its files.
// Where the directory belongs to somebody else and stays open, no file in it may be: that is an error.
std::optional<OpenError> MakePrivate(const std::string& dir);

}  // namespace parley::storage

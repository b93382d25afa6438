// Restricts a store to its owner: its files contain messages, and the secret from which all demo tokens and
// all cursors are derived.
//
// Thread contract: any thread, before the store is opened.
#pragma once

#include <optional>
#include <string>

#include "storage/rocksdb_table.h"

namespace parley::storage {

// Whether the store's directory is accessible to other users; false if there is none.
bool IsOpenToOthers(const std::string& dir);

// Creates `dir` and its missing parents. Only the owner may access the store's own directory (0700), whatever
// the umask; a directory or files that were open to others are closed to them. If the directory belongs to
// another user and stays open, no file in it may be open: that is an error.
std::optional<OpenError> MakePrivate(const std::string& dir);

}  // namespace parley::storage

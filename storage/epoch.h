// Starts a new history for a store that was restored from a backup: its epoch changes, so that every client
// resets (docs/protocol.md). The secret stays: tokens, keys and cursors remain valid.
#pragma once

#include <string>
#include <variant>

#include "storage/rocksdb_table.h"

namespace parley::storage {

struct EpochChange {
  std::string before, after;
};

// For a store that is not open. When it returns, the new epoch is on disk; a crash leaves either the old one
// or the new one.
std::variant<EpochChange, OpenError> RenewEpoch(const std::string& dir);

}  // namespace parley::storage

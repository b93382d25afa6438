// Begins a new history of a store that was put back from a backup: its epoch changes, so that every client
// starts anew (protocol, section 3). The secret stays: tokens, keys and cursors go on being good.
#pragma once

#include <string>
#include <variant>

#include "storage/rocksdb_table.h"

namespace parley::storage {

struct EpochChange {
  std::string before, after;
};

// On a store that nobody has open. When it returns, the new epoch is on disk; a crash leaves the one or the
// other.
std::variant<EpochChange, OpenError> RenewEpoch(const std::string& dir);

}  // namespace parley::storage

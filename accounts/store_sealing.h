// Prepares a store's sealing when it is opened: the key file must contain every key that values in the store
// may be sealed with. A wrong or missing file is rejected with a sentence for a person, before anything is
// changed; a new file is created only if no value is sealed with a file's key.
//
// Thread contract: one thread, before any other writes to the store.
#pragma once

#include <string>

#include "accounts/sealed_values.h"
#include "protocol/base/result.h"

namespace parley::accounts {

// Returns `file`, or the default path if it is empty.
std::string SealingKeyPath(const std::string& file, const std::string& data);

// For reading: changes nothing.
protocol::Result<storage::Sealer> FindSealer(const storage::Table& table, const std::string& path);

struct OpenedSealing {
  storage::Sealer sealer = {};
  bool made_file = false;
  SealedValues values = {};  // counted only if some had to be resealed
};
// For writing: creates the file at the first start, and reseals values with its first key.
protocol::Result<OpenedSealing> OpenSealing(storage::Table& table, const std::string& path);

// Adds a new key at the front and reseals everything with it; finishes an interrupted rotation instead.
protocol::Result<OpenedSealing> RotateSealing(storage::Table& table, const std::string& path);

}  // namespace parley::accounts

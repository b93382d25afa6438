// What a store's secrets are sealed with, when it is opened: the key file has to have every key that the
// store may hold values of. A wrong or missing file is refused with a sentence for a person, before anything
// is changed; a new file is made only where nothing is sealed with any.
//
// Thread contract: one thread, before anybody else writes to the store.
#pragma once

#include <string>

#include "accounts/sealed_values.h"
#include "protocol/base/result.h"

namespace parley::accounts {

// `file`, or where it is if none was named.
std::string SealingKeyPath(const std::string& file, const std::string& data);

// For reading: changes nothing.
protocol::Result<storage::Sealer> FindSealer(const storage::Table& table, const std::string& path);

struct OpenedSealing {
  storage::Sealer sealer = {};
  bool made_file = false;
  SealedValues values = {};  // counted only where some had to be sealed anew
};
// For writing: makes the file at the first start, and seals with its first key what is sealed with another.
protocol::Result<OpenedSealing> OpenSealing(storage::Table& table, const std::string& path);

// Puts a new key first and seals everything with it; a rotation that was interrupted is finished instead.
protocol::Result<OpenedSealing> RotateSealing(storage::Table& table, const std::string& path);

}  // namespace parley::accounts

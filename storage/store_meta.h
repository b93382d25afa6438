// The META row: the store's format and identity. Format: storage/FORMAT.md.
//
//   payload = format (8) | written by (text 00) | epoch (text 00) | secret (32)
//
// The first two parts stay unchanged in every future format, so that an older program can name the version.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/table.h"

namespace parley::storage {

struct StoreMeta {
  uint64_t format = 0;
  std::string written_by;  // "Parley 0.1.0"
  StoreIdentity identity;  // empty if `format` is unknown
};

StoreMeta NewStoreMeta();  // for this program, with a fresh identity
std::string EncodeMeta(const StoreMeta& meta);
std::optional<StoreMeta> DecodeMeta(std::string_view payload);

}  // namespace parley::storage

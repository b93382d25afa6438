// Page cursors: bound to caller and query, and sealed. A position may name a row that the caller may not see
// (the last one examined), so only the server can read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "threads/model/caller.h"

namespace parley::threads {

// Thread-safe.
class CursorCodec {
 public:
  explicit CursorCodec(std::string_view store_secret);

  // `query` names the op and every argument that selects rows, but not `limit`.
  std::string Seal(const Caller& caller, std::string_view query, std::string_view position) const;
  // nullopt: forged, damaged, of another caller, or of another query.
  std::optional<std::string> Open(const Caller& caller, std::string_view query,
                                  std::string_view cursor) const;

 private:
  // Each caller and query has its own key: a cursor opens with no other.
  std::string KeyOf(const Caller& caller, std::string_view query) const;
  const std::string key_;
};

}  // namespace parley::threads

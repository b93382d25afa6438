// Seals page cursors and binds each to its caller and query. A position may name a row that the caller may
// not see (the last one examined), so only the server can read it.
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

  // `query` names the op and all arguments that select rows, but not `limit`.
  std::string Seal(const Caller& caller, std::string_view query, std::string_view position) const;
  // nullopt: forged, damaged, or made for another caller or query.
  std::optional<std::string> Open(const Caller& caller, std::string_view query,
                                  std::string_view cursor) const;

 private:
  // Derives a key per caller and query, so a cursor opens with no other.
  std::string KeyOf(const Caller& caller, std::string_view query) const;
  const std::string key_;
};

}  // namespace parley::threads

// Page cursors: opaque, signed, bound to caller and query. What they hold is a position, never data of
// others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "threads/caller.h"

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
  std::string MacOf(const Caller& caller, std::string_view query, std::string_view position) const;
  const std::string key_;
};

}  // namespace parley::threads

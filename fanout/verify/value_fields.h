// Reads one member of a decoded map. A missing map counts as one without members.
#pragma once

#include <string>
#include <string_view>

#include "protocol/value.h"

namespace parley::fanout {

// Returns "" unless it is a text.
inline std::string TextField(const protocol::Value* map, std::string_view name) {
  const protocol::Value* value = map ? map->Find(name) : nullptr;
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}
// Returns -1 unless it is an integer.
inline int64_t NumberField(const protocol::Value* map, std::string_view name) {
  const protocol::Value* value = map ? map->Find(name) : nullptr;
  return value && value->as_int() ? *value->as_int() : -1;
}
// Returns false unless it is true.
inline bool FlagField(const protocol::Value* map, std::string_view name) {
  const protocol::Value* value = map ? map->Find(name) : nullptr;
  return value && value->as_bool() && *value->as_bool();
}

}  // namespace parley::fanout

// Shortcuts into decoded and encoded values.
#pragma once

#include <string>
#include <string_view>

#include "protocol/value.h"
#include "protocol/writer.h"

namespace parley::sim {

// "" and -1 when it is missing or something else.
inline std::string Text(const protocol::Value& map, std::string_view field) {
  const protocol::Value* value = map.Find(field);
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}
inline int64_t Number(const protocol::Value& map, std::string_view field) {
  const protocol::Value* value = map.Find(field);
  return value && value->as_int() ? *value->as_int() : -1;
}

inline void Put(protocol::Writer& w, std::string_view name, std::string_view text) {
  w.Text(name);
  w.Text(text);
}

}  // namespace parley::sim

// Points in time: milliseconds since the Unix epoch, UTC. On the wire and in rows: RFC 3339 with milliseconds
// and Z.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::protocol {

struct Time {
  int64_t ms = 0;
  friend auto operator<=>(const Time&, const Time&) = default;
};

std::string FormatTime(Time time);                     // "2025-11-05T14:12:07.123Z", 24 bytes
std::optional<Time> ParseTime(std::string_view text);  // accepts exactly that form, from 1970 on

}  // namespace parley::protocol

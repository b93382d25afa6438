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

// The largest time we accept: the end of year 9999, so that the text form keeps its width.
inline constexpr int64_t kMaxTimeMs = 253402300799999;

std::string FormatTime(Time time);                     // "2025-11-05T14:12:07.123Z", 24 bytes
std::optional<Time> ParseTime(std::string_view text);  // exactly that form, within 0...kMaxTimeMs

}  // namespace parley::protocol

// Parses and prints the two forms of a signed request's time. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::accounts {

// "20150830T123600Z": ISO 8601 in its basic form, which is signed. Unix seconds, years 1970 to 9999.
std::optional<int64_t> ParseBasicTime(std::string_view text);
std::string FormatBasicTime(int64_t unix_s);

// "Sun, 30 Aug 2015 12:36:00 GMT": the Date header of HTTP (RFC 9110 §5.6.7, the preferred form),
// also with the zone "-0000" or "+0000", as mail libraries write it.
std::optional<int64_t> ParseHttpDate(std::string_view text);

}  // namespace parley::accounts

#include "protocol/base/http.h"

#include <strings.h>

#include <array>
#include <cstdio>
#include <ctime>

namespace parley::protocol {

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

const std::string* FindHeader(const HttpHeaders& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoringCase(key, name)) return &value;
  }
  return nullptr;
}

std::string HttpDate(int64_t unix_s) {
  constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const time_t at = unix_s;
  tm when = {};
  ::gmtime_r(&at, &when);
  char out[64];
  std::snprintf(out, sizeof out, "%s, %02d %s %04d %02d:%02d:%02d GMT",
                kDays[static_cast<size_t>(when.tm_wday)], when.tm_mday,
                kMonths[static_cast<size_t>(when.tm_mon)], when.tm_year + 1900, when.tm_hour, when.tm_min,
                when.tm_sec);
  return out;
}

}  // namespace parley::protocol

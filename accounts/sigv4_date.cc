#include "accounts/sigv4_date.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace parley::accounts {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

// Whether `text` looks like `pattern`, in which '0' matches any digit.
bool Looks(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool fits = pattern[i] == '0'   ? text[i] >= '0' && text[i] <= '9'
                      : pattern[i] == 'x' ? true
                                          : text[i] == pattern[i];
    if (!fits) return false;
  }
  return true;
}

// REQUIRES: digits.
unsigned Number(std::string_view text, size_t at, size_t size) {
  unsigned out = 0;
  for (const char c : text.substr(at, size)) out = out * 10 + static_cast<unsigned>(c - '0');
  return out;
}

struct Clock {
  unsigned hour, minute, second;
};

std::optional<int64_t> UnixSeconds(unsigned year, unsigned month, unsigned day, Clock clock) {
  const auto date =
      std::chrono::year(static_cast<int>(year)) / std::chrono::month(month) / std::chrono::day(day);
  if (year < 1970 || !date.ok() || clock.hour > 23 || clock.minute > 59 || clock.second > 59)
    return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + clock.hour) * 60 + clock.minute) * 60 + clock.second;
}

unsigned MonthNumber(std::string_view name) {
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == name) return static_cast<unsigned>(i + 1);
  }
  return 0;
}

}  // namespace

std::optional<int64_t> ParseBasicTime(std::string_view text) {
  if (!Looks(text, "00000000T000000Z")) return std::nullopt;
  return UnixSeconds(Number(text, 0, 4), Number(text, 4, 2), Number(text, 6, 2),
                     {Number(text, 9, 2), Number(text, 11, 2), Number(text, 13, 2)});
}

std::string FormatBasicTime(int64_t unix_s) {
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_s)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char out[32];
  const int size =
      std::snprintf(out, sizeof(out), "%04d%02u%02uT%02d%02d%02dZ", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()));
  return std::string(out, static_cast<size_t>(size));
}

std::optional<int64_t> ParseHttpDate(std::string_view text) {
  constexpr std::string_view kDateAndTime = "xxx, 00 xxx 0000 00:00:00";
  if (!Looks(text.substr(0, kDateAndTime.size()), kDateAndTime)) return std::nullopt;
  const std::string_view zone = text.substr(kDateAndTime.size());
  if (zone != " GMT" && zone != " -0000" && zone != " +0000") return std::nullopt;
  const auto unix_s = UnixSeconds(Number(text, 12, 4), MonthNumber(text.substr(8, 3)), Number(text, 5, 2),
                                  {Number(text, 17, 2), Number(text, 20, 2), Number(text, 23, 2)});
  if (!unix_s) return std::nullopt;
  const auto weekday = static_cast<size_t>((*unix_s / 86400 + 4) % 7);  // the first day was a Thursday
  return kDays[weekday] == text.substr(0, 3) ? unix_s : std::nullopt;
}

}  // namespace parley::accounts

#include "protocol/base/time.h"

#include <chrono>

namespace parley::protocol {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

void Put(char* at, int digits, int value) {
  for (int i = digits - 1; i >= 0; --i, value /= 10) at[i] = static_cast<char>('0' + value % 10);
}

// Returns -1 unless all are digits.
int Read(std::string_view text, size_t at, size_t digits) {
  int value = 0;
  for (size_t i = at; i < at + digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::string FormatTime(Time time) {
  const std::chrono::sys_time<milliseconds> point{milliseconds(time.ms)};
  const sys_days day = std::chrono::floor<days>(point);
  const year_month_day date{day};
  int64_t rest = (point - day).count();
  std::string out = "0000-00-00T00:00:00.000Z";
  Put(&out[0], 4, int(date.year()));
  Put(&out[5], 2, static_cast<int>(unsigned(date.month())));
  Put(&out[8], 2, static_cast<int>(unsigned(date.day())));
  Put(&out[20], 3, static_cast<int>(rest % 1000));
  rest /= 1000;
  Put(&out[17], 2, static_cast<int>(rest % 60));
  Put(&out[14], 2, static_cast<int>(rest / 60 % 60));
  Put(&out[11], 2, static_cast<int>(rest / 3600));
  return out;
}

std::optional<Time> ParseTime(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";
  if (text.size() != kShape.size()) return std::nullopt;
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] != '0' && text[i] != kShape[i]) return std::nullopt;
  }
  const int year = Read(text, 0, 4), month = Read(text, 5, 2), day = Read(text, 8, 2);
  const int hour = Read(text, 11, 2), minute = Read(text, 14, 2), second = Read(text, 17, 2),
            milli = Read(text, 20, 3);
  if (year < 1970 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0 || milli < 0)
    return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const int64_t days_since = sys_days(date).time_since_epoch().count();
  return Time{((days_since * 24 + hour) * 60 + minute) * 60'000 + second * 1000 + milli};
}

}  // namespace parley::protocol

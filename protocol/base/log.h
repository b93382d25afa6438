// Logs: structured lines (key=value), one channel per folder, written by spdlog. A line never contains a
// message body, a token or a key: callers pass ids and numbers, and text values are cut and escaped.
// Thread-safe after StartLogging() has returned.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace parley::protocol {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarn, kError, kOff };

struct LogField {
  std::string_view name;
  std::string value;
  LogField(std::string_view n, std::string_view v) : name(n), value(v) {}
  LogField(std::string_view n, const std::string& v) : name(n), value(v) {}
  LogField(std::string_view n, const char* v) : name(n), value(v) {}
  LogField(std::string_view n, int64_t v) : name(n), value(std::to_string(v)) {}
  LogField(std::string_view n, uint64_t v) : name(n), value(std::to_string(v)) {}
  LogField(std::string_view n, int v) : name(n), value(std::to_string(v)) {}
};

// Sets the destination and the lowest level that is logged. Call it once, before threads start; lines before
// that are dropped.
void StartLogging(LogLevel level);  // to stderr

// time level channel event key=value …
void Log(LogLevel level, std::string_view channel, std::string_view event,
         std::initializer_list<LogField> fields = {});

}  // namespace parley::protocol

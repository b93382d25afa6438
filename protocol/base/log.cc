#include "protocol/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>

#include "protocol/base/clusters.h"

namespace parley::protocol {
namespace {

constexpr size_t kValueMax = 256;
std::atomic<LogLevel> g_level{LogLevel::kOff};
std::shared_ptr<spdlog::logger> g_logger;

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

bool IsOn(LogLevel level) {
  return level >= g_level.load(std::memory_order_relaxed) && level != LogLevel::kOff;
}

// Keeps one line per event for any value: quotes if needed, control characters become '?'.
void AppendValue(std::string* line, std::string_view value) {
  const bool cut = value.size() > kValueMax;
  value = FirstBytes(value, kValueMax);
  const bool plain = !value.empty() && value.find_first_of(" \"=\t\r\n") == std::string_view::npos;
  if (!plain) *line += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') *line += '\\';
    *line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  if (cut) *line += "...";
  if (!plain) *line += '"';
}

}  // namespace

void StartLogging(LogLevel level) {
  g_logger = std::make_shared<spdlog::logger>("parley", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  g_logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  g_logger->set_level(spdlog::level::trace);
  g_logger->flush_on(spdlog::level::warn);
  g_level = level;
}

void Log(LogLevel level, std::string_view channel, std::string_view event,
         std::initializer_list<LogField> fields) {
  if (!IsOn(level)) return;
  std::string line(channel);
  line += ' ';
  line += event;
  for (const LogField& field : fields) {
    line += ' ';
    line += field.name;
    line += '=';
    AppendValue(&line, field.value);
  }
  g_logger->log(ToSpdlog(level), line);
}

}  // namespace parley::protocol

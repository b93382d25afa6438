#include "bench/report/machine.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include "bench/load/store_limits.h"
#include "bench/process/server_process.h"

namespace parley::bench {
namespace {

constexpr int kSyncs = 200;
constexpr size_t kSyncBytes = 2048;

// Returns the text after the name in a line of a file of /proc.
std::string FieldOf(const char* path, const std::string& name) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const size_t at = line.find_first_not_of(" \t:", name.size());
    return at == std::string::npos ? "" : line.substr(at);
  }
  return "unknown";
}

std::string Commit() {
  std::string line;
  std::FILE* const pipe = popen("git describe --always --dirty 2>/dev/null", "r");
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF && c != '\n';) line += static_cast<char>(c);
  if (pipe) pclose(pipe);
  return line.empty() ? "unknown" : line;
}

std::string Date() {
  char text[64];
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::strftime(text, sizeof text, "%F %H:%M UTC", &parts);
  return text;
}

std::string Memory() {
  char text[48];
  std::snprintf(text, sizeof text, "%.1f GiB",
                std::atof(FieldOf("/proc/meminfo", "MemTotal").c_str()) / 1024 / 1024);
  return text;
}

std::string Kernel() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release + " " + name.machine : "unknown";
}

std::string Load() {
  std::ifstream in("/proc/loadavg");
  std::string one, five, fifteen;
  in >> one >> five >> fifteen;
  return one + " " + five + " " + fifteen + " (1, 5, 15 minutes)";
}

std::string SyncTime(const std::string& scratch) {
  const ScratchDir dir(scratch);
  char text[80];
  std::snprintf(text, sizeof text, "fdatasync of %zu bytes, p50 of %d: %.3f ms", kSyncBytes, kSyncs,
                static_cast<double>(MeasureSync(dir.path(), kSyncBytes, kSyncs)) / 1e6);
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> DescribeMachine(const std::string& scratch) {
  return {{"date", Date()},
          {"commit", Commit()},
          {"machine", std::to_string(std::thread::hardware_concurrency()) + " cores, " +
                          FieldOf("/proc/cpuinfo", "model name")},
          {"memory", Memory()},
          {"kernel", Kernel()},
          {"disk", SyncTime(scratch)},
          {"load", Load()}};
}

}  // namespace parley::bench

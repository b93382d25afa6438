#include "bench/measure/cpu.h"

#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace parley::bench {
namespace {

int64_t ReadClock(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
}

}  // namespace

int64_t NowNs() {
  return ReadClock(CLOCK_MONOTONIC);
}

int64_t OwnThreadCpuNs() {
  return ReadClock(CLOCK_THREAD_CPUTIME_ID);
}

CpuTimes CpuTimes::operator-(const CpuTimes& earlier) const {
  CpuTimes out = *this;
  out.on_cpu_ns -= earlier.on_cpu_ns;
  for (auto& [name, ns] : out.by_thread) {
    if (const auto before = earlier.by_thread.find(name); before != earlier.by_thread.end())
      ns -= before->second;
  }
  return out;
}

CpuTimes ReadCpu(pid_t pid) {
  CpuTimes out;
  clockid_t clock;
  if (clock_getcpuclockid(pid, &clock) == 0) out.on_cpu_ns = ReadClock(clock);
  std::error_code gone;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
    std::ifstream comm(task.path() / "comm"), stat(task.path() / "schedstat");
    std::string name;
    int64_t ns = 0;
    if (std::getline(comm, name) && stat >> ns) out.by_thread[name] += ns;
  }
  return out;
}

}  // namespace parley::bench

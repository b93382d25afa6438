// The processor time of a process, as the kernel's scheduler counts it (nanoseconds; steadier than rates on a
// shared machine).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

namespace parley::bench {

int64_t NowNs();  // monotonic

struct CpuTimes {
  int64_t on_cpu_ns = 0;                     // all threads, including those that have ended
  std::map<std::string, int64_t> by_thread;  // running threads, by name; threads with the same name together
  CpuTimes operator-(const CpuTimes& earlier) const;
};
// Zero if the process has ended.
CpuTimes ReadCpu(pid_t pid);
int64_t OwnThreadCpuNs();  // the calling thread

}  // namespace parley::bench

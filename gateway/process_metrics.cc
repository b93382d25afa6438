#include "gateway/process_metrics.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>

#include "gateway/build_info.h"

namespace parley::gateway {
namespace {

// Converts a field number of proc(5), which begins at 1, to a place after the program's name in
// /proc/self/stat. The name ends with the last ')'; field 3 follows it.
constexpr size_t StatField(size_t of_manual) {
  return of_manual - 3;
}
constexpr size_t kThreadCount = StatField(20), kStarted = StatField(22), kVirtualBytes = StatField(23),
                 kResidentPages = StatField(24);

double NumberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return static_cast<double>(number);
}

class Proc {
 public:
  Proc() : stat_(::open("/proc/self/stat", O_RDONLY | O_CLOEXEC)), descriptors_(::opendir("/proc/self/fd")) {}
  ~Proc() {
    if (stat_ >= 0) ::close(stat_);
    if (descriptors_) ::closedir(descriptors_);
  }
  Proc(const Proc&) = delete;
  Proc& operator=(const Proc&) = delete;

  double Read(size_t place) const {
    char bytes[1024];
    const ssize_t size = stat_ < 0 ? -1 : ::pread(stat_, bytes, sizeof bytes, 0);
    if (size <= 0) return 0;
    std::string_view text(bytes, static_cast<size_t>(size));
    const size_t name_end = text.rfind(')');
    if (name_end == std::string_view::npos) return 0;
    text.remove_prefix(name_end + 1);
    for (size_t i = 0; i <= place && !text.empty(); ++i) {
      text.remove_prefix(1);
      if (i < place) text.remove_prefix(std::min(text.find(' '), text.size()));
    }
    return NumberIn(text);
  }

  // Kernels since 6.2 report the number as the size; for older ones, count the names.
  double CountDescriptors() const {
    if (!descriptors_) return 0;
    struct stat about {};
    if (::fstat(::dirfd(descriptors_), &about) == 0 && about.st_size > 0)
      return static_cast<double>(about.st_size);
    double count = 0;
    ::rewinddir(descriptors_);
    while (const dirent* entry = ::readdir(descriptors_)) {
      if (entry->d_name[0] != '.') ++count;
    }
    return count;
  }

 private:
  const int stat_;
  DIR* const descriptors_;
};

double CpuSeconds() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double DescriptorLimit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<double>(limit.rlim_cur) : 0;
}

// Returns the boot time as the kernel reports it, in whole seconds of Unix time.
double BootTime() {
  const int file = ::open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::string text;
  char bytes[4096];
  for (ssize_t size = 0; (size = ::read(file, bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<size_t>(size));
  ::close(file);
  constexpr std::string_view kLine = "\nbtime ";
  const size_t at = text.find(kLine);
  return at == std::string::npos ? 0 : NumberIn(std::string_view(text).substr(at + kLine.size()));
}

}  // namespace

void AddProcessMetrics(protocol::Metrics& metrics) {
  const auto proc = std::make_shared<const Proc>();
  const double started = BootTime() + proc->Read(kStarted) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  metrics.AddReadCounter("process_cpu_seconds_total", "Processor time of all threads, including the kernel",
                         CpuSeconds);
  metrics.AddReadGauge("process_max_fds", "Descriptors that the process may have open", DescriptorLimit);
  metrics.AddReadGauge("process_open_fds", "Descriptors that the process has open",
                       [proc] { return proc->CountDescriptors(); });
  metrics.AddReadGauge("process_resident_memory_bytes", "Memory in use, including shared pages",
                       [proc, page] { return proc->Read(kResidentPages) * page; });
  metrics.AddReadGauge("process_start_time_seconds", "Start of the process, in Unix time",
                       [started] { return started; });
  metrics.AddReadGauge("process_threads", "Threads of the process",
                       [proc] { return proc->Read(kThreadCount); });
  metrics.AddReadGauge("process_virtual_memory_bytes", "Address space reserved, used or not",
                       [proc] { return proc->Read(kVirtualBytes); });
  const BuildInfo& build = ThisBuild();
  metrics.AddReadGauge("parley_build_info", "The build, in the labels; always 1", [] { return 1.0; },
                       {{"version", build.version}, {"commit", build.commit}, {"compiler", build.compiler}});
}

}  // namespace parley::gateway

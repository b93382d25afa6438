#include "media/sandbox.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "media/frames.h"

namespace parley::media {
namespace {

// The largest input, the decoded image, libraries and stacks of one process.
constexpr rlim_t kAddressSpace = rlim_t{896} << 20;
constexpr rlim_t kDescriptors = 16;

// The C library sets its handler for it at the first thread.
constexpr int kThreadSignal = 33;

scmp_filter_ctx filters[2] = {};

scmp_filter_ctx& FilterOf(Files files) {
  return filters[files == Files::kMissing ? 1 : 0];
}

bool Limit(__rlimit_resource_t what, rlim_t most) {
  const rlimit limit{most, most};
  return ::setrlimit(what, &limit) == 0;
}

bool Allow(scmp_filter_ctx filter, int call) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
}

bool AllowIf(scmp_filter_ctx filter, int call, const scmp_arg_cmp& argument) {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, argument) == 0;
}

bool AllowCalls(scmp_filter_ctx filter) {
  for (const int call : {SCMP_SYS(brk),
                         SCMP_SYS(clock_gettime),
                         SCMP_SYS(clock_nanosleep),
                         SCMP_SYS(exit),
                         SCMP_SYS(exit_group),
                         SCMP_SYS(futex),
                         SCMP_SYS(getpid),
                         SCMP_SYS(getrandom),
                         SCMP_SYS(gettid),
                         SCMP_SYS(madvise),
                         SCMP_SYS(mremap),
                         SCMP_SYS(munmap),
                         SCMP_SYS(restart_syscall),
                         SCMP_SYS(rseq),
                         SCMP_SYS(rt_sigprocmask),
                         SCMP_SYS(rt_sigreturn),
                         SCMP_SYS(sched_getaffinity),
                         SCMP_SYS(sched_yield),
                         SCMP_SYS(set_robust_list),
                         SCMP_SYS(sysinfo)}) {
    if (!Allow(filter, call)) return false;
  }
  return true;
}

// Memory is never executable, new processes are threads, and only the two descriptors are written to.
bool AllowWithArguments(scmp_filter_ctx filter) {
  // The C library falls back to clone, whose flags a filter can read.
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         AllowIf(filter, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) &&
         AllowIf(filter, SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) &&
         AllowIf(filter, SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) &&
         AllowIf(filter, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, kThreadSignal)) &&
         AllowIf(filter, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)) &&
         AllowIf(filter, SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, 1)) &&
         AllowIf(filter, SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, 2));
}

bool FindNoFiles(scmp_filter_ctx filter) {
  for (const int call : {SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(newfstatat),
                         SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(readlink), SCMP_SYS(stat)}) {
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOENT), call, 0) != 0) return false;
  }
  return true;
}

}  // namespace

bool LimitProcess() {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
         Limit(RLIMIT_AS, kAddressSpace) && Limit(RLIMIT_NOFILE, kDescriptors) && Limit(RLIMIT_CORE, 0);
}

bool PrepareFilter(Files files) {
  scmp_filter_ctx& filter = FilterOf(files);
  filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
  return filter != nullptr && AllowCalls(filter) && AllowWithArguments(filter) &&
         (files == Files::kKill || FindNoFiles(filter));
}

bool Confine(Files files) {
  return seccomp_load(FilterOf(files)) == 0;
}

}  // namespace parley::media

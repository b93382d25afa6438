#define _GNU_SOURCE
#include "tests/powercut/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads "verb word" from the control file; false while there is none. */
static bool Control(const char* verb, char* word, size_t size) {
  const char* path = getenv("POWERCUT_FAULTS");
  if (!path) return false;
  const int saved_errno = errno;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  char text[128] = "";
  if (fd >= 0) {
    const ssize_t n = syscall(SYS_read, fd, text, sizeof text - 1);
    text[n < 0 ? 0 : n] = '\0';
    syscall(SYS_close, fd);
  }
  errno = saved_errno;
  const size_t length = strlen(verb);
  if (strncmp(text, verb, length) != 0 || text[length] != ' ') return false;
  snprintf(word, size, "%.*s", (int)strcspn(text + length + 1, "\n"), text + length + 1);
  return true;
}

static bool Fails(const char* verb) {
  char word[64];
  if (!Control(verb, word, sizeof word)) return false;
  errno = strcmp(word, "ENOSPC") == 0 ? ENOSPC : EIO;
  return true;
}

bool FaultOnWrite(void) {
  return Fails("write");
}
bool FaultOnSync(void) {
  return Fails("sync");
}

bool FaultBlindSync(int fd) {
  char suffix[64];
  if (!Control("blind", suffix, sizeof suffix)) return false;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < (ssize_t)strlen(suffix)) return false;
  path[length] = '\0';
  return strcmp(path + length - strlen(suffix), suffix) == 0;
}

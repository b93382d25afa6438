#define _GNU_SOURCE
#include "tests/powercut/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls go through syscall(2), bypassing our own wrappers. */

static char covered[PATH_MAX];
static char log_path[PATH_MAX];
static int log_fd = -1;
static pthread_once_t started = PTHREAD_ONCE_INIT;

static void Start(void) {
  const char* dir = getenv("POWERCUT_DIR");
  const char* log = getenv("POWERCUT_LOG");
  if (!dir || !log) return;
  snprintf(covered, sizeof covered, "%s", dir);
  snprintf(log_path, sizeof log_path, "%s", log);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) {
    fprintf(stderr, "powercut: cannot write the ledger %s\n", log);
    _exit(99);
  }
  log_fd = fcntl(fd, F_DUPFD_CLOEXEC, 200);
  syscall(SYS_close, fd);
}

bool LedgerOn(void) {
  pthread_once(&started, Start);
  return log_fd >= 0;
}

static void Line(const char* format, ...) {
  char line[3 * PATH_MAX];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (length < 0 || (size_t)length >= sizeof line ||
      syscall(SYS_write, log_fd, line, (size_t)length) != length) {
    fprintf(stderr, "powercut: the ledger could not be written\n");
    _exit(99);
  }
}

/* The durable size of each inode, for detecting writes in place. A chained hash table. */
struct Known {
  dev_t dev;
  ino_t ino;
  off_t durable;
  struct Known* next;
};
enum { kBuckets = 4096 };
static struct Known* known[kBuckets];
static pthread_mutex_t known_mutex = PTHREAD_MUTEX_INITIALIZER;

/* REQUIRES: known_mutex held. A file seen for the first time counts as wholly durable: the last cut left it
 * like that. */
static struct Known* Find(const struct stat* st) {
  struct Known** at = &known[(size_t)st->st_ino % kBuckets];
  for (; *at; at = &(*at)->next) {
    if ((*at)->ino == st->st_ino && (*at)->dev == st->st_dev) return *at;
  }
  struct Known* fresh = malloc(sizeof *fresh);
  if (!fresh) _exit(99);
  *fresh = (struct Known){st->st_dev, st->st_ino, st->st_size, NULL};
  *at = fresh;
  return fresh;
}

static bool Regular(int fd, struct stat* st) {
  return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

static void Note(char kind, const struct stat* st, off_t value) {
  Line("%c %llu %llu %lld\n", kind, (unsigned long long)st->st_dev, (unsigned long long)st->st_ino,
       (long long)value);
}

void LedgerEmpty(int fd) {
  const int saved_errno = errno;
  struct stat st;
  if (Regular(fd, &st)) {
    pthread_mutex_lock(&known_mutex);
    struct Known* file = Find(&st);
    if (st.st_size == 0) {
      file->durable = 0;
      Note('N', &st, 0);
    }
    pthread_mutex_unlock(&known_mutex);
  }
  errno = saved_errno;
}

void LedgerSynced(int fd, off_t size) {
  const int saved_errno = errno;
  struct stat st;
  if (Regular(fd, &st)) {
    pthread_mutex_lock(&known_mutex);
    struct Known* file = Find(&st);
    if (size > file->durable) file->durable = size;
    Note('S', &st, size);
    pthread_mutex_unlock(&known_mutex);
  }
  errno = saved_errno;
}

static void Lower(char kind, int fd, off_t to) {
  const int saved_errno = errno;
  struct stat st;
  if (Regular(fd, &st)) {
    pthread_mutex_lock(&known_mutex);
    struct Known* file = Find(&st);
    if (to < file->durable) {
      file->durable = to;
      Note(kind, &st, to);
    }
    pthread_mutex_unlock(&known_mutex);
  }
  errno = saved_errno;
}

void LedgerWritten(int fd, off_t offset) {
  Lower('W', fd, offset);
}
void LedgerTruncated(int fd, off_t length) {
  Lower('T', fd, length);
}

static unsigned long long DirOf(const char* path) {
  char dir[PATH_MAX];
  snprintf(dir, sizeof dir, "%s", path);
  char* slash = strrchr(dir, '/');
  if (slash) *(slash == dir ? slash + 1 : slash) = '\0';
  struct stat st;
  return stat(dir, &st) == 0 ? (unsigned long long)st.st_ino : 0;
}

void LedgerName(char kind, const char* path) {
  const int saved_errno = errno;
  Line("%c %llu %s\n", kind, DirOf(path), path);
  errno = saved_errno;
}

void LedgerRenamed(const char* from, const char* to, const char* saved) {
  const int saved_errno = errno;
  Line("r %llu %s\t%s\t%s\n", DirOf(to), from, to, saved);
  errno = saved_errno;
}

void LedgerUnlinked(const char* path, const char* saved) {
  const int saved_errno = errno;
  Line("u %llu %s\t%s\n", DirOf(path), path, saved);
  errno = saved_errno;
}

void LedgerDirSynced(int fd) {
  const int saved_errno = errno;
  struct stat st;
  if (fstat(fd, &st) == 0) Line("D %llu\n", (unsigned long long)st.st_ino);
  errno = saved_errno;
}

void LedgerUnsupported(const char* what) {
  Line("X %s\n", what);
}

bool LedgerSave(const char* path, char* saved, size_t saved_size) {
  static unsigned counter;
  const int saved_errno = errno;
  const unsigned number = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
  snprintf(saved, saved_size, "%s.saved.%d.%u", log_path, (int)getpid(), number);
  const bool ok = syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, saved, 0) == 0;
  errno = saved_errno;
  return ok;
}

bool LedgerCovers(int dirfd, const char* path, char* out, size_t out_size) {
  if (!LedgerOn() || !path) return false;
  const int saved_errno = errno;
  char base[PATH_MAX] = "";
  if (path[0] != '/') {
    char link[64];
    snprintf(link, sizeof link, dirfd == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", dirfd);
    const ssize_t length = readlink(link, base, sizeof base - 1);
    base[length < 0 ? 0 : length] = '\0';
  }
  const int length = snprintf(out, out_size, "%s%s%s", base, base[0] ? "/" : "", path);
  errno = saved_errno;
  const size_t prefix = strlen(covered);
  return length > 0 && (size_t)length < out_size && strncmp(out, covered, prefix) == 0 &&
         (out[prefix] == '/' || out[prefix] == '\0');
}

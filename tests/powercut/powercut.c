/* LD_PRELOAD shim that keeps the ledger (ledger.h) of the bytes and names that a process makes durable in
 * $POWERCUT_DIR. It wraps the C library's calls without changing their effects, except for the faults that
 * faults.h switches on. README.md describes the model. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/powercut/faults.h"
#include "tests/powercut/ledger.h"

/* The C library's own function of this name. */
#define REAL(name, type)                              \
  static __typeof__(type) real;                       \
  if (!__atomic_load_n(&real, __ATOMIC_ACQUIRE)) {    \
    __typeof__(type) found;                           \
    *(void**)(&found) = dlsym(RTLD_NEXT, #name);      \
    __atomic_store_n(&real, found, __ATOMIC_RELEASE); \
  }

/* Descriptors of covered files that are open for writing; 2: each write is a sync (O_SYNC, O_DSYNC). */
enum { kDescriptors = 1 << 16 };
static unsigned char watched[kDescriptors];

static unsigned char Watched(int fd) {
  return fd >= 0 && fd < kDescriptors ? __atomic_load_n(&watched[fd], __ATOMIC_RELAXED) : 0;
}

static void Watch(int fd, unsigned char value) {
  if (fd >= 0 && fd < kDescriptors) __atomic_store_n(&watched[fd], value, __ATOMIC_RELAXED);
}

struct Opening {
  bool covered, creates;
  char path[PATH_MAX];
};

/* False: the open must fail (errno set). */
static bool BeforeOpen(struct Opening* o, int dirfd, const char* path, int flags) {
  o->covered = LedgerCovers(dirfd, path, o->path, sizeof o->path);
  o->creates = o->covered && (flags & O_CREAT) && access(o->path, F_OK) != 0;
  return !(o->creates && FaultOnWrite());
}

static int AfterOpen(const struct Opening* o, int fd, int flags) {
  if (fd < 0) return fd;
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  Watch(fd, o->covered && writes ? (flags & O_DSYNC ? 2 : 1) : 0);
  if (o->covered && writes) {
    LedgerEmpty(fd);
    if (o->creates) LedgerName('c', o->path);
  }
  return fd;
}

#define OPEN_MODE(flags)                 \
  mode_t mode = 0;                       \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list args;                        \
    va_start(args, flags);               \
    mode = (mode_t)va_arg(args, int);    \
    va_end(args);                        \
  }

#define WRAP_OPEN(name)                                    \
  int name(const char* path, int flags, ...) {             \
    REAL(name, int (*)(const char*, int, ...))             \
    OPEN_MODE(flags)                                       \
    struct Opening o;                                      \
    if (!BeforeOpen(&o, AT_FDCWD, path, flags)) return -1; \
    return AfterOpen(&o, real(path, flags, mode), flags);  \
  }
WRAP_OPEN(open)
WRAP_OPEN(open64)

#define WRAP_OPENAT(name)                                        \
  int name(int dirfd, const char* path, int flags, ...) {        \
    REAL(name, int (*)(int, const char*, int, ...))              \
    OPEN_MODE(flags)                                             \
    struct Opening o;                                            \
    if (!BeforeOpen(&o, dirfd, path, flags)) return -1;          \
    return AfterOpen(&o, real(dirfd, path, flags, mode), flags); \
  }
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)

/* _FORTIFY_SOURCE turns open() without a mode into this. */
int __open_2(const char* path, int flags) {
  return open(path, flags);
}
int __open64_2(const char* path, int flags) {
  return open64(path, flags);
}
int __openat_2(int dirfd, const char* path, int flags) {
  return openat(dirfd, path, flags);
}
int __openat64_2(int dirfd, const char* path, int flags) {
  return openat64(dirfd, path, flags);
}
int creat(const char* path, mode_t mode) {
  return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int creat64(const char* path, mode_t mode) {
  return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

#define WRAP_FOPEN(name)                                                              \
  FILE* name(const char* path, const char* how) {                                     \
    REAL(name, FILE* (*)(const char*, const char*))                                   \
    const int flags = how[0] == 'r' && how[1] != '+' ? O_RDONLY : O_WRONLY | O_CREAT; \
    struct Opening o;                                                                 \
    if (!BeforeOpen(&o, AT_FDCWD, path, flags)) return NULL;                          \
    FILE* file = real(path, how);                                                     \
    if (file) AfterOpen(&o, fileno(file), flags);                                     \
    return file;                                                                      \
  }
WRAP_FOPEN(fopen)
WRAP_FOPEN(fopen64)

int close(int fd) {
  REAL(close, int (*)(int))
  Watch(fd, 0);
  return real(fd);
}

/* Called before every write at `offset`, or at the file position if that is -1. Returns false if the write
 * must fail. */
static bool BeforeWrite(int fd, off_t offset) {
  if (!Watched(fd)) return true;
  if (FaultOnWrite()) return false;
  if (offset < 0) offset = fcntl(fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
  if (offset >= 0) LedgerWritten(fd, offset);
  return true;
}

static ssize_t AfterWrite(int fd, ssize_t written) {
  struct stat st;
  if (written > 0 && Watched(fd) == 2 && fstat(fd, &st) == 0) LedgerSynced(fd, st.st_size);
  return written;
}

ssize_t write(int fd, const void* data, size_t size) {
  REAL(write, ssize_t(*)(int, const void*, size_t))
  if (!BeforeWrite(fd, -1)) return -1;
  return AfterWrite(fd, real(fd, data, size));
}

ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(writev, ssize_t(*)(int, const struct iovec*, int))
  if (!BeforeWrite(fd, -1)) return -1;
  return AfterWrite(fd, real(fd, parts, count));
}

#define WRAP_PWRITE(name, offset_type, data_type, size_type)                 \
  ssize_t name(int fd, data_type data, size_type size, offset_type offset) { \
    REAL(name, ssize_t (*)(int, data_type, size_type, offset_type))          \
    if (!BeforeWrite(fd, offset)) return -1;                                 \
    return AfterWrite(fd, real(fd, data, size, offset));                     \
  }
WRAP_PWRITE(pwrite, off_t, const void*, size_t)
WRAP_PWRITE(pwrite64, off64_t, const void*, size_t)
WRAP_PWRITE(pwritev, off_t, const struct iovec*, int)
WRAP_PWRITE(pwritev64, off64_t, const struct iovec*, int)

#define WRAP_FTRUNCATE(name, offset_type)                        \
  int name(int fd, offset_type length) {                         \
    REAL(name, int (*)(int, offset_type))                        \
    const int result = real(fd, length);                         \
    if (result == 0 && Watched(fd)) LedgerTruncated(fd, length); \
    return result;                                               \
  }
WRAP_FTRUNCATE(ftruncate, off_t)
WRAP_FTRUNCATE(ftruncate64, off64_t)

/* Reads the size before the sync: bytes written while it runs may or may not be part of it. */
static int Sync(int fd, int (*real)(int)) {
  struct stat st;
  if (!LedgerOn() || fstat(fd, &st) != 0) return real(fd);
  if (FaultOnSync()) return -1;
  const int result = real(fd);
  if (result != 0) return result;
  if (S_ISDIR(st.st_mode))
    LedgerDirSynced(fd);
  else if (!FaultBlindSync(fd))
    LedgerSynced(fd, st.st_size);
  return result;
}

int fsync(int fd) {
  REAL(fsync, int (*)(int))
  return Sync(fd, real);
}

int fdatasync(int fd) {
  REAL(fdatasync, int (*)(int))
  return Sync(fd, real);
}

/* Before a rename or unlink removes a name, links its file beside the ledger, so that the cut can undo it. */
static int Rename(int from_dir, const char* from, int to_dir, const char* to, unsigned flags,
                  int (*real)(int, const char*, int, const char*, unsigned)) {
  char old_path[PATH_MAX], new_path[PATH_MAX], saved[PATH_MAX] = "-";
  const bool covered = LedgerCovers(from_dir, from, old_path, sizeof old_path) &&
                       LedgerCovers(to_dir, to, new_path, sizeof new_path);
  if (covered && FaultOnWrite()) return -1;
  if (covered && !LedgerSave(new_path, saved, sizeof saved)) snprintf(saved, sizeof saved, "-");
  const int result = real(from_dir, from, to_dir, to, flags);
  if (result == 0 && covered) LedgerRenamed(old_path, new_path, saved);
  return result;
}

int renameat2(int from_dir, const char* from, int to_dir, const char* to, unsigned flags) {
  REAL(renameat2, int (*)(int, const char*, int, const char*, unsigned))
  return Rename(from_dir, from, to_dir, to, flags, real);
}
int renameat(int from_dir, const char* from, int to_dir, const char* to) {
  return renameat2(from_dir, from, to_dir, to, 0);
}
int rename(const char* from, const char* to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int dirfd, const char* path, int flags) {
  REAL(unlinkat, int (*)(int, const char*, int))
  char full[PATH_MAX], saved[PATH_MAX];
  const bool kept = !(flags & AT_REMOVEDIR) && LedgerCovers(dirfd, path, full, sizeof full) &&
                    LedgerSave(full, saved, sizeof saved);
  const int result = real(dirfd, path, flags);
  if (result == 0 && kept) LedgerUnlinked(full, saved);
  return result;
}
int unlink(const char* path) {
  return unlinkat(AT_FDCWD, path, 0);
}

int linkat(int from_dir, const char* from, int to_dir, const char* to, int flags) {
  REAL(linkat, int (*)(int, const char*, int, const char*, int))
  char full[PATH_MAX];
  const int result = real(from_dir, from, to_dir, to, flags);
  if (result == 0 && LedgerCovers(to_dir, to, full, sizeof full)) LedgerName('l', full);
  return result;
}
int link(const char* from, const char* to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdirat(int dirfd, const char* path, mode_t mode) {
  REAL(mkdirat, int (*)(int, const char*, mode_t))
  char full[PATH_MAX];
  const int result = real(dirfd, path, mode);
  if (result == 0 && LedgerCovers(dirfd, path, full, sizeof full)) LedgerName('m', full);
  return result;
}
int mkdir(const char* path, mode_t mode) {
  return mkdirat(AT_FDCWD, path, mode);
}

/* Bytes that reach a file past write() cannot be accounted for: better no answer than a wrong one. */
#define WRAP_MMAP(name, offset_type)                                                         \
  void* name(void* at, size_t size, int protection, int flags, int fd, offset_type offset) { \
    REAL(name, void* (*)(void*, size_t, int, int, int, offset_type))                         \
    if (fd >= 0 && Watched(fd) && (protection & PROT_WRITE) && (flags & MAP_SHARED)) {       \
      LedgerUnsupported("a covered file was mapped for writing");                            \
    }                                                                                        \
    return real(at, size, protection, flags, fd, offset);                                    \
  }
WRAP_MMAP(mmap, off_t)
WRAP_MMAP(mmap64, off64_t)

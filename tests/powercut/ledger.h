/* The ledger of a simulated disk: which parts of every file would still be there after a power cut.
 *
 * One text line per fact, appended with one write(2) each, so that it survives kill -9 of the process and an
 * unterminated last line does not count. Read by tests/e2e/lib/powercut.mjs. A file is known by device and
 * inode, so that renames and links need no bookkeeping for its bytes.
 *
 *   N dev ino               empty: nothing of it is durable
 *   S dev ino size          its first `size` bytes are durable
 *   W dev ino offset        bytes from `offset` on were written again in place: no longer certain
 *   T dev ino length        cut to `length`
 *   c dir path              name created
 *   m dir path              directory made
 *   l dir path              hard link made
 *   r dir from\tto\tsaved   renamed; `saved` is a link to the earlier file `to`, or "-"
 *   u dir path\tsaved       unlinked; `saved` is a link to the removed file
 *   D dir                   directory synced: the changes of names in it are durable
 *   X reason                something that this model cannot follow; the cut refuses
 *
 * The changes of c, m, l, r and u are undone if the cut comes before a sync of the directory `dir`.
 *
 * Threads: every function may be called by any thread. No function changes errno. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* True when the simulation is on: $POWERCUT_DIR (absolute, no symbolic links) and $POWERCUT_LOG are set. */
bool LedgerOn(void);

/* Writes the absolute form of `path` (relative to `dirfd`) to `out`; returns whether it is in $POWERCUT_DIR.
 */
bool LedgerCovers(int dirfd, const char* path, char* out, size_t out_size);

void LedgerEmpty(int fd);                     /* N, when the file is empty */
void LedgerSynced(int fd, off_t size);        /* S */
void LedgerWritten(int fd, off_t offset);     /* W, if the offset is below the durable size */
void LedgerTruncated(int fd, off_t length);   /* T */
void LedgerName(char kind, const char* path); /* c, m, l */
void LedgerRenamed(const char* from, const char* to, const char* saved);
void LedgerUnlinked(const char* path, const char* saved);
void LedgerDirSynced(int fd);             /* D */
void LedgerUnsupported(const char* what); /* X */

/* Links the file at `path` to a fresh name beside the ledger, so that a cut can bring it back. False: no such
 * file. */
bool LedgerSave(const char* path, char* saved, size_t saved_size);

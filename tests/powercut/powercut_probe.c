/* Checks the shim. Writes records to DIR/records and prints the number of each that it would acknowledge:
 * with `sync` after an fdatasync, with `nosync` at once. Runs until it is killed.
 *
 * usage: powercut_probe DIR sync|nosync */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  char path[4096];
  snprintf(path, sizeof path, "%s/records", argv[1]);
  const int fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
  const int dir = open(argv[1], O_RDONLY | O_DIRECTORY);
  if (fd < 0 || dir < 0 || fsync(dir) != 0) return 2;
  for (int i = 0;; ++i) {
    char record[32];
    snprintf(record, sizeof record, "record %07d\n", i);
    if (write(fd, record, strlen(record)) != (ssize_t)strlen(record)) return 1;
    if (strcmp(argv[2], "sync") == 0 && fdatasync(fd) != 0) return 1;
    printf("%d\n", i);
    fflush(stdout);
  }
}

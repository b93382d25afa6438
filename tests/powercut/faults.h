/* Faults on demand: while the file named by $POWERCUT_FAULTS exists, its first line sets the fault of the
 * files in $POWERCUT_DIR:
 *
 *   write ENOSPC   every write and every creation of a file fails with this error (a full disk)
 *   sync EIO       every fsync and fdatasync fails with this error
 *   blind .log     syncs of files with this suffix succeed but make nothing durable (a disk that lies)
 */
#pragma once

#include <stdbool.h>

bool FaultOnWrite(void); /* sets errno */
bool FaultOnSync(void);  /* sets errno */
bool FaultBlindSync(int fd);

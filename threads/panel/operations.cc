#include "threads/panel/operations.h"

#include "threads/panel/panel_reads.h"
#include "threads/panel/put_tab.h"
#include "threads/run/write_op.h"

namespace parley::threads {

Operations PanelOperations() {
  static const Operation rows[] = {
      ReadOp<protocol::TabGet, GetTab>(),
      WriteOp<PutTab>(),
  };
  return rows;
}

}  // namespace parley::threads

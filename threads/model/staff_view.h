// What staff see of a thread besides what everybody does: since when it is not open, why its status was last
// changed, and by whom. It is kept in the private part of the head and put into replies to staff alone: the
// item in rows and events is the same for everybody.
#pragma once

#include <string>

#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

// The wire bytes of a thread, for a reply to this caller.
inline std::string WireFor(const Caller& caller, const ThreadRow& head) {
  if (!caller.is_staff()) return Wire(head.item);
  protocol::Thread shown = head.item;
  shown.locked_at = head.hidden.locked_at;
  shown.status_reason = head.hidden.status_reason;
  shown.status_by = head.hidden.status_by;
  return Wire(shown);
}

}  // namespace parley::threads

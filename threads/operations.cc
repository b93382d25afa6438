#include "threads/operations.h"

#include "threads/cards/operations.h"
#include "threads/clock/operations.h"
#include "threads/inbox/operations.h"
#include "threads/lifecycle/operations.h"
#include "threads/members/operations.h"
#include "threads/messages/operations.h"
#include "threads/panel/operations.h"
#include "threads/staff/operations.h"

namespace parley::threads {

std::span<const Operations> CoreOperations() {
  static const Operations lists[] = {
      MessageOperations(), MemberOperations(), InboxOperations(), LifecycleOperations(),
      CardOperations(),    PanelOperations(),  ClockOperations(), StaffOperations(),
  };
  return lists;
}

const Operation* FindOperation(std::string_view name) {
  for (const Operations& list : CoreOperations()) {
    for (const Operation& row : list) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

}  // namespace parley::threads

// Lists the rows of the ops on members.
//
// Thread contract: any thread.
#pragma once

#include "threads/run/operation.h"

namespace parley::threads {

Operations MemberOperations();

}  // namespace parley::threads

// Builds the replies that several ops share: the message or the thread after the change.
#pragma once

#include <string>

#include "threads/model/caller.h"
#include "threads/model/rows.h"

namespace parley::threads {

std::string MessageReplyOf(const protocol::Message& message);
std::string ThreadReplyOf(const Caller& caller, const ThreadRow& head);

}  // namespace parley::threads

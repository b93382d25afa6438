// What may still be done to a message, by the state that it is in: the one question that every op asks which
// names a message. Who may do it is another question (access.h, barriers.h), asked before this one.
//
// Pure.
#pragma once

#include "protocol/base/result.h"
#include "threads/model/rows.h"

namespace parley::threads {

enum class MessageAct : uint8_t {
  kReply,
  kReact,
  kTakeBack,  // one's own reaction
  kPin,
  kUnpin,
  kEdit,
  kDelete,
  kReport,
  kRestore,   // staff call it clean, flag it, or show it again
  kWithhold,  // staff
  kRedact,    // staff
};

// FORBIDDEN, with the reason.
protocol::Status RequirePossible(const MessageRow& row, MessageAct act);

// Whether a message that is for `only_for` may answer this one: a message that only some users see is not
// named to anybody else.
bool MayAnswer(const MessageRow& replied, const protocol::Omit<UserId>& only_for);

// The payload of a card whose content staff took away.
protocol::Json EmptyPayload();

}  // namespace parley::threads

// Checks which acts a message's state still allows. Every op that names a message calls it, after the checks
// of the caller (access.h, barriers.h).
//
// Pure.
#pragma once

#include "protocol/base/result.h"
#include "threads/model/rows.h"

namespace parley::threads {

enum class MessageAct : uint8_t {
  kReply,
  kReact,
  kTakeBack,  // remove one's own reaction
  kPin,
  kUnpin,
  kEdit,
  kDelete,
  kReport,
  kRestore,   // staff call it clean, flag it, or show it again
  kWithhold,  // by staff
  kRedact,    // by staff
};

// FORBIDDEN if the message's state does not allow the act; the error gives the reason.
protocol::Status RequirePossible(const MessageRow& row, MessageAct act);

// Whether a message restricted to `only_for` may be a reply to this one. Only a message with the same
// restriction may name a restricted message.
bool MayAnswer(const MessageRow& replied, const protocol::Omit<UserId>& only_for);

// The payload of a card whose content staff removed.
protocol::Json EmptyPayload();

}  // namespace parley::threads

// The command moderation.message, by which staff flag, withhold, restore or redact a message.
#pragma once

#include "protocol/ops/staff.h"
#include "threads/engine/transaction.h"
#include "threads/model/message_row.h"
#include "threads/staff/redact.h"

namespace parley::threads {

struct ModerateMessage {
  using Op = protocol::ModerationMessage;
  struct Loaded {
    Standing standing;
    MessageRow message;
    Kept kept;  // for a redaction
    CardPorts ports = 0;
    std::vector<AttachmentId> evidence = {};  // as FindEvidence finds it
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(Loaded loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads

// Personal changes: the commands on the caller's own row.
#pragma once

#include "protocol/ops/inbox.h"
#include "threads/engine/transaction.h"
#include "threads/model/message_row.h"

namespace parley::threads {

// The input of the commands.
struct OwnLoaded {
  Standing standing;
  Uncounted uncounted;  // above the caller's unread base
};

struct MuteThread {
  using Op = protocol::ParticipantMute;
  using Loaded = OwnLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

struct SetInboxFlags {
  using Op = protocol::InboxSet;
  using Loaded = OwnLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

struct MarkRead {
  using Op = protocol::ReadMark;
  struct Loaded {
    OwnLoaded own;
    MessageRow message;
    std::optional<protocol::Time> next;  // when the next message was created; null: it is the newest
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads

// message.edit and message.delete.
#pragma once

#include "protocol/ops/messages.h"
#include "threads/policy/judge.h"

namespace parley::threads {

struct MessageLoaded {
  Standing standing;
  MessageRow message;
  Judged judged = {};  // the new body, by the text policy
};

struct EditMessage {
  using Op = protocol::MessageEdit;
  using Loaded = MessageLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct DeleteMessage {
  using Op = protocol::MessageDelete;
  using Loaded = MessageLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// The head's line of its newest message, where that is the message that has just changed.
void RefreshPreview(Draft* draft, const protocol::Message& message);

}  // namespace parley::threads

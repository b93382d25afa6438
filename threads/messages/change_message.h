// message.edit and message.delete.
#pragma once

#include "protocol/ops/messages.h"
#include "threads/engine/stage.h"

namespace parley::threads {

struct MessageLoaded {
  Standing standing;
  MessageRow message;
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

}  // namespace parley::threads

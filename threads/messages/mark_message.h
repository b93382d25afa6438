// Marks that members set on messages: reactions and pins.
#pragma once

#include "protocol/ops/messages.h"
#include "threads/engine/stage.h"

namespace parley::threads {

struct MarkLoaded {
  Standing standing;
  MessageRow message;
};

struct ReactToMessage {
  using Op = protocol::MessageReact;
  using Loaded = MarkLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

struct PinMessage {
  using Op = protocol::MessagePin;
  using Loaded = MarkLoaded;
  static Result<Loaded> Load(Stage& stage, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const Limits& limits, Moment moment);
};

// Adds a message to the thread's list of pins; false when the list already holds `most`.
bool AddPin(const MessageId& message, size_t most, protocol::Thread* thread);

// Removes a message from the thread's list of pins.
void RemovePin(const MessageId& message, protocol::Thread* thread);

}  // namespace parley::threads

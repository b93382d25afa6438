// Marks that members put on messages: reactions and pins.
#pragma once

#include <optional>

#include "protocol/ops/messages.h"
#include "threads/engine/transaction.h"
#include "threads/model/message_row.h"

namespace parley::threads {

struct MarkLoaded {
  Standing standing;
  MessageRow message;
};

// A message lists the first users of a reaction (SizeLimits::max_listed_reactors); each further one has a row
// REACT#. When a listed user removes the reaction, the user of the first row moves into the list.
struct ReactLoaded {
  MarkLoaded mark;
  bool unlisted = false;          // the caller's reaction has a row
  std::optional<UserId> waiting;  // the first user with a row for this emoji
};

struct ReactToMessage {
  using Op = protocol::MessageReact;
  using Loaded = ReactLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

struct PinMessage {
  using Op = protocol::MessagePin;
  using Loaded = MarkLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Adds a message to the thread's list of pins. Returns false if the list has reached `most`.
bool AddPin(const MessageId& message, size_t most, protocol::Thread* thread);

void RemovePin(const MessageId& message, protocol::Thread* thread);

}  // namespace parley::threads

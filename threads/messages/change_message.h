// message.edit, and what deletes a message (message.delete: cards/delete_message.h).
#pragma once

#include "protocol/ops/messages.h"
#include "threads/judge/judge.h"

namespace parley::threads {

struct MessageLoaded {
  Standing standing;
  MessageRow message;
  Judged judged = {};  // the new body, by the text policy
};

struct EditMessage {
  using Op = protocol::MessageEdit;
  using Loaded = MessageLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// The message, if the caller may see it.
Result<MessageLoaded> LoadMessage(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                  const MessageId& id);
// The author within the window, staff at any time with a reason. Only staff delete what nobody wrote:
// messages of cards and of the server.
protocol::Status MayDelete(const MessageLoaded& loaded, const Caller& caller,
                           const protocol::MessageDelete::Args& args, const SizeLimits& limits,
                           protocol::Time now);
// Deletes it, unless it is deleted already, and returns it as stored. What it said goes to its history.
protocol::Message Delete(const MessageLoaded& loaded, const Caller& caller,
                         const protocol::MessageDelete::Args& args, Draft* draft, protocol::IdSource* ids);

// The head's line of its newest message, where that is the message that has just changed.
void RefreshPreview(Draft* draft, const protocol::Message& message);

}  // namespace parley::threads

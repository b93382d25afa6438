// The command message.edit, and the deletion of messages for message.delete (cards/delete_message.h).
#pragma once

#include "protocol/ops/messages.h"
#include "threads/judge/judge.h"
#include "threads/model/message_row.h"

namespace parley::threads {

struct MessageLoaded {
  Standing standing;
  MessageRow message;
  Judged judged = {};  // the text policy's verdict on the new body
};

struct EditMessage {
  using Op = protocol::MessageEdit;
  using Loaded = MessageLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Loads the message if the caller may see it; NOT_FOUND otherwise.
Result<MessageLoaded> LoadMessage(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                  const MessageId& id);
// Allows the author within the edit window, and staff at any time with a reason. Only staff may delete
// messages of cards and of the server, which have no author.
protocol::Status MayDelete(const MessageLoaded& loaded, const Caller& caller,
                           const protocol::MessageDelete::Args& args, const SizeLimits& limits,
                           protocol::Time now);
// Deletes the message, unless it is deleted already, and returns it as stored. Its content moves to its
// history.
protocol::Message Delete(const MessageLoaded& loaded, const Caller& caller,
                         const protocol::MessageDelete::Args& args, Draft* draft, protocol::IdSource* ids);

// Updates the preview in the head if the changed message is the thread's newest.
void RefreshPreview(Draft* draft, const protocol::Message& message);

}  // namespace parley::threads

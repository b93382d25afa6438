// Reads pages of messages, for message.list and thread.open.
#pragma once

#include <optional>
#include <string>

#include "protocol/ops/messages.h"
#include "threads/model/read_context.h"

namespace parley::threads {

inline constexpr int64_t kDefaultMessages = 50;

ReadAnswer ListMessages(const ReadContext& context, const protocol::MessageList::Args& args);

struct MessagePage {
  protocol::EncodedListOf<protocol::Message> messages;
  std::optional<MessageId> last;  // the message from which the next page continues; null at the end
};
enum class PageOrder : uint8_t { kNewestFirst, kOldestFirst };
// Reads the messages beyond `from` that the viewer may see, as many as `limit` and `page_bytes` allow. `from`
// is exclusive; nullopt: from the end at which the order starts.
Result<MessagePage> ReadMessages(const RowReader& rows, const Caller& viewer, const ThreadId& thread,
                                 PageOrder order, std::optional<MessageId> from, size_t limit,
                                 size_t page_bytes);
std::string MessageCursorQuery(const ThreadId& thread, PageOrder order);

}  // namespace parley::threads

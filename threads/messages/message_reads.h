// message.list, and its pages for thread.open.
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
  std::optional<MessageId> last;  // where the next page starts; none at the end
};
enum class PageOrder : uint8_t { kNewestFirst, kOldestFirst };
// The messages beyond `from` (exclusive; none: from the end at which the order starts) that the viewer may
// see, as many as `limit` and `page_bytes` allow.
Result<MessagePage> ReadMessages(const RowReader& rows, const Caller& viewer, const ThreadId& thread,
                                 PageOrder order, std::optional<MessageId> from, size_t limit,
                                 size_t page_bytes);
std::string MessageCursorQuery(const ThreadId& thread, PageOrder order);

}  // namespace parley::threads

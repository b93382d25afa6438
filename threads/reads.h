// Reads of one thread: answered from one snapshot, never through the executor. Each returns the ok map,
// encoded. Thread contract: any thread; a Reader must be one snapshot.
#pragma once

#include <string>

#include "protocol/json_size.h"
#include "protocol/ops.h"
#include "threads/access.h"
#include "threads/cursor.h"
#include "threads/row_reader.h"

namespace parley::threads {

struct ReadContext {
  const storage::Reader& snapshot;
  const Caller& caller;
  const CursorCodec& cursors;
  protocol::Time now;
  size_t page_bytes = protocol::kMaxPageBytes;  // where a page ends, as JSON

  RowReader rows() const { return RowReader(snapshot, caller.tenant); }
};

// THREAD_NOT_MEMBER unless the caller may look.
Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread);

using ReadAnswer = Result<std::string>;
ReadAnswer GetThread(const ReadContext& context, const protocol::ThreadGet::Args& args);
ReadAnswer ListChanges(const ReadContext& context, const protocol::ThreadChanges::Args& args);
ReadAnswer ListParticipants(const ReadContext& context, const protocol::ParticipantList::Args& args);
ReadAnswer ListMessages(const ReadContext& context, const protocol::MessageList::Args& args);
ReadAnswer GetTab(const ReadContext& context, const protocol::TabGet::Args& args);
ReadAnswer ListCards(const ReadContext& context, const protocol::CardList::Args& args);
ReadAnswer ListAudit(const ReadContext& context, const protocol::ModerationAudit::Args& args);
ReadAnswer ListHistory(const ReadContext& context, const protocol::MessageHistory::Args& args);
ReadAnswer ExplainInbox(const ReadContext& context, const protocol::InboxExplain::Args& args);

// thread.open without what only the gateway knows (presence): fills the rest of the reply.
Result<protocol::ThreadOpen::Reply> OpenThread(const ReadContext& context,
                                               const protocol::ThreadOpen::Args& args);

// Shared by the above.
struct MessagePage {
  protocol::EncodedListOf<protocol::Message> messages;
  std::optional<MessageId> last;  // where to go on; none at the end
};
enum class PageOrder : uint8_t { kNewestFirst, kOldestFirst };
// The messages beyond `from` (exclusive; none: from the end the order starts at) that the viewer may see, as
// many as `limit` and `page_bytes` allow.
Result<MessagePage> ReadMessages(const RowReader& rows, const Caller& viewer, const ThreadId& thread,
                                 PageOrder order, std::optional<MessageId> from, size_t limit,
                                 size_t page_bytes);
std::string MessageCursorQuery(const ThreadId& thread, PageOrder order);

}  // namespace parley::threads

#include "threads/inbox/explain_inbox.h"

#include "threads/inbox/entry.h"
#include "threads/model/message_row.h"

namespace parley::threads {

namespace {

constexpr size_t kExplainedMax = 1000;  // messages that inbox.explain examines

}  // namespace

ReadAnswer ExplainInbox(const ReadContext& context, const protocol::InboxExplain::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  PARLEY_CHECK_OK(RequireParticipant(standing));
  const ParticipantRow& me = *standing.me;
  const RowReader rows = context.rows();
  const int64_t base = me.unread_base();
  const int64_t cursor_no = std::max(me.hidden.read_no, me.hidden.join_no);
  Uncounted uncounted;
  if (standing.head.hidden.deleted_count > 0) {
    PARLEY_TRY(found, rows.UncountedAbove(args.thread_id, cursor_no));
    uncounted = std::move(found);
  }
  protocol::InboxExplain::Reply reply;
  reply.unread = Unread(standing.head, me, uncounted);
  reply.as_of_seq = standing.head.item.last_seq;
  reply.read_no = base;
  reply.last_msg_no = standing.head.item.last_msg_no;
  // The user's own messages can only be between the cursor and the base; if that range is empty, reads
  // nothing.
  int64_t own_deleted = 0, reached = base == cursor_no ? cursor_no : standing.head.item.last_msg_no + 1;
  bool sound = true;
  const auto look = [&](std::string_view, storage::RowView row) {
    MessageRow message;
    sound = DecodeItem(row.payload, &message);
    if (!sound || message.item.msg_no <= cursor_no) return false;
    reached = message.item.msg_no - 1;
    if (message.item.author_user_id != me.item.user_id) return true;
    ++reply.excluded.own;
    own_deleted += message.item.deleted_at || message.hidden.only_for.value;
    return true;
  };
  const auto status = base == cursor_no
                          ? storage::Status{}
                          : rows.raw().Scan(ThreadPartition(context.caller.tenant, args.thread_id),
                                            RangeOf(storage::ThreadTag::kMessage),
                                            storage::Direction::kReverse, kExplainedMax, look);
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  if (reached > cursor_no) reply.partial.value = true;
  reply.excluded.deleted = uncounted.Above(cursor_no) - own_deleted;
  reply.excluded.read_by_sending =
      reply.last_msg_no - cursor_no - reply.unread - reply.excluded.own - reply.excluded.deleted;
  return protocol::Encode(reply);
}

}  // namespace parley::threads

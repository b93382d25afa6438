#include "threads/entry.h"
#include "threads/reads.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultMessages = 50;
constexpr size_t kExplainedMax = 1000;  // messages that inbox.explain looks at

// A cursor of this query or a messageId; both name the message to go on from.
Result<MessageId> PlaceFrom(const ReadContext& context, const std::string& query, const char* field,
                            const std::string& text) {
  if (const auto id = MessageId::FromText(text)) return *id;
  const auto position = context.cursors.Open(context.caller, query, text);
  const auto ulid = position ? protocol::Ulid::FromBytes(*position) : std::nullopt;
  if (!ulid) return Error::BadField(field, "is neither a messageId nor a cursor of this query");
  return MessageId{*ulid};
}

}  // namespace

std::string MessageCursorQuery(const ThreadId& thread, PageOrder order) {
  return (order == PageOrder::kNewestFirst ? "message.list before " : "message.list after ") +
         thread.ToText();
}

Result<MessagePage> ReadMessages(const RowReader& rows, const Caller& viewer, const ThreadId& thread,
                                 PageOrder order, std::optional<MessageId> from, size_t limit,
                                 size_t page_bytes) {
  storage::SortRange range = RangeOf(storage::ThreadTag::kMessage);
  const bool newest_first = order == PageOrder::kNewestFirst;
  if (from && newest_first) range.end = MessageKey(*from);
  if (from && !newest_first) range.begin = MessageKey(MessageId{from->ulid.Next()});
  MessagePage page;
  MessageId last;
  protocol::PageBytes bytes(page_bytes);
  const auto taken = [&page] { return protocol::JsonSize(page.messages.msgpack); };
  bool sound = true, more = false;
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range,
                      newest_first ? storage::Direction::kReverse : storage::Direction::kForward, SIZE_MAX,
                      [&](std::string_view sort, storage::RowView row) {
                        ItemView item;
                        sound = ParseItem(row.payload, &item);
                        const auto only_for = sound ? OnlyFor(item) : std::nullopt;
                        sound = only_for.has_value();
                        if (!sound || !MaySee(viewer, *only_for)) return sound;
                        more = page.messages.count == limit || !bytes.Take(item.wire, taken);
                        if (more) return false;
                        sound = ParseMessageKey(sort, &last);
                        page.messages.msgpack += item.wire;
                        ++page.messages.count;
                        return sound;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  if (more) page.last = last;
  return page;
}

ReadAnswer ListMessages(const ReadContext& context, const protocol::MessageList::Args& args) {
  if (args.before && args.after) return Error::BadRequest("before and after exclude each other");
  const PageOrder order = args.after ? PageOrder::kOldestFirst : PageOrder::kNewestFirst;
  const std::string query = MessageCursorQuery(args.thread_id, order);
  std::optional<MessageId> from;
  if (const auto& text = args.after ? args.after : args.before) {
    PARLEY_TRY(place, PlaceFrom(context, query, args.after ? "after" : "before", *text));
    from = place;
  }
  PARLEY_CHECK_OK(StandingOf(context, args.thread_id));
  const int64_t limit = args.limit ? args.limit->value : kDefaultMessages;
  PARLEY_TRY(page, ReadMessages(context.rows(), context.caller, args.thread_id, order, from,
                                static_cast<size_t>(limit), context.page_bytes));
  protocol::MessageList::Reply reply;
  reply.messages = std::move(page.messages);
  if (page.last) reply.cursor = context.cursors.Seal(context.caller, query, page.last->ulid.raw());
  return protocol::Encode(reply);
}

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
  // Only between the cursor and the base there are own messages; where there is nothing, nothing is read.
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
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  if (reached > cursor_no) reply.partial.value = true;
  reply.excluded.deleted = uncounted.Above(cursor_no) - own_deleted;
  reply.excluded.read_by_sending =
      reply.last_msg_no - cursor_no - reply.unread - reply.excluded.own - reply.excluded.deleted;
  return protocol::Encode(reply);
}

}  // namespace parley::threads

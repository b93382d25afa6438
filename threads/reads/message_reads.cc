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
                                 PageOrder order, std::optional<MessageId> from, size_t limit) {
  storage::SortRange range = RangeOf(storage::ThreadTag::kMessage);
  const bool newest_first = order == PageOrder::kNewestFirst;
  if (from && newest_first) range.end = MessageKey(*from);
  if (from && !newest_first) range.begin = MessageKey(MessageId{from->ulid.Next()});
  MessagePage page;
  MessageId last;
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
                        if (page.messages.count == limit) {
                          more = true;
                          return false;
                        }
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
                                static_cast<size_t>(limit)));
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
  PARLEY_TRY(deleted, rows.DeletedAbove(args.thread_id, me.unread_base()));
  protocol::InboxExplain::Reply reply;
  reply.unread = Unread(standing.head, me, deleted);
  reply.as_of_seq = standing.head.item.last_seq;
  reply.read_no = me.unread_base();
  reply.last_msg_no = standing.head.item.last_msg_no;
  // Above the read cursor (or joining): own messages, and what others deleted.
  const int64_t cursor_no = std::max(me.hidden.read_no, me.hidden.join_no);
  bool sound = true;
  if (standing.head.item.last_msg_no - cursor_no > static_cast<int64_t>(kExplainedMax))
    reply.partial.value = true;
  const auto status = rows.raw().Scan(
      ThreadPartition(context.caller.tenant, args.thread_id), RangeOf(storage::ThreadTag::kMessage),
      storage::Direction::kReverse, kExplainedMax, [&](std::string_view, storage::RowView row) {
        MessageRow message;
        sound = DecodeItem(row.payload, &message);
        if (!sound || message.item.msg_no <= cursor_no) return false;
        const bool own = message.item.author_user_id == me.item.user_id;
        reply.excluded.own += own;
        reply.excluded.deleted += !own && (message.item.deleted_at || message.hidden.only_for.value);
        return true;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  return protocol::Encode(reply);
}

}  // namespace parley::threads

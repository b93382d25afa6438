
#include "threads/messages/message_reads.h"

#include "threads/model/staff_view.h"

namespace parley::threads {
namespace {

// Parses a cursor of this query or a messageId; both name the message to continue from.
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
                        std::string made;
                        const std::string_view wire = MessageWireFor(viewer, item, &made);
                        more = page.messages.count == limit || !bytes.Take(wire, taken);
                        if (more) return false;
                        sound = ParseMessageKey(sort, &last);
                        if (page.messages.count == 0) page.messages.MakeRoom(limit, wire.size());
                        page.messages.msgpack += wire;
                        ++page.messages.count;
                        return sound;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
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
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  const int64_t limit = args.limit ? args.limit->value : kDefaultMessages;
  PARLEY_TRY(page, ReadMessages(context.rows(), ViewerOf(context.caller, standing), args.thread_id, order,
                                from, static_cast<size_t>(limit), context.page_bytes));
  protocol::MessageList::Reply reply;
  reply.messages = std::move(page.messages);
  if (page.last) reply.cursor = context.cursors.Seal(context.caller, query, page.last->ulid.raw());
  return protocol::EncodePage(std::move(reply));
}

}  // namespace parley::threads

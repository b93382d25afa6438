// outbox.list: the outside effects for the tenant's back end, oldest first, until they are resolved or
// acknowledged.
#include "fanout/index_reads.h"
#include "fanout/keys.h"
#include "protocol/base/reason.h"
#include "protocol/base/unreadable.h"
#include "threads/cards/card_view.h"
#include "threads/cards/payload.h"

namespace parley::fanout {
namespace {

constexpr int64_t kDefaultEffects = 50;
constexpr std::string_view kQuery = "outbox.list";

// The item as of now. Hides a location that its card no longer shows, because the row keeps it longer.
protocol::Result<std::string> ItemAsSeen(const threads::ReadContext& context, std::string_view stored) {
  protocol::OutboxItem item;
  if (!threads::DecodeStored(stored, &item)) return protocol::UnreadableStored();
  if (item.type.value != threads::kShareLocation) return std::string(stored);
  PARLEY_TRY(card, context.rows().Card(item.thread_id, item.message_id));
  if (card) threads::ShowAsOf(&card->item, context.now);
  if (card && threads::IsOpen(card->item)) return std::string(stored);
  item.payload = threads::ShownPayload(item.type.value, item.payload);
  return protocol::Encode(item);
}

}  // namespace

threads::ReadAnswer ListOutbox(const threads::ReadContext& context, const protocol::OutboxList::Args& args) {
  using protocol::Error;
  using protocol::ErrorCode;
  using protocol::Reason;
  storage::SortRange range = storage::SortRange::All();
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, std::string(kQuery), *args.cursor);
    if (!position) return Error::BadField("cursor", "is not a cursor of this query");
    range.begin = storage::SortKey(*position + '\0');
  }
  if (!context.caller.is_service())
    return ErrorFor(Reason::kOnlyServices, "only a service may read the feed");
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultEffects);
  protocol::OutboxList::Reply reply;
  std::string last;
  bool more = false;
  protocol::PageBytes bytes(context.page_bytes);
  std::vector<std::string> items;
  const auto taken = [&items] {
    size_t sum = 0;
    for (const std::string& item : items) sum += protocol::JsonSize(item);
    return sum;
  };
  const auto status =
      context.snapshot.Scan(EffectFeedPartition(context.caller.tenant), range, storage::Direction::kForward,
                            limit + 1, [&](std::string_view sort, storage::RowView row) {
                              more = items.size() == limit || !bytes.Take(row.payload, taken);
                              if (more) return false;
                              items.emplace_back(row.payload);
                              last = sort;
                              return true;
                            });
  if (!status.ok()) return threads::FromStorage(status);
  for (const std::string& stored : items) {
    PARLEY_TRY(item, ItemAsSeen(context, stored));
    reply.items.msgpack += item;
    ++reply.items.count;
  }
  if (more) reply.cursor = context.cursors.Seal(context.caller, std::string(kQuery), last);
  return protocol::Encode(reply);
}

}  // namespace parley::fanout

// outbox.list: what the tenant's back end has to do, oldest first, until it is resolved or acknowledged.
#include "fanout/index_reads.h"
#include "fanout/keys.h"

namespace parley::fanout {
namespace {

constexpr int64_t kDefaultPage = 50;
constexpr std::string_view kQuery = "outbox.list";

}  // namespace

threads::ReadAnswer ListOutbox(const threads::ReadContext& context, const protocol::OutboxList::Args& args) {
  using protocol::Error;
  using protocol::ErrorCode;
  storage::SortRange range = storage::SortRange::All();
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, std::string(kQuery), *args.cursor);
    if (!position) return Error::BadField("cursor", "is not a cursor of this query");
    range.begin = storage::SortKey(*position + '\0');
  }
  if (!context.caller.is_service()) return Error(ErrorCode::kForbidden, "the feed is a service's");
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultPage);
  protocol::OutboxList::Reply reply;
  std::string last;
  bool more = false;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] { return protocol::JsonSize(reply.items.msgpack); };
  const auto status =
      context.snapshot.Scan(EffectFeedPartition(context.caller.tenant), range, storage::Direction::kForward,
                            limit + 1, [&](std::string_view sort, storage::RowView row) {
                              more = reply.items.count == limit || !bytes.Take(row.payload, taken);
                              if (more) return false;
                              reply.items.msgpack += row.payload;
                              ++reply.items.count;
                              last = sort;
                              return true;
                            });
  if (!status.ok()) return threads::FromStorage(status);
  if (more) reply.cursor = context.cursors.Seal(context.caller, std::string(kQuery), last);
  return protocol::Encode(reply);
}

}  // namespace parley::fanout

// card.list: the cards of a thread, newest first, each with what the caller may do.
#include "threads/cards/card_view.h"
#include "threads/reads.h"
#include "threads/reads/open_cards.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultCards = 50;

struct CardPage {
  std::vector<protocol::Card> cards;
  std::optional<MessageId> last;  // where to go on; none at the end
};

// Newest first, those beyond `before`, that `wanted` takes.
template <class Wanted>
Result<CardPage> ReadCards(const RowReader& rows, const ThreadId& thread,
                           const std::optional<MessageId>& before, size_t limit, const Wanted& wanted) {
  CardPage page;
  storage::SortRange range = RangeOf(storage::ThreadTag::kCard);
  if (before) range.end = CardKey(*before);
  bool sound = true, more = false;
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range, storage::Direction::kReverse, SIZE_MAX,
                      [&](std::string_view, storage::RowView row) {
                        CardRow card;
                        sound = DecodeItem(row.payload, &card);
                        if (!sound || !wanted(&card.item)) return sound;
                        more = page.cards.size() == limit;
                        if (!more) page.cards.push_back(std::move(card.item));
                        return !more;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  if (more) page.last = page.cards.back().message_id;
  return page;
}

}  // namespace

Result<std::vector<protocol::Card>> ReadOpenCards(const RowReader& rows, const ThreadRow& head,
                                                  protocol::Time now) {
  std::vector<storage::RowKey> keys;
  const auto partition = ThreadPartition(rows.tenant(), head.item.thread_id);
  for (const OpenCard& open : OpenCardsOf(head)) keys.push_back({partition, CardKey(open.message_id)});
  std::vector<std::optional<storage::Row>> found;
  if (const auto status = rows.raw().MultiGet(keys, &found); !status.ok()) return FromStorage(status);
  std::vector<protocol::Card> cards;
  for (const auto& row : found) {
    CardRow card;
    if (!row || !DecodeItem(row->payload, &card))
      return Error(ErrorCode::kInternal, "stored data can not be read");
    ShowAsOf(&card.item, now);
    if (IsOpen(card.item)) cards.push_back(std::move(card.item));
  }
  return cards;
}

ReadAnswer ListCards(const ReadContext& context, const protocol::CardList::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  PARLEY_CHECK_OK(RequireProject(standing.head));
  const std::string query =
      "card.list " + args.thread_id.ToText() + (args.open ? *args.open ? " open" : " closed" : "");
  std::optional<MessageId> before;
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    const auto ulid = position ? protocol::Ulid::FromBytes(*position) : std::nullopt;
    if (!ulid) return Error::BadField("cursor", "is not a cursor of this query");
    before = MessageId{*ulid};
  }
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultCards);
  PARLEY_TRY(page, ReadCards(context.rows(), args.thread_id, before, limit, [&](protocol::Card* card) {
               ShowAsOf(card, context.now);
               return !args.open || *args.open == IsOpen(*card);
             }));
  protocol::CardList::Reply reply;
  for (protocol::Card& card : page.cards) {
    card.allowed.value = AllowedFor(context.caller, standing, card, context.now);
    reply.cards.msgpack += Wire(card);
    ++reply.cards.count;
  }
  if (page.last) reply.cursor = context.cursors.Seal(context.caller, query, page.last->ulid.raw());
  return protocol::Encode(reply);
}

}  // namespace parley::threads

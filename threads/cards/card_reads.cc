// The op card.list: the cards of a thread, newest first, each with the caller's intents.
#include "threads/cards/card_reads.h"

#include "threads/cards/card_view.h"
#include "threads/cards/machine.h"
#include "threads/model/mask.h"
#include "threads/model/pair_reports.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultCards = 50;

constexpr size_t kAllowedBytes = 64 * 32;  // maximum size of a card's `allowed`, which only the reply has

struct CardPage {
  explicit CardPage(size_t page_bytes) : bytes(page_bytes, kAllowedBytes) {}
  std::vector<CardRow> cards;
  protocol::PageBytes bytes;
  bool more = false;
};

// Adds a card to a page. Returns false if the page is full.
bool Take(CardRow card, size_t limit, CardPage* page) {
  const std::string wire = Wire(card.item);
  const auto taken = [page] {
    size_t sum = 0;
    for (const CardRow& one : page->cards) sum += protocol::JsonSize(Wire(one.item));
    return sum;
  };
  page->more = page->cards.size() == limit || !page->bytes.Take(wire, taken);
  if (!page->more) page->cards.push_back(std::move(card));
  return !page->more;
}

// Reads the cards beyond `before`, newest first; with `ended`, skips open cards.
Result<CardPage> ScanCards(const ReadContext& context, const ThreadId& thread,
                           const std::optional<MessageId>& before, size_t limit, bool ended) {
  CardPage page(context.page_bytes);
  storage::SortRange range = RangeOf(storage::ThreadTag::kCard);
  if (before) range.end = CardKey(*before);
  bool sound = true;
  const auto status = context.snapshot.Scan(
      ThreadPartition(context.caller.tenant, thread), range, storage::Direction::kReverse, SIZE_MAX,
      [&](std::string_view, storage::RowView row) {
        CardRow card;
        sound = DecodeItem(row.payload, &card);
        if (!sound) return false;
        if (!MaySee(context.caller, card.hidden.only_for)) return true;
        ShowAsOf(&card.item, context.now);
        return (ended && IsOpen(card.item)) || Take(std::move(card), limit, &page);
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return page;
}

Result<std::vector<CardRow>> ReadOpenRows(const RowReader& rows, const Caller& viewer, const ThreadRow& head,
                                          protocol::Time now) {
  std::vector<storage::RowKey> keys;
  const auto partition = ThreadPartition(rows.tenant(), head.item.thread_id);
  for (const OpenCard& open : OpenCardsOf(head)) {
    if (MaySee(viewer, open.only_for)) keys.push_back({partition, CardKey(open.message_id)});
  }
  std::vector<std::optional<storage::Row>> found;
  if (const auto status = rows.raw().MultiGet(keys, &found); !status.ok()) return FromStorage(status);
  std::vector<CardRow> cards;
  for (const auto& row : found) {
    CardRow card;
    if (!row || !DecodeItem(row->payload, &card))
      return Error(ErrorCode::kInternal, "stored data cannot be read");
    ShowAsOf(&card.item, now);
    if (IsOpen(card.item)) cards.push_back(std::move(card));
  }
  return cards;
}

// Reads the open cards beyond `before`, newest first. The head lists them, so the cost does not depend on the
// number of other cards.
Result<CardPage> ListOpen(const ReadContext& context, const ThreadRow& head,
                          const std::optional<MessageId>& before, size_t limit, size_t page_bytes) {
  PARLEY_TRY(open, ReadOpenRows(context.rows(), context.caller, head, context.now));
  CardPage page(page_bytes);
  for (auto card = open.rbegin(); card != open.rend(); ++card) {
    if (before && !(card->item.message_id < *before)) continue;
    if (!Take(std::move(*card), limit, &page)) break;
  }
  return page;
}

// Adds to each card the intents that the caller may use now.
Result<protocol::EncodedListOf<protocol::Card>> WithAllowed(const ReadContext& context, Standing standing,
                                                            std::vector<CardRow> cards) {
  if (!cards.empty() && IsParty(standing.head, context.caller.user)) {
    PARLEY_TRY(reported, IsPairReported(context.rows(), standing.head.item));
    PARLEY_TRY(blocked, PairBlocked(context, standing.head));
    standing.barriers.reported = reported;
    standing.barriers.blocked = blocked;
  }
  standing.head = HeadAsOf(std::move(standing.head), context.now);
  protocol::EncodedListOf<protocol::Card> out;
  for (CardRow& card : cards) {
    card.item.allowed.value = AllowedFor(context.caller, standing, card, context.now);
    out.msgpack += Wire(standing.masked ? Masked(std::move(card.item)) : card.item);
    ++out.count;
  }
  return out;
}

}  // namespace

Result<protocol::EncodedListOf<protocol::Card>> ListOpenCards(const ReadContext& context, Standing standing,
                                                              size_t page_bytes) {
  PARLEY_TRY(page, ListOpen(context, standing.head, std::nullopt, SIZE_MAX, page_bytes));
  return WithAllowed(context, std::move(standing), std::move(page.cards));
}

Result<std::vector<protocol::Card>> ReadOpenCards(const RowReader& rows, const Caller& viewer,
                                                  const ThreadRow& head, protocol::Time now) {
  PARLEY_TRY(open, ReadOpenRows(rows, viewer, head, now));
  std::vector<protocol::Card> cards;
  for (CardRow& card : open) cards.push_back(std::move(card.item));
  return cards;
}

ReadAnswer ListCards(const ReadContext& context, const protocol::CardList::Args& args) {
  const std::string query =
      "card.list " + args.thread_id.ToText() + (args.open ? *args.open ? " open" : " closed" : "");
  std::optional<MessageId> before;
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    const auto ulid = position ? protocol::Ulid::FromBytes(*position) : std::nullopt;
    if (!ulid) return Error::BadField("cursor", "is not a cursor of this query");
    before = MessageId{*ulid};
  }
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultCards);
  const bool open = args.open && *args.open, ended = args.open && !*args.open;
  PARLEY_TRY(page, open ? ListOpen(context, standing.head, before, limit, context.page_bytes)
                        : ScanCards(context, args.thread_id, before, limit, ended));
  protocol::CardList::Reply reply;
  if (page.more) {
    reply.cursor = context.cursors.Seal(context.caller, query, page.cards.back().item.message_id.ulid.raw());
  }
  PARLEY_TRY(cards, WithAllowed(context, std::move(standing), std::move(page.cards)));
  reply.cards = std::move(cards);
  return protocol::Encode(reply);
}

}  // namespace parley::threads

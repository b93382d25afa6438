#include "threads/lifecycle/thread_reads.h"

#include <algorithm>

#include "threads/cards/card_reads.h"
#include "threads/inbox/entry.h"
#include "threads/lifecycle/changes.h"
#include "threads/lifecycle/view.h"
#include "threads/messages/message_reads.h"
#include "threads/model/open_cards.h"
#include "threads/model/pins.h"
#include "threads/model/staff_view.h"
#include "threads/panel/tab_rules.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultChanges = 200;
constexpr size_t kOpenChangesMax = 200;

// The first members, whom the head lists.
Result<protocol::EncodedListOf<protocol::Participant>> ReadListed(const RowReader& rows,
                                                                  const ThreadRow& head) {
  PARLEY_TRY(found, rows.ParticipantPayloads(head.item.thread_id, head.item.participants.items));
  protocol::EncodedListOf<protocol::Participant> out;
  for (const std::string& payload : found) {
    ItemView item;
    if (!ParseItem(payload, &item)) return Error(ErrorCode::kInternal, "stored data cannot be read");
    out.msgpack += item.wire;
    ++out.count;
  }
  return out;
}

Result<protocol::EncodedListOf<protocol::Tab>> ReadTabs(const RowReader& rows, const ThreadId& thread,
                                                        int64_t band_max, bool masked) {
  protocol::EncodedListOf<protocol::Tab> tabs;
  bool sound = true;
  const auto status = rows.raw().Scan(
      ThreadPartition(rows.tenant(), thread), RangeOf(storage::ThreadTag::kTab), storage::Direction::kForward,
      SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
        ItemView item;
        sound = ParseItem(row.payload, &item);
        const bool pins = sort == TabKey(protocol::TabName::kMoodboard).bytes();
        std::string wire = pins ? ShownTabWire(item.wire, band_max) : std::string(item.wire);
        tabs.msgpack += masked ? MaskedWire(protocol::ChangeKind::kTab, wire) : wire;
        ++tabs.count;
        return sound;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return tabs;
}

protocol::EncodedListOf<protocol::ChangeItem> EncodeChanges(const std::vector<Change>& changes,
                                                            const View& view) {
  protocol::EncodedListOf<protocol::ChangeItem> out;
  for (const Change& change : changes) {
    protocol::ChangeItem item;
    item.seq = change.seq;
    item.kind = *protocol::Describe(change.kind).item;
    item.item.msgpack = WireAsSeen(change.kind, change.wire, view);
    out.msgpack += protocol::Encode(item);
    ++out.count;
  }
  return out;
}

Result<protocol::ThreadGet::Reply> ReadHead(const ReadContext& context, const Standing& standing) {
  const View view = ViewOf(context.caller, standing.head.item, context.now);
  const ThreadId& thread = standing.head.item.thread_id;
  const RowReader rows = context.rows();
  protocol::ThreadGet::Reply reply;
  reply.thread.msgpack = WireFor(ViewerOf(context.caller, standing), standing.head);
  PARLEY_TRY(listed, ReadListed(rows, standing.head));
  reply.participants = std::move(listed);
  if (standing.me) reply.me = ComputeMe(*standing.me, context.now);
  PARLEY_TRY(tabs, ReadTabs(rows, thread, view.band_max, standing.masked));
  reply.tabs = std::move(tabs);
  const auto& open_cards = OpenCardsOf(standing.head);
  const auto seen = [&](const OpenCard& card) { return MaySee(context.caller, card.only_for); };
  if (std::any_of(open_cards.begin(), open_cards.end(), seen)) {
    PARLEY_TRY(open, ReadOpenCards(rows, context.caller, standing.head, context.now));
    const std::string actions = Wire(ActionsTab(standing.head, open));
    reply.tabs.msgpack.insert(0, standing.masked ? MaskedWire(protocol::ChangeKind::kTab, actions)
                                                 : actions);  // first in the order of names
    ++reply.tabs.count;
  }
  reply.last_seq = standing.head.item.last_seq;
  return reply;
}

// The maximum size, as JSON, of the reply of thread.open apart from messages and changes.
size_t HeadBytes(const protocol::ThreadOpen::Reply& reply) {
  constexpr size_t kOfMember = 128;      // a line of `presence`
  constexpr size_t kCountedFrom = 8192;  // counting less is not worth the cost
  const auto bytes = [](const std::string& msgpack) {
    return msgpack.size() < kCountedFrom ? msgpack.size() * protocol::kJsonPerMsgpackByte
                                         : protocol::JsonSize(msgpack);
  };
  return bytes(reply.thread.msgpack) + bytes(reply.participants.msgpack) + bytes(reply.tabs.msgpack) +
         (1 + reply.participants.count) * kOfMember;
}

}  // namespace

ReadAnswer GetThread(const ReadContext& context, const protocol::ThreadGet::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  PARLEY_TRY(reply, ReadHead(context, standing));
  return protocol::Encode(reply);
}

Result<protocol::ThreadOpen::Reply> OpenThread(const ReadContext& context,
                                               const protocol::ThreadOpen::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  PARLEY_TRY(head, ReadHead(context, standing));
  const RowReader rows = context.rows();
  protocol::ThreadOpen::Reply reply;
  reply.thread = std::move(head.thread);
  reply.participants = std::move(head.participants);
  reply.me = std::move(head.me);
  reply.tabs = std::move(head.tabs);
  reply.last_seq = head.last_seq;
  const int64_t limit = args.limit ? args.limit->value : kDefaultMessages;
  // The rest of twice a page is first for open cards, then for messages, then for changes.
  size_t left = 2 * context.page_bytes;
  left -= std::min(left, HeadBytes(reply));
  PARLEY_TRY(cards, ListOpenCards(context, standing, std::min(left, context.page_bytes / 2)));
  reply.cards = std::move(cards);
  left -= std::min(left, protocol::JsonSize(reply.cards.msgpack));
  PARLEY_TRY(page,
             ReadMessages(rows, ViewerOf(context.caller, standing), args.thread_id, PageOrder::kNewestFirst,
                          std::nullopt, static_cast<size_t>(limit), std::min(left, context.page_bytes)));
  reply.messages = std::move(page.messages);
  if (page.last) {
    reply.cursor = context.cursors.Seal(
        context.caller, MessageCursorQuery(args.thread_id, PageOrder::kNewestFirst), page.last->ulid.raw());
  }
  if (!args.after_seq) return reply;
  if (IsBeyondLog(standing.head, args.after_seq->value)) {
    reply.reset.value = true;
    return reply;
  }
  left -= std::min(left, protocol::JsonSize(reply.messages.msgpack));
  PARLEY_TRY(changes,
             ReadChanges(rows, ViewerOf(context.caller, standing), args.thread_id, args.after_seq->value,
                         kOpenChangesMax, std::min(left, context.page_bytes)));
  if (changes.more) {
    reply.reset.value = true;
  } else {
    reply.changes.value =
        EncodeChanges(changes.changes, ViewOf(context.caller, standing.head.item, context.now));
  }
  return reply;
}

ReadAnswer ListChanges(const ReadContext& context, const protocol::ThreadChanges::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  protocol::ThreadChanges::Reply reply;
  reply.last_seq = standing.head.item.last_seq;
  if (IsBeyondLog(standing.head, args.after_seq.value)) {
    reply.reset.value = true;
    return protocol::Encode(reply);
  }
  const int64_t limit = args.limit ? args.limit->value : kDefaultChanges;
  PARLEY_TRY(page, ReadChanges(context.rows(), ViewerOf(context.caller, standing), args.thread_id,
                               args.after_seq.value, static_cast<size_t>(limit), context.page_bytes));
  reply.changes = EncodeChanges(page.changes, ViewOf(context.caller, standing.head.item, context.now));
  reply.more = page.more;
  return protocol::EncodePage(std::move(reply));
}

}  // namespace parley::threads

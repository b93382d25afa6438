#include <algorithm>

#include "threads/changes.h"
#include "threads/entry.h"
#include "threads/panel/pins.h"
#include "threads/panel/tab_rules.h"
#include "threads/reads.h"
#include "threads/reads/open_cards.h"
#include "threads/view.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultChanges = 200;
constexpr size_t kOpenChangesMax = 200;
constexpr int64_t kDefaultMessages = 50;

}  // namespace

Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread) {
  const RowReader rows = context.rows();
  PARLEY_TRY(head, rows.Thread(thread));
  std::optional<ParticipantRow> me;
  if (head && context.caller.user) {
    PARLEY_TRY(row, rows.Participant(thread, *context.caller.user));
    me = std::move(row);
  }
  return RequireStanding(context.caller, std::move(head), std::move(me));
}

namespace {

struct ParticipantPage {
  protocol::EncodedListOf<protocol::Participant> participants;
  std::optional<UserId> last;  // where to go on; none at the end
};

// Present members from `after` on, in order of userId.
Result<ParticipantPage> ReadParticipants(const RowReader& rows, const ThreadId& thread,
                                         const std::optional<UserId>& after, size_t limit) {
  ParticipantPage page;
  UserId last;
  bool sound = true, more = false;
  storage::SortRange range = RangeOf(storage::ThreadTag::kParticipant);
  if (after) range.begin = storage::SortKey(ParticipantKey(*after).bytes() + '\0');  // the next possible key
  const auto status =
      rows.raw().Scan(ThreadPartition(rows.tenant(), thread), range, storage::Direction::kForward, SIZE_MAX,
                      [&](std::string_view, storage::RowView row) {
                        ParticipantRow participant;
                        sound = DecodeItem(row.payload, &participant);
                        if (!sound || !participant.active()) return sound;
                        if (page.participants.count == limit) {
                          more = true;
                          return false;
                        }
                        page.participants.msgpack += Wire(participant.item);
                        ++page.participants.count;
                        last = participant.item.user_id;
                        return true;
                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  if (more) page.last = last;
  return page;
}

Result<protocol::EncodedListOf<protocol::Tab>> ReadTabs(const RowReader& rows, const ThreadId& thread,
                                                        int64_t band_max) {
  protocol::EncodedListOf<protocol::Tab> tabs;
  bool sound = true;
  const auto status = rows.raw().Scan(
      ThreadPartition(rows.tenant(), thread), RangeOf(storage::ThreadTag::kTab), storage::Direction::kForward,
      SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
        ItemView item;
        sound = ParseItem(row.payload, &item);
        const bool pins = sort == TabKey(protocol::TabName::kMoodboard).bytes();
        tabs.msgpack += pins ? ShownTabWire(item.wire, band_max) : std::string(item.wire);
        ++tabs.count;
        return sound;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  return tabs;
}

protocol::EncodedListOf<protocol::ChangeItem> EncodeChanges(const std::vector<Change>& changes,
                                                            const View& view) {
  protocol::EncodedListOf<protocol::ChangeItem> out;
  for (const Change& change : changes) {
    protocol::ChangeItem item;
    item.seq = change.seq;
    item.kind = ChangeKindOf(change.kind);
    item.item.msgpack = WireAsSeen(change.kind, change.wire, view);
    out.msgpack += protocol::Encode(item);
    ++out.count;
  }
  return out;
}

Result<protocol::ThreadGet::Reply> ReadHead(const ReadContext& context, const ThreadId& thread, View* view) {
  PARLEY_TRY(standing, StandingOf(context, thread));
  *view = ViewOf(context.caller, standing.head.item, context.now);
  const RowReader rows = context.rows();
  protocol::ThreadGet::Reply reply;
  reply.thread.msgpack = Wire(standing.head.item);
  PARLEY_TRY(page, ReadParticipants(rows, thread, std::nullopt, protocol::kListedParticipants));
  reply.participants = std::move(page.participants);
  if (standing.me) reply.me = ComputeMe(*standing.me, context.now);
  PARLEY_TRY(tabs, ReadTabs(rows, thread, view->band_max));
  reply.tabs = std::move(tabs);
  const auto& open_cards = OpenCardsOf(standing.head);
  const auto seen = [&](const OpenCard& card) { return MaySee(context.caller, card.only_for); };
  if (std::any_of(open_cards.begin(), open_cards.end(), seen)) {
    PARLEY_TRY(open, ReadOpenCards(rows, context.caller, standing.head, context.now));
    const std::string actions = Wire(ActionsTab(standing.head, open));
    reply.tabs.msgpack.insert(0, actions);  // in order of names, as the others are
    ++reply.tabs.count;
  }
  reply.last_seq = standing.head.item.last_seq;
  return reply;
}

}  // namespace

ReadAnswer GetThread(const ReadContext& context, const protocol::ThreadGet::Args& args) {
  View view;
  PARLEY_TRY(reply, ReadHead(context, args.thread_id, &view));
  return protocol::Encode(reply);
}

Result<protocol::ThreadOpen::Reply> OpenThread(const ReadContext& context,
                                               const protocol::ThreadOpen::Args& args) {
  View view;
  PARLEY_TRY(head, ReadHead(context, args.thread_id, &view));
  const RowReader rows = context.rows();
  protocol::ThreadOpen::Reply reply;
  reply.thread = std::move(head.thread);
  reply.participants = std::move(head.participants);
  reply.me = std::move(head.me);
  reply.tabs = std::move(head.tabs);
  reply.last_seq = head.last_seq;
  const int64_t limit = args.limit ? args.limit->value : kDefaultMessages;
  PARLEY_TRY(page, ReadMessages(rows, context.caller, args.thread_id, PageOrder::kNewestFirst, std::nullopt,
                                static_cast<size_t>(limit)));
  reply.messages = std::move(page.messages);
  if (page.last) {
    reply.cursor = context.cursors.Seal(
        context.caller, MessageCursorQuery(args.thread_id, PageOrder::kNewestFirst), page.last->ulid.raw());
  }
  if (!args.after_seq) return reply;
  if (args.after_seq->value > reply.last_seq) {
    reply.reset.value = true;
    return reply;
  }
  PARLEY_TRY(changes,
             ReadChanges(rows, context.caller, args.thread_id, args.after_seq->value, kOpenChangesMax));
  if (changes.more) {
    reply.reset.value = true;
  } else {
    reply.changes.value = EncodeChanges(changes.changes, view);
  }
  return reply;
}

ReadAnswer ListChanges(const ReadContext& context, const protocol::ThreadChanges::Args& args) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  protocol::ThreadChanges::Reply reply;
  reply.last_seq = standing.head.item.last_seq;
  if (args.after_seq.value > reply.last_seq) {
    reply.reset.value = true;
    return protocol::Encode(reply);
  }
  const int64_t limit = args.limit ? args.limit->value : kDefaultChanges;
  PARLEY_TRY(page, ReadChanges(context.rows(), context.caller, args.thread_id, args.after_seq.value,
                               static_cast<size_t>(limit)));
  reply.changes = EncodeChanges(page.changes, ViewOf(context.caller, standing.head.item, context.now));
  reply.more = page.more;
  return protocol::Encode(reply);
}

ReadAnswer ListParticipants(const ReadContext& context, const protocol::ParticipantList::Args& args) {
  const std::string query = "participant.list " + args.thread_id.ToText();
  std::optional<UserId> after;
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    if (!position) return Error::BadField("cursor", "is not a cursor of this query");
    after = UserId{*position};
  }
  PARLEY_CHECK_OK(StandingOf(context, args.thread_id));
  const int64_t limit = args.limit ? args.limit->value : kDefaultMessages;
  PARLEY_TRY(page, ReadParticipants(context.rows(), args.thread_id, after, static_cast<size_t>(limit)));
  protocol::ParticipantList::Reply reply;
  reply.participants = std::move(page.participants);
  if (page.last) reply.cursor = context.cursors.Seal(context.caller, query, page.last->value);
  return protocol::Encode(reply);
}

}  // namespace parley::threads

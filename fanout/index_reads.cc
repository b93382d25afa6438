#include "fanout/index_reads.h"

#include <algorithm>
#include <map>

#include "fanout/cell_merge.h"
#include "fanout/inbox_filters.h"
#include "fanout/inbox_rows.h"
#include "fanout/keys.h"
#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "protocol/base/unreadable.h"
#include "threads/model/staff_view.h"

namespace parley::fanout {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Folder;
using protocol::InboxOrder;
using protocol::Reason;
using protocol::Result;
using threads::ReadAnswer;
using threads::ReadContext;

constexpr int64_t kDefaultThreads = 25;
constexpr size_t kProjectRowsMax = 1000;  // read per page, shown or not
constexpr size_t kRound = 64;             // threads read together
constexpr size_t kFewProjectRows = 64;    // read for any caller

// The entry as of now: omits a mute that ended after the row was written.
bool AppendEntry(const InboxRow& row, protocol::Time now, std::string* out) {
  if (row.muted_until_ms == 0 || row.muted_until_ms > now.ms) {
    out->append(row.entry);
    return true;
  }
  protocol::Entry entry;
  if (!threads::DecodeStored(row.entry, &entry)) return false;
  entry.muted = false;
  entry.muted_until.reset();
  out->append(protocol::Encode(entry));
  return true;
}

// The same, but without the last message if messaging is switched off in the thread's city.
bool AppendSwitchedOff(const ReadContext& context, const InboxRow& row, std::string* out) {
  std::string shown;
  protocol::Entry entry;
  if (!AppendEntry(row, context.now, &shown) || !threads::DecodeStored(shown, &entry)) return false;
  const auto head = context.rows().Thread(entry.thread_id);
  if (!head.ok()) return false;
  const bool off = *head && context.people->MessagingIn(context.caller.tenant, (*head)->item.city) ==
                                threads::Messaging::kDisabled;
  if (off && entry.last_message) entry.last_message->preview.clear();
  out->append(off ? protocol::Encode(entry) : shown);
  return true;
}

// Returns the range of a page: all of `range`, or the part after the row that the cursor names.
Result<storage::SortRange> PageRange(const ReadContext& context, const std::string& query,
                                     storage::SortRange range, const std::optional<std::string>& cursor) {
  if (!cursor) return range;
  const auto position = context.cursors.Open(context.caller, query, *cursor);
  if (!position) return Error::BadField("cursor", "is not a cursor of this query");
  range.begin = storage::SortKey(*position + '\0');
  return range;
}

}  // namespace

namespace {

std::vector<Cell> CellsOf(const CellCounts& counts, const CellFilter& filter) {
  std::vector<Cell> out;
  for (const auto& [cell, count] : counts) {
    if (filter.Takes(cell)) out.push_back(cell);
  }
  return out;
}

Result<CellCounts> ReadCounts(const ReadContext& context) {
  std::optional<storage::Row> row;
  const auto status = context.snapshot.Get(InboxPartition(context.caller.tenant, *context.caller.user),
                                           InboxCountsKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  CellCounts counts;
  if (row && !DecodeCounts(row->payload, &counts)) return protocol::UnreadableStored();
  return counts;
}

// The filters that form the list, in the order in which their entries are shown; empty if no entry can match.
std::vector<CellFilter> FiltersOf(const protocol::InboxList::Args& args) {
  CellFilter all = FilterOf(args.folder.value_or(Folder::kAll));
  if (!Narrow(args, &all)) return {};
  if (args.order.value_or(InboxOrder::kRecent) == InboxOrder::kRecent) return {all};
  std::vector<CellFilter> out;
  for (const uint16_t unread : {uint16_t{kUnreadBit}, uint16_t{0}}) {
    CellFilter part = all;
    if (part.Add({kUnreadBit, unread})) out.push_back(part);
  }
  return out;
}

std::string InboxQueryOf(const protocol::InboxList::Args& args) {
  std::string query = "inbox.list " + std::string(NameOf(args.folder.value_or(Folder::kAll)));
  query += " " + std::string(NameOf(args.order.value_or(InboxOrder::kRecent)));
  query += FilterTextOf(args);
  return query + (args.label ? " label " + args.label->value.text() : "");
}

// The beginning of a page: one of the lists, and the place after which it continues.
struct InboxCursor {
  size_t list = 0;
  std::string after;
};
Result<InboxCursor> CursorFrom(const ReadContext& context, const std::string& query, size_t lists,
                               const std::optional<std::string>& text) {
  if (!text) return InboxCursor();
  const auto position = context.cursors.Open(context.caller, query, *text);
  if (!position || position->size() != 1 + kPlaceBytes || static_cast<uint8_t>(position->front()) >= lists)
    return Error::BadField("cursor", "is not a cursor of this query");
  return InboxCursor{static_cast<uint8_t>(position->front()), position->substr(1)};
}

}  // namespace

ReadAnswer ListInbox(const ReadContext& context, const protocol::InboxList::Args& args) {
  const auto folder = static_cast<unsigned>(args.folder.value_or(protocol::Folder::kAll));
  if (!(context.folders & (1u << folder)))
    return protocol::Error::BadField("folder", "is not offered by this server");
  const std::string query = InboxQueryOf(args);
  const std::vector<CellFilter> filters = FiltersOf(args);
  PARLEY_TRY(cursor, CursorFrom(context, query, filters.size(), args.cursor));
  std::optional<protocol::KeyText> label;
  if (args.label) label = protocol::KeyText::UpToNul(protocol::CleanName(args.label->value));
  if (!context.caller.user) return ErrorFor(Reason::kOnlyUsers, "an inbox is a user's");
  if (context.people)
    PARLEY_CHECK_OK(threads::RequireReadable(context.people->MessagingIn(context.caller.tenant, {})));
  const bool off_somewhere = context.people && context.people->IsOffSomewhere(context.caller.tenant);
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultThreads);
  PARLEY_TRY(counts, ReadCounts(context));

  const auto inbox = InboxPartition(context.caller.tenant, *context.caller.user);
  protocol::InboxList::Reply reply;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] { return protocol::JsonSize(reply.entries.msgpack); };
  std::string last;
  for (; cursor.list < filters.size() && !reply.cursor; ++cursor.list, cursor.after.clear()) {
    // Read one more than is shown, to know if a next page exists.
    const size_t wanted = limit + 1 - reply.entries.count;
    bool sound = true;
    PARLEY_CHECK_OK(MergeCells(context.snapshot, inbox, CellsOf(counts, filters[cursor.list]), label,
                               cursor.after, wanted, [&](std::string_view place, std::string_view payload) {
                                 InboxRow stored;
                                 sound = DecodeInboxRow(payload, &stored);
                                 if (!sound) return false;
                                 if (reply.entries.count == limit || !bytes.Take(stored.entry, taken)) {
                                   reply.cursor = context.cursors.Seal(context.caller, query, last);
                                   return false;
                                 }
                                 if (reply.entries.count == 0)
                                   reply.entries.MakeRoom(limit, stored.entry.size());
                                 sound = off_somewhere
                                             ? AppendSwitchedOff(context, stored, &reply.entries.msgpack)
                                             : AppendEntry(stored, context.now, &reply.entries.msgpack);
                                 ++reply.entries.count;
                                 last = static_cast<char>(cursor.list);
                                 last += place;
                                 return sound;
                               }));
    if (!sound) return protocol::UnreadableStored();
  }
  return protocol::EncodePage(std::move(reply));
}

namespace {

// The number of unread messages in the folder `all`, summed over the unread entries: one row read for each
// unread thread. A stored sum would cost two more writes per member for every message.
Result<int64_t> CountUnreadMessages(const ReadContext& context, const CellCounts& counts) {
  CellFilter unread = FilterOf(Folder::kAll);
  unread.Add({kUnreadBit, kUnreadBit});
  const auto inbox = InboxPartition(context.caller.tenant, *context.caller.user);
  int64_t sum = 0;
  bool sound = true;
  for (const Cell cell : CellsOf(counts, unread)) {
    const auto status = context.snapshot.Scan(
        inbox, storage::SortRange::Prefix(CellPrefix(std::nullopt, cell)), storage::Direction::kForward,
        SIZE_MAX, [&](std::string_view, storage::RowView row) {
          InboxRow stored;
          int64_t one = 0;
          sound = DecodeInboxRow(row.payload, &stored) && UnreadIn(stored.entry, &one);
          sum += one;
          return sound;
        });
    if (!status.ok()) return threads::FromStorage(status);
    if (!sound) return protocol::UnreadableStored();
  }
  return sum;
}

}  // namespace

Result<protocol::InboxCounts::Reply> CountFolders(const ReadContext& context, uint32_t offered) {
  if (!context.caller.user) return ErrorFor(Reason::kOnlyUsers, "an inbox is a user's");
  PARLEY_TRY(counts, ReadCounts(context));
  protocol::InboxCounts::Reply reply;
  for (size_t i = 0; i < protocol::kFolderCount; ++i) {
    if (!(offered & (1u << i))) continue;
    protocol::FolderCount& folder = reply.folders.items.emplace_back();
    folder.folder = static_cast<Folder>(i);
    const CellFilter filter = FilterOf(folder.folder);
    for (const auto& [cell, count] : counts) {
      if (!filter.Takes(cell)) continue;
      folder.threads += count;
      if (cell.bits & kUnreadBit) folder.unread += count;
    }
  }
  PARLEY_TRY(messages, CountUnreadMessages(context, counts));
  reply.unread_messages = messages;
  return reply;
}

namespace {

// The caller's membership in each of a list of threads, read in rounds on demand.
class Standings {
 public:
  Standings(const ReadContext& context, std::vector<ThreadId> threads)
      : context_(context), threads_(std::move(threads)) {}

  bool AtEnd() const { return next_ == threads_.size(); }
  // Returns that of the next thread, or nullopt if the caller may not see the thread. REQUIRES: not at the
  // end.
  Result<std::optional<threads::Standing>> Next() {
    if (next_ % kRound == 0) PARLEY_CHECK_OK(ReadRound());
    std::optional<threads::ThreadRow> head;
    std::optional<threads::ParticipantRow> me;
    const size_t at = next_++ % kRound * width_;
    if (!Decode(rows_[at], &head) || (width_ > 1 && head && !Decode(rows_[at + 1], &me)))
      return protocol::UnreadableStored();
    auto standing = threads::RequireStanding(context_.caller, std::move(head), std::move(me), context_.now);
    // A case gives access to a thread that the caller names (and the access is recorded), but not in lists.
    if (standing.ok() && context_.caller.by_case && !standing->me) return std::optional<threads::Standing>();
    if (standing.ok() && !threads::RequireLetIn(context_.caller, standing->head).ok())
      return std::optional<threads::Standing>();
    if (standing.ok()) return std::optional(std::move(*standing));
    if (standing.error().code == ErrorCode::kThreadNotMember) return std::optional<threads::Standing>();
    return std::move(standing.error());
  }

 private:
  protocol::Status ReadRound() {
    std::vector<storage::RowKey> keys;
    for (size_t i = next_; i < std::min(next_ + kRound, threads_.size()); ++i) {
      const auto partition = threads::ThreadPartition(context_.caller.tenant, threads_[i]);
      keys.push_back({partition, threads::ThreadKey()});
      if (width_ > 1) keys.push_back({partition, threads::ParticipantKey(*context_.caller.user)});
    }
    const auto status = context_.snapshot.MultiGet(keys, &rows_);
    return status.ok() ? protocol::Ok() : threads::FromStorage(status);
  }
  template <class R>
  static bool Decode(const std::optional<storage::Row>& row, std::optional<R>* out) {
    return !row || threads::DecodeItem(row->payload, &out->emplace());
  }

  const ReadContext& context_;
  const std::vector<ThreadId> threads_;
  const size_t width_ = context_.caller.user ? 2 : 1;  // rows of each thread
  size_t next_ = 0;
  std::vector<std::optional<storage::Row>> rows_;  // the current round
};

bool IsBound(const protocol::Thread& thread, const protocol::ThreadByProject::Args& args) {
  return args.lbg_id ? thread.lbg_id == args.lbg_id : thread.leg_id == args.leg_id;
}

// Lists the same page from the caller's own threads, which are few. A cursor into a project's other threads
// could reveal them.
ReadAnswer ListOwnByProject(const ReadContext& context, const protocol::ThreadByProject::Args& args,
                            const CellCounts& counts, const std::string& query,
                            const storage::SortRange& range, size_t limit) {
  std::vector<Cell> cells;
  for (const auto& [cell, count] : counts) cells.push_back(cell);
  const std::string prefix(CellPrefix(std::nullopt, {}).bytes());
  std::vector<ThreadId> own;
  bool sound = true;
  PARLEY_CHECK_OK(MergeCells(context.snapshot, InboxPartition(context.caller.tenant, *context.caller.user),
                             cells, std::nullopt, "", kProjectRowsMax,
                             [&](std::string_view place, std::string_view) {
                               InboxKeyParts key;
                               sound = ParseInboxKey(prefix + std::string(place), &key);
                               own.push_back(key.place.thread);
                               return sound;
                             }));
  if (!sound) return protocol::UnreadableStored();
  std::map<std::string, std::string> bound;  // by place in the project
  for (Standings standings(context, std::move(own)); !standings.AtEnd();) {
    PARLEY_TRY(standing, standings.Next());
    if (!standing || !IsBound(standing->head.item, args)) continue;
    const protocol::Thread& thread = standing->head.item;
    std::string place = ProjectKey(thread.created_at, thread.thread_id).bytes();
    if (place >= range.begin.bytes())
      bound.emplace(std::move(place), threads::WireFor(context.caller, standing->head));
  }
  protocol::ThreadByProject::Reply reply;
  for (auto at = bound.begin(); at != bound.end(); ++at) {
    if (reply.threads.count == limit) {
      reply.cursor = context.cursors.Seal(context.caller, query, std::prev(at)->first);
      break;
    }
    reply.threads.msgpack += at->second;
    ++reply.threads.count;
  }
  return protocol::Encode(reply);
}

}  // namespace

ReadAnswer ListByProject(const ReadContext& context, const protocol::ThreadByProject::Args& args) {
  if (args.lbg_id.has_value() == args.leg_id.has_value())
    return Error::BadRequest("exactly one of lbgId and legId is required");
  const auto partition = args.lbg_id ? LbgPartition(context.caller.tenant, *args.lbg_id)
                                     : LegPartition(context.caller.tenant, *args.leg_id);
  const std::string query =
      "thread.byProject " + (args.lbg_id ? "lbg " + args.lbg_id->value : "leg " + args.leg_id->value);
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultThreads);
  PARLEY_TRY(range, PageRange(context, query, storage::SortRange::All(), args.cursor));

  // A caller who may see only few of the project's threads reads no more rows than they have threads.
  CellCounts counts;
  size_t most = kProjectRowsMax;
  if (context.caller.user && !context.caller.sees_all()) {
    PARLEY_TRY(read, ReadCounts(context));
    counts = std::move(read);
    size_t own = 0;
    for (const auto& [cell, count] : counts) own += static_cast<size_t>(count);
    most = std::clamp(own, kFewProjectRows, kProjectRowsMax);
  }
  struct Found {
    std::string sort;
    ThreadId thread;
  };
  std::vector<Found> found;
  bool sound = true;
  const auto status = context.snapshot.Scan(partition, range, storage::Direction::kForward, most + 1,
                                            [&](std::string_view sort, storage::RowView) {
                                              Found& one = found.emplace_back();
                                              one.sort = sort;
                                              protocol::Time created_at;
                                              sound = ParseProjectKey(sort, &created_at, &one.thread);
                                              return sound;
                                            });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  if (found.size() > most && most < kProjectRowsMax)
    return ListOwnByProject(context, args, counts, query, range, limit);

  std::vector<ThreadId> bound;
  bound.reserve(found.size());
  for (const Found& one : found) bound.push_back(one.thread);
  Standings standings(context, std::move(bound));
  protocol::ThreadByProject::Reply reply;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] { return protocol::JsonSize(reply.threads.msgpack); };
  for (size_t i = 0; i < found.size(); ++i) {
    if (reply.threads.count == limit || i == kProjectRowsMax) {
      reply.cursor = context.cursors.Seal(context.caller, query, found[i - 1].sort);
      break;
    }
    PARLEY_TRY(standing, standings.Next());
    if (!standing) continue;
    const std::string wire = threads::WireFor(context.caller, standing->head);
    if (!bytes.Take(wire, taken)) {
      reply.cursor = context.cursors.Seal(context.caller, query, found[i - 1].sort);
      break;
    }
    reply.threads.msgpack += wire;
    ++reply.threads.count;
  }
  return protocol::Encode(reply);
}

Result<std::vector<threads::Standing>> LegThreadsOf(const ReadContext& context, const protocol::LbgId& lbg,
                                                    size_t limit) {
  std::vector<ThreadId> bound;
  bool sound = true;
  const auto status = context.snapshot.Scan(
      LbgPartition(context.caller.tenant, lbg), storage::SortRange::All(), storage::Direction::kForward,
      kProjectRowsMax, [&](std::string_view sort, storage::RowView) {
        protocol::Time created_at;
        return sound = ParseProjectKey(sort, &created_at, &bound.emplace_back());
      });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  std::vector<threads::Standing> out;
  Standings standings(context, std::move(bound));
  while (out.size() < limit && !standings.AtEnd()) {
    PARLEY_TRY(standing, standings.Next());
    if (!standing) continue;
    const protocol::Thread& head = standing->head.item;
    if (threads::TraitsOf(head.kind).bookable && head.leg_id) out.push_back(std::move(*standing));
  }
  return out;
}

}  // namespace parley::fanout

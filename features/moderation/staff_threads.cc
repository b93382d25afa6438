#include "features/moderation/staff_threads.h"

#include "fanout/cell_merge.h"
#include "fanout/inbox_rows.h"
#include "features/moderation/case_queue.h"
#include "protocol/base/reason.h"
#include "protocol/base/unreadable.h"
#include "threads/model/staff_view.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::ThreadId;
using threads::ReadContext;
using Args = ModerationThreads::Args;

constexpr size_t kDefaultFound = 25, kLookedAtMost = 500, kCandidatesRead = 50;

// A thread that may be shown, and the place at which the list continues after it.
struct Candidate {
  ThreadId thread;
  std::string place;
};
using Round = std::vector<Candidate>;  // fewer than kCandidatesRead: there are no more

// All threads of the tenant, newest first.
Result<Round> NextOfAll(const ReadContext& context, const std::string& after) {
  const auto all = storage::PartitionKey::OfTenant(context.caller.tenant, storage::TableTag::kThreads);
  Round out;
  std::string below = after;
  while (out.size() < kCandidatesRead) {
    storage::SortRange range = storage::SortRange::All();
    if (!below.empty()) range.end = storage::SortKey(below);
    std::string found;
    const auto status = context.snapshot.Scan(all, range, storage::Direction::kReverse, 1,
                                              [&](std::string_view sort, storage::RowView) {
                                                found = sort.substr(0, sizeof(protocol::Ulid::bytes));
                                                return false;
                                              });
    if (!status.ok()) return threads::FromStorage(status);
    const auto ulid = protocol::Ulid::FromBytes(found);
    if (!ulid) break;
    out.push_back({ThreadId{*ulid}, found});
    below = std::move(found);
  }
  return out;
}

// The user's, newest message first.
Result<Round> NextOfUser(const ReadContext& context, const protocol::UserId& user, const std::string& after) {
  const auto inbox = fanout::InboxPartition(context.caller.tenant, user);
  std::optional<storage::Row> row;
  const auto status = context.snapshot.Get(inbox, fanout::InboxCountsKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  fanout::CellCounts counts;
  if (row && !fanout::DecodeCounts(row->payload, &counts)) return protocol::UnreadableStored();
  std::vector<fanout::Cell> cells;
  for (const auto& [cell, count] : counts) cells.push_back(cell);
  const std::string prefix(fanout::CellPrefix(std::nullopt, {}).bytes());
  Round out;
  bool sound = true;
  PARLEY_CHECK_OK(fanout::MergeCells(context.snapshot, inbox, cells, std::nullopt, after, kCandidatesRead,
                                     [&](std::string_view place, std::string_view) {
                                       fanout::InboxKeyParts key;
                                       sound = fanout::ParseInboxKey(prefix + std::string(place), &key);
                                       out.push_back({key.place.thread, std::string(place)});
                                       return sound;
                                     }));
  if (!sound) return protocol::UnreadableStored();
  return out;
}

Result<Round> NextWithCase(const accounts::RecordReads& records, const threads::Caller& caller,
                           const std::string& after) {
  Round out;
  auto below = after.empty() ? std::nullopt : std::optional(after);
  do {
    PARLEY_TRY(page, ThreadsWithCases(records, caller.user, kCandidatesRead - out.size(), below));
    for (const ThreadId& thread : page.threads) out.push_back({thread, thread.ToText()});
    below = page.next;
  } while (below && out.size() < kCandidatesRead);
  return out;
}

std::string StaffQueryOf(const Args& args) {
  return "moderation.threads user " + (args.user_id ? args.user_id->ToText() : "") + " status " +
         std::string(args.status ? protocol::NameOf(*args.status) : "") +
         (args.flagged.value_or(false) ? " flagged" : "");
}

class Lister {
 public:
  Lister(const ReadContext& context, const accounts::RecordReads& records, const Args& args)
      : context_(context),
        records_(records),
        args_(args),
        with_case_(args.flagged.value_or(false) || context.caller.by_case) {}

  threads::ReadAnswer List() {
    const std::string query = StaffQueryOf(args_);
    std::string place;
    if (args_.cursor) {
      auto opened = context_.cursors.Open(context_.caller, query, *args_.cursor);
      if (!opened) return Error::BadField("cursor", "is not a cursor of this query");
      place = *std::move(opened);
    }
    const size_t limit = args_.limit ? static_cast<size_t>(args_.limit->value) : kDefaultFound;
    PARLEY_TRY(more, Fill(limit, &place));
    if (more) reply_.cursor = context_.cursors.Seal(context_.caller, query, place);
    return protocol::Encode(reply_);
  }

 private:
  // Returns whether more threads follow *place.
  Result<bool> Fill(size_t limit, std::string* place) {
    protocol::PageBytes bytes(context_.page_bytes);
    const auto taken = [this] { return protocol::JsonSize(reply_.threads.msgpack); };
    for (size_t looked_at = 0; looked_at < kLookedAtMost;) {
      PARLEY_TRY(round, Next(*place));
      for (const Candidate& one : round) {
        PARLEY_TRY(wire, Shown(one.thread));
        if (wire && (reply_.threads.count == limit || !bytes.Take(*wire, taken))) return true;
        *place = one.place;
        ++looked_at;
        if (!wire) continue;
        reply_.threads.msgpack += *wire;
        ++reply_.threads.count;
      }
      if (round.size() < kCandidatesRead) return false;
    }
    return true;
  }
  Result<Round> Next(const std::string& after) {
    if (with_case_) return NextWithCase(records_, context_.caller, after);
    if (args_.user_id) return NextOfUser(context_, *args_.user_id, after);
    return NextOfAll(context_, after);
  }
  // nullopt: it is not asked for.
  Result<std::optional<std::string>> Shown(const ThreadId& thread) {
    PARLEY_TRY(head, context_.rows().Thread(thread));
    if (!head || (args_.status && head->item.status != *args_.status)) return std::optional<std::string>();
    if (args_.user_id) {
      PARLEY_TRY(row, context_.rows().Participant(thread, *args_.user_id));
      if (!row || !row->active()) return std::optional<std::string>();
    }
    threads::Caller viewer = context_.caller;
    viewer.masked = viewer.by_case;  // no case has let them in here
    return std::optional(threads::WireFor(viewer, *head));
  }

  const ReadContext& context_;
  const accounts::RecordReads& records_;
  const Args& args_;
  const bool with_case_;
  ModerationThreads::Reply reply_;
};

}  // namespace

threads::ReadAnswer ListThreads(const ReadContext& context, const accounts::RecordReads& records,
                                const Args& args) {
  if (!context.caller.is_staff() && !context.caller.sees_all())
    return ErrorFor(Reason::kOnlyStaff, "only staff may list threads");
  return Lister(context, records, args).List();
}

}  // namespace parley::features

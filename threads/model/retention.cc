#include "threads/model/retention.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include "storage/table_specs.h"

namespace parley::threads {
namespace {

using storage::TableTag;
using storage::ThreadTag;
using storage::UserTag;

constexpr std::string_view kQueue = "the clock, in order of time";
constexpr std::string_view kUpkeep = "the write of the item, or the table engine's upkeep in slices";
constexpr std::string_view kRound = "a round in the thread, by the clock";

constexpr Retention Of(ThreadTag tag, std::string_view row, std::string_view kept, std::string_view by) {
  return {TableTag::kThreads, static_cast<uint8_t>(tag), row, kept, by};
}
constexpr Retention Of(storage::StoreTag tag, std::string_view row, std::string_view kept,
                       std::string_view by) {
  return {TableTag::kStore, static_cast<uint8_t>(tag), row, kept, by};
}

constexpr Retention Of(storage::ItemTag tag, std::string_view row, std::string_view kept,
                       std::string_view by) {
  return {TableTag::kItems, static_cast<uint8_t>(tag), row, kept, by};
}

constexpr Retention kOwnRows[] = {
    Of(ThreadTag::kThread, "THR", "forever", kNoRemover),
    Of(ThreadTag::kParticipant, "PART#",
       "members: forever; removed ones: as long as the LOG# row of the removal", "the sweep of LOG#"),
    Of(ThreadTag::kMessage, "MSG#", "forever; deleted ones without body and attachments", kNoRemover),
    Of(ThreadTag::kCard, "CARD#", "forever", kNoRemover),
    Of(ThreadTag::kTab, "TAB#", "forever; one per tab", kNoRemover),
    Of(ThreadTag::kLog, "LOG#", "the last 10,000 changes; up to 1,000 more until they are swept",
       "the clock, once 1,000 are too many"),
    Of(ThreadTag::kIdempotency, "IDEM#", "48 hours; gone after 60", kRound),
    Of(ThreadTag::kDeleted, "DEL#", "from earlier versions; until the thread changes",
       "the commands of the thread, in slices"),
    Of(ThreadTag::kDeletedBlock, "DELS#", "forever; at most a bit per message", kNoRemover),
    Of(ThreadTag::kHistory, "HIST#",
       "180 days; gone after 210. At most 200 edits per message. Reasons that staff gave for a thread's "
       "status: forever",
       kRound),
    Of(ThreadTag::kExternalEvent, "EVT#",
       "90 days; gone after 120. An event that is replayed later is applied again", kRound),
    Of(ThreadTag::kEffect, "OUT#", "until it is acknowledged; at most 1,000 per thread", "outbox.ack"),
    Of(ThreadTag::kCardAudit, "AUD#", "forever: it is the audit", kNoRemover),
    Of(ThreadTag::kAccess, "LOOK#", "forever: it is the audit", kNoRemover),
    Of(ThreadTag::kAct, "ACT#", "forever: it is the audit", kNoRemover),
    Of(ThreadTag::kReaction, "REACT#",
       "until it is taken back, or its message lists it. One per reaction to a message beyond the 100 users "
       "that are listed for its emoji",
       "message.react"),
    Of(ThreadTag::kOriginal, "ORIG#",
       "180 days from the message; gone after 210. Of a redacted message: until it is redacted", kRound),
    RetentionOf(UserTag::kCreate, "CREATE#", "48 hours", kQueue),
    RetentionOf(UserTag::kInquiry, "INQUIRY#", "while it leads to an inquiry; checked every 30 days", kQueue),
    RetentionOf(UserTag::kBroadcast, "BROADCAST#", "48 hours", kQueue),
    RetentionOf(UserTag::kSafety, "SAFETY#", "while the report is open", "the decision on the report"),
    RetentionOf(UserTag::kMeeting, "MET#", "forever; one per thread of two users", kNoRemover),
    RetentionOf(UserTag::kDirect, "DIRECT#", "forever; one per pair with a direct thread", kNoRemover),
    RetentionOf(UserTag::kLadder, "LADDER#",
                "until it says nothing any more, 30 days at least; one per author and thread",
                "the author's next find"),
    RetentionOf(UserTag::kDue, "DUE#", "until its reservation is checked", kQueue),
    Of(storage::StoreTag::kMeta, "META", "forever; one", kNoRemover),
    Of(storage::StoreTag::kChangeLog, "CHANGE#",
       "until every projection has read it, and some 65,000 more were made; with it, for tenants that asked "
       "for "
       "events, what these tell",
       "the fan-out worker"),
    Of(storage::StoreTag::kCursor, "CURSOR#", "forever; one per projection", kNoRemover),
    Of(storage::StoreTag::kTrimmed, "TRIMMED", "forever; one", kNoRemover),
    Of(storage::ItemTag::kItem, "items of tables",
       "until they are deleted, expire, or their table is dropped. Integration events: 30 days, or 7 after "
       "their "
       "acknowledgement",
       kUpkeep),
    Of(storage::ItemTag::kIndex, "index entries of items", "with their item; until the index is dropped",
       kUpkeep),
    Of(storage::ItemTag::kGuard, "guards of unique values", "with their item", kUpkeep),
    Of(storage::ItemTag::kStats, "a table's statistics", "with their table; one each", kUpkeep),
    Of(storage::ItemTag::kDefinition, "definitions of tables", "until the table is dropped", "DeleteTable"),
    Of(storage::ItemTag::kToken, "tokens of transactions", "10 minutes", kUpkeep),
    Of(storage::ItemTag::kRecord, "records of the table engine",
       "until the work that they describe is done. The positions of the relays of events and of acts of "
       "staff: "
       "forever; one each",
       kUpkeep),
    {TableTag::kItemExpiry, 0, "places of items that expire",
     "until the item expires, or is written with another time", kUpkeep},
    {TableTag::kQuotas, 0, "quotas",
     "30 days after they counted something. One per user who starts threads, or whose messages have a limit "
     "by the day, and one per user who uploads, for each executor; what they count: a day. One per executor "
     "for the tenant's files: as long as it has any",
     kQueue},
};

}  // namespace

bool IsLogLong(const ThreadRow& head) {
  return head.item.last_seq - head.hidden.log_swept.value.value_or(0) >= kKeptChanges + kChangesSweptTogether;
}

std::optional<Time> NextForgetting(const ThreadRow& head) {
  std::optional<Time> next = head.hidden.log_due_at.value;
  for (const Round* round : kRounds) {
    const auto& due = (head.hidden.*(round->due)).value;
    if (due) next = next ? std::min(*next, *due) : due;
  }
  return next;
}

std::vector<Retention> WithCore(std::vector<Retention> of_features) {
  std::vector<Retention> all(std::begin(kOwnRows), std::end(kOwnRows));
  std::move(of_features.begin(), of_features.end(), std::back_inserter(all));
  for (const storage::TableSpec& spec : storage::kTableSpecs) {
    if (spec.derived) all.push_back({spec.tag, 0, spec.rows, spec.kept, "its projection"});
  }
  const auto derived = [](const Retention& one) {
    const storage::TableSpec* spec = storage::FindSpec(one.table);
    return spec && spec->derived;
  };
  // The messaging table first, as readers look for it; the rest in the order of the tables.
  const auto place = [&](const Retention& one) {
    const bool own = one.table == TableTag::kStore;
    return std::tuple(derived(one),
                      own ? static_cast<int>(TableTag::kUsers) * 2 + 1 : static_cast<int>(one.table) * 2);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Retention& a, const Retention& b) { return place(a) < place(b); });
  return all;
}

std::string RetentionManual(std::span<const Retention> all) {
  std::string out =
      "# What is kept, and for how long\n\n"
      "Printed by `parleyd --retention` from the tables in `threads/model/retention.cc` and in the folders "
      "of "
      "features, which name every\n"
      "kind of row in the store. Keys are specified in `storage/FORMAT.md`. Rows are removed in slices of at "
      "most 200 "
      "between other\n"
      "commands; a server that was stopped catches up after its start.\n\n"
      "| row | kept | removed by |\n|---|---|---|\n";
  for (const Retention& one : all) {
    const std::string name = one.tag != 0 ? "`" + std::string(one.row) + "`" : std::string(one.row);
    out += "| " + name + " | " + std::string(one.kept) + " | " + std::string(one.taken_away_by) + " |\n";
  }
  return out;
}

}  // namespace parley::threads

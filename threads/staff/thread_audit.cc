// The op thread.audit: the acts on the cards of a thread (AUD#) and staff's accesses to it (LOOK#), merged by
// time, newest first.
#include "threads/staff/thread_audit.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "protocol/base/varint.h"
#include "threads/model/mask.h"

namespace parley::threads {
namespace {

constexpr int64_t kDefaultEntries = 50;
constexpr size_t kRowsRead = 1000;  // rows of either kind read per page, shown or not

// One of the two kinds of rows, read from `range.end` downwards.
struct Trail {
  storage::SortRange range;
  std::vector<std::pair<protocol::AuditEntry, std::string>> found;  // with its sort key
  bool whole = true;                                                // no rows are below
  std::string through;                                              // the lowest key read
  size_t taken = 0;

  bool spent() const { return taken == found.size(); }
  // The upper end of the next page.
  storage::SortKey Below() const {
    if (spent()) return whole ? range.begin : storage::SortKey(through);
    return storage::SortKey(found[taken].second + '\0');  // entries written since belong on an earlier page
  }
};

bool Asked(const protocol::AuditEntry& entry, const protocol::ThreadAudit::Args& args) {
  return (!args.actor || entry.actor_user_id == args.actor) &&
         (!args.message_id || entry.message_id == args.message_id);
}

protocol::AuditEntry WithoutWhatIsMasked(protocol::AuditEntry entry) {
  if (entry.reason) entry.reason = Masked(*entry.reason);
  if (entry.note) entry.note = Masked(*entry.note);
  if (entry.data) entry.data = Masked(*entry.data);
  return entry;
}

protocol::Status Follow(const ReadContext& context, const protocol::ThreadAudit::Args& args,
                        const HidesCase& hides, bool masked, size_t limit, Trail* trail) {
  size_t looked = 0;
  bool sound = true;
  protocol::Status fault = protocol::Ok();
  const auto status = context.snapshot.Scan(
      ThreadPartition(context.caller.tenant, args.thread_id), trail->range, storage::Direction::kReverse,
      SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
        trail->whole = looked < kRowsRead && trail->found.size() < limit;
        if (!trail->whole) return false;
        ++looked;
        trail->through = sort;
        protocol::AuditEntry entry;
        sound = DecodeStored(row.payload, &entry);
        if (!sound || !Asked(entry, args)) return sound;
        if (entry.case_id.value) {
          const auto hidden = hides(*entry.case_id.value);
          if (!hidden.ok()) fault = hidden.error();
          if (!hidden.ok() || *hidden) return fault.ok();
        }
        trail->found.emplace_back(masked ? WithoutWhatIsMasked(std::move(entry)) : std::move(entry),
                                  std::string(sort));
        return true;
      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return fault;
}

// The trail with the newest next entry; nullptr if that is not known yet, or at the end.
Trail* Newest(Trail* a, Trail* b) {
  for (const Trail* one : {a, b}) {
    if (one->spent() && !one->whole) return nullptr;  // its unread entries may be newer
  }
  if (a->spent()) return b->spent() ? nullptr : b;
  if (b->spent()) return a;
  return a->found[a->taken].first.at < b->found[b->taken].first.at ? b : a;
}

std::string Position(const Trail& acts, const Trail& looks) {
  std::string out;
  for (const Trail* trail : {&acts, &looks}) {
    const std::string below = trail->Below().bytes();
    protocol::AppendVarint(&out, below.size());
    out += below;
  }
  return out;
}

bool ParsePosition(std::string_view position, Trail* acts, Trail* looks) {
  for (Trail* trail : {acts, looks}) {
    uint64_t size = 0;
    if (!protocol::TakeVarint(&position, &size) || size > position.size()) return false;
    trail->range.end = storage::SortKey(std::string(position.substr(0, size)));
    position.remove_prefix(size);
  }
  return position.empty();
}

std::string QueryOf(const protocol::ThreadAudit::Args& args) {
  return "thread.audit " + args.thread_id.ToText() + " card " +
         (args.message_id ? args.message_id->ToText() : "") + " actor " +
         (args.actor ? args.actor->value : "");
}

}  // namespace

ReadAnswer ListAudit(const ReadContext& context, const protocol::ThreadAudit::Args& args,
                     const HidesCase& hides) {
  PARLEY_TRY(standing, StandingOf(context, args.thread_id));
  if (!context.caller.is_staff() && !context.caller.sees_all())
    return ErrorFor(protocol::Reason::kOnlyStaff, "only staff may read the audit");
  const std::string query = QueryOf(args);
  Trail acts, looks;
  acts.range = RangeOf(storage::ThreadTag::kCardAudit);
  looks.range = RangeOf(storage::ThreadTag::kAccess);
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    if (!position || !ParsePosition(*position, &acts, &looks))
      return Error::BadField("cursor", "is not a cursor of this query");
  }
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultEntries);
  PARLEY_CHECK_OK(Follow(context, args, hides, standing.masked, limit, &acts));
  PARLEY_CHECK_OK(Follow(context, args, hides, standing.masked, limit, &looks));
  protocol::ThreadAudit::Reply reply;
  auto& entries = reply.entries.items;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&entries] {
    size_t sum = 0;
    for (const protocol::AuditEntry& entry : entries) sum += protocol::JsonSize(protocol::Encode(entry));
    return sum;
  };
  while (entries.size() < limit) {
    Trail* next = Newest(&acts, &looks);
    if (!next || !bytes.Take(protocol::Encode(next->found[next->taken].first), taken)) break;
    entries.push_back(std::move(next->found[next->taken++].first));
  }
  const bool at_end = acts.spent() && acts.whole && looks.spent() && looks.whole;
  if (!at_end) reply.cursor = context.cursors.Seal(context.caller, query, Position(acts, looks));
  return protocol::Encode(reply);
}

}  // namespace parley::threads

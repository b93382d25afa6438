#include "features/moderation/case_queue.h"

#include "accounts/records/item_fields.h"
#include "features/moderation/case_item.h"
#include "features/moderation/case_store.h"
#include "features/moderation/cases.h"

namespace parley::features {

using protocol::Error;
using protocol::Result;

namespace {

using QueueArgs = ModerationQueue::Args;

constexpr size_t kCasesReadMost = 1000, kLookedAtOnce = 200;

// The narrowest index for a filter; the other conditions are checked within it.
struct CaseIndex {
  std::string_view index, hash_name;
  std::string hash;
};
CaseIndex IndexFor(const QueueArgs& args) {
  if (args.thread_id) return {"byThread", "threadId", args.thread_id->ToText()};
  if (args.user_id) return {"byUser", "userId", args.user_id->ToText()};
  if (args.status) return {"byStatus", "status", std::string(protocol::NameOf(*args.status))};
  return {"all", "scope", "cases"};
}

bool IsAsked(const Case& one, const Viewer& viewer, const QueueArgs& args) {
  return MayKnow(one, viewer) && (!args.status || one.status == *args.status) &&
         (!args.type || one.type == *args.type) && (!args.severity || one.severity == *args.severity) &&
         (!args.thread_id || one.thread_id == args.thread_id) &&
         (!args.user_id || one.user_id == args.user_id);
}

Result<storage::Item> ItemBehind(const CaseIndex& place, const std::string& listed_as) {
  const auto id = CaseOfPlace(listed_as);
  if (!id) return Error::BadField("cursor", "is not a cursor of this query");
  return storage::Item{{std::string(place.hash_name), place.hash},
                       {"listedAs", listed_as},
                       {"pk", CaseHash(*id)},
                       {"sk", "case"}};
}

// "thrd_…#case_…"
std::optional<protocol::ThreadId> ThreadOfPlace(std::string_view place) {
  return protocol::ThreadId::FromText(place.substr(0, place.find('#')));
}
std::string AfterThread(const protocol::ThreadId& thread) {
  return thread.ToText();
}

}  // namespace

Result<CasePage> ListCases(const accounts::RecordReads& reads, const Viewer& viewer, const QueueArgs& args,
                           size_t limit, const std::optional<std::string>& after) {
  const CaseIndex place = IndexFor(args);
  accounts::RecordReads::Ask ask{kCasesTable, place.index, accounts::AllOf(place.hash),
                                 std::min(limit, kLookedAtOnce)};
  ask.forward = false;
  if (after) {
    PARLEY_TRY(behind, ItemBehind(place, *after));
    ask.after = std::move(behind);
  }
  CasePage out;
  for (size_t looked_at = 0;;) {
    PARLEY_TRY(page, reads.ListToTheEnd(ask));
    looked_at += page.items.size();
    for (const storage::Item& item : page.items) {
      PARLEY_TRY(record, CaseFromItem(item));
      if (!IsAsked(record.shown, viewer, args)) continue;
      out.cases.push_back(std::move(record.shown));
      if (out.cases.size() < limit) continue;
      const bool more = page.last || &item != &page.items.back();
      if (more) out.next = accounts::TextOf(item, "listedAs");
      return out;
    }
    if (!page.last) return out;
    const std::string last = accounts::TextOf(*page.last, "listedAs");
    PARLEY_TRY(behind, ItemBehind(place, last));
    ask.after = std::move(behind);
    ask.limit = kLookedAtOnce;
    if (looked_at < kCasesReadMost) continue;
    out.next = last;
    return out;
  }
}

Result<CaseStats> CountCases(const accounts::RecordReads& reads, const Viewer& viewer) {
  PARLEY_TRY(all, ReadCaseStats(reads, {}));
  if (!viewer) return all;
  PARLEY_TRY(about_them, ReadCaseStats(reads, viewer));
  return all - about_them;
}

namespace {

// Whether at least one of the thread's open cases is not about the viewer.
Result<bool> MayKnowOfOne(const accounts::RecordReads& reads, const Viewer& viewer,
                          const protocol::ThreadId& thread) {
  bool sound = true, found = false;
  accounts::RecordReads::Ask ask{kCasesTable, "openThreads",
                                 accounts::BeginningWith("open", thread.ToText() + "#"), kLookedAtOnce};
  PARLEY_CHECK_OK(reads.ForEach(ask, [&](const storage::Item& item) {
    const auto one = CaseFromItem(item);
    sound = one.ok();
    found = sound && MayKnow(one->shown, viewer);
    return sound && !found;
  }));
  if (!sound) return Error(protocol::ErrorCode::kInternal, "a case cannot be read");
  return found;
}

}  // namespace

Result<OpenThreadsPage> ThreadsWithCases(const accounts::RecordReads& reads, const Viewer& viewer,
                                         size_t limit, const std::optional<std::string>& after) {
  OpenThreadsPage out;
  std::optional<std::string> below = after;
  for (size_t looked_at = 0; out.threads.size() < limit && looked_at < kCasesReadMost; ++looked_at) {
    accounts::RecordReads::Ask ask{kCasesTable, "openThreads", accounts::AllOf("open"), 1};
    ask.forward = false;
    if (below) {
      ask.key->op = storage::KeyCondition::Op::kLess;
      ask.key->low = *below;
    }
    PARLEY_TRY(page, reads.List(ask));
    if (page.items.empty()) return out;
    const auto thread = ThreadOfPlace(accounts::TextOf(page.items.front(), "openThread"));
    if (!thread) return Error(protocol::ErrorCode::kInternal, "a case cannot be read");
    PARLEY_TRY(known, MayKnowOfOne(reads, viewer, *thread));
    if (known) out.threads.push_back(*thread);
    below = AfterThread(*thread);
  }
  out.next = below;
  return out;
}

}  // namespace parley::features

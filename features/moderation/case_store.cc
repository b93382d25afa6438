#include "features/moderation/case_store.h"

#include <algorithm>
#include <utility>

#include "accounts/audit/audit_chain.h"
#include "accounts/records/item_fields.h"
#include "features/moderation/sanctions.h"

namespace parley::features {

using protocol::Result;

namespace {

Result<std::optional<StoredCase>> FromFound(std::optional<storage::Item> item) {
  if (!item) return std::optional<StoredCase>();
  PARLEY_TRY(record, CaseFromItem(*item));
  return std::optional(StoredCase{std::move(record), *std::move(item)});
}

// Stages the counts, for all cases or for those about one user, with the change of one.
protocol::Status CountIn(accounts::RecordTransaction& tx, const std::optional<protocol::UserId>& about,
                         const Case* before, const Case& after) {
  PARLEY_TRY(had, tx.Find(kCasesTable, "stats", StatsRange(about)));
  CaseStats stats;
  if (had) {
    PARLEY_TRY(read, StatsFromItem(*had));
    stats = read;
  }
  if (before) CountCase(*before, -1, &stats);
  CountCase(after, 1, &stats);
  tx.Put(kCasesTable, about ? "statsAbout" : "stats",
         StatsToItem(stats, about, had.value_or(storage::Item())));
  return protocol::Ok();
}

}  // namespace

Result<std::optional<StoredCase>> FindCase(const accounts::RecordReads& reads, const protocol::CaseId& id) {
  PARLEY_TRY(item, reads.Find(kCasesTable, CaseHash(id), "case"));
  return FromFound(std::move(item));
}

Result<std::optional<StoredCase>> FindOpenCase(const accounts::RecordReads& reads,
                                               const std::string& subject) {
  PARLEY_TRY(item, reads.FindUnique(kCasesTable, {{"openSubject", subject}}));
  return FromFound(std::move(item));
}

std::string SubjectText(const Case& one) {
  const std::string thread = one.thread_id ? one.thread_id->ToText() : std::string();
  const std::string message = one.message_id ? one.message_id->ToText() : std::string();
  const std::string user = one.user_id ? one.user_id->ToText() : std::string();
  if (one.origin == CaseOrigin::kPolicy) return "policy/" + thread + "/" + user;
  if (one.origin != CaseOrigin::kReport) return "card/" + thread + "/" + message;
  switch (one.type) {
    case CaseType::kMessage:
      return "message/" + thread + "/" + message;
    case CaseType::kThread:
      return "thread/" + thread;
    case CaseType::kUser:
      break;
  }
  return "user/" + user;
}

protocol::Status PutCase(accounts::RecordTransaction& tx, const std::optional<StoredCase>& before,
                         CaseRecord after) {
  const Case* was = before ? &before->record.shown : nullptr;
  PARLEY_CHECK_OK(CountIn(tx, {}, was, after.shown));
  if (after.shown.user_id) PARLEY_CHECK_OK(CountIn(tx, after.shown.user_id, was, after.shown));
  tx.Put(kCasesTable, "case", CaseToItem(after, before ? before->item : storage::Item()));
  return protocol::Ok();
}

void AddEffect(CaseEffectKind kind, const std::optional<protocol::MessageId>& message, const Decider* decider,
               const std::string& reason, CaseRecord* record) {
  // Only the end of a stop has an effect outside of threads, because a stop also covers starts.
  const bool of_stop = kind == CaseEffectKind::kOpenCard || kind == CaseEffectKind::kEndStop;
  if (!record->shown.thread_id && kind != CaseEffectKind::kEndStop) return;
  if (record->effects.size() >= kMaxCaseEffects) return;
  CaseEffect effect;
  effect.kind = kind;
  effect.number = ++record->effects_made;
  effect.thread_id = record->shown.thread_id.value_or(protocol::ThreadId{});
  if (of_stop) effect.about.value = record->shown.user_id;
  effect.message_id = message;
  if (decider) effect.by = decider->user;
  if (decider) effect.by_role.value = decider->role;
  effect.reason.value = reason;
  record->effects.push_back(std::move(effect));
}

void EndAccess(CaseStatus before, const Decider* decider, CaseRecord* record) {
  if (record->shown.status == before || !std::exchange(record->gives_access, false)) return;
  AddEffect(CaseEffectKind::kRevoke, {}, decider, {}, record);
}

Result<std::optional<HeldSanction>> HoldIn(accounts::RecordTransaction& tx, const protocol::UserId& user,
                                           const SanctionChange& mute, CaseRecord* record) {
  const auto last = std::find_if(record->held.begin(), record->held.end(),
                                 [&](const HeldSanction& one) { return one.user == user; });
  const bool before = last != record->held.end();
  if (!before && record->held.size() >= kMaxHeld) return std::optional<HeldSanction>();
  PARLEY_TRY(held, HoldMuted(tx, user, mute, before ? &*last : nullptr));
  if (!held) return held;
  if (before) record->held.erase(last);
  record->held.push_back(*held);
  return held;
}

protocol::Status EndHolds(accounts::RecordTransaction& tx, const std::vector<protocol::UserId>& decided,
                          const Decider* decider, CaseRecord* record) {
  const Case& one = record->shown;
  if (one.requires_dual_approval) AddEffect(CaseEffectKind::kRelease, {}, decider, {}, record);
  for (const HeldSanction& held : std::exchange(record->held, {})) {
    if (std::find(decided.begin(), decided.end(), held.user) != decided.end()) continue;
    PARLEY_TRY(now, EndHold(tx, held));
    if (!now) continue;
    accounts::AuditAct act;
    if (decider) act.actor = decider->user;
    act.actor_role = decider ? decider->role : "card";
    act.action = "moderation.user";
    act.user_id = held.user;
    act.case_id = one.case_id.ToText();
    act.before = protocol::StatesOf({{"state", protocol::NameOf(protocol::UserState::kMuted)}});
    act.after = protocol::StatesOf({{"state", protocol::NameOf(*now)}});
    PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
  }
  return protocol::Ok();
}

Result<CaseStats> ReadCaseStats(const accounts::RecordReads& reads,
                                const std::optional<protocol::UserId>& about) {
  PARLEY_TRY(item, reads.Find(kCasesTable, "stats", StatsRange(about)));
  if (!item) return CaseStats{};
  return StatsFromItem(*item);
}

}  // namespace parley::features

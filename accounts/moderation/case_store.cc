#include "accounts/moderation/case_store.h"

#include <algorithm>

#include "accounts/records/item_fields.h"

namespace parley::accounts {

using protocol::Case;
using protocol::CaseOrigin;
using protocol::CaseStats;
using protocol::CaseType;
using protocol::Result;

namespace {

Result<std::optional<StoredCase>> FromFound(std::optional<Item> item) {
  if (!item) return std::optional<StoredCase>();
  PARLEY_TRY(record, CaseFromItem(*item));
  return std::optional(StoredCase{std::move(record), *std::move(item)});
}

Result<std::optional<Item>> FindStats(const RecordReads& reads) {
  return reads.Find(kCasesTable, "stats", "stats");
}

}  // namespace

Result<std::optional<StoredCase>> FindCase(const RecordReads& reads, const protocol::CaseId& id) {
  PARLEY_TRY(item, reads.Find(kCasesTable, CaseHash(id), "case"));
  return FromFound(std::move(item));
}

Result<std::optional<StoredCase>> FindOpenCase(const RecordReads& reads, const std::string& subject) {
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

protocol::Status PutCase(RecordStage& stage, const std::optional<StoredCase>& before, CaseRecord after) {
  PARLEY_TRY(had, FindStats(stage));
  CaseStats stats;
  if (had) {
    PARLEY_TRY(read, StatsFromItem(*had));
    stats = read;
  }
  if (before) CountCase(before->record.shown, -1, &stats);
  CountCase(after.shown, 1, &stats);
  stage.Put(kCasesTable, "stats", StatsToItem(stats, had.value_or(Item())));
  stage.Put(kCasesTable, "case", CaseToItem(after, before ? before->item : Item()));
  return protocol::Ok();
}

void AddEffect(CaseEffectKind kind, const std::optional<protocol::MessageId>& message, const Decider* decider,
               const std::string& reason, CaseRecord* record) {
  if (!record->shown.thread_id || record->effects.size() >= kMaxCaseEffects) return;
  CaseEffect effect;
  effect.kind = kind;
  effect.number = ++record->effects_made;
  effect.thread_id = *record->shown.thread_id;
  effect.message_id = message;
  if (decider) effect.by = decider->user;
  if (decider) effect.by_role.value = decider->role;
  effect.reason.value = reason;
  record->effects.push_back(std::move(effect));
}

Result<CaseStats> ReadCaseStats(const RecordReads& reads) {
  PARLEY_TRY(item, FindStats(reads));
  if (!item) return CaseStats{};
  return StatsFromItem(*item);
}

}  // namespace parley::accounts

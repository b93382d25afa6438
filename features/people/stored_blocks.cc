#include "features/people/stored_blocks.h"

#include "accounts/audit/audit_chain.h"
#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"
#include "protocol/base/reason.h"

namespace parley::features {

using accounts::BeginningWith;
using accounts::kTenantsTable;
using accounts::RecordPage;
using accounts::RecordReads;
using accounts::RecordTransaction;
using accounts::SetTime;
using accounts::TenantHash;
using accounts::TimeOf;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::UserId;
using storage::Item;

namespace {

std::string BlocksOf(const UserId& by) {
  return "BLOCK#" + by.ToText() + "#";
}
std::string BlockRange(const UserId& by, const UserId& whom) {
  return BlocksOf(by) + whom.ToText();
}

Result<RecordPage> ReadBlocks(const RecordReads& reads, const UserId& by, const std::optional<UserId>& after,
                              size_t limit) {
  const std::string hash = TenantHash(reads.tenant()), prefix = BlocksOf(by);
  RecordReads::Ask ask;
  ask.table = kTenantsTable;
  ask.key = BeginningWith(hash, prefix);
  ask.limit = limit;
  if (after) ask.after = Item{{"pk", hash}, {"sk", BlockRange(by, *after)}};
  return reads.ListToTheEnd(std::move(ask));
}

Result<size_t> CountBlocks(const RecordReads& reads, const UserId& by) {
  const std::string hash = TenantHash(reads.tenant()), prefix = BlocksOf(by);
  RecordReads::Ask ask;
  ask.table = kTenantsTable;
  ask.key = BeginningWith(hash, prefix);
  ask.limit = 500;
  size_t count = 0;
  PARLEY_CHECK_OK(reads.ForEach(std::move(ask), [&](const Item&) { return ++count < kBlocksMax; }));
  return count;
}

}  // namespace

Result<std::optional<protocol::Time>> FindBlock(const RecordReads& reads, const UserId& by,
                                                const UserId& whom) {
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), BlockRange(by, whom)));
  if (!found) return std::optional<protocol::Time>();
  return std::optional(TimeOf(*found, "created_at").value_or(protocol::Time{}));
}

Result<bool> AreBlocked(const RecordReads& reads, const UserId& a, const UserId& b) {
  PARLEY_TRY(one, FindBlock(reads, a, b));
  if (one) return true;
  PARLEY_TRY(other, FindBlock(reads, b, a));
  return other.has_value();
}

Result<BlockPage> ReadBlockPage(const RecordReads& reads, const UserId& by,
                                const std::optional<UserId>& after, size_t limit) {
  PARLEY_TRY(found, ReadBlocks(reads, by, after, limit));
  BlockPage page;
  page.more = found.last.has_value();
  for (const Item& item : found.items) {
    auto whom = UserId::FromText(accounts::TextOf(item, "blocked_id"));
    if (!whom) return Error(ErrorCode::kInternal, "a record of a block cannot be read");
    page.items.push_back({std::move(*whom), TimeOf(item, "created_at").value_or(protocol::Time{})});
  }
  return page;
}

namespace {

// Records it in the audit, for the tenant's staff only.
protocol::Status Record(RecordTransaction& tx, const UserId& by, const UserId& whom, const char* action) {
  accounts::AuditAct act;
  act.actor = by;
  act.actor_role = "member";
  act.action = action;
  act.user_id = whom;
  PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
  return protocol::Ok();
}

}  // namespace

protocol::Status AddBlock(RecordTransaction& tx, const UserId& by, const UserId& whom) {
  if (by == whom) return Error::BadField("userId", "is the caller's own");
  PARLEY_TRY(before, FindBlock(tx, by, whom));
  if (before) return protocol::Ok();
  PARLEY_TRY(count, CountBlocks(tx, by));
  if (count >= kBlocksMax)
    return ErrorFor(Reason::kTooManyBlocks, "the caller blocks as many users as one may");
  Item item{{"tenant_id", tx.tenant().ToText()}, {"user_id", by.ToText()}, {"blocked_id", whom.ToText()}};
  SetTime(&item, "created_at", tx.now());
  tx.Put(kTenantsTable, "block", std::move(item));
  return Record(tx, by, whom, "user.block");
}

protocol::Status CommitBlock(RecordTransaction& tx, const UserId& by, const UserId& whom) {
  PARLEY_CHECK_OK(AddBlock(tx, by, whom));
  return tx.Commit();
}

protocol::Status CommitUnblock(RecordTransaction& tx, const UserId& by, const UserId& whom) {
  PARLEY_TRY(before, FindBlock(tx, by, whom));
  if (!before) return protocol::Ok();
  tx.Delete(kTenantsTable, TenantHash(tx.tenant()), BlockRange(by, whom));
  PARLEY_CHECK_OK(Record(tx, by, whom, "user.unblock"));
  return tx.Commit();
}

Result<bool> ClearBlocks(RecordTransaction& tx, const UserId& user, size_t limit) {
  PARLEY_TRY(found, ReadBlocks(tx, user, std::nullopt, limit));
  for (const Item& item : found.items)
    tx.Delete(kTenantsTable, accounts::TextOf(item, "pk"), accounts::TextOf(item, "sk"));
  PARLEY_CHECK_OK(tx.Commit());
  return found.last.has_value();
}

}  // namespace parley::features

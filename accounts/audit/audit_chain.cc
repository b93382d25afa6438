#include "accounts/audit/audit_chain.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/encode.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;

namespace {

// Includes the rows that this decision has staged.
protocol::Result<AuditHead> ReadHead(const RecordTransaction& tx) {
  PARLEY_TRY(row, tx.FindRow(AuditPartition(tx.tenant()), AuditHeadKey()));
  AuditHead head;
  if (row && !DecodeAuditHead(row->payload, &head))
    return Error(ErrorCode::kInternal, "the end of the audit chain cannot be read");
  return head;
}

// Derived from its place in the chain, so that it is unique, and the same if the act is decided again.
protocol::AuditId IdAfter(const AuditHead& head, const protocol::TenantId& tenant, protocol::Time at) {
  protocol::AuditId id;
  for (size_t i = 0; i < 6; ++i)
    id.ulid.bytes[i] = static_cast<uint8_t>(static_cast<uint64_t>(at.ms) >> (40 - 8 * i));
  const std::string drawn =
      protocol::Sha256(tenant.ToText() + ' ' + std::to_string(head.entries) + ' ' + head.hash);
  for (size_t i = 6; i < id.ulid.bytes.size(); ++i) id.ulid.bytes[i] = static_cast<uint8_t>(drawn[i]);
  return id;
}

void Append(RecordTransaction& tx, AuditHead head, protocol::AuditFacts facts) {
  const auto partition = AuditPartition(tx.tenant());
  protocol::BoundFacts(&facts);
  facts.seq = static_cast<int64_t>(++head.entries);
  protocol::ChainEntry entry{std::move(facts), head.hash, {}};
  head.hash = entry.hash = protocol::Hex(protocol::Sha256(entry.prev_hash + protocol::CanonicalJson(entry)));
  for (storage::SortKey& key : AuditIndexKeys(entry, head.last)) tx.PutRow(partition, std::move(key), {});
  head.last = std::max(head.last, entry.at);
  tx.PutRow(partition, AuditEntryKey(head.entries), protocol::Encode(entry));
  tx.PutRow(partition, AuditHeadKey(), EncodeAuditHead(head));
}

}  // namespace

protocol::Result<protocol::AuditId> RecordAct(RecordTransaction& tx, AuditAct act) {
  PARLEY_TRY(head, ReadHead(tx));
  protocol::AuditFacts facts;
  facts.audit_id = IdAfter(head, tx.tenant(), tx.now());
  facts.at = tx.now();
  facts.actor = std::move(act.actor);
  facts.actor_role = std::move(act.actor_role);
  facts.action = std::move(act.action);
  facts.reason = std::move(act.reason);
  facts.thread_id = act.thread_id;
  facts.message_id = act.message_id;
  facts.user_id = std::move(act.user_id);
  facts.case_id = std::move(act.case_id);
  facts.before = std::move(act.before);
  facts.after = std::move(act.after);
  const protocol::AuditId id = facts.audit_id;
  Append(tx, std::move(head), std::move(facts));
  return id;
}

protocol::Status AppendFacts(RecordTransaction& tx, protocol::AuditFacts facts) {
  PARLEY_TRY(head, ReadHead(tx));
  Append(tx, std::move(head), std::move(facts));
  return protocol::Ok();
}

}  // namespace parley::accounts

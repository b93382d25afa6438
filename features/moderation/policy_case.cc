#include "features/moderation/asks.h"

#include "accounts/audit/audit_chain.h"
#include "features/moderation/case_store.h"
#include "features/moderation/settings.h"
#include "protocol/base/crypto.h"
#include "protocol/base/sure.h"

namespace parley::features {

DualSeverities DualOf(const Host& host, const protocol::TenantId& tenant) {
  return DualSeveritiesOf(host.FindTenant(tenant));
}

using protocol::CaseId;
using protocol::Severity;

namespace {

constexpr Severity kSeverity = Severity::kMedium;

CaseId IdOf(const std::string& act) {
  const std::string hash = protocol::Sha256("policy/" + act);
  return CaseId{protocol::Sure(protocol::Ulid::FromBytes(std::string_view(hash).substr(0, 16)))};
}

// As many whole names as fit; the audit has the others.
std::string ReasonOf(const std::string& rules) {
  std::string reason = "text policy: " + rules;
  if (reason.size() <= decltype(Case::reason)::kMax) return reason;
  return reason.substr(0, reason.rfind(", ", decltype(Case::reason)::kMax));
}

}  // namespace

protocol::Status OpenPolicyCase(accounts::RecordTransaction& tx, const PolicyStop& stop,
                                const DualSeverities& dual) {
  CaseRecord record;
  Case& shown = record.shown;
  shown.case_id = IdOf(stop.act);
  shown.type = CaseType::kUser;
  shown.origin = CaseOrigin::kPolicy;
  shown.thread_id = stop.thread_id;
  shown.user_id = stop.user;
  record.subject = SubjectText(shown);
  PARLEY_TRY(before, FindCase(tx, shown.case_id));
  if (before) return protocol::Ok();
  PARLEY_TRY(open, FindOpenCase(tx, record.subject));
  if (open) return protocol::Ok();
  shown.severity = kSeverity;
  shown.requires_dual_approval = NeedsTwo(shown, dual);
  shown.reason.value = ReasonOf(stop.rules);
  shown.reported_at = shown.updated_at = tx.now();
  accounts::AuditAct act;
  act.actor_role = "policy";
  act.action = "case.open";
  act.reason = shown.reason.value;
  act.thread_id = shown.thread_id;
  act.user_id = shown.user_id;
  act.case_id = shown.case_id.ToText();
  PARLEY_TRY(audit_id, accounts::RecordAct(tx, std::move(act)));
  shown.audit_id.emplace().value = audit_id.ToText();
  AddEffect(CaseEffectKind::kOpenCard, {}, nullptr, shown.reason.value, &record);
  return PutCase(tx, {}, std::move(record));
}

}  // namespace parley::features

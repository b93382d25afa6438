#include "features/moderation/feature.h"

#include <map>

#include "features/moderation/audit_facts.h"
#include "features/moderation/audit_relay.h"
#include "features/moderation/case_effects.h"
#include "features/moderation/case_facts.h"
#include "features/moderation/case_relay.h"
#include "features/moderation/operations.h"
#include "features/moderation/settings.h"

namespace parley::features {
namespace {

std::unique_ptr<fanout::LogRelay> MakeAuditRelay(const RelayParts& parts) {
  return std::make_unique<AuditRelay>(parts.table, parts.submit, parts.hurry, parts.settings, parts.metrics);
}

std::unique_ptr<fanout::LogRelay> MakeCaseRelay(const RelayParts& parts) {
  const auto dual = [&tenants = parts.tenants](const protocol::TenantId& tenant) {
    return DualSeveritiesOf(tenants.Find(tenant.value));
  };
  return std::make_unique<CaseRelay>(parts.table, parts.submit, parts.wake, parts.settings, dual, parts.due,
                                     parts.metrics);
}

std::vector<DueTask> FindCaseTasks(const DueSearch& search) {
  std::vector<DueTask> out;
  for (const protocol::TenantId& tenant : search.tenants) {
    for (CaseWork& work : FindCaseWork(search.reader, tenant, search.now, search.sealer, search.limit)) {
      out.push_back([work = std::move(work)](Host& host, std::function<void()> done) {
        CarryOut(host, work, [done = std::move(done)](bool) { done(); });
      });
    }
  }
  return out;
}

// Walks along the tenants' audit chains.
class AuditScrub final : public RowScrub {
 public:
  size_t Step(const storage::Reader& reader, const protocol::TenantId& tenant, size_t limit,
              const std::function<void(const std::string&)>& differs) override {
    facts::AuditWalk& walk = walks_[tenant];
    const uint64_t before = walk.entries;
    const bool ended = facts::WalkAudit(reader, tenant, limit, &walk, differs);
    return ended ? 1 : static_cast<size_t>(walk.entries - before);
  }

 private:
  std::map<protocol::TenantId, facts::AuditWalk> walks_;
};

std::unique_ptr<RowScrub> MakeAuditScrub() {
  return std::make_unique<AuditScrub>();
}

}  // namespace

const Feature& ModerationFeature() {
  static constexpr Relay relays[] = {{threads::Waits::kAudit, &MakeAuditRelay},
                                     {threads::Waits::kNothing, &MakeCaseRelay}};
  static constexpr Due due[] = {{&FindCaseTasks}};
  static constexpr fanout::MakeFacts proofs[] = {&facts::MakeAuditFacts, &facts::MakeCaseFacts};
  static constexpr threads::Retention retention[] = {
      {storage::TableTag::kAudit, 0, "audit chains",
       "forever: it is the audit; one entry of up to 12 KiB per act", threads::kNoRemover},
  };
  static const Feature feature{.name = "moderation",
                               .operations = ModerationOperations(),
                               .guards = ModerationGuards(),
                               .relays = relays,
                               .due = due,
                               .retention = retention,
                               .facts = proofs,
                               .scrub = &MakeAuditScrub};
  return feature;
}

}  // namespace parley::features

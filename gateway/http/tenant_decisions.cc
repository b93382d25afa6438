#include "gateway/http/tenant_decisions.h"

#include <utility>

#include "features/host/records.h"
#include "gateway/http/admin_acts.h"

namespace parley::gateway {

using accounts::RecordTransaction;
using accounts::Tenant;

void DecideTenant(const Call& call, const protocol::TenantId& id,
                  std::function<protocol::Result<Tenant>(RecordTransaction&)> decide,
                  Answering<Tenant> then) {
  DecideRecords<DecidedTenant>(
      call.io, id,
      [&node = call.node(),
       decide = std::move(decide)](RecordTransaction& tx) -> protocol::Result<DecidedTenant> {
        PARLEY_TRY(tenant, decide(tx));
        return DecidedTenant{std::move(tenant), node.NextTenantOrder()};
      },
      [&node = call.node(), then = std::move(then)](protocol::Result<DecidedTenant> decided) {
        if (!decided.ok()) return then(std::move(decided.error()));
        node.tenants().Publish(std::make_shared<const Tenant>(decided->tenant), decided->order);
        then(std::move(decided->tenant));
      });
}

accounts::AuditAct KeyAct(const Call& call, std::string action, const std::string& key) {
  accounts::AuditAct act = ActOf(call, std::move(action));
  act.after = protocol::StatesOf({{"key", key}});
  return act;
}

}  // namespace parley::gateway

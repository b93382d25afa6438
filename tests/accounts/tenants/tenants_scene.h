// Decisions about tenants on the engine.
#pragma once

#include <functional>
#include <string>

#include "accounts/tenants/administration.h"
#include "storage/declarations/load.h"
#include "storage/engine/service_rules.h"
#include "tests/storage/engine/item_scene.h"
#include "tests/storage/memory_sealer.h"

namespace parley::accounts {

class TenantsScene {
 public:
  template <class T>
  protocol::Result<T> Decide(const std::string& tenant,
                             const std::function<protocol::Result<T>(RecordTransaction&)>& decide) {
    std::optional<protocol::Result<T>> out;
    items.Decide([&](storage::ItemTransaction& tx) -> storage::MaybeFault {
      RecordTransaction records(tx, *protocol::TenantId::FromText(tenant));
      out.emplace(decide(records));
      return {};
    });
    return *std::move(out);
  }
  protocol::Result<Tenant> Make(const std::string& id, const std::string& settings = "{}") {
    return Decide<Tenant>(id, [&](RecordTransaction& tx) {
      return MakeTenant(tx, {*NewTenantId(id), "The " + id, settings, std::string(32, 's')}, 0);
    });
  }
  RecordReads Reads(const std::string& tenant) {
    return {items.table(), *protocol::TenantId::FromText(tenant), items.clock.Now(), sealing};
  }
  // The name of a code, or "ok".
  template <class T>
  static std::string CodeOf(const protocol::Result<T>& result) {
    return result.ok() ? "ok" : std::string(Describe(result.error().code).name);
  }

  storage::ItemScene items{"memory", storage::SeedTables()};
  const storage::Sealer sealing = storage::SealerInMemory("scene");
};

}  // namespace parley::accounts

// The records of one or more tenants on the table engine, for tests of accounts.
#pragma once

#include <functional>
#include <string>

#include "accounts/records/records.h"
#include "storage/declarations/load.h"
#include "storage/engine/service_rules.h"
#include "tests/storage/engine/item_scene.h"
#include "tests/storage/memory_sealer.h"

namespace parley::accounts {

class RecordScene {
 public:
  // Makes a decision in its own batch.
  template <class T>
  protocol::Result<T> Decide(const std::function<protocol::Result<T>(RecordTransaction&)>& decide) {
    protocol::Result<T> out = protocol::Error();
    items.Decide(Job<T>(decide, &out));
    return out;
  }
  // Makes both in one batch, in this order, so that the second sees the first's changes before they are on
  // disk.
  template <class T>
  std::pair<protocol::Result<T>, protocol::Result<T>> DecideBoth(
      const std::function<protocol::Result<T>(RecordTransaction&)>& first,
      const std::function<protocol::Result<T>(RecordTransaction&)>& second) {
    std::pair<protocol::Result<T>, protocol::Result<T>> out{protocol::Error(), protocol::Error()};
    std::string said[2];
    items.Submit(Job<T>(first, &out.first), &said[0]);
    items.Submit(Job<T>(second, &out.second), &said[1]);
    items.StepUntilIdle();
    return out;
  }
  RecordReads Reads() { return {items.table(), tenant, items.clock.Now(), sealer_}; }

  storage::ItemScene items{"memory", storage::SeedTables()};
  protocol::TenantId tenant = *protocol::TenantId::FromText("acme");

 private:
  template <class T>
  auto Job(const std::function<protocol::Result<T>(RecordTransaction&)>& decide, protocol::Result<T>* out) {
    return [this, decide, out](storage::ItemTransaction& tx) -> storage::MaybeFault {
      RecordTransaction records(tx, tenant);
      *out = decide(records);
      return {};
    };
  }

  const storage::Sealer sealer_ = storage::SealerInMemory("scene");
};

// Returns "ok", or the error's code.
template <class T>
std::string CodeOf(const protocol::Result<T>& result) {
  return result.ok() ? "ok" : std::string(Describe(result.error().code).name);
}

}  // namespace parley::accounts

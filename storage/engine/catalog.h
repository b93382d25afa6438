// The list of tables: the declared ones, which every tenant has, and each tenant's own.
//
// Thread contract: reads from any thread; Publish and Withdraw on the writer's, after the sync.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/mutex.h"
#include "storage/declarations/table_def.h"
#include "storage/engine/fault.h"
#include "storage/key.h"

namespace parley::storage {

using protocol::TenantId;

class Catalog {
 public:
  // `seeds`: the declared tables, which every tenant has.
  explicit Catalog(std::vector<TableDefPtr> seeds);
  // Reads the tenants' own tables. REQUIRES: before any other call.
  Status Load(const Reader& reader);

  TableDefPtr Find(const TenantId& tenant, std::string_view name) const;  // nullptr if unknown
  std::vector<TableDefPtr> List(const TenantId& tenant) const;            // ordered by name
  // The own tables of all tenants.
  std::vector<std::pair<TenantId, TableDefPtr>> Own() const;
  size_t CountOwn(const TenantId& tenant) const;
  const std::map<std::string, TableDefPtr, std::less<>>& seeds() const { return seeds_; }

  void Publish(const TenantId& tenant, TableDefPtr def);
  void Withdraw(const TenantId& tenant, const std::string& name);

 private:
  using Place = std::pair<std::string, std::string>;  // tenant, table
  std::map<std::string, TableDefPtr, std::less<>> seeds_;
  mutable protocol::Mutex mutex_;
  std::map<Place, TableDefPtr> own_ GUARDED_BY(mutex_);
};

// Encodes the definition of a tenant's own table as a row.
std::string EncodeDefinition(const TableDef& def);
bool DecodeDefinition(std::string_view bytes, TableDef* out);

}  // namespace parley::storage

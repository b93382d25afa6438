#include "storage/engine/service_rules.h"

#include <algorithm>

#include "storage/declarations/rules.h"
#include "storage/declarations/sealing.h"

namespace parley::storage {
namespace {

MaybeFault FaultOf(const std::vector<AttributeFault>& faults) {
  if (faults.empty()) return {};
  std::string all;
  for (const AttributeFault& fault : faults)
    all += (all.empty() ? "" : "; ") + fault.attribute + " " + fault.why;
  return Invalid("One or more attributes are invalid: " + all);
}

MaybeFault FindNamed(const TableDef& def, std::string_view kind, const ItemKind** out) {
  const auto found =
      std::find_if(def.kinds.begin(), def.kinds.end(), [&](const ItemKind& one) { return one.name == kind; });
  if (found == def.kinds.end()) return Invalid(def.name + " holds no items of kind " + std::string(kind));
  *out = &*found;
  return {};
}

}  // namespace

MaybeFault ServiceKey(const TableDef& def, std::string_view kind, const Item& item, KeyValues* out) {
  const ItemKind* named = nullptr;
  if (auto fault = FindNamed(def, kind, &named)) return fault;
  AttributeFaults faults;
  // A stored item has its keys, so it need not repeat the attributes in them.
  Item whole = item;
  for (const auto& [name, value] : PartsOf(def, *named, item)) {
    if (!whole.Has(name)) whole.Set(name, value);
  }
  const Item keys = BuildKeys(def, *named, whole, &faults);
  if (auto fault = FaultOf(faults.all())) return fault;
  return CheckKey(def, keys, out);
}

MaybeFault OpenItem(const TableDef& def, const TenantId& tenant, const Sealer& sealer, Item* item) {
  if (OpenSecrets(def, tenant, sealer, item)) return {};
  return EngineFault{FaultKind::kInternal, "a secret of an item of " + def.name + " cannot be opened"};
}

MaybeFault PrepareItem(const ItemTransaction& tx, const TenantId& tenant, const TableDef& def,
                       std::string_view kind, Item in, const Item* before, Item* out) {
  const ItemKind* found = nullptr;
  if (!kind.empty()) {
    if (auto fault = FindNamed(def, kind, &found)) return fault;
  } else {
    found = FindKind(def, in);
    if (!found) return Invalid("no kind of item of " + def.name + " has such a key");
  }
  Prepared prepared = PrepareForWrite(def, *found, std::move(in), before, tx.now());
  if (auto fault = FaultOf(prepared.faults)) return fault;
  *out = std::move(prepared.item);
  SealSecrets(def, tenant, tx.sealer(), out);
  return {};
}

}  // namespace parley::storage

// All tenants, in memory: every request asks for one. A tenant takes some kilobytes at most by its settings,
// and some hundred bytes as a rule.
//
// Thread-safe. A pointer stays valid as long as it is held, and tells of the moment when it was taken.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/tenants/tenant.h"
#include "protocol/base/mutex.h"
#include "storage/sealing/sealer.h"
#include "storage/table.h"

namespace parley::accounts {

// Origins in a line of a log: "https://a.example https://b.example", at most kOriginsShownMax of them and
// "and others"; "none".
inline constexpr size_t kOriginsShownMax = 8;
std::string OriginsShown(const std::vector<std::string>& origins);

class TenantDirectory {
 public:
  // Reads all tenants, the one of a demo only where there is one (`demo`). One that cannot be read is left
  // out and logged.
  storage::Status Load(const storage::Reader& reader, protocol::Time now, const storage::Sealer& sealer,
                       bool demo);

  TenantPtr Find(std::string_view id) const;  // nullptr: there is none
  std::vector<protocol::TenantId> Ids() const;
  std::vector<TenantPtr> All() const;  // in order of createdAt, then of id
  size_t size() const;
  bool AnyAllows(std::string_view origin) const;  // some tenant does
  std::string SomeAllowed() const;                // OriginsShown of what tenants allow

  // What is on disk now. `order` is that of the decisions: answers may overtake each other, and an older
  // state does not replace a newer one.
  void Publish(TenantPtr tenant, uint64_t order);

 private:
  struct Entry {
    TenantPtr tenant;
    uint64_t order = 0;
  };
  mutable protocol::Mutex mutex_;
  std::map<std::string, Entry, std::less<>> tenants_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts

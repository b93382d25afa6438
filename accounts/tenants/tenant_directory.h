// All tenants, in memory, because every request needs one. A tenant takes some hundred bytes, at most some
// kilobytes with its settings.
//
// Thread-safe. A pointer stays valid as long as it is held, and shows the state when it was taken.
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

// Origins for a line of the log: "https:a.example https:b.example", at most kOriginsShownMax of them and "and
// others"; or "none".
inline constexpr size_t kOriginsShownMax = 8;
std::string OriginsShown(const std::vector<std::string>& origins);

class TenantDirectory {
 public:
  // Reads all tenants; the demo's only if `demo` is set. An unreadable one is skipped and
  // logged.
  storage::Status Load(const storage::Reader& reader, protocol::Time now, const storage::Sealer& sealer,
                       bool demo);

  TenantPtr Find(std::string_view id) const;  // nullptr if unknown
  std::vector<protocol::TenantId> Ids() const;
  std::vector<TenantPtr> All() const;  // in order of createdAt, then of id
  size_t size() const;
  bool AnyAllows(std::string_view origin) const;  // at least one tenant does
  std::string SomeAllowed() const;                // OriginsShown of all tenants' origins

  // Sets the state on disk. `order` is that of the decisions: answers may overtake each other, and an older
  // state never replaces a newer one.
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

// Implements threads/model/people.h over the records of accounts/: blocks and sanctions.
//
// Thread contract: any thread.
#pragma once

#include <atomic>

#include "accounts/tenants/tenant_directory.h"
#include "storage/sealing/sealer.h"
#include "threads/model/people.h"

namespace parley::features {

class StoredPeople final : public threads::People {
 public:
  StoredPeople(const storage::Sealer& sealer, const accounts::TenantDirectory& tenants)
      : sealer_(sealer), tenants_(tenants) {}

  uint64_t generation() const override { return generation_.load(std::memory_order_acquire); }
  protocol::Result<bool> Blocks(const Asker& asker, const protocol::UserId& by,
                                const protocol::UserId& whom) const override;
  protocol::Result<threads::Sanction> SanctionOf(const Asker& asker,
                                                 const protocol::UserId& user) const override;
  threads::Messaging MessagingIn(const protocol::TenantId& tenant,
                                 const std::optional<std::string>& city) const override;
  bool IsOffSomewhere(const protocol::TenantId& tenant) const override;
  // A block or a sanction was written and is on disk.
  void NoteChanged() { generation_.fetch_add(1, std::memory_order_release); }

 private:
  const storage::Sealer& sealer_;
  const accounts::TenantDirectory& tenants_;
  std::atomic<uint64_t> generation_{1};
};

}  // namespace parley::features

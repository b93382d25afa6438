// Implements threads/model/people.h over the records of accounts/ and the tenants' settings.
//
// Thread contract: any thread.
#pragma once

#include "accounts/tenants/tenant_directory.h"
#include "storage/sealing/sealer.h"
#include "threads/model/people.h"

namespace parley::features {

class StoredPeople final : public threads::People {
 public:
  StoredPeople(const storage::Sealer& sealer, const accounts::TenantDirectory& tenants)
      : sealer_(sealer), tenants_(tenants) {}

  protocol::Result<bool> Blocks(const Asker& asker, const protocol::UserId& by,
                                const protocol::UserId& whom) const override;
  protocol::Result<threads::Sanction> SanctionOf(const Asker& asker,
                                                 const protocol::UserId& user) const override;
  threads::Messaging MessagingIn(const protocol::TenantId& tenant,
                                 const std::optional<std::string>& city) const override;
  bool IsOffSomewhere(const protocol::TenantId& tenant) const override;

 private:
  const storage::Sealer& sealer_;
  const accounts::TenantDirectory& tenants_;
};

}  // namespace parley::features

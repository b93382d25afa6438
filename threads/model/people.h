// An interface that reports blocks, sanctions and the tenant's switches to the reads of threads. A feature
// implements it.
//
// Thread contract: any thread.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "storage/table.h"
#include "threads/model/barriers.h"

namespace parley::threads {

class People {
 public:
  // The input of a query: the stored rows, the tenant and the time.
  struct Asker {
    const storage::Reader& reader;
    const protocol::TenantId& tenant;
    protocol::Time now;
  };
  virtual ~People() = default;
  virtual protocol::Result<bool> Blocks(const Asker& asker, const protocol::UserId& by,
                                        const protocol::UserId& whom) const = 0;
  // Whether one of the two blocks the other.
  protocol::Result<bool> AreBlocked(const Asker& asker, const protocol::UserId& a,
                                    const protocol::UserId& b) const {
    PARLEY_TRY(one, Blocks(asker, a, b));
    if (one) return true;
    return Blocks(asker, b, a);
  }
  virtual protocol::Result<Sanction> SanctionOf(const Asker& asker, const protocol::UserId& user) const = 0;
  // The level of messaging in a city; nullopt: in threads without a city.
  virtual Messaging MessagingIn(const protocol::TenantId& tenant,
                                const std::optional<std::string>& city) const = 0;
  // Whether messaging is restricted in some city, so that each thread must be checked.
  virtual bool IsOffSomewhere(const protocol::TenantId& tenant) const = 0;
};

}  // namespace parley::threads

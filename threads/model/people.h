// What keeps people from messaging each other, beyond what threads know: blocks, what was decided about them,
// and the tenant's switches. An interface of ours. Who keeps it is known
// elsewhere; gateway/ wires the two.
//
// Thread contract: any executor's thread.
#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "storage/table.h"
#include "threads/model/barriers.h"

namespace parley::threads {

class People {
 public:
  // Who asks: what is stored, and the time.
  struct Asker {
    const storage::Reader& reader;
    const protocol::TenantId& tenant;
    protocol::Time now;
  };
  virtual ~People() = default;
  // Rises after any of what follows was changed and before whoever changed it hears of that: what was read
  // before may be old then, and nothing else makes it so. Never 0.
  virtual uint64_t generation() const = 0;
  virtual protocol::Result<bool> Blocks(const Asker& asker, const protocol::UserId& by,
                                        const protocol::UserId& whom) const = 0;
  // Whether either of the two blocks the other.
  protocol::Result<bool> AreBlocked(const Asker& asker, const protocol::UserId& a,
                                    const protocol::UserId& b) const {
    PARLEY_TRY(one, Blocks(asker, a, b));
    if (one) return true;
    return Blocks(asker, b, a);
  }
  virtual protocol::Result<Sanction> SanctionOf(const Asker& asker, const protocol::UserId& user) const = 0;
  // What the tenant's switches leave of messaging in a city; none: in threads without one.
  virtual Messaging MessagingIn(const protocol::TenantId& tenant,
                                const std::optional<std::string>& city) const = 0;
  // Whether it is switched off in some city, so that it is worth asking of each thread.
  virtual bool IsOffSomewhere(const protocol::TenantId& tenant) const = 0;
};

}  // namespace parley::threads

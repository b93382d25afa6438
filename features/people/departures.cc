#include "features/people/asks.h"

#include "accounts/permissions/departure.h"
#include "features/host/records.h"

namespace parley::features {

using accounts::Departed;
using protocol::Result;

void ClearDeparted(Host& host, const Departed& who, std::function<void()> then) {
  DecidePeople<bool>(
      host, who.tenant,
      [user = who.user](accounts::RecordTransaction& tx) { return accounts::ClearDeparted(tx, user); },
      [&host, who, then = std::move(then)](const Result<bool>& more) {
        if (more.ok() && *more) return ClearDeparted(host, who, then);
        then();
      });
}

}  // namespace parley::features

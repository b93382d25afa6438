#include "gateway/app/departures.h"

#include "accounts/permissions/departure.h"
#include "gateway/app/io_thread.h"
#include "gateway/app/records.h"

namespace parley::gateway {

using accounts::Departed;
using protocol::Result;

void ClearDeparted(IoThread& io, const Departed& who, std::function<void()> then) {
  DecidePeople<bool>(
      io, who.tenant,
      [user = who.user](accounts::RecordTransaction& tx) { return accounts::ClearDeparted(tx, user); },
      [&io, who, then = std::move(then)](const Result<bool>& more) {
        if (more.ok() && *more) return ClearDeparted(io, who, then);
        then();
      });
}

}  // namespace parley::gateway

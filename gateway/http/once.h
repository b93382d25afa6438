// Creating calls that may be repeated (Idempotency-Key): for a day a repeat is answered as the
// first one was, but without what is shown once.
//
// Thread contract: as records.h.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "features/host/records.h"
#include "gateway/http/route.h"
#include "threads/model/rows.h"

namespace parley::gateway {

// What a repeat is recognised by; BAD_REQUEST for a header that is none. Empty key: it cannot be repeated.
struct Repeat {
  protocol::TenantId keeper;  // whose keys it is looked up among
  std::string key;            // bound to who asks and for what
  std::string digest;         // of what was asked
};
protocol::Result<Repeat> RepeatOf(const Call& call, const protocol::TenantId& keeper);

// `decide` runs on the writer's thread and ends with its commit; `kept` is the answer without its secret. Of
// equal requests at once the later ones are decided after the first, and answered as repeats.
template <class Reply>
void DecideOnce(const Call& call, const protocol::TenantId& tenant,
                std::function<protocol::Result<Reply>(accounts::RecordTransaction&)> decide,
                std::function<Reply(Reply)> kept, Answering<Reply> then,
                std::optional<protocol::TenantId> keeper = {}) {
  auto repeat = RepeatOf(call, keeper.value_or(tenant));
  if (!repeat.ok()) return then(std::move(repeat.error()));
  if (repeat->key.empty()) return DecideRecords<Reply>(call.io, tenant, std::move(decide), std::move(then));
  DecideRecords<Reply>(
      call.io, tenant,
      [repeat = *std::move(repeat), decide = std::move(decide),
       kept = std::move(kept)](accounts::RecordTransaction& records) -> protocol::Result<Reply> {
        PARLEY_TRY(before, records.FindRepeat(repeat.keeper, repeat.key, repeat.digest));
        if (before) {
          protocol::Document document;
          Reply reply;
          if (!threads::DecodeStored(*before, &document) || !protocol::Bind(document.root, &reply).ok())
            return protocol::Error(protocol::ErrorCode::kInternal, "an earlier answer cannot be read");
          return reply;
        }
        PARLEY_TRY(reply, decide(records));
        records.Remember(repeat.keeper, repeat.key, repeat.digest, protocol::Encode(kept(reply)));
        return std::move(reply);
      },
      std::move(then));
}

}  // namespace parley::gateway

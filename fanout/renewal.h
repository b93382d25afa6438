// Rewrites the rows of older releases once, after a projection's rows have gained fields: thread by thread in
// order of their ids, while the worker is idle. Until then they are read as they are. One row per tenant
// stores the progress and is applied together with the rewritten rows; releases before versions did not write
// it.
//
// Thread contract: pure; reads over any storage::Reader.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "protocol/base/ids.h"
#include "storage/table.h"

namespace parley::fanout {

using protocol::TenantId;
using protocol::ThreadId;

struct Renewal {
  TenantId tenant;
  int64_t version = 1;
  std::optional<ThreadId> after;  // the last thread renewed
  bool done = true;
};
storage::SortKey RenewalKey(std::string_view projection);
storage::Status ReadRenewal(const storage::Reader& reader, std::string_view projection,
                            const TenantId& tenant, Renewal* out);
storage::DerivedWrite RenewalWrite(std::string_view projection, const Renewal& renewal);

// Reads the tenant's next threads in order of their ids.
storage::Status ThreadsAfter(const storage::Reader& reader, const TenantId& tenant,
                             const std::optional<ThreadId>& after, size_t limit, std::vector<ThreadId>* out);

}  // namespace parley::fanout

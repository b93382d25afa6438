// The routes that make, list and revoke table keys: for a tenant's back end, and for whoever tries a demo.
//
//   POST /v1/tenants/{tenantId}/table-keys                         {name?, tables?, readOnly?}
//   GET  /v1/tenants/{tenantId}/table-keys                         ?limit= &cursor=
//   POST /v1/tenants/{tenantId}/table-keys/{accessKeyId}/revoke
//   POST /v1/demo/table-key                                        as the first, of tenant demo; under --demo
//
// Thread contract: the lane's loop.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "accounts/table_keys.h"
#include "gateway/lane.h"
#include "gateway/net/transport.h"
#include "protocol/base/result.h"
#include "threads/model/caller.h"

namespace parley::gateway {

class TableKeyRoutes {
 public:
  using WhoAsks = std::function<protocol::Result<threads::Caller>()>;
  using Respond = std::function<void(protocol::Result<HttpResponse>)>;

  explicit TableKeyRoutes(Lane& lane) : lane_(lane) {}

  // False: the path is none of these. Otherwise `respond` is called once, now or later, on the loop.
  bool Handle(const HttpRequest& request, std::string_view path, const WhoAsks& who, Respond respond);

 private:
  Lane& lane_;
};

}  // namespace parley::gateway

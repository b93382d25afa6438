#include <iterator>

#include "gateway/http/route.h"

namespace parley::gateway {

const std::vector<HttpRoute>& AllRoutes() {
  static const auto routes = [] {
    std::vector<HttpRoute> all;
    for (auto some : {TenantRoutes, SigningKeyRoutes, TableKeyRoutes, UserRoutes, ApiKeyRoutes, TokenRoutes,
                      PermissionRoutes, InviteRoutes, EventRoutes, ClockRoutes, DemoRoutes, SystemRoutes}) {
      auto more = some();
      all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return all;
  }();
  return routes;
}

}  // namespace parley::gateway

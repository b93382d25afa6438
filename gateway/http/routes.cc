#include <iterator>

#include "features/all.h"
#include "gateway/http/route.h"

namespace parley::gateway {
namespace {

void Append(std::vector<HttpRoute> more, std::vector<HttpRoute>* all) {
  all->insert(all->end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

const std::vector<HttpRoute>& AllRoutes() {
  static const auto routes = [] {
    std::vector<HttpRoute> all;
    for (auto some : {TenantRoutes, SigningKeyRoutes, TableKeyRoutes, UserRoutes, ApiKeyRoutes, TokenRoutes,
                      PermissionRoutes})
      Append(some(), &all);
    for (const features::Feature* feature : features::AllFeatures()) {
      if (feature->routes) Append(feature->routes(), &all);
    }
    for (auto some : {ClockRoutes, TraceRoutes, DemoRoutes, SystemRoutes}) Append(some(), &all);
    return all;
  }();
  return routes;
}

}  // namespace parley::gateway

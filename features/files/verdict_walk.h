// The place of the clock's walk over the files that wait for a verdict of the service: the server may have
// ended before their variants were made, so each file is looked at once after a start.
//
// Thread contract: the clock's search, which runs once at a time.
#pragma once

#include <map>
#include <string>

#include "protocol/base/ids.h"

namespace parley::features {

class VerdictWalk {
 public:
  // The key of the tenant's last file that was begun; "": none was.
  const std::string& PlaceOf(const protocol::TenantId& tenant) { return places_[tenant]; }
  void GoTo(const protocol::TenantId& tenant, std::string key) { places_[tenant] = std::move(key); }

 private:
  std::map<protocol::TenantId, std::string> places_;
};

}  // namespace parley::features

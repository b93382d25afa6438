#include "features/host/identity.h"

#include "protocol/base/reason.h"

namespace parley::features {

protocol::Result<threads::Caller> ActingAs(const protocol::HttpRequest& request, threads::Caller caller) {
  const std::string* user = request.Header("Parley-User");
  if (!user) return caller;
  if (!caller.is_service()) return ErrorFor(protocol::Reason::kOnlyServices, "only a service acts as a user");
  caller.user = protocol::UserId::FromText(*user);
  if (!caller.user) return protocol::Error::BadField("Parley-User", "is not a valid id");
  return caller;
}

}  // namespace parley::features

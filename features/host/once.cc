#include "features/host/once.h"

namespace parley::features {

protocol::Result<Repeat> RepeatOf(const Call& call, const protocol::TenantId& keeper) {
  const protocol::HttpRequest& request = call.exchange->request();
  const std::string* header = request.Header("Idempotency-Key");
  if (!header) return Repeat{keeper, {}, {}};
  if (!protocol::ClientId::FromText(*header))
    return protocol::Error::BadField("Idempotency-Key", "must be 1 to 64 printable ASCII characters");
  const threads::Caller& caller = call.who.caller;
  const std::string who = call.who.is_operator ? "operator"
                          : caller.user        ? "user/" + caller.user->ToText()
                                               : "service";
  return Repeat{keeper, who + "\n" + std::string(call.route) + "\n" + *header,
                request.method + "\n" + request.target + "\n" + request.body};
}

}  // namespace parley::features

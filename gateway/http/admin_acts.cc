#include "gateway/http/admin_acts.h"

namespace parley::gateway {

accounts::AuditAct ActOf(const Call& call, std::string action) {
  accounts::AuditAct act;
  act.actor = call.who.caller.user;
  act.actor_role = call.who.is_operator ? "operator" : std::string(protocol::NameOf(call.who.caller.role));
  act.action = std::move(action);
  return act;
}

}  // namespace parley::gateway
